"""Every named address of the site."""

from collections.abc import Iterator
from uuid import UUID

from django.urls import URLResolver, get_resolver, reverse

SAMPLES = {"round_id": UUID(int=1), "slug": "m01", "key": "s1"}
NUMBER = 1  # for a row that does not exist


def named_patterns(
    resolver: URLResolver | None = None, namespace: str = "", arguments: tuple[str, ...] = ()
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """`rounds:index` and the arguments that it takes, for each pattern there is; one without a name fails."""
    for pattern in (resolver or get_resolver()).url_patterns:
        if isinstance(pattern, URLResolver):
            inner = f"{namespace}{pattern.namespace}:" if pattern.namespace else namespace
            yield from named_patterns(pattern, inner, (*arguments, *pattern.pattern.converters))
        else:
            assert pattern.name, f"{namespace}{pattern.pattern} has no name"
            yield f"{namespace}{pattern.name}", (*arguments, *pattern.pattern.converters)


def names() -> list[str]:
    return sorted({name for name, _ in named_patterns()})


def address(name: str) -> str:
    """The address of that name, with arguments that name nothing which exists, where it has any."""
    arguments = dict(named_patterns())[name]
    return reverse(name, kwargs={argument: SAMPLES.get(argument, NUMBER) for argument in arguments})
