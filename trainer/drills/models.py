"""Attempts at drills. A drill itself is a file; rows change in `services.py` alone."""

from django.conf import settings
from django.db import models
from django.db.models import Q


class Attempt(models.Model):
    """One answer of one person to one drawing of a drill. `right` is open until an answer said aloud is marked."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="attempts")
    drill_id = models.CharField(max_length=80)
    kind = models.CharField(max_length=10)
    seed = models.CharField(max_length=40)
    typed = models.TextField(blank=True)  # as it was typed; the place of the choice taken; "" where one gave up
    words = models.TextField(blank=True)  # what was said, or the sentence of the consequence
    given_up = models.BooleanField(default=False)
    right = models.BooleanField(null=True)
    slip = models.TextField(blank=True)  # the mistake it shows, as a sentence
    ticks = models.JSONField(default=list)  # beats that were said, by their places from 0
    seconds = models.PositiveIntegerField(null=True)  # of the page's own count, where it was timed
    timed = models.BooleanField(default=False)
    in_review = models.BooleanField(default=False)  # asked by a card
    client_id = models.CharField(max_length=64)
    at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "client_id"], name="attempt_once_per_page"),
            models.UniqueConstraint(fields=["user", "drill_id", "seed"], name="attempt_once_per_drawing"),
            models.CheckConstraint(condition=~Q(client_id=""), name="attempt_names_its_page"),
        ]
        indexes = [models.Index(fields=["user", "drill_id", "at"], name="attempt_by_drill")]

    def __str__(self) -> str:
        return f"{self.drill_id}?seed={self.seed}"
