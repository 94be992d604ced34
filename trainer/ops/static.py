"""Collects the static files, when one has changed since the last time."""

import hashlib
from collections.abc import Callable

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command


def collect_static(say: Callable[[str], None]) -> bool:
    """Bring `STATIC_ROOT` up to date; whether there was anything to do."""
    stamp = settings.STATIC_ROOT / ".collected"
    wanted = _digest()
    if stamp.is_file() and stamp.read_text() == wanted:
        return False
    say("Collecting the static files")
    call_command("collectstatic", interactive=False, clear=True, verbosity=0)
    stamp.write_text(wanted)
    return True


def _digest() -> str:
    """Of every file's name, size and time of change: cheap, and different whenever a file was written."""
    digest = hashlib.sha256()
    for finder in get_finders():
        for name, storage in sorted(finder.list([]), key=lambda found: found[0]):
            changed = storage.get_modified_time(name).timestamp()
            digest.update(f"{name}\0{storage.size(name)}\0{changed}\n".encode())
    return digest.hexdigest()
