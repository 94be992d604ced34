"""The parameters of a configuration, counted tensor by tensor: embeddings, attention, feed-forward, experts, norms."""

from calculator.core.records import record

_PLAIN_MLP = {
    "gpt2",
    "gpt_neox",
    "opt",
    "falcon",
    "bloom",
    "starcoder2",
    "phi",
    "mpt",
    "gptj",
    "nemotron",
    "codegen",
} | {
    "gpt_bigcode",
    "gpt_neo",
    "persimmon",
}
_ALL_BIASES = {"gpt2", "gpt_neox", "opt", "bloom", "gpt_bigcode", "phi", "codegen"}
_FOUR_NORMS = {"gemma2", "gemma3", "gemma3_text", "gemma4_text", "glm4"}
_LEARNED_POSITIONS = {"gpt2", "opt", "gpt_bigcode", "gpt_neo"}


@record
class Shape:
    """A configuration's widths, as read. Zero means that there is none."""

    family: str
    layers: int
    hidden: int
    heads: int
    kv_heads: int
    head_dim: int
    ffn: int
    vocab: int
    positions: int
    tied: bool
    qkv_bias: bool
    output_bias: bool
    qk_norm: bool
    output_gate: bool
    state_layers: int
    full_layers: int
    full_kv_heads: int
    full_head_dim: int
    kv_lora_rank: int
    q_lora_rank: int
    rope_head_dim: int
    v_head_dim: int
    index_heads: int
    index_head_dim: int
    experts: int
    experts_active: int
    moe_ffn: int
    moe_layers: int
    shared_ffn: int
    shared_gate: bool
    router_bias: bool
    dense_beside_experts: bool
    state_key_heads: int
    state_value_heads: int
    state_key_dim: int
    state_value_dim: int
    state_conv: int
    state_kind: str


def total_params(shape: Shape) -> int:
    """All parameters stored."""
    attention_layers = shape.layers - shape.state_layers
    full = shape.full_layers if shape.full_kv_heads else 0
    attention = (attention_layers - full) * attention_params(shape, shape.kv_heads, shape.head_dim)
    if full:
        attention += full * attention_params(shape, shape.full_kv_heads, shape.full_head_dim)
    dense_layers = shape.layers if shape.dense_beside_experts else shape.layers - shape.moe_layers
    norms = (4 if shape.family in _FOUR_NORMS else 2) * shape.hidden * shape.layers + shape.hidden
    return (
        shape.vocab * shape.hidden * (1 if shape.tied else 2)
        + (shape.positions * shape.hidden if shape.family in _LEARNED_POSITIONS else 0)
        + attention
        + shape.state_layers * state_params(shape)
        + dense_layers * mlp_params(shape)
        + shape.moe_layers * moe_layer_params(shape)
        + norms
    )


def active_params(shape: Shape, total: int) -> int:
    """Parameters that one token multiplies with: all but the routed experts that it is not sent to."""
    skipped = (shape.experts - shape.experts_active) * expert_params(shape) * shape.moe_layers
    return total - skipped


def expert_params(shape: Shape) -> int:
    """Parameters of one routed expert of one layer: three matrices, and in gpt-oss their biases."""
    biases = 2 * shape.moe_ffn + shape.hidden if shape.family == "gpt_oss" else 0
    return 3 * shape.hidden * shape.moe_ffn + biases


def attention_params(shape: Shape, kv_heads: int, head_dim: int) -> int:
    """Parameters of the attention of one layer."""
    if shape.kv_lora_rank:
        return _latent_attention(shape) + _indexer(shape)
    queries = shape.heads * head_dim
    keys = kv_heads * head_dim
    weights = shape.hidden * queries * (3 if shape.output_gate else 2) + 2 * shape.hidden * keys
    biases = (queries + 2 * keys if shape.qkv_bias else 0) + (shape.hidden if shape.output_bias else 0)
    sinks = shape.heads if shape.family == "gpt_oss" else 0
    return weights + biases + sinks + (2 * head_dim if shape.qk_norm else 0) + _indexer(shape)


def _latent_attention(shape: Shape) -> int:
    query_width = shape.heads * (shape.head_dim + shape.rope_head_dim)
    rank = shape.q_lora_rank
    queries = shape.hidden * rank + rank + rank * query_width if rank else shape.hidden * query_width
    latent = shape.hidden * (shape.kv_lora_rank + shape.rope_head_dim) + shape.kv_lora_rank
    expand = shape.kv_lora_rank * shape.heads * (shape.head_dim + shape.v_head_dim)
    return queries + latent + expand + shape.heads * shape.v_head_dim * shape.hidden


def _indexer(shape: Shape) -> int:
    """The indexer of a sparse attention: its queries, one key, and a weight for each head."""
    if not shape.index_heads:
        return 0
    source = shape.q_lora_rank or shape.hidden
    queries = source * shape.index_heads * shape.index_head_dim
    return queries + shape.hidden * (shape.index_head_dim + shape.index_heads) + 2 * shape.index_head_dim


def mlp_params(shape: Shape) -> int:
    """Parameters of a dense feed-forward layer."""
    matrices = 2 if shape.family in _PLAIN_MLP else 3
    biases = shape.ffn + shape.hidden if shape.family in _ALL_BIASES else 0
    return matrices * shape.hidden * shape.ffn + biases


def moe_layer_params(shape: Shape) -> int:
    """Parameters of a layer with routed experts: router, experts, shared experts."""
    router = shape.hidden * shape.experts + (shape.experts if shape.router_bias else 0)
    gate = shape.hidden if shape.shared_gate else 0
    return router + shape.experts * expert_params(shape) + 3 * shape.hidden * shape.shared_ffn + gate


def state_params(shape: Shape) -> int:
    """Parameters of a layer of linear attention, Gated DeltaNet or KDA; close for Mamba 2."""
    keys = shape.state_key_heads * shape.state_key_dim
    values = shape.state_value_heads * shape.state_value_dim
    convolution = (2 * keys + values) * shape.state_conv
    small = 2 * shape.state_value_heads + shape.state_value_dim
    if shape.state_kind == "kda":
        gates = 2 * (shape.hidden * shape.state_key_dim + shape.state_key_dim * keys)
        return shape.hidden * (3 * keys + shape.state_key_heads) + gates + values * shape.hidden + convolution + small
    projections = shape.hidden * (2 * keys + 2 * values + 2 * shape.state_value_heads)
    return projections + values * shape.hidden + convolution + small


def state_bytes(shape: Shape) -> float:
    """Bytes of one sequence's state in one such layer: a matrix per head in 32 bits, and the convolution's tail."""
    keys = shape.state_key_heads * shape.state_key_dim
    values = shape.state_value_heads * shape.state_value_dim
    tail = (2 * keys + values) * max(0, shape.state_conv - 1) * 2
    return float(shape.state_value_heads * shape.state_key_dim * shape.state_value_dim * 4 + tail)
