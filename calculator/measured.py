"""What engines logged beside what the calculator says: KV bytes per token, and the KV pool of one GPU."""

import tomllib
from functools import cache
from os.path import join
from typing import Any

from calculator import catalogue
from calculator.catalogue import DATA
from calculator.core.engines import EngineBudget, engine_budget
from calculator.core.kv_groups import kv_cache_bytes_per_token_per_rank, kv_groups, max_concurrency
from calculator.core.llms import LanguageModel
from calculator.core.records import record, replace
from calculator.core.units import GIB
from calculator.engines import engine_settings

FUSED_SAMPLER_BYTES = 12
"""Bytes per logit where the log says that FlashInfer samples: no sort, as in the Triton kernel."""
PER_TOKEN_TOLERANCE, MEDIAN_TOLERANCE, POOL_TOLERANCE, WITHIN_SHARE = 0.002, 0.015, 0.04, 0.9


@record
class MeasuredRow:
    """One run's log. Sizes are of one GPU; what the log does not say is ``None`` or empty."""

    key: str
    fields: dict[str, Any]

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return self.fields.get(name)

    @property
    def model_key(self) -> str:
        """The catalogue's key of the model, empty when it is not there."""
        return str(self.fields.get("model", ""))

    @property
    def model(self) -> LanguageModel | None:
        """The model in the catalogue, or one like it with what differs; ``None`` when its cache is not known."""
        key = self.fields.get("model", "")
        if key in catalogue.models():
            return catalogue.models()[key]
        if "like" not in self.fields:
            return None
        changes = {name.removeprefix("like_"): value for name, value in self.fields.items() if name.startswith("like_")}
        return replace(catalogue.models()[self.fields["like"]], **changes)


@record
class PerToken:
    """KV bytes of one token on one GPU: logged pool over logged tokens, and ours."""

    logged: float
    ours: float

    @property
    def error(self) -> float:
        """Ours over what was logged, less one."""
        return self.ours / self.logged - 1


@record
class Pool:
    """The KV pool of one GPU, as logged and as the engine's budget has it."""

    logged_bytes: float
    budget: EngineBudget

    @property
    def ours_bytes(self) -> float:
        """Ours: negative by what is missing when nothing is left."""
        return self.budget.pool_bytes_per_gpu - self.budget.short_bytes_per_gpu

    @property
    def error(self) -> float:
        """The difference as a share of the GPU's usable memory."""
        return (self.ours_bytes - self.logged_bytes) / self.budget.memory_bytes_per_gpu


@cache
def kv_rows() -> tuple[MeasuredRow, ...]:
    """Every logged run, in the table's order."""
    with open(join(DATA, "measured", "kv_cache.toml"), "rb") as file:
        return tuple(MeasuredRow(key, fields) for key, fields in tomllib.load(file).items())


def per_token(row: MeasuredRow) -> PerToken | None:
    """Bytes per token where a log gives the pool and its tokens.

    Where layers are of several kinds, recent engines log concurrency times the longest length: so does this.
    """
    if row.kv_pool_gib_per_gpu is None or row.kv_tokens is None or row.model is None:
        return None
    pool = row.kv_pool_gib_per_gpu * GIB
    ours = kv_cache_bytes_per_token_per_rank(row.model, row.tensor_parallel, row.kv_dtype)
    if any(group.kind == "state" for group in kv_groups(row.model)):
        held = max_concurrency(row.model, pool, row.max_model_len, row.tensor_parallel, row.kv_dtype)
        ours = pool / (held * row.max_model_len)
    return PerToken(pool / row.kv_tokens, ours)


def pool(row: MeasuredRow) -> Pool | None:
    """The pool where a log states the settings that it depends on."""
    if row.not_compared or row.model is None or not row.gpu or row.mem_util is None:
        return None
    logged = logged_pool_bytes(row)
    if logged is None:
        return None
    gpu = catalogue.accelerator(row.gpu)
    settings = engine_settings(
        engine=row.engine,
        version=row.engine_version,
        gpu=gpu,
        model=row.model,
        gpus=row.tensor_parallel,
        mem_util=row.mem_util,
        max_model_len=row.max_model_len,
        max_num_seqs=row.max_num_seqs,
        max_num_batched_tokens=row.max_num_batched_tokens,
        eager=bool(row.eager),
    )
    if row.sampler == "FlashInfer":
        settings = replace(settings, profile=replace(settings.profile, sampler_bytes_per_logit=FUSED_SAMPLER_BYTES))
    if row.block_tokens:
        settings = replace(settings, profile=replace(settings.profile, block_tokens=row.block_tokens))
    return Pool(logged, engine_budget(row.model, gpu, settings, dtype=row.weights_dtype, kv_dtype=row.kv_dtype))


def logged_pool_bytes(row: MeasuredRow) -> float | None:
    """The pool as logged, or out of its tokens. The tokens count where the two differ: they are of the fullest rank."""
    from_tokens = None
    model = row.model
    if model is not None and row.kv_tokens is not None and len(kv_groups(model)) == 1:
        from_tokens = row.kv_tokens * kv_cache_bytes_per_token_per_rank(model, row.tensor_parallel, row.kv_dtype)
    if row.kv_pool_gib_per_gpu is None:
        return from_tokens
    logged = row.kv_pool_gib_per_gpu * GIB
    return from_tokens if from_tokens is not None and from_tokens < 0.95 * logged else float(logged)
