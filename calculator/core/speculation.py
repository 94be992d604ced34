"""Speculative decoding: a small model drafts, the large one checks the whole draft in one step."""


def accepted_tokens_per_step(acceptance: float, draft_tokens: int) -> float:
    """Expected tokens that one checking step yields, its own one included.

    Formula: (1 - acceptance^(draft_tokens + 1)) / (1 - acceptance)
    Symbols: acceptance (chance that a drafted token is kept, 0 to 1), draft_tokens (drafted per step)
    Holds when: each token is kept independently with the same chance; the first one refused ends the draft
    Source: Leviathan et al., Fast Inference from Transformers via Speculative Decoding, arXiv 2211.17192, equation 1
    Raises: ValueError when acceptance is outside 0 to 1 or draft_tokens is below 0
    """
    if not 0 <= acceptance <= 1 or draft_tokens < 0:
        raise ValueError("acceptance must be from 0 to 1 and draft_tokens at least 0")
    if acceptance == 1:
        return draft_tokens + 1.0
    return (1 - acceptance ** (draft_tokens + 1)) / (1 - acceptance)


def speculative_tpot_s(check_step_s: float, draft_step_s: float, draft_tokens: int, acceptance: float) -> float:
    """Time per output token with speculation.

    Formula: (draft_tokens * draft_step + check_step) / accepted
    Symbols: draft_step, check_step (s of a step of the small and of the large model),
        accepted (accepted_tokens_per_step)
    Holds when: drafting and checking take turns. The check reads weights and KV cache once, as a step does, and
        computes draft_tokens + 1 tokens per sequence.
    Source: Leviathan et al., arXiv 2211.17192, theorem 3.8
    Raises: ValueError as accepted_tokens_per_step
    """
    return (draft_tokens * draft_step_s + check_step_s) / accepted_tokens_per_step(acceptance, draft_tokens)


def speculative_speedup(
    step_s: float, check_step_s: float, draft_step_s: float, draft_tokens: int, acceptance: float
) -> float:
    """How many times faster a token comes than without speculation; below 1 it is slower.

    Formula: step * accepted / (draft_tokens * draft_step + check_step)
    Symbols: step (s of a plain step at the same batch), the others as in speculative_tpot_s
    Holds when: see speculative_tpot_s
    Source: Leviathan et al., arXiv 2211.17192, theorem 3.8
    Raises: ValueError when both steps are 0, or as accepted_tokens_per_step
    """
    tpot = speculative_tpot_s(check_step_s, draft_step_s, draft_tokens, acceptance)
    if tpot <= 0:
        raise ValueError("the steps must be above 0")
    return step_s / tpot
