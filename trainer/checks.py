"""System checks: what is wrong with the surroundings, said before it shows in a page."""

from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, Warning, register


@register(Tags.files)
def content_folders_exist(**_: Any) -> list[CheckMessage]:
    """Every folder of `CONTENT_DIRS` is there."""
    return [
        Error(f"The content folder {folder} does not exist.", hint="See CONTENT_DIRS.", id="roofline.E001")
        for folder in settings.CONTENT_DIRS
        if not folder.is_dir()
    ]


@register(Tags.compatibility)
def hosted_runs_on_postgresql(**_: Any) -> list[CheckMessage]:
    """Many people at once are PostgreSQL's work."""
    engine = settings.DATABASES["default"]["ENGINE"]
    if settings.HOSTED and "postgresql" not in engine:
        return [Error(f"The hosted form needs PostgreSQL, not {engine}.", hint="Set DATABASE_URL.", id="roofline.E002")]
    return []


@register(Tags.security)
def proxy_origins_are_named(**_: Any) -> list[CheckMessage]:
    """Behind a proxy that ends TLS, forms are accepted from named origins only if the proxy keeps the host."""
    if settings.HOSTED and "*" in settings.ALLOWED_HOSTS:
        return [Warning("ALLOWED_HOSTS lets every host name in.", hint="Name yours.", id="roofline.W001")]
    return []
