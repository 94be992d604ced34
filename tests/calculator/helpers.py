"""Questions to the calculator, asked the way a person does."""

from calculator.core.plan import Plan, evaluate
from calculator.parsing import read_inputs


def plan_for(**fields: object) -> Plan:
    """The plan for fields by name; model and GPU default to the reference ones."""
    typed = {"model": "llama-70b", "gpu": "h100"} | {name: str(value) for name, value in fields.items()}
    return evaluate(read_inputs(typed))
