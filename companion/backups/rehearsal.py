"""Restore a backup into a temporary data folder to verify it, and delete that folder again."""

from __future__ import annotations

import os
import subprocess
import tempfile
from pathlib import Path

from django.conf import settings
from django.utils.translation import gettext as _

from companion.backups import archive, schemas, whole
from companion.files.unusable_files import Unusable
from companion.server import home_folder
from companion.server.restarting import this_program


def check_restore(file: Path, passphrase: str) -> str:
    """Restore a backup into an empty folder, count its rows and replay all its tables. Return the report.

    :raises Unusable: it cannot be restored, or differs from what was backed up.
    :raises OSError: there is no room on the disk.
    """
    where = settings.VAR_DIR if os.access(settings.VAR_DIR, os.W_OK) else None
    with tempfile.TemporaryDirectory(dir=where, prefix=".rehearsal-") as var:
        with archive.unpack_backup(file, Path(var), passphrase) as (manifest, folder):
            whole.check_contents(manifest, folder)
            found = schemas.count_rows(folder / whole.DATABASE, manifest.migrations)
            if manifest.rows and found != manifest.rows:
                raise Unusable(_("The backup has other rows than were written into it."))
            (folder / whole.DATABASE).replace(Path(var) / home_folder.DATABASE_FILE)
        _run("migrate", "--noinput", "--verbosity=0", var=var)
        return _run("prove", var=var)


def _run(*words: str, var: str) -> str:
    """Run a management command on the SQLite data in a folder, apart from this server's own data and key."""
    elsewhere = {"DATABASE_URL", "REDIS_URL", "SECRET_KEY", "BACKUP_DIR"}
    kept = {name: value for name, value in os.environ.items() if name not in elsewhere}
    done = subprocess.run(  # noqa: S603  # our own words, no shell
        [*this_program(), *words],
        env={**kept, "TAKUJO_VAR": var, "PYTHONUTF8": "1"},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    if done.returncode:
        raise Unusable(done.stderr.strip().removeprefix("CommandError: "))
    return done.stdout.strip()
