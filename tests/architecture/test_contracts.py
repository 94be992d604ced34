"""The pure cores stay pure: every one of them is under the import contract that `make lint` holds."""

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CONTRACTS = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]


def test_every_core_is_under_the_contract() -> None:
    (contract,) = [contract for contract in CONTRACTS if "cores" in contract["name"]]
    cores = {
        ".".join(folder.relative_to(ROOT).parts)
        for app in ("calculator", "designs", "grading", "trainer")
        for folder in (ROOT / app).rglob("core")
        if folder.is_dir()
    }
    assert cores | {"calculator.expressions"} == set(contract["source_modules"])


def test_no_core_asks_the_clock_or_chance() -> None:
    """`datetime` and `random` may be imported for their types and seeded generators; not for the present moment."""
    asks = re.compile(
        r"\b(?:datetime|date)\.(?:now|utcnow|today)\(|\btime\.time\(|\brandom\.(?:random|choice|randint)\("
    )
    found = [
        f"{path.relative_to(ROOT)}: {match}"
        for app in ("calculator", "designs", "grading", "trainer")
        for path in (ROOT / app).rglob("core/**/*.py")
        for match in asks.findall(path.read_text())
    ]
    assert found == []


def test_top_level_folders_are_the_agreed_ones() -> None:
    packages = {path.parent.name for path in ROOT.glob("*/__init__.py")}
    assert packages == {"calculator", "designs", "grading", "tests", "trainer"}
