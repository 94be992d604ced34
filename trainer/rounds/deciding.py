"""The starred line of a round beside the design's deciding number."""

from calculator.expressions import Quantity
from designs.core.derivation import DerivedStep
from designs.loaded import LoadedDesign
from trainer.rounds.core.agreement import Agreement, agreement
from trainer.rounds.models import Round
from trainer.rounds.worksheet import DIGITS

_UNITS_OF_A_SHARE = {"%", "pp"}


def own_quantity(round_: Round) -> Quantity | None:
    """The value that the star holds: as starred while the clock runs, as sealed afterwards."""
    if round_.deciding_value is None:
        return None
    return Quantity(value=round_.deciding_value, unit=round_.deciding_unit, mixed=False)


def own_text(round_: Round) -> str:
    """The starred line in words, with its value; "" when no starred line stands."""
    own = own_quantity(round_)
    if own is None:
        return ""
    return f"{round_.deciding_line} = {round_.deciding_expression} = {own.text(DIGITS)}"


def agreement_of(round_: Round, loaded: LoadedDesign) -> Agreement:
    """Whether one's own number is within the tolerance of the design's, or of one that is as good an answer."""
    return agreed_step(round_, loaded)[1]


def agreed_step(round_: Round, loaded: LoadedDesign) -> tuple[DerivedStep, Agreement]:
    """The accepted step that one's own number agrees with; the deciding one when it agrees with none."""
    own = own_quantity(round_)
    verdicts = [(step, _agreement(own, step)) for step in loaded.derivation.accepted]
    return next(((step, verdict) for step, verdict in verdicts if not verdict.is_miss), verdicts[0])


def _agreement(own: Quantity | None, step: DerivedStep) -> Agreement:
    return agreement(
        own=own.value if own else None,
        own_dimension=own.dimension if own else "",
        design=step.quantity.value,
        design_dimension=step.quantity.dimension,
        design_is_share=step.quantity.unit in _UNITS_OF_A_SHARE,
    )
