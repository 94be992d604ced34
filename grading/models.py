"""Scores of a submission, line by line of the rubric."""

from django.db import models
from django.db.models import Q


class LineScore(models.Model):
    """One scorer's level on one line of the rubric, with the words of the submission that show it."""

    class Scorer(models.TextChoices):
        SELF = "self"

    round = models.ForeignKey("rounds.Round", models.CASCADE, related_name="line_scores")
    scorer = models.CharField(max_length=8, choices=Scorer, default=Scorer.SELF)
    line = models.PositiveSmallIntegerField()  # 1 to 8
    level = models.PositiveSmallIntegerField()  # 0 to 4
    quote = models.TextField(blank=True)  # as it stands in the submission; a 0 needs none
    confidence = models.PositiveSmallIntegerField()  # percent: the chance that a second scorer lands within one level
    scored_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["round", "scorer", "line"], name="line_score_once"),
            models.CheckConstraint(condition=Q(line__gte=1, line__lte=8), name="line_score_line_known"),
            models.CheckConstraint(condition=Q(level__lte=4), name="line_score_level_known"),
            models.CheckConstraint(condition=Q(level=0) | ~Q(quote=""), name="line_score_has_evidence"),
            models.CheckConstraint(condition=Q(confidence__lte=100), name="line_score_confidence_is_a_percentage"),
        ]

    def __str__(self) -> str:
        return f"line {self.line}: {self.level} by {self.scorer}"
