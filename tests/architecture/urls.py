"""Every named address of the site."""

from collections.abc import Iterator
from uuid import UUID

from django.urls import URLPattern, URLResolver, get_resolver, reverse

SAMPLES = {"round_id": UUID(int=1), "slug": "m01", "key": "s1"}
NUMBER = 1  # for a row that does not exist


def named_patterns(resolver: URLResolver | None = None, namespace: str = "") -> Iterator[tuple[str, URLPattern]]:
    """`rounds:index` and its pattern, for each pattern there is; one without a name fails."""
    for pattern in (resolver or get_resolver()).url_patterns:
        if isinstance(pattern, URLResolver):
            yield from named_patterns(pattern, f"{namespace}{pattern.namespace}:" if pattern.namespace else namespace)
        else:
            assert pattern.name, f"{namespace}{pattern.pattern} has no name"
            yield f"{namespace}{pattern.name}", pattern


def names() -> list[str]:
    return sorted({name for name, _ in named_patterns()})


def address(name: str) -> str:
    """The address of that name, with arguments that name nothing which exists, where it has any."""
    pattern = dict(named_patterns())[name].pattern
    return reverse(name, kwargs={argument: SAMPLES.get(argument, NUMBER) for argument in pattern.converters})
