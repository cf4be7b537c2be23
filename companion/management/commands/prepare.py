"""Prepare the update of a hosted server while its workers still run; they restart afterwards.

The steps of an update after the new code are: static files, a backup, and migrations.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.core.management import call_command
from django.core.management.base import CommandError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from companion.backups import databases, retention
from companion.command_line import HostCommand
from companion.files import Unusable
from companion.server import storage
from companion.version import version


class Command(HostCommand):
    help = gettext_noop(
        "Gather static files and bring the database up to date, with a copy of before; play does it, too."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        update(self.stdout.write)


def update(tell: Callable[[str], None]) -> None:
    """Migrate the database, after a backup that ``tell`` names. Raise CommandError if there can be none."""
    differs = storage.schema_difference()
    if differs == "newer":
        raise CommandError(storage.explain_difference(differs))
    # Collect first and keep the existing files: open pages of the previous version still request theirs.
    call_command("collectstatic", verbosity=0, interactive=False)
    if differs and databases.has_people():
        try:
            copy = retention.make_copy(retention.BEFORE_UPDATE)
        except Unusable as problem:
            said = _("There can be no copy of before the update: %(why)s To update without one: %(command)s")
            raise CommandError(said % {"why": problem, "command": "takujo migrate"}) from problem
        said = _(
            "This update changes the database. A copy of everything as it was is in %(file)s. "
            "%(command)s goes back to it."
        )
        tell(said % {"file": copy, "command": "takujo rollback"})
    call_command("migrate", verbosity=0, interactive=False)
    retention.note_version(version())
