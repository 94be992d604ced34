"""Reads designs: those on disk for what comes next, a stored version for a round that has begun."""

from functools import lru_cache

from designs.loaded import LoadedDesign
from designs.loader import RefusedDesign, build, load_designs, rebuild
from designs.models import DesignVersion


class DesignNotFound(LookupError):
    """No usable design has that slug."""


def all_designs() -> list[LoadedDesign]:
    """The designs on disk in the recommended order."""
    return list(load_designs().designs.values())


def refused_designs() -> tuple[RefusedDesign, ...]:
    """The folders that hold no usable design, for whoever runs this installation."""
    return load_designs().refused


def design_for_slug(slug: str) -> LoadedDesign:
    """Raises: DesignNotFound."""
    try:
        return load_designs().designs[slug]
    except KeyError:
        raise DesignNotFound(slug) from None


def design_of(version: DesignVersion) -> LoadedDesign:
    """The design as a round began with it, whatever its files and the catalogue have become since."""
    return _stored(version.slug, version.digest)


@lru_cache(maxsize=64)
def _stored(slug: str, digest: str) -> LoadedDesign:
    version = DesignVersion.objects.get(slug=slug, digest=digest)
    loaded = rebuild(version.files, version.facts, digest=digest) if version.facts else build(version.files)
    loaded.diagrams.update(version.diagrams)
    return loaded
