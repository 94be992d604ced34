"""A language model as its configuration describes it."""

from calculator.core.records import record, replace


@record
class LanguageModel:
    """A decoder-only transformer.

    ``attention`` is "mha", "gqa" or "mla". ``heads`` are query heads. ``sliding_layers`` of the ``layers`` keep only
    the last ``sliding_window_tokens`` tokens; the others keep all. For MLA the cache holds ``kv_lora_rank +
    rope_head_dim`` values a token and layer, and ``head_dim`` is the no-position part of a query head.
    Mixture-of-experts models have ``moe_layers`` layers of ``experts`` routed experts, ``experts_active`` per token.

    ``full_kv_heads`` and ``full_head_dim`` are those of the layers that keep every token, where they differ from the
    sliding ones. ``index_layers`` cache ``index_bytes`` more per token (the keys of a sparse attention's indexer).
    ``state_layers`` keep a state of ``state_bytes`` each per sequence instead of a cache (linear attention, Mamba).
    ``other_params`` are those of towers for images or sound, which an engine loads beside the language model.
    """

    key: str
    name: str
    hf_id: str
    aliases: tuple[str, ...]
    params: float
    active_params: float
    layers: int
    hidden: int
    heads: int
    kv_heads: int
    head_dim: int
    ffn: int
    vocab: int
    attention: str
    native_dtype: str
    max_context_tokens: int
    tied_embeddings: bool = False
    sliding_layers: int = 0
    sliding_window_tokens: int = 0
    kv_lora_rank: int = 0
    rope_head_dim: int = 0
    v_head_dim: int = 0
    full_kv_heads: int = 0
    full_head_dim: int = 0
    index_layers: int = 0
    index_bytes: float = 0.0
    state_layers: int = 0
    state_bytes: float = 0.0
    other_params: float = 0.0
    experts: int = 0
    experts_active: int = 0
    experts_shared: int = 0
    moe_ffn: int = 0
    moe_layers: int = 0
    note: str = ""
    source: str = ""
    read: str = ""
    confidence: str = ""

    @property
    def full_layers(self) -> int:
        """Layers whose attention keeps every token."""
        return self.layers - self.sliding_layers - self.state_layers

    @property
    def score_head_dim(self) -> int:
        """Width of the query-key product of one head: with MLA the position part is extra."""
        return self.head_dim + self.rope_head_dim

    @property
    def value_head_dim(self) -> int:
        """Width of the value of one head."""
        return self.v_head_dim or self.head_dim

    @property
    def embedding_params(self) -> float:
        """Parameters of the input embedding and, where it is a matrix of its own, the output one."""
        return float(self.vocab * self.hidden * (1 if self.tied_embeddings else 2))

    @property
    def expert_params(self) -> float:
        """Parameters in routed experts: three matrices of hidden by moe_ffn each."""
        return 3.0 * self.hidden * self.moe_ffn * self.experts * self.moe_layers

    def with_params(self, params: float) -> "LanguageModel":
        """The same architecture with another parameter count; active parameters keep their share."""
        return replace(self, params=params, active_params=params * self.active_params / self.params)
