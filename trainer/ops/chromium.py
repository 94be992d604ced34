"""Finding a Chromium for the browser tests, or fetching one."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome")
MAC_APPS = (
    Path("/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"),
    Path("/Applications/Chromium.app/Contents/MacOS/Chromium"),
)


class NoChromium(RuntimeError):
    """No Chromium was found; the message says which command brings one."""


def find_chromium() -> Path:
    """The Chromium named by CHROMIUM, else one on the PATH, else playwright's own.

    Raises:
        NoChromium: none of these is there, or CHROMIUM names no program.
    """
    if named := os.environ.get("CHROMIUM"):
        if found := shutil.which(named):
            return Path(found)
        raise NoChromium(f"CHROMIUM is set to {named!r}, which is not a program that can be run.")
    for name in NAMES:
        if found := shutil.which(name):
            return Path(found)
    for candidate in (*MAC_APPS, *playwrights_own()):
        if candidate.is_file():
            return candidate
    raise NoChromium(
        "No Chromium was found. Bring one with `.venv/bin/playwright install chromium` or "
        "`apt-get install chromium`, or name yours: `CHROMIUM=/path/to/chromium make test`."
    )


def playwrights_own() -> list[Path]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        return [Path(playwright.chromium.executable_path)]


def ensure_chromium() -> Path:
    """A Chromium that is there, fetched if need be.

    Raises:
        NoChromium: none is there and none could be fetched.
    """
    try:
        return find_chromium()
    except NoChromium:
        if os.environ.get("CHROMIUM"):
            raise
    attempts = [[sys.executable, "-m", "playwright", "install", "chromium"]]
    if hasattr(os, "geteuid") and os.geteuid() == 0 and shutil.which("apt-get"):
        attempts.append(
            ["sh", "-c", "apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -qy chromium"]
        )
    for command in attempts:
        print(f"No Chromium yet. Fetching one: {' '.join(command)}", flush=True)
        if subprocess.run(command, stdin=subprocess.DEVNULL, check=False).returncode == 0:
            return find_chromium()
    return find_chromium()
