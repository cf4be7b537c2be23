"""Compare the schema that this version needs with that of the database, by their migrations."""

from __future__ import annotations

from collections.abc import Collection
from functools import cache
from typing import Literal

from django.core.management.base import ALL_CHECKS, BaseCommand, CommandError
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.utils import translation
from django.utils.translation import gettext as _

from companion.server import terminal

OURS = ("companion", "characters", "play")
Difference = Literal["older", "newer"]


@cache
def known_migrations() -> frozenset[str]:
    """Return "app.name" of every migration of this version. The value of the first call is cached."""
    return frozenset(map(".".join, MigrationLoader(None).disk_migrations))


def latest_migrations() -> list[str]:
    """Return the last migration of each of our apps, sorted. They identify a version with any Django."""
    leaves = MigrationLoader(None).graph.leaf_nodes()
    return sorted(f"{app}.{name}" for app, name in leaves if app in OURS)


def is_newer(migrations: Collection[str]) -> bool:
    """True if these migrations include one that this version does not have."""
    return not known_migrations().issuperset(migrations)


def schema_difference() -> Difference | None:
    """Return whether the database is older or newer than this version; an empty one counts as older.

    :raises DatabaseError: the database does not respond.
    """
    applied = set(map(".".join, MigrationRecorder(connection).applied_migrations()))
    if is_newer(applied):
        return "newer"
    return None if applied.issuperset(known_migrations()) else "older"


def demand_schema() -> None:
    """Check that the database has the schema of this version.

    :raises CommandError: it has another one; the message is in the terminal's language.
    :raises DatabaseError: the database does not respond.
    """
    if differs := schema_difference():
        with translation.override(terminal.terminal_language()):
            raise CommandError(explain_difference(differs))


def is_needed_by(command: BaseCommand) -> bool:
    """True if a command needs a database of this version.

    Our commands do, except those without Django's checks: they check the database themselves, or need none.
    """
    ours = type(command).__module__.startswith(("companion.", "sessions."))
    return command.requires_migrations_checks or (ours and command.requires_system_checks == ALL_CHECKS)


def explain_difference(difference: Difference) -> str:
    """Return the message for the host about a database that this version cannot use."""
    if difference == "newer":
        return _("A newer version of Takujō wrote this database. Update Takujō first. Nothing was changed.")
    return _(
        "This database is that of an older version of Takujō, or empty. Run “migrate” first, "
        "after a backup: it brings the database up to date."
    )
