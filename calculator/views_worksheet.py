"""A worksheet that stands by itself: lines with units, worked out as they are typed. Its text is in the URL alone."""

from dataclasses import dataclass

from django.core.exceptions import RequestDataTooBig, TooManyFieldsSent
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods
from django_htmx.http import replace_url

from calculator.expressions import WorksheetLine, evaluate_worksheet
from calculator.facts import catalogue_facts
from calculator.views import UNPROCESSABLE
from calculator.worksheet_help import worksheet_help

LIMIT_CHARACTERS = 20_000
LONGEST_ADDRESS = 3_000
"""Characters of an address that every server and proxy in between takes."""
DIGITS = 4
EXAMPLE = """# What does one token of context cost, and what do 32 sequences of 8,192 hold?
per_token = 2 * llama70b.layers * llama70b.kv_heads * llama70b.head_dim * bf16.bytes -> KiB
held = 32 * 8192 * per_token -> GiB
share = held / (4 * h100.memory * planning.hbm_usable_share - 140 GB) -> %
"""


@dataclass(frozen=True)
class Row:
    """One line with its value, or with what is wrong with it and where."""

    number: int
    name: str
    value_text: str
    with_numbers: str
    mixed: bool
    error: str
    column: int | None


class SeeOther(HttpResponseRedirect):
    """303: look there."""

    status_code = 303


@csrf_exempt  # it only calculates: nothing is stored, and what a stranger makes a browser post here changes nothing
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def page(request: HttpRequest) -> HttpResponse:
    """The worksheet of the URL. Posted, it moves into the URL when it fits there; to htmx go the lines alone."""
    if request.method != "POST":
        return render_worksheet(request, request.GET.get("text", EXAMPLE))
    try:
        text = request.POST.get("text", "").replace("\r\n", "\n")
    except (RequestDataTooBig, TooManyFieldsSent):
        text = " " * (LIMIT_CHARACTERS + 1)
    address = address_of(text)
    if request.htmx:  # type: ignore[attr-defined]
        context = worksheet_context(text)
        response = render(request, "calculator/worksheet_rows.html", context, status=_status(context))
        return replace_url(response, address or reverse("calculator:worksheet"))
    return SeeOther(address) if address else render_worksheet(request, text)


def render_worksheet(request: HttpRequest, text: str, **more: object) -> HttpResponse:
    """The page with a text and what its lines come to; 422 for a text that is too long."""
    context = worksheet_context(text) | {"worksheet_help": worksheet_help()} | more
    return render(request, "calculator/worksheet.html", context, status=_status(context))


def worksheet_context(text: str) -> dict[str, object]:
    """The text with its rows, or with why it is refused."""
    if len(text) > LIMIT_CHARACTERS:
        refused = f"The worksheet has {len(text):,} characters; at most {LIMIT_CHARACTERS:,} are worked out."
        return {"text": text[: LIMIT_CHARACTERS + 1].strip(), "rows": (), "refused": refused, "address": ""}
    lines = evaluate_worksheet(text, facts=catalogue_facts())
    rows = tuple(_row(line) for line in lines if line.evaluated or line.error)
    return {"text": text, "rows": rows, "refused": "", "address": address_of(text)}


def address_of(text: str) -> str:
    """The address that holds this text; "" when it would be longer than what servers take."""
    address = f"{reverse('calculator:worksheet')}?{urlencode({'text': text})}"
    return address if len(address) <= LONGEST_ADDRESS else ""


def _status(context: dict[str, object]) -> int:
    return UNPROCESSABLE if context["refused"] else 200


def _row(line: WorksheetLine) -> Row:
    quantity = line.evaluated.quantity if line.evaluated else None
    return Row(
        number=line.number,
        name=line.name or "",
        value_text=quantity.text(DIGITS) if quantity else "",
        with_numbers=line.evaluated.with_numbers if line.evaluated else "",
        mixed=bool(quantity and quantity.mixed),
        error=line.error.message if line.error else "",
        column=line.error.column if line.error else None,
    )
