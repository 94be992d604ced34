"""Who the trainee is, and the settings that follow them from round to round."""

from django.contrib.auth.models import AbstractUser
from django.db import models


class User(AbstractUser):
    """A trainee. At home there is one, made on first use; when hosted, one for each log-in."""

    time_zone = models.CharField(max_length=64, default="UTC")
    day_turns_over_at_hour = models.PositiveSmallIntegerField(default=4)
    extra_time_factor = models.DecimalField(max_digits=3, decimal_places=2, default=1)
    desired_retention = models.FloatField(default=0.9)
    interview_date = models.DateField(null=True, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(day_turns_over_at_hour__lte=23), name="user_day_turns_over_within_a_day"
            ),
            models.CheckConstraint(
                condition=models.Q(extra_time_factor__in=["1.00", "1.25", "1.50"]), name="user_extra_time_factor_known"
            ),
            models.CheckConstraint(
                condition=models.Q(desired_retention__gte=0.7, desired_retention__lte=0.97),
                name="user_desired_retention_sensible",
            ),
        ]
