"""The schema that this version needs, and that of the database: both are told by their migrations."""

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
def known() -> frozenset[str]:
    """Return "app.name" of every migration of this version, as it was when this process asked first."""
    return frozenset(map(".".join, MigrationLoader(None).disk_migrations))


def newest() -> list[str]:
    """Return our own last migrations, sorted: they tell versions apart, whatever Django is installed."""
    leaves = MigrationLoader(None).graph.leaf_nodes()
    return sorted(f"{app}.{name}" for app, name in leaves if app in OURS)


def is_newer(migrations: Collection[str]) -> bool:
    """True if a version had these migrations that knew more than this one."""
    return not known().issuperset(migrations)


def difference() -> Difference | None:
    """Return how the database differs from what this version needs; one that is empty is older.

    :raises DatabaseError: it does not answer.
    """
    applied = set(map(".".join, MigrationRecorder(connection).applied_migrations()))
    if is_newer(applied):
        return "newer"
    return None if applied.issuperset(known()) else "older"


def demand() -> None:
    """Do nothing for a database of this version.

    :raises CommandError: it is of another one, told in the language of the terminal.
    :raises DatabaseError: it does not answer.
    """
    if differs := difference():
        with translation.override(terminal.language()):
            raise CommandError(sentence(differs))


def is_needed_by(command: BaseCommand) -> bool:
    """True if a command works on what is in the database.

    Ours do unless they do without Django's checks: those look after the database themselves, or need none.
    """
    ours = type(command).__module__.startswith(("companion.", "sessions."))
    return command.requires_migrations_checks or (ours and command.requires_system_checks == ALL_CHECKS)


def sentence(difference: Difference) -> str:
    """Return what to tell the host of a server that cannot start for it."""
    if difference == "newer":
        return _("A newer version of Takujō wrote this database. Update Takujō first. Nothing was changed.")
    return _(
        "This database is that of an older version of Takujō, or empty. Run “migrate” first, "
        "after a backup: it brings the database up to date."
    )
