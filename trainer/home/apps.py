from django.apps import AppConfig


class HomeConfig(AppConfig):
    name = "trainer.home"
    label = "home"
