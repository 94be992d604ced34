"""The pages of figures and errata: what belongs to a design is in no response before its own reader has earned it."""

import datetime as dt
import html
import re

import pytest
from django.test import Client

from designs.quoted.errata import Erratum, errata
from designs.quoted.figures import Figure, figures
from trainer.accounts.models import User
from trainer.rounds.models import DesignReading

pytestmark = pytest.mark.django_db

FIGURES, ERRATA = "/calculator/figures/", "/errata/"
PAGES: dict[str, tuple[Figure | Erratum, ...]] = {FIGURES: figures(), ERRATA: errata()}
SLUGS = sorted({slug for rows in PAGES.values() for row in rows for slug in row.designs})


def page(client: Client, path: str) -> str:
    response = client.get(path)
    assert response.status_code == 200
    return response.content.decode()


def secrets(slug: str | None = None, *, seen: str = "") -> dict[str, list[str]]:
    """What each page may not hold: of one design's rows (of any, unless it is named), but for what `seen` opens."""
    found = {}
    for path, held in PAGES.items():
        rows = [row for row in held if (row.designs if slug is None else row.designs == (slug,))]
        lines = [html.escape(line.expression) for row in rows for line in row.sheet.lines if len(line.expression) > 12]
        texts = [*(row.title for row in rows), *(html.escape(row.sheet.address) for row in rows), *lines]
        known = openly(held, seen)
        found[path] = [text for text in texts if text not in known]
    assert any(found.values())
    return found


def openly(held: tuple[Figure | Erratum, ...], seen: str) -> str:
    """The lines of rows that are open: what also stands in one of them tells nothing."""
    rows = [row for row in held if not row.designs or row.designs == (seen,)]
    return "\n".join(html.escape(line.expression) for row in rows for line in row.sheet.lines)


def assert_withheld(client: Client, slug: str | None = None, *, seen: str = "") -> None:
    for path, texts in secrets(slug, seen=seen).items():
        source = page(client, path)
        assert [text for text in texts if text in source] == []


def assert_open(client: Client, slug: str) -> None:
    for path, texts in secrets(slug).items():
        source = page(client, path)
        assert [text for text in texts if text not in source] == []


def test_nothing_of_any_design_is_shown_before_one_is_earned(alice_client: Client) -> None:
    assert_withheld(alice_client)
    for path in (FIGURES, ERRATA):
        assert "of m05: after its round" in page(alice_client, path)
    assert "of m02 and m07: after their rounds" in page(alice_client, ERRATA)
    assert "of m05, m06 and m07: after their rounds" in page(alice_client, ERRATA)


@pytest.mark.parametrize("slug", SLUGS)
def test_what_one_earned_another_and_a_stranger_do_not_see(
    slug: str, alice: User, alice_client: Client, bob_client: Client, stranger_client: Client, now: dt.datetime
) -> None:
    DesignReading.objects.create(user=alice, slug=slug, at=now)
    assert_open(alice_client, slug)
    for other in set(SLUGS) - {slug}:
        assert_withheld(alice_client, other, seen=slug)
    assert_withheld(bob_client)
    assert_withheld(stranger_client)


def test_a_row_of_several_designs_waits_for_all_of_them(alice: User, alice_client: Client, now: dt.datetime) -> None:
    title = next(row.title for row in errata() if row.designs == ("m02", "m07"))
    DesignReading.objects.create(user=alice, slug="m02", at=now)
    source = page(alice_client, ERRATA)
    assert title not in source
    assert "of m07: after its round" in source
    DesignReading.objects.create(user=alice, slug="m07", at=now)
    assert title in page(alice_client, ERRATA)


def test_our_counts_by_class_are_not_shown_before_a_design_is_earned(
    alice: User, alice_client: Client, bob_client: Client, now: dt.datetime
) -> None:
    DesignReading.objects.create(user=alice, slug="m01", at=now)
    assert "ours of 1 of 8 designs" in page(alice_client, ERRATA)
    source = page(bob_client, ERRATA)
    assert "ours of 0 of 8 designs" in source
    assert source.count('<td class="num">…</td>') == 12


def test_every_worksheet_that_a_page_links_to_evaluates_without_an_error(
    alice: User, alice_client: Client, now: dt.datetime
) -> None:
    for slug in SLUGS:
        DesignReading.objects.create(user=alice, slug=slug, at=now)
    for path, count in ((FIGURES, 30), (ERRATA, 21)):
        links = re.findall(r'href="(/calculator/worksheet/\?text=[^"]+)"', page(alice_client, path))
        assert len(links) == count
        for link in links:
            assert "is-error" not in page(alice_client, html.unescape(link))


def test_the_calculator_and_the_designs_lead_to_both_pages(alice_client: Client) -> None:
    for path in ("/calculator/", "/designs/"):
        source = page(alice_client, path)
        assert f'href="{FIGURES}"' in source
        assert f'href="{ERRATA}"' in source


@pytest.mark.parametrize("path", [FIGURES, ERRATA])
def test_the_pages_only_answer_to_reading(path: str, alice_client: Client) -> None:
    assert alice_client.post(path).status_code == 405
    assert alice_client.head(path).status_code == 200
