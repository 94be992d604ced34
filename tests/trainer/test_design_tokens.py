"""The colours of the design language keep text readable, by day and by night."""

import re

import pytest
from django.conf import settings

TOKENS = (settings.BASE_DIR / "static" / "css" / "tokens.css").read_text()
LEAST_CONTRAST = 4.5
BACKGROUNDS = ("paper", "sheet", "well")
TEXTS = ("ink", "ink-soft", "pen", "good", "warn", "bad")
PAIRS = [
    *((text, background) for text in TEXTS for background in BACKGROUNDS),
    *((f"{name}", f"{name}-wash") for name in ("pen", "good", "warn", "bad")),
    *(("ink", f"{name}-wash") for name in ("pen", "good", "warn", "bad")),
    ("on-pen", "pen"),
]


def colour(name: str, scheme: str) -> str:
    found = re.search(rf"--{name}: light-dark\((#[0-9a-f]{{6}}), (#[0-9a-f]{{6}})\)", TOKENS)
    assert found is not None, f"--{name} has no colour for light and dark"
    return found[1 if scheme == "light" else 2]


def luminance(hexadecimal: str) -> float:
    """Relative luminance as the Web Content Accessibility Guidelines 2.2 define it."""
    channels = (int(hexadecimal[at : at + 2], 16) / 255 for at in (1, 3, 5))
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(first: str, second: str) -> float:
    lighter, darker = sorted((luminance(first), luminance(second)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def test_black_on_white_has_the_contrast_that_the_guidelines_give() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(("text", "background"), PAIRS)
def test_text_is_readable_on_its_background(text: str, background: str, scheme: str) -> None:
    assert contrast(colour(text, scheme), colour(background, scheme)) >= LEAST_CONTRAST
