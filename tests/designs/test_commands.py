"""`derive` prints a design's arithmetic; `check_content` says what is wrong by file and line."""

import io
import json
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from pytest_django import Settings

from tests.designs.pack_files import line_of


def said(*arguments: str) -> str:
    out = io.StringIO()
    call_command(*arguments, stdout=out)
    return out.getvalue()


def test_derive_prints_formula_numbers_result_and_consequence(pack: Path) -> None:
    text = said("derive", "x01")
    for piece in ("tokens / rate", "3e9 tok / 247375 tok/s", "3.4 h", "<< the deciding number", "It fits", "[r2]"):
        assert piece in text


def test_derive_gives_the_same_as_data(pack: Path) -> None:
    steps = json.loads(said("derive", "x01", "--json"))
    assert [step["id"] for step in steps] == [
        "total_tokens",
        "token_rate",
        "run_time",
        "run_time_at_peak",
        "second_run_cost",
    ]
    run = steps[2]
    assert run["value"] == pytest.approx(3e9 / (8 * 989.5e12 * 0.5 / 16e9) / 3600)
    assert {key: run[key] for key in ("unit", "formula", "deciding")} == {
        "unit": "h",
        "formula": "tokens / rate",
        "deciding": True,
    }
    assert {"id", "value", "unit", "formula", "with_numbers", "decides", "deciding"} <= set(run)


def test_derive_names_the_nearest_when_a_slug_is_unknown(pack: Path) -> None:
    with pytest.raises(CommandError, match="no design 'x1'; there is x01"):
        said("derive", "x1")


def test_derive_runs_while_other_parts_are_still_missing(pack: Path) -> None:
    (pack / "x01/anchors.toml").unlink()
    assert "3.4 h" in said("derive", "x01")


def test_derive_says_where_a_derivation_is_broken(pack: Path) -> None:
    path = pack / "x01/derivation.toml"
    path.write_text(path.read_text().replace("* ticket_tokens", "* ticket_tokns"))
    line = line_of({"d": path.read_text()}, "d", "* ticket_tokns")
    with pytest.raises(CommandError, match=rf"x01/derivation.toml:{line}: .*ticket_tokns"):
        said("derive", "x01")


def test_a_clean_folder_is_counted_and_ends_well(pack: Path) -> None:
    text = said("check_content", str(pack))
    assert "x01: 10 sections, 6 critiques, 5 questions, 3 interjections, 15 anchors, 8 givens, 5 steps" in text
    assert "(warning)" in text
    assert text.endswith("designs: 1, problems: 0, warnings: 1\n")


def test_problems_are_told_by_file_and_line_and_end_badly(pack: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = pack / "x01/sections/05-finish.md"
    path.write_text(path.read_text() + "It takes 41 GiB.\n")
    with pytest.raises(CommandError, match="designs: 1, problems: 1, warnings: 1"):
        call_command("check_content", str(pack / "x01"))
    line = path.read_text().count("\n")
    assert f"{pack}/x01/sections/05-finish.md:{line}: '41 GiB' is typed by hand" in capsys.readouterr().out


def test_a_drawing_that_cannot_be_made_is_told(pack: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (pack / "x01/diagram.dot").write_text("digraph { a -> ")
    with pytest.raises(CommandError, match="problems: 1"):
        call_command("check_content", str(pack))
    assert "x01/diagram.dot: cannot be drawn" in capsys.readouterr().out


def test_without_a_folder_all_that_are_configured_are_checked(pack: Path) -> None:
    assert "designs: 1" in said("check_content")


def test_a_slug_in_two_folders_is_told(pack: Path, settings: Settings, capsys: pytest.CaptureFixture[str]) -> None:
    settings.CONTENT_DIRS = [pack, pack / "x01"]
    with pytest.raises(CommandError, match="problems: 1"):
        call_command("check_content")
    assert "already taken" in capsys.readouterr().out


@pytest.mark.parametrize("folder", ["nowhere", "empty"])
def test_a_folder_without_designs_is_told(pack: Path, folder: str) -> None:
    (pack / "empty").mkdir()
    with pytest.raises(CommandError, match=r"is no folder|holds no design"):
        said("check_content", str(pack / folder))
