"""The script: the derivation as one would say it at a whiteboard."""

from calculator.core.dtypes import dtype
from calculator.core.latency import compute_s
from calculator.core.plan import Plan
from calculator.core.text import digits, show
from calculator.core.units import GB


def spoken(plan: Plan) -> list[str]:
    """A handful of sentences, each with its number and what follows from it."""
    return [*_memory(plan), *_time(plan), *_cost(plan)]


def _memory(plan: Plan) -> list[str]:
    asked, budget = plan.inputs, plan.budget
    weights = f"{digits(asked.model.params / 1e9)} billion parameters in {dtype(asked.dtype).name}"
    per_token = plan.step("memory/kv_cache/per_token").with_numbers
    lines = [
        f"{asked.model.name} has {weights}: {digits(budget.weights_bytes / GB)} GB of weights"
        + (f" in {asked.copies} copies." if asked.copies > 1 else "."),
        f"One token of context holds {per_token} of KV cache.",
    ]
    cards = f"One {asked.gpu.name}" if asked.gpus == 1 else f"{asked.gpus} × {asked.gpu.name}"
    if not budget.fits:
        return [
            *lines,
            f"It {budget.refusal}. What follows is a thought experiment on bandwidth alone.",
        ]
    lines.append(
        f"{cards}: {show(budget.usable_bytes, 'B')} usable; less the weights that is a pool of "
        f"{show(budget.kv_pool_bytes, 'B')}, or {budget.kv_pool_tokens:,} tokens."
    )
    lines.append(f"At {asked.seq_len:,} tokens a sequence, {budget.max_batch:,} fit at once.")
    if budget.refusal:
        lines.append(f"So what is asked for {budget.refusal}.")
    return lines


def _time(plan: Plan) -> list[str]:
    asked, timing = plan.inputs, plan.timing
    step, work = timing.decode, timing.prefill
    reads = f"{show(step.weights_read_bytes, 'B')} of weights and {show(step.kv_read_bytes, 'B')} of cache"
    share = 100 * work.attention_flops / work.flops
    who = f"at batch {asked.batch:,}"
    if asked.copies > 1:
        who += f", {step.batch:,} of it on the fullest of {asked.copies} copies,"
    rate = f"{asked.mbu:.0%} of the bandwidth"
    if step.compute_floor_s / asked.mfu > step.read_s / asked.mbu:
        rate = f"{asked.mfu:.0%} of the peak"
    if step.communication.counted_s:
        rate += f" with {show(step.communication.counted_s, 's')} of communication"
    return [
        f"A decode step {who} reads {reads}: never under {show(timing.floor_s, 's')}, "
        f"and about {show(timing.expected_s, 's')} at {rate}.",
        f"It is {timing.verdict}.",
        f"Prefill of {work.tokens:,} tokens is {show(work.flops, 'FLOP')}, "
        f"{digits(share, 2)}% of it attention: {show(timing.prefill_s, 's')}{_prefill_rate(plan)}.",
    ]


def _prefill_rate(plan: Plan) -> str:
    """What that time is at: the peak's share, unless reading the weights for each chunk takes longer."""
    asked, work = plan.inputs, plan.timing.prefill
    sent = f" with {show(work.communication_s, 's')} of communication" if work.communication_s else ""
    arithmetic = compute_s(work.flops, asked.gpus_of_a_copy, plan.timing.flops_per_s_per_gpu, asked.mfu)
    if work.busy_s - work.communication_s > arithmetic * (1 + 1e-9):
        return f", as long as reading takes{sent}"
    return f" at {asked.mfu:.0%} of the peak{sent}"


def _cost(plan: Plan) -> list[str]:
    asked, money = plan.inputs, plan.money
    if money.tokens_per_s is None:
        return []
    rate = f"So the replica gives {digits(money.tokens_per_s)} output tokens a second"
    if money.usd_per_million is None or asked.price is None:
        return [f"{rate}."]
    price = f"at {asked.price:,.2f} USD per GPU-hour"
    return [f"{rate}; {price} that is {money.usd_per_million:,.2f} USD per million."]
