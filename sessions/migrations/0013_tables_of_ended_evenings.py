from django.db import migrations
from django.db.models import OuterRef, Subquery


def end_tables(apps, schema_editor):
    """Versions before 0.1 ended an evening without its tables, which then seemed to run for ever."""
    Session, Table = apps.get_model("play", "Session"), apps.get_model("play", "Table")
    evening = Session.objects.filter(pk=OuterRef("session")).values("ended_at")
    Table.objects.filter(ended_at=None).exclude(session__ended_at=None).update(ended_at=Subquery(evening))


class Migration(migrations.Migration):
    dependencies = [
        ("play", "0012_seating"),
    ]

    operations = [
        migrations.RunPython(end_tables, migrations.RunPython.noop, elidable=True),
    ]
