"""The example design of `tests/designs/pack`, as files to break one by one."""

from pathlib import Path

PACK = Path(__file__).parent / "pack"


def example() -> dict[str, str]:
    """The files of x01 by relative path."""
    folder = PACK / "x01"
    return {path.relative_to(folder).as_posix(): path.read_text() for path in folder.rglob("*") if path.is_file()}


def edited(name: str, old: str, new: str) -> dict[str, str]:
    """The example with one piece of text of one file replaced; the piece must stand there."""
    files = example()
    assert old in files[name], f"{old!r} does not stand in {name}"
    return files | {name: files[name].replace(old, new, 1)}


def line_of(files: dict[str, str], name: str, piece: str) -> int:
    """The line on which a piece of text begins."""
    return files[name][: files[name].index(piece)].count("\n") + 1
