import uuid

import django.db.models.deletion
from django.db import migrations, models


OLD, NEW = "Limit", "LimitUnderNoNumber"


def copied(before, after):
    def copy(apps, schema_editor):
        fields = ("campaign_id", "kind", "words", "agreed")
        # In the order of the words, so that the rows do not lie as they came either.
        rows = apps.get_model("play", before).objects.order_by("kind", "words").values(*fields)
        new = apps.get_model("play", after).objects
        new.bulk_create(new.model(**row) for row in rows)

    return copy


class Migration(migrations.Migration):
    """A serial number told in which order limits came: their ids are random from now on."""

    dependencies = [("play", "0027_house_values")]

    operations = [
        migrations.CreateModel(
            name=NEW,
            fields=[
                (
                    "id",
                    models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False),
                ),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="play.campaign"
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[("line", "Line"), ("veil", "Veil")],
                        default="line",
                        max_length=4,
                        verbose_name="how far",
                    ),
                ),
                ("words", models.CharField(max_length=60, verbose_name="what")),
                ("agreed", models.BooleanField(default=False, editable=False)),
                (
                    "shown_from",
                    models.DateTimeField(
                        editable=False,
                        help_text="The GM is shown a proposal from then on; emptied when it is past.",
                        null=True,
                    ),
                ),
            ],
            options={
                "ordering": ["kind", "words", "pk"],
                "verbose_name": "line or veil",
                "verbose_name_plural": "lines and veils",
            },
        ),
        migrations.RunPython(copied(OLD, NEW), copied(NEW, OLD)),
    ]
