"""A small bank of drills, one of each kind, in the place of the real one."""

from pathlib import Path

import pytest

from trainer.drills import bank
from trainer.drills.core.forms import Drill

HERE = Path(__file__).parent


@pytest.fixture
def small_bank(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Drill]:
    """The drills of `sample.toml` and the numbers of `numbers.toml`."""
    put_small_bank(tmp_path, monkeypatch)
    return bank.bank().drills


def put_small_bank(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Put the small bank into the place of the real one."""
    content = folder / "drills"
    content.mkdir()
    (content / "sample.toml").write_text((HERE / "sample.toml").read_text())
    monkeypatch.setattr(bank, "CONTENT", content)
    monkeypatch.setattr(bank, "NUMBERS", HERE / "numbers.toml")
