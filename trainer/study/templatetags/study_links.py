"""Links into the study guide for pages of apps that know nothing of it."""

from django import template

from trainer.study import selectors
from trainer.study.chapters import LoadedChapter

register = template.Library()


@register.simple_tag
def chapters_of_topic(slug: str) -> list[LoadedChapter]:
    """The chapters that build on one of the calculator's topics."""
    return selectors.chapters_of_topic(slug)
