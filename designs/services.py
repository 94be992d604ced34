"""Changes rows of this app: a design's files are kept as they stood when a round began."""

from datetime import datetime

from django.db import transaction

from designs.loaded import DIAGRAMS
from designs.models import DesignVersion
from designs.selectors import design_for_slug


@transaction.atomic
def design_version_store(*, slug: str, now: datetime) -> DesignVersion:
    """The row that holds a design's present files and facts, made if these very ones were not yet kept.

    Raises: DesignNotFound when no usable design has that slug.
    """
    loaded = design_for_slug(slug)
    known = DesignVersion.objects.filter(slug=slug, digest=loaded.digest).first()
    if known is not None:
        return known
    version, _ = DesignVersion.objects.get_or_create(
        slug=slug,
        digest=loaded.digest,
        defaults={
            "files": loaded.files,
            "facts": loaded.used_facts,
            "diagrams": {which: loaded.draw(which) for which in DIAGRAMS},
            "created_at": now,
        },
    )
    return version
