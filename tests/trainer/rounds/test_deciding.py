"""The ways in which a trainee may write m01's deciding number, and what the page says to each."""

from uuid import uuid4

import pytest
from django.template.loader import render_to_string
from pytest_django import Settings

from designs.loaded import LoadedDesign
from designs.loader import load_designs
from trainer.rounds import deciding
from trainer.rounds.models import Round
from trainer.rounds.parts import DecidingNumber
from trainer.rounds.worksheet import DIGITS, held_line

POOL = "pool = 4 * 80 GiB * 0.95 - 140 GB\n"


@pytest.fixture
def design(settings: Settings) -> LoadedDesign:
    settings.CONTENT_DIRS = [settings.BASE_DIR / "designs" / "content" / "m01"]
    return load_designs().designs["m01"]


def _page(expression: str, design: LoadedDesign) -> str:
    held = held_line(f"{POOL}answer = {expression}", "answer")
    assert held is not None
    round_ = Round(
        deciding_line=held.name,
        deciding_expression=held.expression,
        deciding_value=held.value,
        deciding_unit=held.unit,
    )
    verdict = deciding.agreement_of(round_, design)
    own = deciding.own_quantity(round_)
    assert own is not None
    shown = DecidingNumber(
        step_id="share",
        title="",
        formula="",
        expression="",
        with_numbers="",
        value_text="",
        decides_html=design.prompt_html(),
        own_name=held.name,
        own_expression=held.expression,
        own_value_text=own.text(DIGITS),
        own_starred_at=None,
        verdict=verdict.verdict,
        ratio=verdict.ratio,
        form=verdict.form,
        agrees_with="",
    )
    return render_to_string("rounds/deciding.html", {"deciding": shown, "page": {"id": uuid4()}})


@pytest.mark.parametrize(
    "expression",
    [
        "40 GiB / 173.6 GiB",
        "40 / 173.6",
        "40 GiB / pool -> %",
        "131072 * 320 KiB / pool",
        "131072 tokens * kv_cache_bytes_per_token(llama70b) / pool",
        "131072 / 568901",
        "23 %",
        "0.23",
    ],
)
def test_the_share_computed_the_plain_way_agrees(expression: str, design: LoadedDesign) -> None:
    page = _page(expression, design)
    assert "agrees within 10%" in page
    assert "Read as" not in page


@pytest.mark.parametrize(
    ("expression", "said"),
    [
        ("100 * 40 / 173.6", "lacks its % sign"),
        ("pool / 40 GiB", "how many make the whole"),
        ("4.3", "how many make the whole"),
    ],
)
def test_the_share_said_another_way_agrees_and_the_page_says_how_it_was_read(
    expression: str, said: str, design: LoadedDesign
) -> None:
    page = _page(expression, design)
    assert "agrees within 10%" in page
    assert said in page


@pytest.mark.parametrize(
    ("expression", "said"),
    [
        ("40 GiB / (4 * 80 GB * 0.95 - 140 GB)", "1.14 times the design"),
        ("40 GiB", "another quantity"),
        ("pool", "another quantity"),
        ("568901", "probably count different things"),
    ],
)
def test_another_number_is_told_apart(expression: str, said: str, design: LoadedDesign) -> None:
    page = _page(expression, design)
    assert said in page
    assert "agrees" not in page
