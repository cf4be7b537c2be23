import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    """Apart from the copying: PostgreSQL changes no table in the transaction that filled it."""

    dependencies = [("play", "0028_limits_under_no_number")]

    operations = [
        migrations.DeleteModel("Limit"),
        migrations.RenameModel("LimitUnderNoNumber", "Limit"),
        migrations.AlterField(
            "limit",
            "campaign",
            models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="limits", to="play.campaign"
            ),
        ),
    ]
