"""Asks one peer about every row. Runs in the peer's own environment: ``python adapters.py NAME < rows > answers``.

Each is given what it asks for where the row has it: the model's configuration, its parameters and its checkpoint's
bytes, which they would read from the hub, the GPU's memory as the driver reports it, the share, the length. A peer
that cannot be told the share is asked about the pool only where its own fixed share is the row's. What a peer refuses
is stored as refused, not as wrong.
"""

import json
import statistics
import sys
import time

GIB = 2**30
CALLS = 5


class NotAsked(Exception):
    """The peer has no question that this row answers."""


def ridgepoint(row):
    from ridgepoint import _core, hf

    gpu = {"a100": "a100-80gb", "h100": "h100-80gb", "a100_40gb": "a100-40gb"}.get(row["gpu"])
    dtype = {"bf16": "bf16", "fp16": "fp16", "fp8": "fp8", "int4": "awq"}.get(row["dtype"])
    hf._download_json = lambda repo, filename, revision: row["config"]
    hf._params_from_index = lambda *arguments: int(row["params"])
    shape = hf.fetch_shape("org/model")
    widths = [shape.get(name, 0) for name in ("head_dim", "n_heads", "n_kv_heads", "d_c", "d_rope")]
    head = [shape[name] for name in ("id", "layers", "kv_layers", "d_model", "n_params", "active_params", "geom")]
    context = row["context"]

    def ask(gpu_name, count, weights):
        prompt = min(2048, context - 1)
        text = _core.fit_shape(*head, *widths, gpu_name, count, "vllm", weights, "fp16", context, prompt, True)
        return json.loads(text)

    one = ask("a100-80gb", 1, "bf16")
    per_token = one["capacity"]["bytes_per_seq"] / context / sharded(row)
    pool = None
    if gpu and dtype and row["mem_util"] == 0.9 and row["memory_gib"]:
        answer = ask(gpu, row["tensor_parallel"], dtype)
        pool = answer["memory"]["kv_pool_bytes"]["best"] / row["tensor_parallel"]
    return per_token, pool


def sharded(row):
    """Ranks that share a token's cache, where a peer answers for the whole replica."""
    text = row["config"].get("text_config", row["config"])
    if text.get("kv_lora_rank"):
        return 1
    return min(row["tensor_parallel"], text.get("num_key_value_heads") or text["num_attention_heads"])


def vramscout(row):
    from vramscout import modern_core, modern_v06, modern_v07

    modern_core._load_config = lambda *arguments: row["config"]
    modern_v06._selected_hub_metadata = lambda *arguments: (int(row["params"]), row["checkpoint_bytes"])
    if hasattr(modern_v07, "base"):
        modern_v07.base._load_config = modern_core._load_config

    def parts(context):
        made = modern_v07.plan_modern(
            "org/model",
            context=context,
            tp=row["tensor_parallel"],
            vram_gib=row["memory_gib"] or 80.0,
            engine=row["engine"] if row["engine"] == "vllm" and row["mem_util"] else "generic",
            gpu_memory_utilization=row["mem_util"] if row["engine"] == "vllm" else None,
            weight_dtype="auto",
            kv_dtype="bf16",
        )
        fixed = ("Model weights / rank", "CUDA / runtime", "Prefill scratch", "Safety reserve")
        cache = sum(size for name, size in made.parts_gib.items() if name not in fixed)
        return made, cache, sum(made.parts_gib[name] for name in fixed)

    _, cache, _ = parts(row["context"])
    pool = None
    if row["mem_util"] and row["memory_gib"] and row["engine"] == "vllm":
        made, _, fixed = parts(row["max_model_len"] or 8192)
        pool = (made.memory_budget_gib - fixed) * GIB
    return cache * GIB / row["context"], pool


def kvfit(row):
    from kvfit.architectures import estimate_cache
    from kvfit.hardware import Hardware
    from kvfit.planner import plan_topologies

    context = row["context"]
    cache = estimate_cache(row["config"], context_tokens=context)
    hardware = Hardware("given", "given", row["memory_gib"] or 80.0)
    (layout,) = plan_topologies(
        cache,
        weight_bytes=row["checkpoint_bytes"],
        hardware=hardware,
        gpus=row["tensor_parallel"],
        utilization=row["mem_util"] or 0.9,
        tensor_parallel=row["tensor_parallel"],
    )
    pool = None
    if row["mem_util"] and row["memory_gib"]:
        pool = layout.budget_per_rank_bytes - layout.weights_per_rank_bytes
    return layout.kv_per_sequence_per_rank_bytes / context, pool


def llm_cal(row):
    from llm_cal.architecture.detector import detect
    from llm_cal.architecture.formulas.kv_cache import compute_kv_cache_bytes
    from llm_cal.fleet.planner import _OVERHEAD_FRACTION, _kv_shards

    profile = detect(row["config"])
    context = row["context"]
    answer = compute_kv_cache_bytes(profile, context)
    if not answer.value:
        raise NotAsked(answer.source)
    pool = None
    if row["mem_util"] == 1 - _OVERHEAD_FRACTION and row["memory_marketed_gb"]:
        usable = row["memory_marketed_gb"] * 1e9 * (1 - _OVERHEAD_FRACTION)
        pool = usable - row["checkpoint_bytes"] / row["tensor_parallel"]
    return answer.value / _kv_shards(profile, row["tensor_parallel"]) / context, pool


def llm_sizer(row):
    from llm_sizer.catalog import MODELS
    from llm_sizer.sizing import estimate_vram

    known = {
        "llama8b": "llama-3.1-8b",
        "llama70b": "llama-3.1-70b",
        "qwen2_5_7b": "qwen2.5-7b",
        "qwen2_5_14b": "qwen2.5-14b",
        "phi4": "phi-4",
    }
    if row["model"] not in known:
        raise NotAsked("not in its list of models")
    context = row["context"]
    answer = estimate_vram(MODELS[known[row["model"]]], 2.0, context, 1)
    return answer.kv_cache_bytes / context / row["tensor_parallel"], None


def llm_analysis(row):
    from llm_analysis.analysis import LLMAnalysis
    from llm_analysis.config import DtypeConfig, GPUConfig, ModelConfig, ParallelismConfig

    text = row["config"].get("text_config", row["config"])
    if text.get("kv_lora_rank"):
        raise NotAsked("it has no latent attention")
    model = ModelConfig(
        name="given",
        num_layers=text["num_hidden_layers"],
        n_head=text["num_attention_heads"],
        hidden_dim=text["hidden_size"],
        vocab_size=text["vocab_size"],
        max_seq_len=text.get("max_position_embeddings", 8192),
        num_key_value_heads=text.get("num_key_value_heads"),
        ffn_embed_dim=text["intermediate_size"],
        expansion_ratio=1,
        model_type=text["model_type"],
    )
    gpu = GPUConfig("given", row["memory_gib"] or 80, 2000, 300, 8e-6, 312)
    analysis = LLMAnalysis(model, gpu, DtypeConfig(), ParallelismConfig(tp_size=row["tensor_parallel"]))
    return analysis.get_memory_kv_cache_per_layer(1, 1) * model.num_layers, None


PEERS = {
    "ridgepoint": ridgepoint,
    "vramscout": vramscout,
    "kvfit": kvfit,
    "llm-cal": llm_cal,
    "llm-sizer": llm_sizer,
    "llm-analysis": llm_analysis,
}


def answers(name, rows):
    """The peer's answer to each row, or why there is none."""
    for row in rows:
        try:
            per_token, pool = PEERS[name](row)
        except Exception as refused:  # a peer may refuse with anything
            yield {"key": row["key"], "refused": f"{type(refused).__name__}: {refused}"[:160]}
        else:
            took_s = call_s(PEERS[name], row)
            yield {"key": row["key"], "per_token_bytes": per_token, "pool_bytes": pool, "took_s": took_s}


def call_s(ask, row):
    """Seconds that one more call takes, once everything is imported: the median of a few."""
    times = []
    for _ in range(CALLS):
        started = time.perf_counter()
        ask(row)
        times.append(time.perf_counter() - started)
    return statistics.median(times)


if __name__ == "__main__":
    json.dump(list(answers(sys.argv[1], json.load(sys.stdin))), sys.stdout)
