"""Many steps stand under the headings of the prose that uses them; each stands once."""

from calculator.facts import catalogue_facts
from designs.core.derivation import DerivedStep, derive
from designs.core.parser import parse_design
from designs.core.step_groups import FEW, step_groups
from tests.designs.pack_files import example

BODY = """First, {{ a }}.

## What it costs

So {{ b * 2 -> h }} and again {{ a }}.

## What it bears #

Then {{ c }}.
"""


def steps(*expressions: str, deciding: str = "") -> list[DerivedStep]:
    """Steps `id = expression`, all of one part."""
    files = example()
    files["derivation.toml"] = "".join(
        f'[[step]]\nid = "{id.strip()}"\ntitle = "t"\nexpression = "{expression.strip()}"\nunit = ""\ndigits = 3\n'
        f'decides = "d"\ndeciding = {str(id.strip() == deciding).lower()}\n'
        for id, expression in (one.split("=") for one in expressions)
    )
    return list(derive(parse_design(files), facts=catalogue_facts()).steps)


MANY = (
    "base = 2",
    "a = base * 2",
    "lead = base + 1",
    "b = lead * 2",
    "far = 4",
    "farther = far + 1",
    "c = 5",
    "d = 6",
    "e = d * 2",
)


def test_a_step_stands_under_the_heading_that_first_tells_it_with_those_that_lead_up_to_it() -> None:
    found = step_groups(steps(*MANY, deciding="a"), BODY)
    shown = [(g.heading, [s.id for s in g.told], [s.id for s in g.rest], g.elsewhere) for g in found]
    assert shown == [
        (None, ["a"], ["base"], False),
        ("What it costs", ["b"], ["lead"], False),
        ("What it bears", ["c"], [], False),
        (None, [], ["far", "farther", "d", "e"], True),
    ]
    assert [group.deciding for group in found] == [True, False, False, False]


def test_every_step_stands_in_one_group() -> None:
    given = steps(*MANY, deciding="a")
    found = step_groups(given, BODY)
    assert sorted(s.id for g in found for s in (*g.told, *g.rest)) == sorted(s.id for s in given)


def test_a_deciding_step_that_the_prose_does_not_put_in_is_told_first_all_the_same() -> None:
    found = step_groups(steps(*MANY, deciding="d"), BODY)
    assert [step.id for step in found[0].told] == ["a", "d"]
    assert found[0].deciding


def test_a_few_steps_need_no_groups_and_none_make_none() -> None:
    few = steps(*MANY, deciding="a")[:FEW]
    assert [(group.heading, group.told, group.rest) for group in step_groups(few, BODY)] == [(None, tuple(few), ())]
    assert step_groups([], BODY) == ()
