"""The versions of designs that rounds were begun on."""

from django.db import models


class DesignVersion(models.Model):
    """One design as its files stood at some moment; a round stays on the version that it began with."""

    slug = models.SlugField(max_length=40)
    digest = models.CharField(max_length=64)  # SHA-256 over the files and the facts used
    files = models.JSONField()  # {relative path: text}
    facts = models.JSONField(default=dict)  # the catalogue's facts that it was worked out with, as they were then
    diagrams = models.JSONField(default=dict)  # {"first": svg, "revised": svg}, drawn when the version was stored
    created_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["slug", "digest"], name="design_version_once")]

    def __str__(self) -> str:
        return f"{self.slug} {self.digest[:8]}"
