"""How a serving engine divides a GPU: what it is granted, what it sets aside, and the cache that is left, per rank."""

import math

from calculator.core.activations import activation_peak_bytes, forward_peak_bytes
from calculator.core.checkpoint import weights_bytes_per_rank
from calculator.core.hardware import Accelerator
from calculator.core.inputs import InputError, InputErrors
from calculator.core.kv_groups import kv_cache_bytes_per_token_per_rank, kv_groups, max_concurrency
from calculator.core.llms import LanguageModel
from calculator.core.records import record, replace
from calculator.core.text import show
from calculator.core.units import GIB, MIB

ENGINE_TITLES = {"vllm": "vLLM", "sglang": "SGLang"}


@record
class EngineProfile:
    """What an engine does from ``version_from`` on: constants and defaults, each with where it is from.

    ``large`` defaults are those on GPUs with 70 GiB and more that are no A100. ``graphs_in_pool`` says whether CUDA
    graphs are taken out of the granted memory before the cache is sized, or come on top of it afterwards.
    """

    key: str
    engine: str
    version_from: tuple[int, ...]
    mem_util: float
    chunked_prefill: bool
    graphs_in_pool: bool
    graph_bytes_per_layer: float
    sampler_bytes_per_logit: float
    non_torch_bytes: float
    collectives_bytes: float
    block_tokens: int
    max_num_seqs: int
    max_num_batched_tokens: int
    large_max_num_seqs: int
    large_max_num_batched_tokens: int
    source: str
    read: str
    confidence: str

    @property
    def title(self) -> str:
        """The engine's name as its makers write it."""
        return ENGINE_TITLES.get(self.engine, self.engine)

    @property
    def version_text(self) -> str:
        """The first version, as people write it."""
        return ".".join(map(str, self.version_from))

    @property
    def non_torch_mib(self) -> float:
        """What stands outside the framework, in MiB."""
        return self.non_torch_bytes / MIB

    @property
    def collectives_mib(self) -> float:
        """What collectives add to it, in MiB."""
        return self.collectives_bytes / MIB

    @property
    def graph_mib_per_layer(self) -> float:
        """CUDA graphs of one layer, in MiB."""
        return self.graph_bytes_per_layer / MIB


@record
class EngineSettings:
    """How an engine is started: ``mem_util`` is vLLM's --gpu-memory-utilization, SGLang's --mem-fraction-static.

    ``share_worked_out`` says that nobody asked for this share: it is ``static_fraction``, other for other GPUs.
    """

    profile: EngineProfile
    version: str
    mem_util: float
    max_model_len: int
    max_num_seqs: int
    max_num_batched_tokens: int
    tensor_parallel: int
    eager: bool = False
    share_worked_out: bool = False

    def as_dict(self) -> dict[str, object]:
        """The settings as plain values, under the names of the command line."""
        return {
            "engine": self.profile.engine,
            "engine_version": self.version,
            "mem_util": self.mem_util,
            "max_model_len": self.max_model_len,
            "max_num_seqs": self.max_num_seqs,
            "max_num_batched_tokens": self.max_num_batched_tokens,
            "tp": self.tensor_parallel,
        }


@record
class Part:
    """A share of one GPU's memory. All parts together are what the framework sees of it."""

    key: str
    title: str
    bytes_per_gpu: float
    why: str
    formula: str = ""
    with_numbers: str = ""


@record
class EngineBudget:
    """One rank's memory, divided. ``pool_bytes_per_gpu`` is 0 when what is set aside leaves nothing, see ``short``."""

    parts: tuple[Part, ...]
    memory_bytes_per_gpu: float
    weights_bytes_per_gpu: float
    pool_bytes_per_gpu: float
    pool_tokens: int
    concurrency: float
    short_bytes_per_gpu: float

    @property
    def fits(self) -> bool:
        """Whether a cache is left at all."""
        return self.pool_bytes_per_gpu > 0


LARGE_MEMORY_BYTES = 70 * GIB


def is_large(gpu: Accelerator) -> bool:
    """Whether vLLM gives this GPU its larger defaults: 70 GiB and more, and no A100."""
    return gpu.memory_marketed_bytes >= LARGE_MEMORY_BYTES and "a100" not in gpu.name.lower()


def static_fraction(gpu: Accelerator, chunk_tokens: int, graph_batch: int, gpus: int) -> float:
    """The share of memory that SGLang gives weights and cache when none is asked for.

    Formula: (memory - reserved) / memory, reserved = max(512 + 1.5 * chunk + 2 * graph_batch + 128 * gpus, floor) MiB
    Symbols: chunk (tokens of a prefill chunk, at least 2048), graph_batch (largest batch captured), gpus (of the
        replica), floor (10 GiB on GPUs above 60 GiB)
    Holds when: neither attention data parallelism nor a draft model reserves more
    Source: SGLang, python/sglang/srt/server_args.py, _handle_gpu_memory_settings
    Raises: InputErrors when what the driver reports is unknown
    """
    memory = seen_bytes(gpu) / MIB
    reserved = 512 + 1.5 * max(chunk_tokens, 2048) + 2 * graph_batch + gpus / 8 * 1024
    if memory > 60 * 1024:
        reserved = max(reserved, 10 * 1024)
    return round((memory - reserved) / memory, 3)


def with_ranks(settings: EngineSettings, gpu: Accelerator, tensor_parallel: int) -> EngineSettings:
    """The same start on another number of ranks, with the share that the engine then works out by itself."""
    share = settings.mem_util
    if settings.share_worked_out:
        share = static_fraction(gpu, settings.max_num_batched_tokens, settings.max_num_seqs, tensor_parallel)
    return replace(settings, tensor_parallel=tensor_parallel, mem_util=share)


def seen_bytes(gpu: Accelerator) -> float:
    """What a framework sees of a GPU's memory. Raises InputErrors when the catalogue has no log of it."""
    seen = gpu.memory_framework_bytes or gpu.memory_reported_bytes
    if seen is None:
        allowed = "a GPU with a logged figure for its memory, or the budget simple"
        raise InputErrors([InputError("gpu", f"no log says what a framework sees of {gpu.name}", allowed, "h100")])
    return seen


def engine_budget(
    model: LanguageModel, gpu: Accelerator, settings: EngineSettings, *, dtype: str = "bf16", kv_dtype: str = "bf16"
) -> EngineBudget:
    """Divide one rank's memory as the engine would. The rank is the fullest one: the others hold no less cache."""
    memory = seen_bytes(gpu)
    granted = memory * settings.mem_util
    weights = weights_bytes_per_rank(model, dtype, settings.tensor_parallel)
    aside = _set_aside(model, settings)
    inside = [part for part in aside if settings.profile.engine == "vllm" and _is_inside(part, settings)]
    left = granted - weights - sum(part.bytes_per_gpu for part in inside)
    pool, tokens, concurrency = _pool(model, settings, max(0.0, left), kv_dtype)
    outside = [part for part in aside if part not in inside]
    rest = memory - granted
    parts = (
        Part("weights", "Weights", weights, "one rank's share, with what it holds a copy of"),
        *inside,
        Part("kv_pool", "KV pool", pool, "whole blocks for context: what requests compete for"),
        Part(
            "rounding", "Rounding to blocks", max(0.0, left) - pool, "less than a block of every layer", "left - pool"
        ),
        *_beyond(rest, outside),
    )
    return EngineBudget(parts, memory, weights, pool, tokens, concurrency, max(0.0, -left))


def _is_inside(part: Part, settings: EngineSettings) -> bool:
    return part.key != "cuda_graphs" or settings.profile.graphs_in_pool


def _set_aside(model: LanguageModel, settings: EngineSettings) -> list[Part]:
    profile, ranks = settings.profile, settings.tensor_parallel
    peak = activation_peak_bytes(
        model, settings.max_num_batched_tokens, settings.max_num_seqs, profile.sampler_bytes_per_logit, ranks
    )
    outside_torch = profile.non_torch_bytes + (profile.collectives_bytes if ranks > 1 else 0.0)
    graphs = 0.0 if settings.eager else model.layers * profile.graph_bytes_per_layer
    return [
        Part(
            "activations",
            "Activations at their peak",
            peak,
            "the larger of a forward pass and the sampler",
            "max(forward, seqs * vocab * bytes_per_logit + 2 * tokens * hidden)",
            _peak_with_numbers(model, settings),
        ),
        Part(
            "non_torch",
            "Outside the framework",
            outside_torch,
            "driver context, libraries, collective buffers",
            "non_torch + collectives" if ranks > 1 else "non_torch",
            f"{show(profile.non_torch_bytes, 'B')}{f' + {show(profile.collectives_bytes, "B")}' if ranks > 1 else ''}",
        ),
        Part(
            "cuda_graphs",
            "CUDA graphs",
            graphs,
            "none: the engine runs eagerly" if settings.eager else "captured decode steps",
            "layers * per_layer",
            f"{model.layers} × {0 if settings.eager else show(profile.graph_bytes_per_layer, 'B')}",
        ),
    ]


def _peak_with_numbers(model: LanguageModel, settings: EngineSettings) -> str:
    forward = forward_peak_bytes(model, settings.max_num_batched_tokens, settings.tensor_parallel)
    sampler = (
        f"{settings.max_num_seqs:,} × {model.vocab:,} × {settings.profile.sampler_bytes_per_logit:g} B "
        f"+ 2 × {settings.max_num_batched_tokens:,} × {model.hidden:,} B"
    )
    return f"max({show(forward, 'B')}, {sampler})"


def _beyond(rest: float, outside: list[Part]) -> tuple[Part, ...]:
    """What is not granted, and what runs in it. When that is too much for it, only the share it can be given."""
    asked = sum(part.bytes_per_gpu for part in outside)
    held = min(1.0, rest / asked) if asked else 0.0
    running = [
        replace(part, bytes_per_gpu=part.bytes_per_gpu * held, why=f"{part.why}; outside what is granted")
        for part in outside
    ]
    return (
        *running,
        Part(
            "not_granted", "Not granted", rest - asked * held, "left free by the setting", "memory - granted - outside"
        ),
    )


def _pool(model: LanguageModel, settings: EngineSettings, left: float, kv_dtype: str) -> tuple[float, int, float]:
    """Bytes in whole blocks, tokens and concurrency at the longest sequence, of what is left for the cache."""
    ranks, block = settings.tensor_parallel, settings.profile.block_tokens
    per_token = kv_cache_bytes_per_token_per_rank(model, ranks, kv_dtype)
    concurrency = max_concurrency(
        model, left, settings.max_model_len, ranks, kv_dtype, block, settings.max_num_batched_tokens
    )
    if len(kv_groups(model, ranks, kv_dtype)) > 1:
        return left, math.floor(concurrency * settings.max_model_len), concurrency
    tokens = math.floor(left / (per_token * block)) * block
    return tokens * per_token, tokens, tokens / settings.max_model_len
