"""The site's settings with a broker that gives a task to a second worker long before the first one is through."""

from trainer.settings import *  # noqa: F403
from trainer.settings import CELERY_BROKER_TRANSPORT_OPTIONS

CELERY_BROKER_TRANSPORT_OPTIONS = {
    **CELERY_BROKER_TRANSPORT_OPTIONS,
    "visibility_timeout": 5,
    "unacked_restore_interval": 1,
}
