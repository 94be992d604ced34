"""Scores of a submission, its critique, and the ledger of what the model was asked and what that cost."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q


class LineScore(models.Model):
    """One scorer's level on one line of the rubric, with the words of the submission that show it."""

    class Scorer(models.TextChoices):
        SELF = "self"
        MODEL = "model"  # code counted the anchors that a model found met

    round = models.ForeignKey("rounds.Round", models.CASCADE, related_name="line_scores")
    scorer = models.CharField(max_length=8, choices=Scorer, default=Scorer.SELF)
    line = models.PositiveSmallIntegerField()  # 1 to 8
    level = models.PositiveSmallIntegerField()  # 0 to 4
    quote = models.TextField(blank=True)  # as it stands in the submission; a 0 needs none
    # Percent: the chance that a second scorer lands within one level. Only people are asked for it.
    confidence = models.PositiveSmallIntegerField(null=True)
    scored_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["round", "scorer", "line"], name="line_score_once"),
            models.CheckConstraint(condition=Q(line__gte=1, line__lte=8), name="line_score_line_known"),
            models.CheckConstraint(condition=Q(level__lte=4), name="line_score_level_known"),
            models.CheckConstraint(condition=Q(level=0) | ~Q(quote=""), name="line_score_has_evidence"),
            models.CheckConstraint(condition=Q(confidence__lte=100), name="line_score_confidence_is_a_percentage"),
            models.CheckConstraint(
                condition=Q(scorer="model") | Q(confidence__isnull=False), name="line_score_of_a_person_has_confidence"
            ),
        ]

    def __str__(self) -> str:
        return f"line {self.line}: {self.level} by {self.scorer}"

    @property
    def stated_confidence(self) -> int:
        """The confidence of a person's score; a model's has none."""
        assert self.confidence is not None
        return self.confidence


class State(models.TextChoices):
    """How far a piece of the model's work is."""

    IDLE = "idle"  # nothing was asked of the model
    QUEUED = "queued"  # waits for a worker, or for `retry_at`
    RUNNING = "running"  # a worker holds the lease, and asks
    CHECKING = "checking"  # the first reply is there; what it says is checked, and asked again where it fails
    SHOWN = "shown"
    FAILED = "failed"


HELD = (State.RUNNING, State.CHECKING)  # by a worker with a lease
WAITING = (State.QUEUED, *HELD)


class ModelWork(models.Model):
    """Work for the model: waits, is held by one worker under a lease that runs out, ends as shown or failed."""

    state = models.CharField(max_length=8, choices=State, default=State.IDLE)
    queued_at = models.DateTimeField(null=True)  # since when it waits: its place in the queue
    sent_at = models.DateTimeField(null=True)  # when its task was last given to the broker
    started_at = models.DateTimeField(null=True)  # of the latest attempt
    ended_at = models.DateTimeField(null=True)  # shown, or failed for good
    lease_token = models.UUIDField(null=True)  # whoever holds it may store a result
    lease_until = models.DateTimeField(null=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    retry_at = models.DateTimeField(null=True)
    failure_kind = models.CharField(max_length=20, blank=True)  # of the latest attempt that failed
    failure_reason = models.TextField(blank=True)

    class Meta:
        abstract = True
        constraints = [
            models.CheckConstraint(condition=Q(state__in=State.values), name="%(class)s_state_known"),
            models.CheckConstraint(
                condition=Q(state__in=HELD, lease_token__isnull=False, lease_until__isnull=False)
                | Q(~Q(state__in=HELD), lease_token__isnull=True, lease_until__isnull=True),
                name="%(class)s_leased_while_held_only",
            ),
            models.CheckConstraint(
                condition=Q(retry_at__isnull=True) | Q(state=State.QUEUED), name="%(class)s_retries_while_queued_only"
            ),
            models.CheckConstraint(
                condition=~Q(state=State.FAILED) | ~Q(failure_reason=""), name="%(class)s_fails_with_a_reason"
            ),
            models.CheckConstraint(
                condition=~Q(state=State.QUEUED) | Q(queued_at__isnull=False), name="%(class)s_queued_since_a_moment"
            ),
        ]
        indexes = [models.Index(fields=["state", "queued_at"], name="%(class)s_queue")]


class Critique(ModelWork):
    """The critique of one round's submission. Its results are for nobody before the round is done."""

    class Kind(models.TextChoices):
        MODEL = "model"
        BUILTIN = "builtin"

    round = models.ForeignKey("rounds.Round", models.CASCADE, related_name="critiques")
    kind = models.CharField(max_length=8, choices=Kind)
    requested_at = models.DateTimeField()
    superseded_at = models.DateTimeField(null=True)  # a model's critique took the built-in one's place
    closed_at = models.DateTimeField(null=True)  # the trainee is through with it: what is unanswered is a miss

    model_name = models.CharField(max_length=200, blank=True)
    prompt_version = models.CharField(max_length=40, blank=True)
    prompt = models.JSONField(default=list)  # the first call's messages: [{"role", "content"}]
    step = models.CharField(max_length=12, blank=True)  # of the attempt under way: see ModelCall.Purpose

    drafted = models.PositiveSmallIntegerField(default=0)  # critiques in the model's first reply
    repaired = models.PositiveSmallIntegerField(default=0)  # shown only after they were asked for again
    merged = models.PositiveSmallIntegerField(default=0)  # said twice, shown once
    surplus = models.PositiveSmallIntegerField(default=0)  # stood up, beyond the six
    dropped = models.JSONField(default=list)  # what did not stand: [{"reason", "text", "quote", "attack"}]
    report = models.JSONField(default=dict)  # the built-in critic's findings, by kind

    class Meta(ModelWork.Meta):
        constraints = [
            *ModelWork.Meta.constraints,
            models.CheckConstraint(condition=Q(kind__in=["model", "builtin"]), name="critique_kind_known"),
            models.CheckConstraint(condition=~Q(state=State.IDLE), name="critique_is_under_way"),
            models.UniqueConstraint(
                fields=["round"], condition=Q(superseded_at__isnull=True), name="critique_one_live_per_round"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} critique, {self.state}"


class Answerable(ModelWork):
    """Something asked of the trainee: their answer, what the model says to it, and their mark."""

    class Mark(models.TextChoices):
        HIT = "hit"
        PARTIAL = "partial"
        MISS = "miss"

    class Holds(models.TextChoices):
        YES = "yes"
        PARTLY = "partly"
        NO = "no"

    number = models.PositiveSmallIntegerField()
    answer = models.TextField(blank=True)
    answered_at = models.DateTimeField(null=True)
    reply = models.TextField(blank=True)  # `state` is the reply's: idle where no model is asked
    holds = models.CharField(max_length=6, choices=Holds, blank=True)
    mark = models.CharField(max_length=8, choices=Mark, blank=True)
    marked_at = models.DateTimeField(null=True)

    class Meta(ModelWork.Meta):
        abstract = True
        constraints = [
            *ModelWork.Meta.constraints,
            models.UniqueConstraint(fields=["critique", "number"], name="%(class)s_once"),
            models.CheckConstraint(
                condition=Q(mark="") | Q(answered_at__isnull=False), name="%(class)s_marked_when_answered"
            ),
            models.CheckConstraint(
                condition=Q(state=State.IDLE) | Q(answered_at__isnull=False), name="%(class)s_replied_to_when_answered"
            ),
        ]


class CritiqueItem(Answerable):
    """One critique that stood up to the checks."""

    critique = models.ForeignKey(Critique, models.CASCADE, related_name="items")
    quote = models.TextField(blank=True)  # the submission's words; the built-in critic may attack what is absent
    part_key = models.CharField(max_length=16, blank=True)  # s1 to s10, worksheet
    start = models.PositiveIntegerField(null=True)  # offsets into that part
    end = models.PositiveIntegerField(null=True)
    defect_class = models.CharField(max_length=40)
    class_name = models.CharField(max_length=120, blank=True)  # for "other"
    attack = models.TextField()
    scenario = models.TextField(blank=True)
    expression = models.TextField(blank=True)
    with_numbers = models.TextField(blank=True)
    claimed_value = models.TextField(blank=True)
    value_text = models.TextField(blank=True)  # what the expression comes to, worked out by code
    rubric_line = models.PositiveSmallIntegerField(null=True)
    repaired = models.BooleanField(default=False)  # stood up only after it was asked for again

    class Meta(Answerable.Meta):
        constraints = [
            *Answerable.Meta.constraints,
            models.CheckConstraint(
                condition=Q(start__isnull=True, end__isnull=True) | Q(start__lt=F("end")),
                name="critiqueitem_quote_has_a_place",
            ),
            models.CheckConstraint(
                condition=Q(rubric_line__isnull=True) | Q(rubric_line__gte=1, rubric_line__lte=8),
                name="critiqueitem_rubric_line_known",
            ),
        ]

    def __str__(self) -> str:
        return f"critique {self.number}: {self.defect_class}"


class Mutation(Answerable):
    """A change to the problem, asked of this design."""

    critique = models.ForeignKey(Critique, models.CASCADE, related_name="mutations")
    title = models.TextField()
    ask = models.TextField()
    generic = models.BooleanField(default=False)  # one of the built-in ones

    class Meta(Answerable.Meta):
        pass

    def __str__(self) -> str:
        return f"mutation {self.number}: {self.title}"


type Asked = CritiqueItem | Mutation


class AnchorVerdict(models.Model):
    """Whether a model found an anchor of the rubric met, and the words it named for it."""

    critique = models.ForeignKey(Critique, models.CASCADE, related_name="anchor_verdicts")
    anchor_id = models.CharField(max_length=120)
    line = models.PositiveSmallIntegerField()
    level = models.PositiveSmallIntegerField()
    met = models.BooleanField()  # as counted: only where the quote stands
    quote = models.TextField(blank=True)
    part_key = models.CharField(max_length=16, blank=True)
    start = models.PositiveIntegerField(null=True)
    end = models.PositiveIntegerField(null=True)
    problem = models.CharField(max_length=200, blank=True)  # why a "met" does not count

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["critique", "anchor_id"], name="anchor_verdict_once"),
            models.CheckConstraint(condition=Q(line__gte=1, line__lte=8), name="anchor_verdict_line_known"),
            models.CheckConstraint(condition=Q(level__gte=1, level__lte=4), name="anchor_verdict_level_known"),
            models.CheckConstraint(condition=Q(met=False) | ~Q(quote=""), name="anchor_verdict_met_has_evidence"),
        ]

    def __str__(self) -> str:
        return f"{self.anchor_id}: {'met' if self.met else 'not met'}"


class ModelCall(models.Model):
    """One call of the model: reserved before it is made, its reply kept as it came, its cost at the price of then."""

    class Purpose(models.TextChoices):
        CRITIQUE = "critique"
        REPAIR = "repair"
        ANCHORS = "anchors"
        ANSWER = "answer"
        MUTATION = "mutation"

    class State(models.TextChoices):
        RESERVED = "reserved"  # under way; its worst cost counts as spent
        ANSWERED = "answered"  # the reply is kept, and is used once
        UNUSABLE = "unusable"  # a reply came, and cannot be used
        FAILED = "failed"  # no reply; nothing is owed
        LOST = "lost"  # the worker ended before a reply; it may be owed, so the worst cost counts

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="model_calls")
    critique = models.ForeignKey(Critique, models.SET_NULL, null=True, related_name="calls")
    item = models.ForeignKey(CritiqueItem, models.SET_NULL, null=True, related_name="calls")
    mutation = models.ForeignKey(Mutation, models.SET_NULL, null=True, related_name="calls")
    purpose = models.CharField(max_length=10, choices=Purpose)
    state = models.CharField(max_length=10, choices=State, default=State.RESERVED)
    lease_token = models.UUIDField()  # of the attempt that made it
    model_name = models.CharField(max_length=200)
    schema_use = models.CharField(max_length=10, blank=True)  # "honoured", "ignored" or "refused" by the server
    reply = models.TextField(blank=True)
    input_tokens = models.PositiveIntegerField(null=True)
    output_tokens = models.PositiveIntegerField(null=True)
    tokens_estimated = models.BooleanField(default=False)  # the server did not say how many
    reserved_usd = models.DecimalField(max_digits=12, decimal_places=6)
    cost_usd = models.DecimalField(max_digits=12, decimal_places=6, null=True)  # of a call that has ended
    usd_per_million_input = models.DecimalField(max_digits=12, decimal_places=6, null=True)
    usd_per_million_output = models.DecimalField(max_digits=12, decimal_places=6, null=True)
    price_as_of = models.DateField(null=True)
    error_kind = models.CharField(max_length=20, blank=True)
    error = models.TextField(blank=True)
    started_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["critique", "purpose"],
                condition=Q(state="answered", item__isnull=True, mutation__isnull=True),
                name="model_call_one_reply_per_step",
            ),
            models.UniqueConstraint(
                fields=["item"], condition=Q(state="answered", item__isnull=False), name="model_call_one_reply_per_item"
            ),
            models.UniqueConstraint(
                fields=["mutation"],
                condition=Q(state="answered", mutation__isnull=False),
                name="model_call_one_reply_per_mutation",
            ),
            models.CheckConstraint(
                condition=Q(state="reserved", ended_at__isnull=True, cost_usd__isnull=True)
                | Q(~Q(state="reserved"), ended_at__isnull=False, cost_usd__isnull=False),
                name="model_call_costs_when_it_has_ended",
            ),
            models.CheckConstraint(condition=Q(reserved_usd__gte=0), name="model_call_reserves_no_less_than_nothing"),
        ]
        indexes = [models.Index(fields=["user", "started_at"], name="model_call_by_day")]

    def __str__(self) -> str:
        return f"{self.purpose} call, {self.state}"
