"""Undo the last update that changed the database, by its backup."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.management.base import CommandError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from companion.backups import backup, retention
from companion.command_line import HostCommand
from companion.files import Unusable
from companion.management.commands.play import lock_data_folder
from companion.version import revision


class Command(HostCommand):
    help = gettext_noop(
        "Put all back as it was before the last update that changed the database; end the server first."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        with lock_data_folder(settings.VAR_DIR):
            copy = retention.newest_copy()
            if copy is None:
                said = _("There is no copy of before an update in %(folder)s.")
                raise CommandError(said % {"folder": retention.copies_folder()})
            try:
                left = retention.make_copy(retention.BEFORE_ROLLBACK)
                try:
                    version = backup.restore(copy, replace=True)
                except Unusable:
                    left.unlink()  # a useless copy would displace an older, useful one
                    raise
                retention.note_version(version)
            except Unusable as problem:
                raise CommandError(str(problem)) from problem
            done = _("Everything is as it was before the update (%(copy)s). What came since is in %(left)s.")
            self.stdout.write(f"{done % {'copy': copy.name, 'left': left}} {_explain_next_start(version)}")


def _explain_next_start(version: str) -> str:
    if found := revision(version):
        said = _("Start the version of before now (%(version)s): a newer one would update again.")
        return said % {"version": f"{version}, git checkout {found}"}
    return _(
        "Start the version that you used before the update (which one that was is not known): a newer one "
        "would update again."
    )
