"""A small track of two chapters in the place of the real one, for tests that look at single words and figures."""

from pathlib import Path
from shutil import copytree

import pytest

from trainer.study import loader

SAMPLE = Path(__file__).parent / "sample"


@pytest.fixture
def track(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the small track: a test may change its files."""
    folder = copytree(SAMPLE, tmp_path / "track")
    monkeypatch.setattr(loader, "CONTENT", folder)
    return folder
