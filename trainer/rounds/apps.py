from django.apps import AppConfig


class RoundsConfig(AppConfig):
    name = "trainer.rounds"
    label = "rounds"
