"""Weights as a checkpoint stores them and as a rank holds them: what an engine logs, beside the whiteboard's count.

A quantized checkpoint keeps some tensors in 16 bits: embeddings almost always, all but the experts in gpt-oss.
"""

import math

from calculator.core.dtypes import dtype as dtype_named
from calculator.core.llms import LanguageModel
from calculator.core.memory import BF16_BYTES

PACKED_BITS = {"int4": 4 + 16 / 128 + 4 / 128, "mxfp4": 4 + 8 / 32, "nvfp4": 4 + 8 / 16}
"""Bits per packed weight: INT4 in groups of 128 with a 16-bit scale and a 4-bit zero point, MXFP4 in blocks of 32 and
NVFP4 in blocks of 16 with an 8-bit scale."""

MXFP4_HIDDEN_MULTIPLE, MXFP4_WIDTH_MULTIPLE = 256, 64
"""MXFP4 expert kernels pad the hidden width and each rank's expert width up to these."""


def packed_bits(dtype: str) -> float:
    """Bits of one quantized weight in a checkpoint, scales and zero points included.

    Formula: bits + scale_bits / group + zero_point_bits / group
    Symbols: bits (of the value), scale_bits, zero_point_bits (shared by a group), group (values that share them)
    Holds when: groups are 128 for INT4 (the default of AWQ and GPTQ), 32 for MXFP4, 16 for NVFP4
    Source: AWQ, arXiv 2306.00978; OCP Microscaling formats 1.0; NVIDIA NVFP4. Checked against logged weights
    Raises: UnknownDtype
    """
    return PACKED_BITS.get(dtype_named(dtype).key, dtype_named(dtype).bits)


def quantized_params(model: LanguageModel, dtype: str = "bf16") -> float:
    """Parameters that a checkpoint in this format quantizes; the others stay in 16 bits.

    Formula: params - embeddings; for MXFP4 on a mixture of experts: the routed experts; none for 16-bit formats
    Symbols: params (stored), embeddings (input and output ones, one matrix when tied)
    Holds when: the checkpoint follows its format's usual recipe, which leaves embeddings and the output head alone
    Source: quantization_config of published checkpoints (ignore: lm_head); gpt-oss model card
    Raises: UnknownDtype
    """
    weight = dtype_named(dtype)
    if weight.bits >= 16:
        return 0.0
    if weight.key == "mxfp4" and model.experts:
        return model.expert_params
    return model.params - model.embedding_params


def checkpoint_bytes(model: LanguageModel, dtype: str = "bf16") -> float:
    """Bytes of all weights as the checkpoint stores them.

    Formula: quantized * packed_bits / 8 + (params + other - quantized) * 2
    Symbols: quantized (parameters in the format), packed_bits (with scales), params (of the language model), other (of
        towers for images or sound)
    Holds when: what is not quantized is in 16 bits
    Source: sum over tensors; Phi-4 in GPTQ logged 8.51 GiB, Llama-3-70B in AWQ 37.06 GiB, both within 0.1%
    Raises: UnknownDtype
    """
    quantized = quantized_params(model, dtype)
    return quantized * packed_bits(dtype) / 8 + (model.params + model.other_params - quantized) * BF16_BYTES


def weights_bytes_per_rank(model: LanguageModel, dtype: str = "bf16", tensor_parallel: int = 1) -> float:
    """Bytes of weights that one rank of a tensor-parallel replica holds.

    Formula: checkpoint / tensor_parallel + copied_kv_projections + padding
    Symbols: checkpoint (bytes stored), copied_kv_projections (key and value matrices that a rank needs whole when
        there are more ranks than KV heads), padding (MXFP4 experts widened to what their kernels take)
    Holds when: every matrix is split; norms and routers, which every rank holds, are left out (below 0.1%)
    Source: Megatron-LM, arXiv 1909.08053; vLLM's MXFP4 method: gpt-oss-120b logs 64.4 GiB on one GPU, 68.9 on four
    Raises: UnknownDtype; ValueError when tensor_parallel is below 1
    """
    if tensor_parallel < 1:
        raise ValueError("tensor_parallel must be at least 1")
    own = checkpoint_bytes(model, dtype) / tensor_parallel
    copies = 0.0
    if model.attention != "mla" and tensor_parallel > model.kv_heads:
        projection = 2 * model.hidden * model.head_dim * (model.layers - model.state_layers)
        copies = projection * (1 - model.kv_heads / tensor_parallel) * BF16_BYTES
    return own + copies + _mxfp4_padding(model, dtype, tensor_parallel)


def _mxfp4_padding(model: LanguageModel, dtype: str, tensor_parallel: int) -> float:
    if dtype_named(dtype).key != "mxfp4" or not model.experts:
        return 0.0
    width = model.moe_ffn / tensor_parallel
    wider = math.ceil(width / MXFP4_WIDTH_MULTIPLE) * MXFP4_WIDTH_MULTIPLE / width
    wider *= math.ceil(model.hidden / MXFP4_HIDDEN_MULTIPLE) * MXFP4_HIDDEN_MULTIPLE / model.hidden
    return model.expert_params / tensor_parallel * packed_bits(dtype) / 8 * (wider - 1)
