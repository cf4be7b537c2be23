"""Everything that a server keeps: its database, and what lies beside it in the data folder."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from django.conf import settings
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone
from django.utils.translation import gettext as _

from companion.backups import archive, databases, schemas
from companion.files.unusable_files import Unusable
from companion.version import version

DATABASE = "database"
#: What lies in the data folder and is not made anew: the key that signs cookies, and a folder of pictures if
#: there is one.
KEY, MEDIA = "secret-key", "media"


def back_up(file: Path, *, of: str = "") -> None:
    """Write all of it into one file, while the server goes on.

    :param of: the version that used all this, if it is not this one.
    :raises Unusable: the database cannot be copied.
    :raises OSError: the file cannot be written.
    """
    with tempfile.TemporaryDirectory(dir=file.parent, prefix=".backup-") as folder:
        copy = Path(folder) / DATABASE
        manifest = archive.Manifest(
            made_at=timezone.now().isoformat(),
            takujo=of or version(),
            engine=connection.vendor,
            migrations=_applied(),
        )
        databases.dump(copy)
        schemas.check(copy, manifest.migrations)
        archive.write(file, manifest, {DATABASE: copy, **dict(_beside(settings.VAR_DIR))})


def restore(file: Path, *, replace: bool) -> str:
    """Put a backup in the place of what is here, and return the version that used it.

    :param replace: True if people who are here may go.
    :raises Unusable: the backup is damaged or does not fit, or there is something to lose.
    :raises OSError: the file cannot be read.
    """
    with archive.unpacked(file, settings.VAR_DIR) as (manifest, folder):
        _check(manifest)
        schemas.check(folder / DATABASE, manifest.migrations)
        if not replace and databases.has_people():
            raise Unusable(
                _(
                    "There is data here already, and it would be lost. To put the backup in its place, "
                    "say --replace. Nothing was changed."
                )
            )
        databases.load(folder / DATABASE)
        for name in (KEY, MEDIA):
            _put(folder / name, settings.VAR_DIR / name, folder / f"{name}.before")
        return manifest.takujo


def _applied() -> list[str]:
    return sorted(f"{app}.{name}" for app, name in MigrationRecorder(connection).applied_migrations())


def _beside(var: Path) -> Iterator[tuple[str, Path]]:
    for path in [var / KEY, *sorted((var / MEDIA).rglob("*"))]:
        if path.is_file():
            yield path.relative_to(var).as_posix(), path


def _is_ours(member: str) -> bool:
    """True for the name of a member that a backup may have: ``media`` is a folder, the others are files."""
    room, *rest = PurePosixPath(member).parts
    return bool(rest) if room == MEDIA else member in (DATABASE, KEY)


def _check(manifest: archive.Manifest) -> None:
    known = {f"{app}.{name}" for app, name in MigrationLoader(None).disk_migrations}
    if not known.issuperset(manifest.migrations):
        raise Unusable(
            _("This backup was made by a newer version of Takujō. Update first. Nothing was changed.")
        )
    if manifest.engine != connection.vendor:
        raise Unusable(
            _("The backup is of %(its)s, and this server uses %(ours)s. Nothing was changed.")
            % {"its": manifest.engine, "ours": connection.vendor}
        )
    if odd := [name for name in manifest.members if not _is_ours(name)]:
        raise Unusable(
            _("The backup holds what is not Takujō’s: %(what)s. Nothing was changed.")
            % {"what": ", ".join(sorted(odd))}
        )
    if DATABASE not in manifest.members:
        raise Unusable(_("The database is damaged."))


def _put(new: Path, place: Path, aside: Path) -> None:
    """Put a file or folder in its place; what was there goes with the folder that all was unpacked into."""
    if not new.exists():
        return
    if place.exists() and (place.is_dir() or new.is_dir()):
        place.replace(aside)
    new.replace(place)
