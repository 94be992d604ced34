"""Cards: every miss, to be met again. Schedules are worked out in `core/`; rows change in `services.py` alone."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from trainer.review.core.scheduling import Rating


class Card(models.Model):
    """One miss of one person. The same miss again resets the card; it never makes a second one."""

    class Kind(models.TextChoices):
        RUBRIC_LINE = "rubric_line"
        CRITIQUE = "critique"
        DECIDING_NUMBER = "deciding_number"
        INTERJECTION = "interjection"
        DRILL = "drill"
        CONCEPT = "concept"
        MUTATION = "mutation"
        MODEL_CRITIQUE = "model_critique"

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="cards")
    kind = models.CharField(max_length=20, choices=Kind)
    key = models.CharField(max_length=120)  # which miss: "m01/critique/3", "m01/line/1"
    slug = models.SlugField(max_length=40, blank=True)  # the design's, if the miss is of one
    round = models.ForeignKey("rounds.Round", models.SET_NULL, null=True, related_name="cards")  # the latest miss
    front = models.TextField()  # Markdown
    back = models.TextField()  # Markdown: what the design says, then the derivation
    edited_front = models.TextField(blank=True)  # the trainee's own wording, shown in place of the front
    edited_back = models.TextField(blank=True)
    own_words = models.TextField(blank=True)  # what the trainee wrote then
    link = models.CharField(max_length=200, blank=True)  # a path of this site: the section the back comes from

    fsrs = models.JSONField()  # the fsrs library's own card, in its own form; always aware UTC
    due_on = models.DateField()  # a study day, in the trainee's zone
    last_review_at = models.DateTimeField()  # the instant; the miss itself counts as one
    last_review_on = models.DateField()  # its study day, in the zone that the trainee was in
    lapses = models.PositiveSmallIntegerField(default=0)
    suspended = models.BooleanField(default=False)
    leech = models.BooleanField(default=False)  # lapsed so often that meeting it again teaches nothing
    buried_until = models.DateField(null=True)
    revision = models.PositiveIntegerField(default=0)  # of the row: every change compares it, then raises it
    created_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "key"], name="card_once_per_miss"),
            models.CheckConstraint(condition=~Q(key=""), name="card_names_its_miss"),
        ]
        indexes = [models.Index(fields=["user", "suspended", "due_on"], name="card_due")]

    def __str__(self) -> str:
        return self.key

    @property
    def shown_front(self) -> str:
        """The front as the trainee reads it: their own wording where they gave one."""
        return self.edited_front or self.front

    @property
    def shown_back(self) -> str:
        """The back as the trainee reads it."""
        return self.edited_back or self.back


class ReviewEvent(models.Model):
    """An append-only record: misses, ratings, undos and the rest, each with the card as it was before."""

    class Kind(models.TextChoices):
        MISS = "miss", "Missed"
        RATING = "rating", "Rated"
        UNDO = "undo", "Undo"
        SUSPEND = "suspend", "Set aside"
        UNSUSPEND = "unsuspend", "Brought back"
        BURY = "bury", "Left out until tomorrow"
        EDIT = "edit", "Reworded"

    card = models.ForeignKey(Card, models.CASCADE, related_name="events")
    kind = models.CharField(max_length=10, choices=Kind)
    rating = models.PositiveSmallIntegerField(null=True)  # 1 again, 2 hard, 3 good, 4 easy
    at = models.DateTimeField()
    study_day = models.DateField()
    client_id = models.CharField(max_length=64, blank=True)  # chosen by the browser: the same one counts once
    early = models.BooleanField(default=False)  # rated before the day it was due
    interval_days = models.PositiveIntegerField(null=True)  # of a rating: what its button said, and what was applied
    before = models.JSONField()  # the card's fields before the event: undo is exact
    undoes = models.OneToOneField("self", models.CASCADE, null=True, related_name="undone_by")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["card", "client_id"], condition=~Q(client_id=""), name="review_event_once"),
            models.CheckConstraint(
                condition=Q(rating__isnull=True) | Q(rating__gte=1, rating__lte=4), name="review_event_rating_known"
            ),
            models.CheckConstraint(
                condition=Q(kind="rating", rating__isnull=False) | (~Q(kind="rating") & Q(rating__isnull=True)),
                name="review_event_rates_when_it_is_a_rating",
            ),
            models.CheckConstraint(
                condition=Q(kind="undo", undoes__isnull=False) | (~Q(kind="undo") & Q(undoes__isnull=True)),
                name="review_event_undoes_when_it_is_an_undo",
            ),
        ]
        indexes = [models.Index(fields=["card", "kind", "study_day"], name="review_event_by_day")]

    def __str__(self) -> str:
        return f"{self.kind} of card {self.card_id} on {self.study_day}"

    @property
    def what(self) -> str:
        """What was done, in a word or a few."""
        return Rating(self.rating).label if self.rating else self.Kind(self.kind).label
