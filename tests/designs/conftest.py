"""A content folder of the test's own, with the example design in it."""

import shutil
from pathlib import Path

import pytest
from pytest_django import Settings

from tests.designs.pack_files import PACK


@pytest.fixture
def pack(tmp_path: Path, settings: Settings) -> Path:
    """The only content folder; x01 is in it and may be changed."""
    folder = tmp_path / "pack"
    shutil.copytree(PACK, folder)
    settings.CONTENT_DIRS = [folder]
    return folder
