"""The queue's application; its settings are the `CELERY_` ones of the site."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "trainer.settings")

app = Celery("roofline")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
