"""One question worked out from top to bottom: memory, time, roofline, throughput, cost, each step with its working."""

from calculator.core.budget import Budget, memory_budget
from calculator.core.inputs import Inputs
from calculator.core.money import Money, throughput_and_cost
from calculator.core.records import as_dict, record
from calculator.core.reuse_steps import reuse_steps
from calculator.core.steps import Step
from calculator.core.timing import Timing, timing

RESULT_KEYS = (
    "weights_bytes",
    "kv_cache_bytes_per_token",
    "kv_pool_bytes",
    "kv_pool_tokens",
    "max_batch",
    "decode_step_floor_s",
    "decode_step_expected_s",
    "prefill_s",
    "tokens_per_s",
    "ridge_flops_per_byte",
    "intensity_flops_per_byte",
    "verdict",
    "usd_per_million_output_tokens",
)


@record
class Plan:
    """The answer. Totals are for the whole replica. What has no answer is ``None``, and its step says why."""

    inputs: Inputs
    budget: Budget
    timing: Timing
    money: Money

    @property
    def steps(self) -> tuple[Step, ...]:
        """Every step, in the order in which one would say them. Written out once, when first asked for."""
        written = self.__dict__.get("_steps")
        if written is None:
            written = (
                *self.budget.steps,
                *self.timing.steps,
                *self.money.steps,
                *reuse_steps(self.inputs),
            )
            self.__dict__["_steps"] = written
        return written

    @property
    def results(self) -> dict[str, object]:
        """The results by key."""
        values = {
            "weights_bytes": self.budget.weights_bytes,
            "kv_cache_bytes_per_token": self.budget.kv_bytes_per_token,
            "kv_pool_bytes": self.budget.kv_pool_bytes,
            "kv_pool_tokens": self.budget.kv_pool_tokens,
            "max_batch": self.budget.max_batch,
            "decode_step_floor_s": self.timing.floor_s,
            "decode_step_expected_s": self.timing.expected_s,
            "prefill_s": self.timing.prefill_s,
            "tokens_per_s": self.money.tokens_per_s,
            "ridge_flops_per_byte": self.timing.ridge,
            "intensity_flops_per_byte": self.timing.intensity,
            "verdict": self.verdict,
            "usd_per_million_output_tokens": self.money.usd_per_million,
        }
        return {key: values[key] for key in RESULT_KEYS}

    @property
    def verdict(self) -> str:
        """What decides, in one sentence."""
        return self.budget.refusal or self.timing.verdict

    def step(self, path: str) -> Step:
        """The step at a path. Raises KeyError."""
        for step in self.steps:
            if step.path == path:
                return step
        raise KeyError(path)

    def as_dict(self) -> dict[str, object]:
        """The whole answer as plain values: what the JSON shows."""
        steps = [as_dict(step) for step in self.steps]
        return {"inputs": self.inputs.as_dict(), **self.results, "steps": steps}


def evaluate(inputs: Inputs) -> Plan:
    """Work out a question. The inputs have been checked when they were made."""
    budget = memory_budget(inputs)
    times = timing(inputs)
    return Plan(inputs=inputs, budget=budget, timing=times, money=throughput_and_cost(inputs, budget, times))
