from django.apps import AppConfig


class OpsConfig(AppConfig):
    name = "trainer.ops"
    label = "ops"

    def ready(self) -> None:
        import trainer.checks  # noqa: F401  (registers the checks)
