"""`manage.py migrate_with_backup`: what the hosted form runs before the site starts."""

import datetime as dt
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from trainer.ops.backup import BackupFailed, migrate_with_backup


class Command(BaseCommand):
    help = "Apply pending migrations; a database that holds data is backed up into var/backups first."

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            migrate_with_backup(settings.VAR_DIR / "backups", dt.datetime.now(dt.UTC), self.stdout.write)
        except BackupFailed as error:
            raise CommandError(f"Not migrated, because no backup could be made. {error}") from error
