"""The working of speculative decoding."""

from calculator.core.steps import Step
from calculator.core.text import digits, show
from calculator.core.timing import Timing
from calculator.core.units import GB

LEVIATHAN = "Leviathan et al., arXiv 2211.17192"


def speculation_steps(found: Timing) -> tuple[Step, ...]:
    """Draft, check, accepted tokens and time per token; nothing without a draft."""
    inputs, guess = found.inputs, found.speculation
    if guess is None or inputs.draft is None:
        return ()
    g = inputs.draft_len
    check, draft = show(guess.check.expected_s, "s"), show(guess.draft.expected_s, "s")
    slower = "Slower than without: " if guess.speedup < 1 else ""
    return (
        Step(
            "time/speculation/draft",
            "Draft step",
            guess.draft.expected_s,
            "s",
            "max(memory / mbu, compute / mfu)",
            f"{inputs.draft.name}, {show(guess.draft.bytes_read, 'B', 4)} read = {draft}",
            f"Its {digits(guess.draft_weights_bytes / GB)} GB of weights and its cache are not in the memory budget.",
            f"{inputs.draft.name}: {inputs.draft.source}",
        ),
        Step(
            "time/speculation/check",
            "Checking step",
            guess.check.expected_s,
            "s",
            "max((weights + kv) / bandwidth / mbu, (draft + 1) * flops / peak / mfu)",
            f"{show(guess.check.bytes_read, 'B', 4)} read, {g + 1} × {guess.check.batch:,} tokens computed = {check}",
            "The cache is read once for the batch; arithmetic, and experts touched, are of every drafted token.",
            LEVIATHAN,
        ),
        Step(
            "time/speculation/accepted",
            "Tokens per checking step",
            guess.accepted_tokens,
            "tokens/step",
            "(1 - acceptance^(draft + 1)) / (1 - acceptance)",
            f"acceptance {inputs.acceptance:g}, {g} drafted = {digits(guess.accepted_tokens)} tokens",
            "The first token refused ends the draft, and the check adds one of its own.",
            f"{LEVIATHAN}, equation 1",
        ),
        Step(
            "time/speculation/tpot",
            "Time per token with the draft",
            guess.tpot_s,
            "s",
            "(draft * draft_step + check_step) / accepted",
            f"({g} × {draft} + {check}) / {digits(guess.accepted_tokens)} = {show(guess.tpot_s, 's')}",
            f"{slower}{digits(guess.speedup)} times as fast. The gain shrinks as the batch nears the ridge.",
            f"{LEVIATHAN}, theorem 3.8",
        ),
    )
