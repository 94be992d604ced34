"""A round sat by a test: through the services, at moments that the test names."""

import datetime as dt
import itertools
from typing import Any
from unittest import mock

from django.test import Client
from django.urls import reverse

from trainer.accounts.models import User
from trainer.rounds import services
from trainer.rounds.core import machine
from trainer.rounds.models import Document, Round
from trainer.rounds.services import Saved, ScoreInput

SLUG = "x01"
EVIDENCE = "The whole night is 3 billion tokens of prefill."
WORKSHEET = "tokens = 2000000 * 1500 tokens\nrate = 8 * 989.5 TFLOP/s * 0.5 / (2 * 8e9 * 1 FLOP)\nrun = tokens / rate"
STATES = (*machine.ORDER, machine.ABANDONED)

_save_ids = (f"save-{number}" for number in itertools.count())


class Sitting:
    """One round and the moment it is at. Every call moves the moment on by a second."""

    def __init__(self, user: User, now: dt.datetime, *, mode: str = "exam", slug: str = SLUG) -> None:
        self.user = user
        self.now = now
        self.id = services.round_start(user=user, slug=slug, mode=mode, now=now).pk

    @property
    def round(self) -> Round:
        """The row as it is stored, unsettled."""
        return Round.objects.select_related("user", "design_version").get(pk=self.id)

    @property
    def state(self) -> str:
        return self.round.state

    def url(self, name: str = "round", *args: object) -> str:
        return reverse(f"rounds:{name}", args=[self.id, *args])

    def after(self, seconds: float) -> "Sitting":
        self.now += dt.timedelta(seconds=seconds)
        return self

    def look(self) -> Round:
        return services.round_settle(round_id=self.id, now=self.now)

    def tick(self) -> dt.datetime:
        self.now += dt.timedelta(seconds=1)
        return self.now

    def save(self, key: str, text: str, *, base: int | None = None, save_id: str = "") -> Saved:
        if base is None:
            base = Document.objects.get(round_id=self.id, key=key).revision
        return services.document_save(
            round=self.round,
            key=key,
            text=text,
            base_revision=base,
            save_id=save_id or next(_save_ids),
            now=self.now,
        )

    def text(self, key: str) -> str:
        return Document.objects.values_list("text", flat=True).get(round_id=self.id, key=key)

    def begin(self) -> "Sitting":
        services.arithmetic_begin(round=self.round, now=self.now)
        return self

    def write(self) -> "Sitting":
        services.writing_begin(round=self.round, now=self.now)
        return self

    def to(self, state: str) -> "Sitting":
        """Sit the round up to a state, with a text that bears out its scores and the right deciding number."""
        for step in machine.ORDER[: machine.ORDER.index(state)] if state != machine.ABANDONED else ():
            if self.state == step:
                getattr(self, f"_leave_{step}")()
        if state == machine.ABANDONED:
            services.round_abandon(round=self.round, now=self.tick())
        return self

    def _leave_prompt(self) -> None:
        services.arithmetic_begin(round=self.round, now=self.tick())

    def _leave_arithmetic(self) -> None:
        self.save("worksheet", WORKSHEET)
        services.deciding_star(round=self.round, line_name="run", now=self.tick())
        services.writing_begin(round=self.round, now=self.tick())

    def _leave_writing(self) -> None:
        self.save("s1", EVIDENCE)
        services.round_submit(round=self.round, now=self.tick())

    def _leave_scoring(self) -> None:
        services.scores_record(round=self.round, scores=scores(), now=self.tick())

    def _leave_reveal(self) -> None:
        for position in range(self.round.reveal_position, machine.LAST_REVEAL_POSITION + 1):
            services.reveal_advance(round=self.round, position=position, now=self.tick())

    def _leave_critique(self) -> None:
        for number in range(1, 7):
            services.critique_answer(round=self.round, number=number, text="My answer.", now=self.tick())
            services.critique_mark(round=self.round, number=number, mark="hit", now=self.tick())

    def at(self, client: Client) -> "At":
        """Requests of a browser at this sitting's moment."""
        return At(self, client)


class At:
    """A browser whose requests reach the server at the sitting's moment."""

    def __init__(self, sitting: Sitting, client: Client) -> None:
        self.sitting = sitting
        self.client = client

    def get(self, name: str = "round", *args: object, **kwargs: Any):  # type: ignore[no-untyped-def]
        with frozen(self.sitting.now):
            return self.client.get(self.sitting.url(name, *args), **kwargs)

    def post(self, name: str, *args: object, data: Any = None, **kwargs: Any):  # type: ignore[no-untyped-def]
        with frozen(self.sitting.now):
            return self.client.post(self.sitting.url(name, *args), data if data is not None else {}, **kwargs)

    def put(self, key: str, body: Any, **kwargs: Any):  # type: ignore[no-untyped-def]
        with frozen(self.sitting.now):
            return self.client.put(self.sitting.url("document", key), body, content_type="application/json", **kwargs)


def frozen(moment: dt.datetime) -> mock._patch:  # type: ignore[type-arg]
    """The site's clock stands at `moment`."""
    return mock.patch("django.utils.timezone.now", return_value=moment)


def scores(
    level: int = 3, *, quote: str = EVIDENCE, confidence: int = 70, **lines: ScoreInput
) -> dict[int, ScoreInput]:
    """All eight lines alike; `line_3=ScoreInput(...)` for one that differs."""
    alike = {number: ScoreInput(level, quote, confidence) for number in range(1, 9)}
    return alike | {int(name.removeprefix("line_")): score for name, score in lines.items()}


def scores_form(level: int = 3, quote: str = EVIDENCE, confidence: int = 70) -> dict[str, str]:
    """The same as a form's fields."""
    return {
        f"{field}_{number}": str(value)
        for number in range(1, 9)
        for field, value in (("level", level), ("quote", quote), ("confidence", confidence))
    }
