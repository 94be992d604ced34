"""`manage.py critic_eval`: puts submissions of known quality to the configured endpoint, and says how it judges."""

from collections import Counter
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from grading.client.endpoint import Endpoint, configured_endpoint
from grading.core import rubric
from grading.core.prompts import PROMPT_VERSION
from grading.evaluation import BadFolder, CapReached, Judged, Purse, judged, known_submissions
from grading.services.ledger import usd

FOLDER = settings.BASE_DIR / "tests" / "grading" / "submissions"


class Command(BaseCommand):
    help = "Agreement of the configured model with a careful reader, anchor by anchor; dropped critiques; cost."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--designs", nargs="*", default=[], metavar="SLUG", help="of these designs alone")
        parser.add_argument("--folder", type=Path, default=FOLDER, help="<design>/<quality>/ with expected.toml each")
        parser.add_argument("--cap-usd", default="1", help="what the run may cost; it stops before it costs more")

    def handle(self, *args: Any, designs: list[str], folder: Path, cap_usd: str, **options: Any) -> None:
        endpoint = configured_endpoint()
        if endpoint is None:
            raise CommandError("No endpoint is configured: set CRITIC_BASE_URL and CRITIC_MODEL.")
        purse = Purse(_amount(cap_usd))
        self.stdout.write(f"{endpoint.model} at {endpoint.base_url}, prompt version {PROMPT_VERSION}")
        results: list[Judged] = []
        try:
            for known in known_submissions(folder, designs):
                results.append(judged(known, endpoint, purse))
                self._say(results[-1])
        except BadFolder as error:
            raise CommandError(str(error)) from error
        except CapReached as error:
            self._sum_up(results, purse, endpoint)
            raise CommandError(f"Stopped. {error}") from error
        if not results:
            raise CommandError(f"{folder} holds no submission of {', '.join(designs) or 'any design'}.")
        self._sum_up(results, purse, endpoint)
        if all(result.failure for result in results):
            raise CommandError("No submission was judged.")

    def _say(self, result: Judged) -> None:
        name = f"{result.known.slug} {result.known.quality}"
        if result.failure:
            self.stdout.write(f"{name:16} not judged: {result.failure}")
            return
        levels = " ".join(f"{line}:{own}/{wanted}" for line, (own, wanted) in result.levels.items())
        self.stdout.write(
            f"{name:16} anchors agreed {result.agreed} of {len(result.verdicts)}; levels, model's/reader's: {levels}; "
            f"{result.shown} of {result.drafted} critiques stood{_reasons(result.dropped)}"
        )

    def _sum_up(self, results: list[Judged], purse: Purse, endpoint: Endpoint) -> None:
        verdicts = [verdict for result in results for verdict in result.verdicts]
        if verdicts:
            agreed = sum(result.agreed for result in results)
            self.stdout.write(f"\nAnchors: {agreed} of {len(verdicts)} agreed ({agreed / len(verdicts):.0%})")
            self._lines(results)
            dropped = sum((result.dropped for result in results), Counter[str]())
            drafted = sum(result.drafted for result in results)
            self.stdout.write(f"Critiques: {dropped.total()} of {drafted} dropped{_reasons(dropped)}")
        price = f"prices as of {endpoint.price.as_of}" if endpoint.price else "no price is set"
        tokens = f"{purse.input_tokens:,} tokens in, {purse.output_tokens:,} out"
        self.stdout.write(f"Cost: {usd(purse.spent_usd)} ({tokens}; {price})")

    def _lines(self, results: list[Judged]) -> None:
        for line in rubric.LINES:
            pairs = [result.levels[line.number] for result in results if line.number in result.levels]
            if pairs:
                near = sum(abs(own - wanted) <= 1 for own, wanted in pairs)
                bias = sum(own - wanted for own, wanted in pairs) / len(pairs)
                same = sum(own == wanted for own, wanted in pairs)
                said = f"{same} of {len(pairs)} levels the same, {near} within one, bias {bias:+.2f}"
                self.stdout.write(f"  line {line.number} ({line.name}): {said}")


def _amount(text: str) -> Decimal:
    try:
        value = Decimal(text)
    except InvalidOperation:
        value = Decimal(-1)
    if not value.is_finite() or value < 0:
        raise CommandError(f"--cap-usd is {text!r}; it must be a number of 0 or more.")
    return value


def _reasons(dropped: Counter[str]) -> str:
    return f" ({', '.join(f'{count} {reason}' for reason, count in dropped.most_common())})" if dropped else ""
