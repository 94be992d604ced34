"""An accelerator as its data sheet and its driver describe it. Dense peaks only: sparse ones are twice as high."""

from calculator.core.dtypes import Dtype
from calculator.core.records import record


@record
class Accelerator:
    """One accelerator. Peaks are dense; ``None`` means that the part has no such units or no figure was found.

    ``memory_marketed_bytes`` is the number on the box read as GiB, the planning value (an H100 has 80 GiB).
    ``memory_reported_bytes`` is what the driver reports (81,559 MiB), ``memory_framework_bytes`` what PyTorch sees.
    ``link_bandwidth_bytes_per_s`` is one direction. ``link_domain_gpus`` counts the GPUs that the fast link joins;
    ``gpus_per_node`` counts those in one host.
    """

    key: str
    name: str
    aliases: tuple[str, ...]
    memory_marketed_bytes: float
    memory_reported_bytes: float | None
    memory_framework_bytes: float | None
    hbm_bandwidth_bytes_per_s: float
    bf16_dense_flops_per_s: float
    fp8_dense_flops_per_s: float | None
    fp4_dense_flops_per_s: float | None
    int8_dense_flops_per_s: float | None
    link: str
    link_bandwidth_bytes_per_s: float
    link_domain_gpus: int
    gpus_per_node: int
    pcie: str
    tdp_w: float | None
    trap: str
    source: str
    read: str
    confidence: str

    def dense_flops_per_s(self, dtype: Dtype) -> float:
        """The dense peak that multiplies ``dtype``; the BF16 peak where the part has no units of that kind.

        A part without FP8 or FP4 units converts such weights to 16 bits before it multiplies: that saves bytes only.
        """
        peaks = {
            "fp8": self.fp8_dense_flops_per_s,
            "int8": self.int8_dense_flops_per_s,
            "fp4": self.fp4_dense_flops_per_s,
        }
        return peaks.get(dtype.peak) or self.bf16_dense_flops_per_s
