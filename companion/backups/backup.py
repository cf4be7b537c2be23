"""Back up and restore all data of a server: its database, its pictures and the key that signs cookies.

The file of a backup is a zip with a manifest that lists the SHA-256 of every member. Its passphrase comes
from the settings, or is typed at a prompt. A check restores a backup into a temporary data folder, and
deletes that folder again.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext
from getpass import getpass
from pathlib import Path, PurePosixPath
from typing import IO, cast

import msgspec
from django.conf import settings
from django.db import connection
from django.utils import timezone
from django.utils.translation import gettext as _

from companion.backups import age, databases
from companion.files import Unusable
from companion.server import environment, storage
from companion.server.environment import KEY_FILE, RESTORING
from companion.server.supervisor import this_program
from companion.version import version

FORMAT = "takujo.backup"
VERSION = 2
MANIFEST = "manifest.json"
MANIFEST_AT_MOST = 1_000_000
DATABASE = "database"
#: A folder of pictures, if there is one. Neither it nor the key that signs cookies could be recreated.
MEDIA = "media"


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """The facts that a restore checks before it changes anything."""

    format: str = FORMAT
    version: int = VERSION
    made_at: str
    #: The version of Takujō that used this data; "" if unknown.
    takujo: str = ""
    #: "sqlite" or "postgresql": the database that was backed up. The backup can be restored on either.
    engine: str
    #: "app.name" of each migration applied to the database.
    migrations: list[str]
    #: The number of rows of each table.
    rows: dict[str, int]
    #: SHA-256 of each member, by its name.
    members: dict[str, str] = {}


def back_up(file: Path, passphrase: str = "", *, of: str | None = None) -> None:
    """Write all data into one file while the server keeps running.

    :param passphrase: encrypts the file, if not empty.
    :param of: the version that used this data, if it is not the running one; "" if unknown.
    :raises Unusable: the database cannot be copied.
    :raises OSError, sqlite3.Error: the file cannot be written.
    """
    var = settings.VAR_DIR
    with tempfile.TemporaryDirectory(dir=file.parent, prefix=".backup-") as folder:
        copy, now = Path(folder) / DATABASE, timezone.now()
        migrations = databases.dump(copy)
        databases.check_schema(copy, migrations)
        files = [var / KEY_FILE, *sorted((var / MEDIA).rglob("*"))]
        members = {path.relative_to(var).as_posix(): path for path in files if path.is_file()}
        manifest = Manifest(
            made_at=now.isoformat(),
            takujo=version() if of is None else of,
            engine=connection.vendor,
            migrations=migrations,
            rows=databases.count_rows(copy, migrations),
        )
        _write_archive(file, manifest, {DATABASE: copy, **members}, passphrase)


def _write_archive(file: Path, manifest: Manifest, members: Mapping[str, Path], passphrase: str) -> None:
    """Write a backup that only its owner can read. An existing file is replaced atomically."""
    # mkstemp creates files with mode 0600.
    handle, made = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}.")
    try:
        with os.fdopen(handle, "wb") as raw:
            with (
                age.encrypting(raw, passphrase) if passphrase else nullcontext(raw) as sink,
                zipfile.ZipFile(cast(IO[bytes], sink), "w", zipfile.ZIP_DEFLATED) as packed,
            ):
                for name, path in members.items():
                    packed.write(path, name)
                prints = {name: _fingerprint(path) for name, path in members.items()}
                packed.writestr(
                    MANIFEST, msgspec.json.encode(msgspec.structs.replace(manifest, members=prints))
                )
            raw.flush()
            os.fsync(raw.fileno())
        Path(made).replace(file)
    except BaseException:
        Path(made).unlink(missing_ok=True)
        raise


def _fingerprint(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def passphrase_for(file: Path) -> str:
    """Return "" for a backup that is not encrypted; raise ``Unusable`` if no terminal can be asked."""
    if not _is_encrypted(file):
        return ""
    if settings.BACKUP_PASSPHRASE:
        return str(settings.BACKUP_PASSPHRASE)
    if sys.stdin.isatty():
        return getpass(_("Passphrase: "))
    raise Unusable(_("The backup has a passphrase. Say it in BACKUP_PASSPHRASE. Nothing was changed."))


def _is_encrypted(file: Path) -> bool:
    with file.open("rb") as raw:
        return raw.read(len(age.FIRST_LINE)) == age.FIRST_LINE


def restore(file: Path, passphrase: str = "", *, replace: bool) -> str:
    """Replace all data by a backup, and return the version that used it.

    :param replace: True if existing people and accounts may be lost.
    :raises Unusable: the backup is damaged or does not fit, or existing data would be lost.
    :raises OSError: the file cannot be read.
    """
    with _unpack(file, settings.VAR_DIR, passphrase) as (manifest, folder):
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
        _put_files_in_place(restoring)
        return manifest.takujo


def finish_restore() -> None:
    """Finish an interrupted restore under the folder's lock. Raise ``Unusable`` if the database is in use."""
    restoring = settings.VAR_DIR / RESTORING
    if not restoring.is_dir():
        return  # another start has finished it already
    if (restoring / DATABASE).exists():
        databases.load(restoring / DATABASE)
    _put_files_in_place(restoring)


def _put_files_in_place(restoring: Path) -> None:
    (restoring / DATABASE).unlink(missing_ok=True)
    for name in (MEDIA, KEY_FILE):
        new, place = restoring / name, settings.VAR_DIR / name
        if not new.exists():
            continue
        if place.exists() and (place.is_dir() or new.is_dir()):  # only a file can be replaced by a rename
            place.replace(restoring / f"{name}.before")
        new.replace(place)
    shutil.rmtree(restoring)


def check_restore(file: Path, passphrase: str) -> str:
    """Restore into an empty folder, count rows, replay all tables. Return the report or raise Unusable."""
    where = settings.VAR_DIR if os.access(settings.VAR_DIR, os.W_OK) else None
    with tempfile.TemporaryDirectory(dir=where, prefix=".rehearsal-") as var:
        with _unpack(file, Path(var), passphrase) as (manifest, folder):
            if databases.count_rows(folder / DATABASE, manifest.migrations) != manifest.rows:
                raise Unusable(_("The backup has other rows than were written into it."))
            (folder / DATABASE).replace(Path(var) / environment.DATABASE_FILE)
        _run_command("migrate", "--noinput", "--verbosity=0", var=var)
        return _run_command("prove", var=var)


def _run_command(*words: str, var: str) -> str:
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


@contextmanager
def _unpack(file: Path, beside: Path, passphrase: str) -> Iterator[tuple[Manifest, Path]]:
    """Unpack a backup into a temporary folder within ``beside``, or raise ``Unusable``."""
    with tempfile.TemporaryDirectory(dir=beside, prefix=".restoring-") as made:
        folder = Path(made)
        try:
            with _open_zip(file, beside, passphrase) as plain, zipfile.ZipFile(plain) as packed:
                manifest = _read_manifest(packed)
                for name, fingerprint in manifest.members.items():
                    _unpack_member(packed, name, fingerprint, folder)
        except (
            zipfile.BadZipFile,
            zlib.error,
            EOFError,
            KeyError,
            NotImplementedError,
            RuntimeError,
            ValueError,
            FileExistsError,  # one name is used for a file and for a folder
            NotADirectoryError,
        ) as error:
            raise Unusable(
                _("%(file)s is no backup of Takujō, or is damaged. Nothing was changed.") % {"file": file}
            ) from error
        _check_contents(manifest, folder)
        yield manifest, folder


@contextmanager
def _open_zip(file: Path, beside: Path, passphrase: str) -> Iterator[IO[bytes]]:
    """Yield the decrypted zip, or raise ``Unusable`` (the passphrase is wrong) or ValueError (damage)."""
    with file.open("rb") as raw:
        if not _is_encrypted(file):
            yield raw
            return
        with tempfile.TemporaryFile(dir=beside) as plain:
            try:
                age.decrypt(raw, plain, passphrase)
            except age.WrongPassphrase as wrong:
                raise Unusable(
                    _("%(file)s has another passphrase. Nothing was changed.") % {"file": file}
                ) from wrong
            yield plain


def _read_manifest(packed: zipfile.ZipFile) -> Manifest:
    with packed.open(MANIFEST) as said:
        manifest = msgspec.json.decode(said.read(MANIFEST_AT_MOST), type=Manifest)
    if manifest.format != FORMAT or manifest.version < VERSION:
        raise ValueError(manifest)
    if manifest.version > VERSION or storage.is_newer(manifest.migrations):
        raise Unusable(
            _("This backup was made by a newer version of Takujō. Update first. Nothing was changed.")
        )
    return manifest


def _unpack_member(packed: zipfile.ZipFile, name: str, fingerprint: str, folder: Path) -> None:
    path = PurePosixPath(name)
    if not path.parts or path.is_absolute() or ".." in path.parts or "\\" in name:
        raise ValueError(name)
    target = folder / path
    target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    target.touch(mode=0o600)
    with packed.open(name) as member, target.open("wb") as file:
        shutil.copyfileobj(member, file)
        file.flush()
        os.fsync(file.fileno())
    if _fingerprint(target) != fingerprint:
        raise ValueError(name)


def _check_contents(manifest: Manifest, folder: Path) -> None:
    if odd := [name for name in manifest.members if not _is_ours(name)]:
        raise Unusable(
            _("The backup holds what is not Takujō’s: %(what)s. Nothing was changed.")
            % {"what": ", ".join(sorted(odd))}
        )
    if DATABASE not in manifest.members:
        raise Unusable(_("The database is damaged."))
    databases.check_schema(folder / DATABASE, manifest.migrations)


def _is_ours(member: str) -> bool:
    room, *rest = PurePosixPath(member).parts
    return bool(rest) if room == MEDIA else member in (DATABASE, KEY_FILE)
