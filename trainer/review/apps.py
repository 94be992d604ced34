from django.apps import AppConfig


class ReviewConfig(AppConfig):
    name = "trainer.review"
    label = "review"
