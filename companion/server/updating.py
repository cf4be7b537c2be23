"""The steps of an update after the new code: static files, a backup, and migrations."""

from __future__ import annotations

from collections.abc import Callable

from django.core.management import call_command
from django.core.management.base import CommandError
from django.utils.translation import gettext as _

from companion.backups import copies, databases
from companion.files.unusable_files import Unusable
from companion.server import schema
from companion.version import version


def update(tell: Callable[[str], None]) -> None:
    """Collect static files and migrate the database, after a backup; quick if nothing changed.

    :param tell: called with a message that names the backup, before the database is changed.
    :raises CommandError: the backup failed, or a newer version wrote the database.
    """
    differs = schema.schema_difference()
    if differs == "newer":
        raise CommandError(schema.explain_difference(differs))
    # Collect first and keep the existing files: open pages of the previous version still request theirs.
    call_command("collectstatic", verbosity=0, interactive=False)
    if differs and databases.has_people():
        try:
            copy = copies.make_copy(copies.BEFORE_UPDATE)
        except Unusable as problem:
            raise CommandError(
                _("There can be no copy of before the update: %(why)s To update without one: %(command)s")
                % {"why": problem, "command": "takujo migrate"}
            ) from problem
        tell(
            _(
                "This update changes the database. A copy of everything as it was is in %(file)s. "
                "%(command)s goes back to it."
            )
            % {"file": copy, "command": "takujo rollback"}
        )
    call_command("migrate", verbosity=0, interactive=False)
    copies.note_version(version())
