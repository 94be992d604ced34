"""How well a model judges: submissions of known quality are put to it, and its verdicts held against a reader's."""

import secrets
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from pathlib import Path

from designs.selectors import design_for_slug
from grading.client import Answer, CallFailed, Endpoint, Usage, ask
from grading.core import prompts
from grading.core.anchors import AnchorVerdict, judge, levels_of
from grading.core.case import Case, case_for
from grading.core.checking import check_critiques
from grading.core.money import cost_usd, most_cost_usd
from grading.core.parsing import ReplyRefused, parse_reply
from grading.core.prompts import Message
from grading.core.schemas import AnchorsReply, CritiqueReply, Reply
from grading.core.submission import WORKSHEET_KEY, Submission
from trainer.rounds.core.documents import KEYS, title_of

NOTHING = Decimal(0)


class CapReached(Exception):
    """The next call might cost more than what is left."""


class BadFolder(ValueError):
    """A folder is no submission of known quality; the message says which and why."""


@dataclass(frozen=True)
class Known:
    """A submission, and what a careful reader says of each anchor."""

    slug: str
    quality: str
    case: Case
    expected: Mapping[str, bool]


@dataclass
class Purse:
    """What the run may cost, and has cost."""

    cap_usd: Decimal
    spent_usd: Decimal = NOTHING
    input_tokens: int = 0
    output_tokens: int = 0

    def refuse_beyond(self, endpoint: Endpoint, messages: Sequence[Message]) -> None:
        """Raises: CapReached."""
        if endpoint.price is None:
            return
        most = most_cost_usd(endpoint.price, messages, max_output_tokens=endpoint.max_output_tokens)
        if self.spent_usd + most > self.cap_usd:
            raise CapReached(
                f"The cap of {self.cap_usd} USD has no room for the next call: {self.spent_usd} USD is spent, and it "
                f"may cost up to {most} USD."
            )

    def pay(self, endpoint: Endpoint, usage: Usage) -> None:
        self.input_tokens += usage.input_tokens
        self.output_tokens += usage.output_tokens
        if endpoint.price:
            self.spent_usd += cost_usd(
                endpoint.price, input_tokens=usage.input_tokens, output_tokens=usage.output_tokens
            )


@dataclass(frozen=True)
class Judged:
    """What came of one submission. `failure` says why a part of it is missing."""

    known: Known
    shown: int = 0
    drafted: int = 0
    dropped: Counter[str] = field(default_factory=Counter)
    verdicts: tuple[AnchorVerdict, ...] = ()
    failure: str = ""

    @property
    def agreed(self) -> int:
        return sum(verdict.met == self.known.expected[verdict.anchor_id] for verdict in self.verdicts)

    @property
    def levels(self) -> dict[int, tuple[int, int]]:
        """(the model's level, the reader's) of each line."""
        if not self.verdicts:
            return {}
        found = levels_of(self.verdicts, self.known.case)
        wanted = levels_of(_as_expected(self.verdicts, self.known.expected), self.known.case)
        return {line: (found[line], wanted[line]) for line in sorted(found)}


def known_submissions(folder: Path, slugs: Sequence[str] = ()) -> Iterator[Known]:
    """Those in `folder/<design>/<quality>/`, of the designs named or of all. Raises: BadFolder."""
    if not folder.is_dir():
        raise BadFolder(f"{folder} is no folder.")
    for expected in sorted(folder.glob("*/*/expected.toml")):
        slug, quality = expected.parent.parent.name, expected.parent.name
        if not slugs or slug in slugs:
            yield _known(expected, slug, quality)


def _known(expected: Path, slug: str, quality: str) -> Known:
    try:
        loaded = design_for_slug(slug)
        said = tomllib.loads(expected.read_text(encoding="utf-8"))["anchors"]
    except (LookupError, ValueError) as error:
        raise BadFolder(f"{expected}: {error}") from error
    names = {key: "worksheet.txt" if key == WORKSHEET_KEY else f"{key}.md" for key in KEYS}
    paths = {key: expected.parent / name for key, name in names.items()}
    texts = {key: path.read_text(encoding="utf-8") for key, path in paths.items() if path.is_file()}
    submission = Submission.of(texts, {key: title_of(key) for key in texts})
    case = case_for(loaded.design, loaded.derivation, submission, facts=loaded.facts)
    if set(said) != {anchor.id for anchor in case.anchors}:
        differ = sorted(set(said) ^ {anchor.id for anchor in case.anchors})
        raise BadFolder(f"{expected}: the anchors differ from the design's: {', '.join(differ)}")
    return Known(slug, quality, case, said)


def judged(known: Known, endpoint: Endpoint, purse: Purse) -> Judged:
    """Put one submission to the model: its critiques, then the anchors. Raises: CapReached."""
    facts = design_for_slug(known.slug).facts
    nonce = secrets.token_hex(8)
    try:
        reply = _asked(prompts.critique_messages(known.case, nonce=nonce), CritiqueReply, endpoint, purse)
        checked = check_critiques(reply, known.case, facts)
        verdicts = judge(
            _asked(prompts.anchors_messages(known.case, nonce=nonce), AnchorsReply, endpoint, purse), known.case
        )
    except (CallFailed, ReplyRefused) as failure:
        return Judged(known, failure=f"{failure.in_full} ({failure.kind})")
    dropped = Counter(str(item.reason) for item in checked.dropped)
    return Judged(known, len(checked.shown), len(reply.critiques), dropped, verdicts)


def _asked[Form: Reply](messages: Sequence[Message], form: type[Form], endpoint: Endpoint, purse: Purse) -> Form:
    purse.refuse_beyond(endpoint, messages)
    try:
        answer: Answer = ask(endpoint, messages, form)
    except CallFailed as failure:
        if failure.usage:
            purse.pay(endpoint, failure.usage)
        raise
    purse.pay(endpoint, answer.usage)
    return parse_reply(answer.text, form)


def _as_expected(verdicts: Sequence[AnchorVerdict], expected: Mapping[str, bool]) -> tuple[AnchorVerdict, ...]:
    return tuple(replace(verdict, met=expected[verdict.anchor_id]) for verdict in verdicts)
