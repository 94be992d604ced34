"""Roofline: a trainer for the ML-infrastructure design round."""

from trainer.celery import app as celery_app

__all__ = ["celery_app"]
