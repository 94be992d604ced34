"""Versions keep the catalogue's facts that they were worked out with."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("designs", "0001_initial")]

    operations = [
        migrations.AddField(model_name="designversion", name="facts", field=models.JSONField(default=dict)),
    ]
