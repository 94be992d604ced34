"""The format of the weights that a configuration declares."""

from typing import Any

from calculator.core.hf_fields import Fields, refusal, shown

_TORCH = {"bfloat16": "bf16", "float16": "fp16", "half": "fp16", "float32": "bf16", "float": "bf16", "auto": "bf16"}
_BY_NAME = {"fp8": "fp8", "fbgemm_fp8": "fp8", "mxfp4": "mxfp4", "nvfp4": "nvfp4", "modelopt_fp4": "nvfp4"}
_BY_BITS = {"awq", "gptq", "auto-round", "auto_round", "gptqmodel", "awq_marlin", "gptq_marlin", "hqq", "quanto"}
_KNOWN = "one of fp8, awq, gptq, auto-round, bitsandbytes, compressed-tensors, modelopt, quark, mxfp4, nvfp4"


def weights_dtype(outer: Fields, text: Fields) -> str:
    """The key of the number format of most weights. Raises InputErrors for a method or a width that is unknown."""
    for fields in (text, outer):
        quantization = fields.inner("quantization_config")
        if quantization.config:
            return _quantized(quantization)
    for fields in (text, outer):
        name = fields.name(("dtype", "torch_dtype"))
        if name:
            word = str(fields.config[name]).removeprefix("torch.").lower()
            if word not in _TORCH:
                allowed = "one of bfloat16, float16, float32"
                raise refusal(f"{name} is {shown(fields.config[name])}", allowed, f'"{name}": "bfloat16"')
            return _TORCH[word]
    return "bf16"


def _quantized(fields: Fields) -> str:
    method = fields.text("quant_method").lower()
    algorithm = (fields.text("quant_algo") or fields.inner("quantization").text("quant_algo")).lower()
    if algorithm or method == "modelopt":
        return _by_algorithm(algorithm)
    if method in _BY_NAME:
        return _BY_NAME[method]
    if method in _BY_BITS:
        return _by_bits(fields.whole(("bits", "w_bit", "num_bits", "weight_bits"), 1, 16, 4, 4))
    if method in {"bitsandbytes", "bnb"}:
        return "int8" if fields.truth("load_in_8bit") else "int4"
    if method in {"compressed-tensors", "compressed_tensors"}:
        return _by_groups(fields)
    if method == "quark":
        return _quark(fields)
    raise refusal(f"quant_method is {shown(method)}", _KNOWN, '"quant_method": "fp8"')


def _by_algorithm(algorithm: str) -> str:
    for part, dtype in (("mxfp4", "mxfp4"), ("fp4", "nvfp4"), ("w4a", "int4"), ("fp8", "fp8"), ("int8", "int8")):
        if part in algorithm:
            return dtype
    raise refusal(f"quant_algo is {shown(algorithm)}", "one of FP8, NVFP4, MXFP4, W4A16_AWQ", '"quant_algo": "FP8"')


def _by_bits(bits: int) -> str:
    if bits not in (4, 8):
        raise refusal(f"bits is {bits}", "4 or 8", '"bits": 4')
    return "int4" if bits == 4 else "int8"


def _by_groups(fields: Fields) -> str:
    """The narrowest weights of the groups: where experts are narrower than the rest, they are most of the model."""
    groups = fields.inner("config_groups")
    found = [_of_group(groups.inner(name).inner("weights")) for name in groups.config]
    known = [dtype for dtype in found if dtype]
    if not known:
        allowed = "groups with weights of 4 or 8 bits"
        raise refusal("config_groups say no width of weights", allowed, '{"weights": {"num_bits": 8, "type": "float"}}')
    return min(known, key=lambda dtype: dtype in ("fp8", "int8"))


def _of_group(weights: Fields) -> str:
    if not weights.config:
        return ""
    bits = weights.whole(("num_bits",), 1, 16, 8)
    if weights.text("type") == "float":
        if bits == 8:
            return "fp8"
        if bits == 4:
            return "mxfp4" if weights.whole(("group_size",), 1, 4096, 16, 16) == 32 else "nvfp4"
    return _by_bits(bits)


def _quark(fields: Fields) -> str:
    weight: Any = fields.inner("global_quant_config").inner("weight")
    dtype = weight.text("dtype").lower()
    if "fp4" in dtype:
        return "mxfp4"
    return "fp8" if "fp8" in dtype else _by_bits(8 if "8" in dtype else 4)
