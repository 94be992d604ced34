"""The site's own settings, with what a test run must not share with a person's data: files, broker and speed."""

import atexit
import os
import shutil
import tempfile
from pathlib import Path

# In memory where the system offers it: the databases of a test run are made and thrown away.
_parent = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
_folder = Path(tempfile.mkdtemp(prefix="roofline-test-", dir=_parent))
atexit.register(shutil.rmtree, _folder, ignore_errors=True)
os.environ["ROOFLINE_VAR"] = str(_folder)
os.environ.pop("ROOFLINE_HOSTED", None)
os.environ.pop("BROKER_URL", None)  # no broker runs unless a test starts one

from trainer.settings import *  # noqa: E402, F403
from trainer.settings import DATABASES, STORAGES  # noqa: E402

if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    # A file, so that a live server's threads have connections of their own, as they do outside of tests.
    DATABASES["default"]["TEST"] = {"NAME": str(_folder / "test.sqlite3")}
    DATABASES["default"]["OPTIONS"]["init_command"] = "PRAGMA journal_mode=WAL; PRAGMA synchronous=OFF;"
STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
