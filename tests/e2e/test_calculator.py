"""The calculator in a real browser: it answers as one types, keeps what is open, and fits narrow windows."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Page, ViewportSize, expect
from pytest_django.live_server_helper import LiveServer

from tests.e2e.browsing import let_go, serious_faults, sideways_overflow_px

NARROW: ViewportSize = {"width": 390, "height": 844}
QUESTION = "/calculator/?model=llama70b&gpu=h100&gpus=4&seq_len=8192&batch=32"
CONFIGS = Path(__file__).resolve().parents[1] / "calculator" / "configs" / "published.json"


@pytest.fixture
def calculator(page: Page, live_server: LiveServer) -> Iterator[Page]:
    page.goto(live_server.url + QUESTION)
    yield page
    let_go(page.context)


def test_typing_changes_the_answer_its_parts_and_the_address_and_keeps_what_is_open(calculator: Page) -> None:
    working = calculator.locator("#step-memory-kv_pool")
    working.locator("summary").click()
    calculator.locator("#field-batch").fill("500")
    expect(calculator.locator(".calculator-verdict-text")).to_have_text(re.compile("at most 69 fit"))
    expect(calculator).to_have_url(re.compile("batch=500"))
    expect(calculator.locator("#part-fits")).to_contain_text("3 copies of the model")
    expect(calculator.locator("#part-script")).to_contain_text("a batch of 500")
    expect(calculator.locator("#step-memory-kv_pool")).to_have_attribute("open", "")
    calculator.locator("#part-fits a", has_text="a batch of 69").click()
    expect(calculator.locator("#field-batch")).to_have_value("69")
    expect(calculator.locator(".calculator-verdict-text")).to_have_text(re.compile("Memory-bound"))


def test_a_refusal_stands_at_its_field_until_the_field_is_right(calculator: Page) -> None:
    batch = calculator.locator("#field-batch")
    batch.fill("0")
    expect(calculator.locator("#field-batch-error")).to_have_text(re.compile("1 to 100,000"))
    expect(batch).to_have_attribute("aria-invalid", "true")
    batch.fill("16")
    expect(calculator.locator("#field-batch-error")).to_be_empty()
    expect(batch).not_to_have_attribute("aria-invalid", "true")
    expect(calculator.locator("#part-working")).to_contain_text("One token for each of the 16 sequences")


def test_a_file_is_answered_and_stays_out_of_the_address(calculator: Page, live_server: LiveServer) -> None:
    calculator.goto(live_server.url + "/calculator/config/")
    config = json.dumps(json.loads(CONFIGS.read_text())["qwen3_8b"]["config"])
    calculator.locator("#field-file").set_input_files(
        {"name": "qwen.json", "mimeType": "application/json", "buffer": config.encode()}
    )
    expect(calculator.locator("#answer .eyebrow")).to_contain_text("qwen.json")
    expect(calculator).to_have_url(live_server.url + "/calculator/config/")
    calculator.locator("#field-batch").fill("7")
    expect(calculator.locator("#answer .eyebrow")).to_contain_text("batch 7")


def test_the_second_configuration_is_in_the_address(calculator: Page, live_server: LiveServer) -> None:
    calculator.goto(live_server.url + "/calculator/compare/")
    calculator.locator('[name="b.gpus"]').fill("8")
    expect(calculator).to_have_url(re.compile(r"b\.gpus=8"))
    expect(calculator.locator("#compared")).to_contain_text("8 × H200")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("path", ["/calculator/", QUESTION.replace("gpus=4", "gpus=1"), "config/", "compare/"])
def test_axe_finds_nothing_serious_and_nothing_sticks_out(
    calculator: Page, live_server: LiveServer, path: str, scheme: Literal["light", "dark"]
) -> None:
    calculator.emulate_media(color_scheme=scheme)
    calculator.goto(live_server.url + (path if path.startswith("/") else f"/calculator/{path}"))
    for summary in calculator.locator("main details > summary").all():
        summary.click()
    assert serious_faults(calculator) == []
    assert sideways_overflow_px(calculator) == 0
    calculator.set_viewport_size(NARROW)
    assert sideways_overflow_px(calculator) == 0
