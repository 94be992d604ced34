"""Chapters count a model's weights in the format that it is published in, and say what does not fit."""

import html
import re

import pytest
from django.test import Client

from calculator import catalogue
from calculator.topic_answers import read_setting, row_name
from tests.trainer.study.pages import source
from trainer.study.loader import load_study

pytestmark = pytest.mark.django_db


def text_of(page: str) -> str:
    return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", page)).split())


@pytest.mark.parametrize("slug", ["kv-cache", "memory-budget"])
def test_a_model_of_eight_bits_is_counted_in_eight_bits(slug: str, alice_client: Client) -> None:
    page = text_of(source(alice_client, f"/study/{slug}/?model=deepseek_v3&gpu=h200"))
    assert "625 GiB" in page
    assert "1,250 GiB" not in page
    assert "in FP8" in page.replace("In FP8", "in FP8")
    assert "131 GiB" in text_of(source(alice_client, f"/study/{slug}/"))  # a model of BF16 as before


def test_the_chapter_of_the_cache_is_there_where_the_weights_do_not_fit(alice_client: Client) -> None:
    page = text_of(source(alice_client, "/study/kv-cache/?model=deepseek_v3"))
    assert "This does not fit. In FP8 the weights of DeepSeek V3 / R1 take 625 GiB" in page
    assert "It takes 9 GPUs" in page
    assert "keeps 68.6 KiB/tok" in page
    assert "This does not fit." not in text_of(source(alice_client, "/study/kv-cache/?model=deepseek_v3&gpu=h200"))


def test_only_where_the_weights_shrink_too_does_the_pool_grow(alice_client: Client) -> None:
    wide = text_of(source(alice_client, "/study/memory-budget/"))
    narrow = text_of(source(alice_client, "/study/memory-budget/?model=deepseek_v3&gpu=h200"))
    assert "the pool grows, and each token in it shrinks" in wide
    assert "the pool stays, because the weights are published in FP8" in narrow


def test_a_replica_that_is_too_small_is_refused_in_a_sentence_with_a_way_on(alice_client: Client) -> None:
    page = source(alice_client, "/study/memory-budget/?model=deepseek_v3", status=422)
    assert "it must be a number of GPUs that holds the weights, for example 9." in text_of(page)
    (link,) = re.findall(r'<a href="([^"]+)">Read it with GPUs of a replica: 9</a>', page)
    assert "625 GiB" in text_of(source(alice_client, html.unescape(link)))


def test_every_model_has_its_format_for_expressions_by_name() -> None:
    topic = load_study().chapters["kv-cache"].topic
    for key, model in catalogue.models().items():
        setting, _ = read_setting(topic, {"model": key})
        assert (
            setting.expression("weights_bytes({model}, {model_dtype})") == f"weights_bytes({key}, {model.native_dtype})"
        )
        assert row_name(setting.keys["model_dtype"])
