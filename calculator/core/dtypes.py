"""Number formats: what one value weighs, and which of a GPU's peaks multiplies it."""

from calculator.core.records import record
from calculator.core.units import BITS_PER_BYTE


@record
class Dtype:
    """A number format. ``bits`` includes the scales of a block; ``peak`` names the units that multiply it."""

    key: str
    name: str
    bits: float
    peak: str
    kv: bool
    source: str

    @property
    def bytes(self) -> float:
        """Bytes per value, scales included."""
        return self.bits / BITS_PER_BYTE


DTYPES: dict[str, Dtype] = {
    dtype.key: dtype
    for dtype in (
        Dtype("bf16", "BF16", 16, "bf16", True, "IEEE-style 16-bit formats"),
        Dtype("fp16", "FP16", 16, "bf16", True, "IEEE 754 binary16; same peak as BF16 on every accelerator here"),
        Dtype("fp8", "FP8", 8, "fp8", True, "OCP 8-bit floating point; per-tensor or per-block scales are below 0.1%"),
        Dtype("int8", "INT8", 8, "int8", True, "8-bit integers; per-channel scales are below 0.1%"),
        Dtype(
            "int4",
            "INT4 (AWQ, GPTQ)",
            4.5,
            "bf16",
            False,
            "4 bits and a scale per group: about 4.5 as measured",
        ),
        Dtype("mxfp4", "MXFP4", 4.25, "fp4", False, "OCP Microscaling: 32 values of 4 bits share an 8-bit scale"),
        Dtype("nvfp4", "NVFP4", 4.5, "fp4", False, "16 values of 4 bits share an 8-bit scale"),
    )
}


class UnknownDtype(ValueError):
    """A number format that the calculator does not know."""


def dtype(key: str) -> Dtype:
    """The number format called ``key`` (any case). Raises UnknownDtype."""
    found = DTYPES.get(str(key).strip().lower())
    if found is None:
        raise UnknownDtype(f"{key!r} is not a number format known here: use one of {', '.join(DTYPES)}")
    return found
