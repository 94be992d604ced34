"""What a trainee says of themselves. Rows are only added: the latest is the state, all are the history."""

from django.conf import settings
from django.db import models
from django.db.models import Q

LEVELS = range(4)
"""0 cannot, 1 with notes, 2 aloud, 3 aloud and where it breaks."""


class ConceptMark(models.Model):
    """One mark of one concept."""

    class State(models.TextChoices):
        ALOUD = "aloud", "could say it aloud"
        NOT_YET = "not_yet", "not yet"

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="concept_marks")
    concept = models.CharField(max_length=60)  # its id: "D2.1"
    state = models.CharField(max_length=10, choices=State)
    at = models.DateTimeField()

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(state__in=["aloud", "not_yet"]), name="concept_mark_state_known"),
            models.CheckConstraint(condition=~Q(concept=""), name="concept_mark_names_its_concept"),
        ]
        indexes = [models.Index(fields=["user", "concept", "-at"], name="concept_mark_latest")]

    def __str__(self) -> str:
        return f"{self.concept}: {self.state}"


class SelfMark(models.Model):
    """One item of the self-assessment, marked once."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="self_marks")
    item = models.CharField(max_length=60)
    level = models.PositiveSmallIntegerField()
    at = models.DateTimeField()

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(level__gte=0, level__lte=3), name="self_mark_level_known"),
            models.CheckConstraint(condition=~Q(item=""), name="self_mark_names_its_item"),
        ]
        indexes = [models.Index(fields=["user", "item", "-at"], name="self_mark_latest")]

    def __str__(self) -> str:
        return f"{self.item}: {self.level}"
