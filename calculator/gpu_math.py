"""GPU arithmetic on the command line: ``gpu-math --model llama-70b --gpu h100 --gpus 4 --seq-len 8192 --batch 64``.

Runs on the standard library alone, as a script (``python3 gpu_math.py``), a module or the console script ``gpu-math``.
A topic is asked for by its name: ``gpu-math goodput --save 2``. That alone needs libraries, and imports them then.
"""

import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from argparse import ArgumentParser

if not __package__:
    from os.path import abspath, dirname

    sys.path[0] = dirname(dirname(abspath(__file__)))

from calculator import catalogue
from calculator.core.dtypes import DTYPES
from calculator.core.inputs import RANGES, InputErrors
from calculator.core.llms import LanguageModel
from calculator.core.plan import Plan, evaluate
from calculator.core.script import spoken
from calculator.core.text import digits, show
from calculator.parsing import FIELDS, read_inputs

REFUSED = 2
HELP = {
    "model": "a model, as people type it: llama-70b, Llama-3.1-8B, deepseek-v3",
    "gpu": "an accelerator: h100, h200, a100, mi300x",
    "gpus": "GPUs of the replica (default 1)",
    "seq_len": "tokens that each sequence holds at its longest (default: prompt and output, 8192)",
    "batch": "sequences decoded together (default 1)",
    "prompt_len": "tokens of the prompt (default: the length less the output)",
    "output_len": "tokens generated per request (default 512)",
    "dtype": f"format of the weights: {', '.join(DTYPES)} (default: the model's own)",
    "kv_dtype": f"format of the KV cache: {', '.join(key for key, row in DTYPES.items() if row.kv)} (default bf16)",
    "mem_util": "share of the marketed memory for weights and cache (default 0.95)",
    "price": "USD per GPU-hour (default: the catalogue's)",
    "params": "parameters, instead of the catalogue's count: 70e9",
    "mfu": "share of the peak that prefill reaches (default 0.5)",
    "mbu": "share of the bandwidth that decode reaches (default 0.7)",
    "budget": "how memory is divided: simple, the whiteboard's way, or engine, as an engine logs it (default simple)",
    "tp": "GPUs that share each layer (default: all of a stage)",
    "pp": "pipeline stages, groups of layers that follow one another (default 1)",
    "link": "what joins the nodes: infiniband_ndr, ethernet_400 (needed for more GPUs than a node has)",
    "engine": "vllm or sglang; asks for the engine's budget (default vllm)",
    "engine_version": "version of the engine: 0.11.0 (default: the newest known)",
    "max_model_len": "longest sequence that the engine is started for (default: the model's own)",
    "max_num_seqs": "most sequences of one step (default: the engine's)",
    "max_num_batched_tokens": "most tokens of one step: prompts are cut into such chunks (default: the engine's)",
    "cached_len": "tokens of the prompt whose KV cache is there already (default 0)",
    "draft": "a small model that drafts tokens for the large one to check: llama8b",
    "draft_len": "tokens drafted per step (default 4)",
    "acceptance": "share of drafted tokens that are kept (default 0.7)",
}


def option(field: str) -> str:
    """The option of a field: ``--seq-len`` for ``seq_len``."""
    return "--" + field.replace("_", "-")


FLAGS = {"--json": "json", "--list": "list"}


def quick(arguments: Sequence[str]) -> dict[str, Any] | None:
    """Pairs of an option and its value, as nearly every call has them.

    ``None`` leaves help, mistakes and other spellings to ``argparse``, which takes longer to start than an answer does.
    """
    known = {option(field): field for field in (*FIELDS, "config")}
    found: dict[str, Any] = {}
    tokens = iter(arguments)
    for token in tokens:
        if token in FLAGS:
            found[FLAGS[token]] = True
            continue
        value = next(tokens, None)
        if token not in known or value is None or value.startswith("-"):
            return None
        found[known[token]] = value
    return found


def parser() -> "ArgumentParser":
    """The command line. Values stay text: ranges are checked where the page checks them."""
    import argparse

    made = argparse.ArgumentParser(
        prog="gpu-math",
        description="GPU arithmetic for language models.",
        epilog="A topic has a page of its own, and a command: gpu-math goodput --save 2 (gpu-math topics lists them).",
        allow_abbrev=False,
    )
    for field in FIELDS:
        unit = f" [{RANGES[field].unit}]" if field in RANGES and RANGES[field].unit else ""
        made.add_argument(option(field), metavar=field.upper(), help=HELP[field].replace("%", "%%") + unit)
    made.add_argument("--config", metavar="PATH", help="a Hugging Face config.json, in place of --model")
    made.add_argument("--json", action="store_true", help="the same result as /calculator.json")
    made.add_argument("--list", action="store_true", help="list models and accelerators, and stop")
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    """Answer one question. Returns the exit code: 0, or 2 when an input is refused."""
    words = sys.argv[1:] if arguments is None else arguments
    if words and not words[0].startswith("-"):
        return topic_main(words)
    asked = quick(words)
    if asked is None:
        asked = vars(parser().parse_args(words))
    as_json, listing, path = asked.pop("json", False), asked.pop("list", False), asked.pop("config", None)
    if listing:
        print(catalogue_text())
        return 0
    try:
        plan = evaluate(
            read_inputs({field: value for field, value in asked.items() if value is not None}, config_reader(path))
        )
    except InputErrors as refused:
        for error in refused.errors:
            print(f"gpu-math: {option(error.field)}: {error.message}", file=sys.stderr)
        return REFUSED
    print(json_text(plan) if as_json else plan_text(plan))
    return 0


def topic_main(words: Sequence[str]) -> int:
    """A topic: it is worked out by the expression language, which is a library's work."""
    from importlib import import_module

    if sys.flags.no_site:  # the command starts without packages, for speed: here they are needed after all
        import site

        site.main()
    try:
        topic_cli = import_module("calculator.topic_cli")
    except ModuleNotFoundError as missing:
        print(f"gpu-math: a topic needs {missing.name}, which is not installed (see the README)", file=sys.stderr)
        return REFUSED
    code: int = topic_cli.main(words)
    return code


def config_reader(path: str | None) -> Callable[[], LanguageModel] | None:
    """What reads the model from a file, when one is given."""
    if path is None:
        return None
    from calculator.config_files import model_from_config_file

    return lambda: model_from_config_file(path)


def json_text(plan: Plan) -> str:
    """The answer as JSON, the same as the site gives."""
    import json

    return json.dumps(plan.as_dict(), indent=2, ensure_ascii=False, allow_nan=False)


def catalogue_text() -> str:
    """Models and accelerators, one a line."""
    models = [
        f"  {row.key:<16} {row.name:<26} {digits(row.params / 1e9):>6} B parameters, {row.attention.upper()}"
        for row in catalogue.models().values()
    ]
    gpus = [
        f"  {row.key:<16} {row.name:<26} {show(row.memory_marketed_bytes, 'B'):>8}, "
        f"{show(row.hbm_bandwidth_bytes_per_s, 'B/s'):>9}, {show(row.bf16_dense_flops_per_s, 'FLOP/s', 4)} BF16 dense"
        for row in catalogue.accelerators().values()
    ]
    return "\n".join(["Models", *models, "", "Accelerators", *gpus])


def plan_text(plan: Plan) -> str:
    """The answer for people: each part with its working, then the script."""
    asked = plan.inputs
    head = (
        f"{asked.model.name} on {asked.gpus} × {asked.gpu.name}, batch {asked.batch:,}, "
        f"{asked.seq_len:,} tokens ({asked.prompt_len:,} in, {asked.output_len:,} out)"
    )
    lines = [head, "=" * len(head)]
    part = ""
    for step in plan.steps:
        group = step.path.split("/", 1)[0]
        if group != part:
            part = group
            lines += ["", PARTS[group]]
        lines.append(f"  {step.title:<32} {show(step.value, step.unit, 4):>16}   {step.with_numbers or step.why}")
    verdict = plan.verdict[0].upper() + plan.verdict[1:] + "."
    return "\n".join([*lines, "", "Verdict", f"  {verdict}", "", "The script", *(f"  {line}" for line in spoken(plan))])


PARTS = {
    "memory": "Memory budget",
    "time": "Time",
    "roofline": "Roofline",
    "throughput": "Throughput",
    "reuse": "Reuse and transfer",
    "cost": "Cost",
}

if __name__ == "__main__":
    sys.exit(main())
