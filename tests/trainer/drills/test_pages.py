"""The pages of drills: what they show before and after an answer, whose they are, and what they refuse."""

import datetime as dt
import re

import pytest
import time_machine
from django.test import Client
from django.urls import reverse

from designs.loader import load_designs
from tests.designs.pack_files import PACK
from trainer.drills import selectors, services
from trainer.drills.models import Attempt
from trainer.drills.token import PageToken
from trainer.review.models import Card
from trainer.rounds.models import DesignReading

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("small_bank")]

INDEX, NEXT = reverse("drills:index"), reverse("drills:next")
WORKING = "Every weight once"


def at(id: str, seed: str = "a", **query: str) -> str:
    rest = "".join(f"&{name}={value}" for name, value in query.items())
    return f"{reverse('drills:drill', args=[id])}?seed={seed}{rest}"


def token(client: Client, id: str, seed: str = "a", **query: str) -> str:
    page = client.get(at(id, seed, **query)).content.decode()
    return re.search(r'name="page" value="([^"]+)"', page)[1]


def answer(client: Client, id: str, seed: str = "a", **fields: str):  # type: ignore[no-untyped-def]
    if "page" not in fields:
        fields["page"] = token(client, id, seed)
    return client.post(reverse("drills:answer", args=[id]), {"seed": seed, **fields}, follow=True)


def mark(client: Client, id: str, seed: str = "a", **fields):  # type: ignore[no-untyped-def]
    return client.post(reverse("drills:mark", args=[id]), {"seed": seed, **fields}, follow=True)


def right(id: str, seed: str = "a") -> str:
    """The right answer, worked out apart from the drill."""
    names = selectors.drawn(selectors.bank.bank().drills[id], seed)[0].scene.names
    assert id == "floor"
    return f"{names['weights'].value / names['bandwidth'].value * 1e3:.4g} ms"


def place(id: str, index: int, seed: str = "a") -> str:
    """Where the choice with this index stands."""
    return str(selectors.drawn(selectors.bank.bank().drills[id], seed)[0].order.index(index) + 1)


def test_the_list_has_every_drill_by_group_with_ones_own_record(alice_client, bob_client):
    answer(alice_client, "floor", answer="1 s")
    page = alice_client.get(INDEX).content.decode()
    assert "D2 · GPU memory and economics" in page
    assert "0 of 1" in page
    assert "weak" in page
    theirs = bob_client.get(INDEX).content.decode()
    assert "0 of 1" not in theirs


@pytest.mark.parametrize(
    ("query", "shown", "hidden"),
    [
        ("?kind=claim", "A claim about the ridge", "The floor of a step"),
        ("?group=D2", "The floor of a step", "The door"),
        ("?concept=D2.4", "The floor of a step", "A claim about the ridge"),
        ("?kind=cold", "Ridge of an H100", "The door"),
        ("?weak=1", "Nothing is weak", "The door"),
    ],
)
def test_the_list_is_narrowed_by_kind_group_concept_and_weakness(alice_client, query, shown, hidden):
    page = alice_client.get(INDEX + query).content.decode()
    assert shown in page
    assert hidden not in page.split("drill-filter")[1]


def test_the_list_opens_its_first_group_alone_and_all_that_a_filter_leaves(alice_client):
    answer(alice_client, "floor", answer="1 s")
    groups = re.findall(r"<details[^>]*>.*?</summary>", alice_client.get(INDEX).content.decode(), re.DOTALL)
    assert len(groups) > 2
    assert [" open>" in group for group in groups] == [True] + [False] * (len(groups) - 1)
    (second,) = [group for group in groups if 'id="D2"' in group]
    assert '<span class="num">1</span> tried' in second
    assert '<span class="num">1</span> weak' in second
    answer(alice_client, "pick-one", answer=place("pick-one", 1))
    for query, count in (
        ("?kind=numeric", 1),
        ("?kind=cold", 1),
        ("?group=D2", 1),
        ("?concept=D2.4", 1),
        ("?weak=1", 2),
    ):
        narrowed = re.findall("<details[^>]*>", alice_client.get(INDEX + query).content.decode())
        assert len(narrowed) == count, query
        assert all(" open>" in group for group in narrowed), query


@pytest.mark.parametrize("name", ["answer", "mark"])
@pytest.mark.parametrize("method", ["get", "head"])
def test_the_address_of_an_answer_leads_back_to_the_drill(alice_client, name, method):
    address = reverse(f"drills:{name}", args=["floor"])
    opened = getattr(alice_client, method)
    assert opened(address)["Location"] == "/drills/floor/"
    assert opened(f"{address}?seed=a")["Location"] == at("floor")
    assert opened(f"{address}?seed=a&timed=1")["Location"] == at("floor", timed="1")
    assert opened(f"{address}?seed=a b").status_code == 404
    assert alice_client.put(address).status_code == 405
    assert not Attempt.objects.exists()


def test_after_a_refused_answer_the_address_asks_the_same_again(alice_client):
    page = alice_client.get(at("floor", timed="1")).content.decode()
    action = re.search(r'action="([^"]*/answer/[^"]*)"', page)[1].replace("&amp;", "&")
    refused = alice_client.post(
        action, {"seed": "a", "timed": "1", "answer": "banana", "page": token(alice_client, "floor")}
    )
    assert refused.status_code == 422
    assert alice_client.get(action)["Location"] == at("floor", timed="1")


def test_the_form_of_the_marks_has_an_address_that_can_be_opened_too(alice_client):
    page = answer(alice_client, "ninety", words="All of it.").content.decode()
    action = re.search(r'action="([^"]*/mark/[^"]*)"', page)[1].replace("&amp;", "&")
    assert alice_client.get(action)["Location"] == at("ninety")


@pytest.mark.parametrize("query", ["kind=riddle", "group=D9"])
def test_a_filter_that_there_is_not_is_a_404(alice_client, query):
    assert alice_client.get(f"{INDEX}?{query}").status_code == 404
    assert alice_client.get(f"{NEXT}?{query}").status_code == 404


def test_a_drill_without_a_seed_gets_one_in_its_address(alice_client):
    response = alice_client.get(reverse("drills:drill", args=["floor"]) + "?timed=1")
    assert response.status_code == 302
    assert re.fullmatch(r"/drills/floor/\?seed=[0-9a-f]{8}&timed=1", response["Location"])


def test_one_address_asks_the_same_of_everybody(alice_client, bob_client):
    ours, theirs = (
        re.search(r'id="drill-ask">(.*?)</div>', client.get(at("floor", "x7")).content.decode(), re.DOTALL)[1]
        for client in (alice_client, bob_client)
    )
    assert ours == theirs


@pytest.mark.parametrize("seed", ["", "a" * 41, "a b", "<x>", "é"])
def test_a_seed_that_is_none_is_a_404(alice_client, seed):
    assert alice_client.get(reverse("drills:drill", args=["floor"]), {"seed": seed}).status_code == 404
    assert alice_client.post(reverse("drills:answer", args=["floor"]), {"seed": seed}).status_code == 404


def test_nothing_of_the_answer_is_in_any_response_before_it_was_given(alice_client):
    worked = {id: selectors.drawn(drill, "a")[1] for id, drill in selectors.bank.bank().drills.items()}
    for id, one in worked.items():
        page = alice_client.get(at(id)).content.decode()
        number = f"{one.answer.magnitude:.3g} {one.answer.unit}" if one.answer else ""
        held = [one.text, number, one.consequence, one.why, one.worksheet]
        drill = selectors.bank.bank().drills[id]
        held += [choice.why for choice in drill.choices] + [one.scene.fill(beat.text) for beat in drill.beats]
        held += [slip.says for slip in drill.numeric.slips] if drill.numeric else []
        assert [text for text in held if text and text in page] == []


def test_an_answer_seen_by_one_is_not_shown_to_another(alice_client, bob_client):
    answer(alice_client, "floor", answer="1 s")
    assert WORKING in alice_client.get(at("floor")).content.decode()
    assert WORKING not in bob_client.get(at("floor")).content.decode()


def test_a_right_answer_is_graded_with_its_working_and_makes_no_card(alice, alice_client):
    page = answer(alice_client, "floor", answer=right("floor")).content.decode()
    assert "Right." in page
    assert WORKING in page
    assert "Open in the worksheet" in page
    assert "So no scheduler makes a step shorter" in page
    attempt = Attempt.objects.get(user=alice)
    assert (attempt.right, attempt.seed, attempt.kind) == (True, "a", "numeric")
    assert not Card.objects.exists()


def test_a_wrong_answer_names_its_slip_and_becomes_a_card(alice, alice_client):
    three_times = f"{float(right('floor').split()[0]) * 3} ms"
    page = answer(alice_client, "floor", answer=three_times).content.decode()
    assert "The weights are read once, not three times." in page
    card = Card.objects.get(user=alice)
    assert (card.kind, card.key, card.link) == ("drill", "drill/floor", "/drills/floor/")
    assert "How long does one step take" in card.front
    assert "step = " in card.back
    assert card.own_words == three_times


def test_the_same_drill_missed_again_resets_its_card_and_makes_no_second(alice, alice_client):
    for seed in "ab":
        answer(alice_client, "floor", seed, answer="1 s")
    assert Card.objects.filter(user=alice).count() == 1
    assert Attempt.objects.filter(user=alice).count() == 2


def test_i_do_not_know_counts_as_wrong_and_shows_the_working(alice, alice_client):
    page = answer(alice_client, "floor", give_up="1").content.decode()
    assert "it counts as wrong" in page
    assert WORKING in page
    assert Attempt.objects.get(user=alice).right is False
    assert Card.objects.filter(user=alice).exists()


def test_an_answer_posted_twice_counts_once_and_the_first_stands(alice, alice_client):
    page = token(alice_client, "floor")
    answer(alice_client, "floor", answer="1 s", page=page)
    answer(alice_client, "floor", answer=right("floor"), page=page)
    assert [attempt.typed for attempt in Attempt.objects.filter(user=alice)] == ["1 s"]
    assert Card.objects.get(user=alice).revision == 1


def test_of_two_answers_at_once_one_counts_and_both_get_it(alice, alice_client, now, monkeypatch):
    """The second comes so close that it finds no first one, and meets it when it writes."""
    answer(alice_client, "floor", answer="1 s")
    found = iter([None])
    real = selectors.attempt_at
    monkeypatch.setattr(selectors, "attempt_at", lambda *wanted: next(found, real(*wanted)))
    got = services.attempt_record(
        user=alice,
        drill=selectors.bank.bank().drills["floor"],
        seed="a",
        typed=right("floor"),
        words="",
        given_up=False,
        timed=False,
        page=PageToken("another", now),
        now=now,
    )
    assert got.typed == "1 s"
    assert Attempt.objects.filter(user=alice).count() == 1


def test_a_second_page_of_the_same_numbers_gives_the_answer_that_stands(alice, alice_client):
    first, second = token(alice_client, "floor"), token(alice_client, "floor")
    answer(alice_client, "floor", answer="1 s", page=first)
    page = answer(alice_client, "floor", answer=right("floor"), page=second).content.decode()
    assert "Wrong." in page
    assert Attempt.objects.filter(user=alice).count() == 1


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        ("", "type a number in ms"),
        ("5 GB", "wanted in ms"),
        ("forty", "unknown"),
        ("1/0", "Answer:"),
        ("x" * 999, "200"),
    ],
)
def test_what_cannot_be_read_is_refused_and_nothing_is_lost_or_counted(alice, alice_client, typed, says):
    page = token(alice_client, "floor")
    response = alice_client.post(reverse("drills:answer", args=["floor"]), {"seed": "a", "answer": typed, "page": page})
    shown = response.content.decode()
    assert response.status_code == 422
    assert says in shown
    assert f'value="{typed}"' in shown
    assert f'name="page" value="{page}"' in shown
    assert WORKING not in shown
    assert not Attempt.objects.exists()


@pytest.mark.parametrize("page", ["", "made-up", "a:b:c"])
def test_a_form_that_is_of_no_page_is_refused(alice_client, page):
    response = alice_client.post(reverse("drills:answer", args=["floor"]), {"seed": "a", "answer": "1", "page": page})
    assert response.status_code == 422
    assert "no valid page id" in response.content.decode()
    assert not Attempt.objects.exists()


@pytest.mark.parametrize("choice", ["", "9", "x", "-1"])
def test_a_choice_that_is_none_is_refused(alice_client, choice):
    response = alice_client.post(
        reverse("drills:answer", args=["pick-one"]),
        {"seed": "a", "answer": choice, "page": token(alice_client, "pick-one")},
    )
    assert response.status_code == 422
    assert "one of the 3" in response.content.decode()


@pytest.mark.parametrize(("id", "key"), [("wrong-claim", 1), ("pick-one", 0), ("spikes", 0)])
def test_a_choice_is_graded_and_every_why_is_shown(alice, alice_client, id, key):
    wrong = next(index for index in range(2) if index != key)
    page = answer(alice_client, id, "a", answer=place(id, wrong)).content.decode()
    assert "Wrong." in page
    assert "your choice" in page
    card = Card.objects.get(user=alice)
    assert card.key == f"drill/{id}"
    again = answer(alice_client, id, "b", answer=place(id, key, "b")).content.decode()
    assert "Right." in again


def test_a_claim_is_disproved_by_its_lines(alice_client):
    page = answer(alice_client, "wrong-claim", answer="1").content.decode()
    assert "FLOPs per byte at which both take equally long" in page
    assert "One sequence uses 0.339% of the peak." in page


def test_a_graph_has_its_table_as_words(alice_client):
    page = alice_client.get(at("spikes")).content.decode()
    assert "<svg" in page
    assert page.count('<tr><th scope="row">') == 31
    assert "105 ms" in page


def test_beats_are_shown_only_once_it_was_said_and_pass_by_their_marks(alice, alice_client):
    assert "One token reads every weight." not in alice_client.get(at("ninety")).content.decode()
    page = answer(alice_client, "ninety", words="weights over bandwidth").content.decode()
    assert "One token reads every weight." in page
    assert "weights over bandwidth" in page
    assert Attempt.objects.get(user=alice).right is None
    assert "Passed." in mark(alice_client, "ninety", beat=["0", "1"]).content.decode()
    assert Attempt.objects.get(user=alice).right is True
    assert not Card.objects.exists()


def test_a_half_said_derivation_becomes_a_card_once(alice, alice_client):
    answer(alice_client, "ninety")
    mark(alice_client, "ninety", beat=["1", "2"])
    page = mark(alice_client, "ninety", beat=["0", "1", "2"]).content.decode()
    assert "An essential beat was not said: 1." in page
    assert Card.objects.get(user=alice).key == "drill/ninety"


@pytest.mark.parametrize(("beat", "status"), [(["7"], 422), (["x"], 422), (["-1"], 422)])
def test_marks_that_are_none_are_refused(alice_client, beat, status):
    answer(alice_client, "ninety")
    assert mark(alice_client, "ninety", beat=beat).status_code == status
    assert Attempt.objects.get().right is None


def test_marks_before_the_answer_are_refused(alice_client):
    response = mark(alice_client, "ninety", beat=["0"])
    assert response.status_code == 409
    assert "One token reads every weight." not in response.content.decode()
    assert mark(alice_client, "floor").status_code == 409


def test_words_with_a_null_character_are_refused(alice_client):
    assert answer(alice_client, "ninety", words="a\0b").status_code == 422
    assert not Attempt.objects.exists()


def test_words_that_are_too_many_are_refused_and_kept(alice_client):
    response = answer(alice_client, "ninety", words="w" * 5001)
    assert response.status_code == 422
    assert "5,000 characters, not 5,001" in response.content.decode()
    assert "w" * 5001 in response.content.decode()


def test_against_the_clock_the_seconds_are_recorded_and_running_out_grades_nothing(alice, alice_client, now):
    with time_machine.travel(now, tick=False) as clock:
        page = token(alice_client, "floor", timed="1")
        clock.shift(dt.timedelta(seconds=45))
        response = answer(alice_client, "floor", answer=right("floor"), page=page, timed="1")
    assert "Right." in response.content.decode()
    assert "45 s" in response.content.decode()
    assert "the time had run out" in response.content.decode()
    assert (Attempt.objects.get().seconds, Attempt.objects.get().timed) == (45, True)


def test_a_cold_number_is_graded_with_its_source(alice_client):
    page = answer(alice_client, "cold-h100-hbm-bandwidth", answer="3.35 TB/s").content.decode()
    assert "Right." in page
    assert "Source: " in page


def test_the_next_drill_is_one_never_tried_and_not_the_same_again(alice, alice_client):
    first = alice_client.get(NEXT)["Location"]
    assert first.startswith("/drills/floor/?seed=")
    answer(alice_client, "floor", answer=right("floor"))
    assert alice_client.get(NEXT)["Location"].startswith("/drills/kv-per-token/")
    assert alice_client.get(f"{NEXT}?kind=claim&after=wrong-claim")["Location"].startswith("/drills/wrong-claim/")
    assert alice_client.get(f"{NEXT}?kind=cold&timed=1")["Location"].endswith("&timed=1")


def test_a_drill_whose_card_is_due_comes_before_those_never_tried(alice, alice_client, now):
    with time_machine.travel(now, tick=False) as clock:
        answer(alice_client, "pick-one", answer=place("pick-one", 1))
        assert alice_client.get(NEXT)["Location"].startswith("/drills/floor/")
        clock.shift(dt.timedelta(days=1))
        assert alice_client.get(NEXT)["Location"].startswith("/drills/pick-one/")
        answer(alice_client, "pick-one", "b", answer=place("pick-one", 0, "b"))
        assert alice_client.get(NEXT)["Location"].startswith("/drills/floor/")


def test_where_no_drill_is_left_the_page_says_so(alice_client):
    assert "your last answers were right" in alice_client.get(f"{NEXT}?weak=1").content.decode()
    assert "sit a round" in alice_client.get(f"{NEXT}?kind=opener").content.decode()


def test_a_drill_that_is_none_is_a_404_by_every_way(alice_client):
    for name in ("drill", "answer", "mark"):
        address = reverse(f"drills:{name}", args=["no-such"])
        assert alice_client.get(address).status_code == 404
        assert alice_client.post(address, {"seed": "a"}).status_code in (404, 405)


# Openers


@pytest.fixture
def earned(alice, now, settings) -> str:
    """Alice has earned the example design, Bob and a stranger have not."""
    settings.CONTENT_DIRS = [PACK]
    DesignReading.objects.create(user=alice, slug="x01", at=now)
    return "opener-x01"


def test_an_opener_is_for_those_who_have_earned_its_design_alone(earned, alice_client, bob_client, stranger_client):
    assert "Opener: " in alice_client.get(INDEX).content.decode()
    assert alice_client.get(at(earned)).status_code == 200
    for client in (bob_client, stranger_client):
        assert "Opener: " not in client.get(INDEX).content.decode()
        assert "sit a round" in client.get(f"{NEXT}?kind=opener").content.decode()
        assert client.get(at(earned)).status_code == 404
        for name in ("answer", "mark"):
            address = reverse(f"drills:{name}", args=[earned])
            assert client.post(address, {"seed": "a", "answer": "1"}).status_code == 404
            assert client.get(f"{address}?seed=a").status_code == 404


def deciding():  # type: ignore[no-untyped-def]
    design = load_designs().designs["x01"]
    return design, design.derivation.deciding


def test_an_opener_compares_the_number_and_shows_the_designs_sentence_after_it(earned, alice, alice_client):
    design, step = deciding()
    before = alice_client.get(at(earned)).content.decode()
    assert step.text not in before
    assert str(design.step_consequence_html(step)) not in before
    number = f"{step.quantity.magnitude * 1.05} {step.quantity.unit}"
    page = answer(alice_client, earned, answer=number, words="So it is done by six.").content.decode()
    assert "The number agrees." in page
    assert "So it is done by six." in page
    assert str(design.step_consequence_html(step)) in page
    assert Attempt.objects.get().right is None
    mark(alice_client, earned, said="yes")
    assert Attempt.objects.get().right is True
    assert not Card.objects.exists()


@pytest.mark.parametrize(("factor", "said"), [(1.0, "no"), (2.0, "yes")])
def test_half_an_opener_becomes_a_card(earned, alice, alice_client, factor, said):
    _, step = deciding()
    answer(alice_client, earned, answer=f"{step.quantity.magnitude * factor}", words="So.")
    mark(alice_client, earned, said=said)
    assert Attempt.objects.get().right is False
    card = Card.objects.get(user=alice)
    assert (card.key, card.slug) == ("drill/opener-x01", "x01")


def test_an_opener_refuses_a_number_of_another_kind_and_keeps_the_sentence(earned, alice_client):
    response = answer(alice_client, earned, answer="5 USD", words="So it costs.")
    assert response.status_code == 422
    assert "not of the kind of the deciding number" in response.content.decode()
    assert "So it costs." in response.content.decode()
    assert deciding()[1].text not in response.content.decode()
