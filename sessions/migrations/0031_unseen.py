from datetime import timedelta

from django.db import migrations, models

#: The grace of moves before this migration, with the margin of its veil.
GRACE = timedelta(seconds=5.5)


def keep_in_doubt(apps, schema_editor):
    """Take what was taken back so soon after it was played for unseen: whether a veil lay over it is not kept."""
    Move = apps.get_model("play", "Move")
    taken_back = Move.objects.exclude(restores=None).order_by("pk")
    for back in taken_back.iterator():
        newest = Move.objects.filter(table=back.table_id, number=back.number - 1, restores=None).first()
        if newest and back.played_at - newest.played_at < GRACE:
            Move.objects.filter(pk=back.pk).update(unseen=True)


class Migration(migrations.Migration):
    dependencies = [
        ("play", "0030_seat_stand_in_asked"),
    ]

    operations = [
        migrations.AddField(
            model_name="move",
            name="unseen",
            field=models.BooleanField(
                default=False,
                help_text=(
                    "For an undo or a rewind: a veil lay over the newest move; nobody was shown what it drew."
                ),
            ),
        ),
        migrations.RunPython(keep_in_doubt, migrations.RunPython.noop),
    ]
