"""Rows of a round. What each state allows is decided in `core/machine.py`; rows change in `services.py` alone."""

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q


class State(models.TextChoices):
    PROMPT = "prompt"
    ARITHMETIC = "arithmetic"
    WRITING = "writing"
    SCORING = "scoring"
    REVEAL = "reveal"
    CRITIQUE = "critique"
    DONE = "done"
    ABANDONED = "abandoned"


class Mode(models.TextChoices):
    EXAM = "exam"
    PRACTICE = "practice"


class Round(models.Model):
    """One sitting of one design by one person."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="rounds")
    design_version = models.ForeignKey("designs.DesignVersion", models.PROTECT, related_name="rounds")
    slug = models.SlugField(max_length=40)  # the design's, repeated for cheap filtering
    mode = models.CharField(max_length=8, choices=Mode)
    read_before = models.BooleanField(default=False)  # the design had been read: practice, not evidence
    extra_time_factor = models.DecimalField(max_digits=3, decimal_places=2, default=1)
    rubric_version = models.CharField(max_length=16)
    seed = models.BigIntegerField()  # for the times of the interjections

    state = models.CharField(max_length=10, choices=State, default=State.PROMPT)
    created_at = models.DateTimeField()
    arithmetic_started_at = models.DateTimeField(null=True)
    writing_started_at = models.DateTimeField(null=True)
    submitted_at = models.DateTimeField(null=True)  # by hand, or the bell's own moment
    submitted_by_bell = models.BooleanField(default=False)
    sealed_at = models.DateTimeField(null=True)  # from here on every edit is refused
    scored_at = models.DateTimeField(null=True)
    reveal_finished_at = models.DateTimeField(null=True)
    done_at = models.DateTimeField(null=True)
    abandoned_at = models.DateTimeField(null=True)

    deadline_at = models.DateTimeField(null=True)  # of the running phase; none while paused
    paused_seconds_left = models.FloatField(null=True)
    reveal_position = models.PositiveSmallIntegerField(default=0)  # 0 the deciding number, then sections 1 to 10

    deciding_line = models.CharField(max_length=64, blank=True)  # the starred worksheet name
    deciding_starred_at = models.DateTimeField(null=True)
    deciding_expression = models.CharField(max_length=500, blank=True)
    deciding_value = models.FloatField(null=True)  # in base units, when it was starred
    deciding_unit = models.CharField(max_length=64, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(state__in=State.values), name="round_state_known"),
            models.CheckConstraint(condition=Q(mode__in=Mode.values), name="round_mode_known"),
            models.CheckConstraint(
                condition=Q(deadline_at__isnull=True) | Q(paused_seconds_left__isnull=True),
                name="round_runs_or_is_paused",
            ),
            models.CheckConstraint(
                condition=Q(paused_seconds_left__isnull=True) | Q(mode="practice"), name="round_paused_in_practice_only"
            ),
            # Arithmetic and writing are the states with a clock: there it runs or is paused, elsewhere it is neither.
            models.CheckConstraint(
                condition=Q(
                    Q(deadline_at__isnull=False) | Q(paused_seconds_left__isnull=False),
                    state__in=["arithmetic", "writing"],
                )
                | Q(
                    ~Q(state__in=["arithmetic", "writing"]),
                    deadline_at__isnull=True,
                    paused_seconds_left__isnull=True,
                ),
                name="round_clock_in_clocked_states_only",
            ),
            models.CheckConstraint(
                condition=Q(state__in=["prompt", "arithmetic", "writing"]) | Q(sealed_at__isnull=False),
                name="round_sealed_after_writing",
            ),
            # One clock runs at a time for one person; a paused one does not run.
            models.UniqueConstraint(
                fields=["user"], condition=Q(deadline_at__isnull=False), name="round_one_running_clock_per_user"
            ),
            # A start posted twice is one round: it waits at the prompt.
            models.UniqueConstraint(
                fields=["user", "slug", "mode"], condition=Q(state="prompt"), name="round_waits_at_the_prompt_once"
            ),
        ]
        indexes = [models.Index(fields=["state", "deadline_at"], name="round_due")]

    def __str__(self) -> str:
        return f"{self.slug} ({self.mode}, {self.state})"


class Pause(models.Model):
    """A pause of a practice round, kept for the record."""

    round = models.ForeignKey(Round, models.CASCADE, related_name="pauses")
    started_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"pause from {self.started_at:%H:%M:%S}"


class Document(models.Model):
    """The present text of one section (`s1` to `s10`) or of the worksheet (`worksheet`)."""

    round = models.ForeignKey(Round, models.CASCADE, related_name="documents")
    key = models.CharField(max_length=16)
    text = models.TextField(blank=True)
    revision = models.PositiveIntegerField(default=0)
    saved_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["round", "key"], name="document_once_per_round")]

    def __str__(self) -> str:
        return f"{self.key} at revision {self.revision}"


class DocumentRevision(models.Model):
    """Every acknowledged text of a document, for the time line and for a second look at a conflict."""

    document = models.ForeignKey(Document, models.CASCADE, related_name="revisions")
    revision = models.PositiveIntegerField()
    text = models.TextField(blank=True)
    saved_at = models.DateTimeField()
    # Chosen by the browser, once per text: a save sent again after a lost answer is known by it.
    save_id = models.CharField(max_length=64)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["document", "revision"], name="document_revision_once"),
            models.UniqueConstraint(fields=["document", "save_id"], name="document_save_once"),
        ]

    def __str__(self) -> str:
        return f"revision {self.revision}"


class LateAddendum(models.Model):
    """Text that a browser still held after the seal: kept beside the submission, never counted."""

    class Decision(models.TextChoices):
        OFFERED = "offered"
        KEPT = "kept"
        DISCARDED = "discarded"

    round = models.ForeignKey(Round, models.CASCADE, related_name="late_addenda")
    key = models.CharField(max_length=16)
    text = models.TextField()
    received_at = models.DateTimeField()
    save_id = models.CharField(max_length=64)
    decision = models.CharField(max_length=10, choices=Decision, default=Decision.OFFERED)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["round", "key", "save_id"], name="late_addendum_once")]

    def __str__(self) -> str:
        return f"{self.key}, late, {self.decision}"


class AskedQuestion(models.Model):
    """A clarifying question as asked; `card` names the interviewer's card that answered it, if one did."""

    round = models.ForeignKey(Round, models.CASCADE, related_name="asked_questions")
    card = models.CharField(max_length=40, blank=True)
    text = models.CharField(max_length=500)
    answer = models.TextField()
    asked_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["round", "card"], condition=~Q(card=""), name="question_card_asked_once"),
            models.UniqueConstraint(fields=["round", "text"], name="question_text_asked_once"),
        ]

    def __str__(self) -> str:
        return self.text


class Focus(models.Model):
    """The trainee turned to a section (or the worksheet, or the calculator): the time per section comes from these."""

    round = models.ForeignKey(Round, models.CASCADE, related_name="focuses")
    key = models.CharField(max_length=16)
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.key} at {self.at:%H:%M:%S}"


class DraftScore(models.Model):
    """A line of the self-score that is fine by itself, kept while another one is refused. It counts for nothing yet."""

    round = models.ForeignKey(Round, models.CASCADE, related_name="draft_scores")
    line = models.PositiveSmallIntegerField()  # 1 to 8
    level = models.PositiveSmallIntegerField()
    quote = models.TextField(blank=True)
    confidence = models.PositiveSmallIntegerField()
    saved_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["round", "line"], name="draft_score_line_once")]

    def __str__(self) -> str:
        return f"line {self.line}: {self.level}"


class CritiqueAnswer(models.Model):
    """What the trainee said to a worked critique before its revision was shown, and how they marked it."""

    class Mark(models.TextChoices):
        HIT = "hit"
        PARTIAL = "partial"
        MISS = "miss"

    round = models.ForeignKey(Round, models.CASCADE, related_name="critique_answers")
    number = models.PositiveSmallIntegerField()
    shown_at = models.DateTimeField()
    first_sentence_at = models.DateTimeField(null=True)
    text = models.TextField(blank=True)
    answered_at = models.DateTimeField(null=True)  # the revision is shown from here on
    mark = models.CharField(max_length=8, choices=Mark, blank=True)
    marked_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["round", "number"], name="critique_answer_once"),
            models.CheckConstraint(
                condition=Q(mark="") | Q(answered_at__isnull=False), name="critique_marked_when_answered"
            ),
        ]

    def __str__(self) -> str:
        return f"critique {self.number}: {self.mark or 'unmarked'}"


class DesignReading(models.Model):
    """ "Read without attempting": asked once, recorded; later rounds of the design are practice."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="design_readings")
    slug = models.SlugField(max_length=40)
    at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "slug"], name="design_reading_once")]

    def __str__(self) -> str:
        return f"{self.slug} read"
