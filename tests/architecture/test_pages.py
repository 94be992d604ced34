"""What holds for every page and template: the Content-Security-Policy, and nothing that it would have to allow."""

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client

from tests.architecture.urls import address, names

TEMPLATES = sorted(Path(settings.BASE_DIR, "templates").rglob("*.html"))
COMMENT = re.compile(r"\{#.*?#\}|\{% comment %\}.*?\{% endcomment %\}", re.DOTALL)
FORBIDDEN = {
    "a style attribute": re.compile(r"<[^>]*\sstyle\s*=", re.IGNORECASE),
    "a style element": re.compile(r"<style\b", re.IGNORECASE),
    "a script without src": re.compile(r"<script\b(?![^>]*\bsrc=)(?![^>]*type=\"application/json\")", re.IGNORECASE),
    "a handler in an attribute": re.compile(r"<[^>]*\son[a-z]+\s*=", re.IGNORECASE),
    "a javascript: address": re.compile(r"javascript:", re.IGNORECASE),
    "code for htmx to evaluate": re.compile(r"\bhx-on[:\-=]|\bhx-vals=[\"']js:", re.IGNORECASE),
    "a file from elsewhere": re.compile(
        r"<(?:script|link|img|iframe)[^>]+(?:src|href)=[\"'](?:https?:)?//", re.IGNORECASE
    ),
}


@pytest.mark.django_db
@pytest.mark.parametrize("name", names())
def test_every_answer_carries_the_policy(name: str, alice_client: Client) -> None:
    for response in (alice_client.get(address(name)), alice_client.post(address(name))):
        policy = response.headers["Content-Security-Policy"]
        assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self';")
        assert "unsafe" not in policy
        assert response.status_code < 500 or name == "healthz"


@pytest.mark.django_db
def test_a_page_that_does_not_exist_carries_the_policy_too(client: Client) -> None:
    response = client.get("/no/such/page/")
    assert response.status_code == 404
    assert "default-src 'none'" in response.headers["Content-Security-Policy"]


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda path: str(path.relative_to(settings.BASE_DIR)))
@pytest.mark.parametrize("what", FORBIDDEN)
def test_no_template_holds_what_the_policy_forbids(template: Path, what: str) -> None:
    text = COMMENT.sub("", template.read_text())
    assert FORBIDDEN[what].findall(text) == []


@pytest.mark.parametrize(
    ("what", "text"),
    [
        ("a style attribute", '<p class="x" style="color: red">'),
        ("a style element", "<style>p {}</style>"),
        ("a script without src", "<script>alert(1)</script>"),
        ("a handler in an attribute", '<button onclick="x()">'),
        ("a javascript: address", '<a href="javascript:x()">'),
        ("code for htmx to evaluate", '<p hx-on:click="x()">'),
        ("a file from elsewhere", '<script src="//cdn.example/x.js"></script>'),
    ],
)
def test_the_search_finds_what_it_looks_for(what: str, text: str) -> None:
    assert FORBIDDEN[what].search(text)


def test_scripts_evaluate_no_text() -> None:
    evaluates = re.compile(r"\beval\(|new Function\(|\.innerHTML\s*=|insertAdjacentHTML|document\.write\(")
    found = [
        f"{path.name}: {match}"
        for path in Path(settings.BASE_DIR, "static", "js").glob("*.js")
        for match in evaluates.findall(path.read_text())
    ]
    assert found == []
