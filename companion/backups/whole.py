"""Back up and restore all data of a server: its database, its pictures and the key that signs cookies."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from django.conf import settings
from django.db import connection
from django.utils import timezone
from django.utils.translation import gettext as _

from companion.backups import archive, databases, schemas
from companion.files.unusable_files import Unusable
from companion.server.home_folder import KEY_FILE, RESTORING
from companion.version import version

DATABASE = "database"
#: A folder of pictures, if there is one. Neither it nor the key that signs cookies could be recreated.
MEDIA = "media"


def back_up(file: Path, passphrase: str = "", *, of: str | None = None) -> None:
    """Write all data into one file while the server keeps running.

    :param passphrase: encrypts the file, if not empty.
    :param of: the version that used this data, if it is not the running one; "" if unknown.
    :raises Unusable: the database cannot be copied.
    :raises OSError, sqlite3.Error: the file cannot be written.
    """
    with tempfile.TemporaryDirectory(dir=file.parent, prefix=".backup-") as folder:
        copy, now = Path(folder) / DATABASE, timezone.now()
        migrations = databases.dump(copy)
        schemas.check_schema(copy, migrations)
        manifest = archive.Manifest(
            made_at=now.isoformat(),
            takujo=version() if of is None else of,
            engine=connection.vendor,
            migrations=migrations,
            rows=schemas.count_rows(copy, migrations),
        )
        archive.write_archive(file, manifest, {DATABASE: copy, **dict(_files_to_store(settings.VAR_DIR))}, passphrase)


def restore(file: Path, passphrase: str = "", *, replace: bool) -> str:
    """Replace all data by a backup, and return the version that used it.

    :param replace: True if existing people and accounts may be lost.
    :raises Unusable: the backup is damaged or does not fit, or existing data would be lost.
    :raises OSError: the file cannot be read.
    """
    with archive.unpack_backup(file, settings.VAR_DIR, passphrase) as (manifest, folder):
        check_contents(manifest, folder)
        if not replace and databases.has_people():
            raise Unusable(
                _(
                    "There is data here already, and it would be lost. To put the backup in its place, "
                    "say --replace. Nothing was changed."
                )
            )
        # From here on the next start of the server finishes the restore, should this process die.
        restoring = folder.replace(settings.VAR_DIR / RESTORING)
        try:
            databases.load(restoring / DATABASE)
        except BaseException:
            restoring.replace(folder)
            raise
        _finish(restoring)
        return manifest.takujo


def check_contents(manifest: archive.Manifest, folder: Path) -> None:
    """Check that an unpacked backup can be restored.

    :raises Unusable: it is of a newer version, is damaged, or has files or a schema that are not ours.
    """
    databases.demand_known(manifest.migrations)
    if odd := [name for name in manifest.members if not _is_ours(name)]:
        raise Unusable(
            _("The backup holds what is not Takujō’s: %(what)s. Nothing was changed.")
            % {"what": ", ".join(sorted(odd))}
        )
    if DATABASE not in manifest.members:
        raise Unusable(_("The database is damaged."))
    schemas.check_schema(folder / DATABASE, manifest.migrations)


def finish_restore() -> None:
    """Finish an interrupted restore. No other process may do so at the same time.

    :raises Unusable: the database is in use. The next start tries again.
    """
    restoring = settings.VAR_DIR / RESTORING
    if not restoring.is_dir():
        return  # another start has finished it already
    if (restoring / DATABASE).exists():
        databases.load(restoring / DATABASE)
    _finish(restoring)


def _finish(restoring: Path) -> None:
    (restoring / DATABASE).unlink(missing_ok=True)
    for name in (MEDIA, KEY_FILE):
        _move_into_place(restoring / name, settings.VAR_DIR / name, restoring / f"{name}.before")
    shutil.rmtree(restoring)


def _files_to_store(var: Path) -> Iterator[tuple[str, Path]]:
    for path in [var / KEY_FILE, *sorted((var / MEDIA).rglob("*"))]:
        if path.is_file():
            yield path.relative_to(var).as_posix(), path


def _is_ours(member: str) -> bool:
    """True if a backup may have a member of this name: ``media`` is a folder, the others are files."""
    room, *rest = PurePosixPath(member).parts
    return bool(rest) if room == MEDIA else member in (DATABASE, KEY_FILE)


def _move_into_place(new: Path, place: Path, aside: Path) -> None:
    """Move a file or folder to ``place``. A replaced folder goes to ``aside``, which is deleted later."""
    if not new.exists():
        return
    if place.exists() and (place.is_dir() or new.is_dir()):
        place.replace(aside)
    new.replace(place)
