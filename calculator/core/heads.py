"""Over how many GPUs a model's attention heads can be split."""

from calculator.core.llms import LanguageModel


def splits_heads(model: LanguageModel, gpus: int) -> bool:
    """Whether ``gpus`` can split every layer into equal numbers of whole heads, KV heads copied if need be."""
    if model.heads % gpus:
        return False
    kv_heads = 1 if model.attention == "mla" else model.kv_heads
    return kv_heads % gpus == 0 or gpus % kv_heads == 0


def head_counts(model: LanguageModel) -> list[int]:
    """Every count of GPUs that splits the heads evenly."""
    return [count for count in range(1, model.heads + 1) if splits_heads(model, count)]
