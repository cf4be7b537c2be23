"""The file of a backup: a zip with a manifest that lists the SHA-256 of every member."""

from __future__ import annotations

import hashlib
import os
import tempfile
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext
from pathlib import Path, PurePosixPath
from typing import IO, cast

import msgspec
from django.utils.translation import gettext as _

from companion.backups import age
from companion.files.unusable_files import Unusable

FORMAT = "takujo.backup"
#: Version 1 held a ``pg_dump`` file if the server used PostgreSQL.
VERSION = 2
MANIFEST = "manifest.json"
MANIFEST_AT_MOST = 1_000_000
BLOCK = 1 << 20


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
    #: The number of rows of each table; absent in version 1.
    rows: dict[str, int] = {}
    #: SHA-256 of each member, by its name.
    members: dict[str, str] = {}


def write_archive(file: Path, manifest: Manifest, members: Mapping[str, Path], passphrase: str = "") -> None:
    """Write a backup that only its owner can read. An existing file is replaced atomically.

    :param passphrase: encrypts the backup; without one it is a plain zip.
    :raises OSError: the disk is full, or the folder is not writable.
    """
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


def is_encrypted(file: Path) -> bool:
    """True if a backup needs a passphrase."""
    with file.open("rb") as raw:
        return age.is_encrypted(raw.read(age.HEADER_AT_MOST))


@contextmanager
def unpack_backup(file: Path, beside: Path, passphrase: str = "") -> Iterator[tuple[Manifest, Path]]:
    """Unpack a backup into a temporary folder within ``beside``. Yield its manifest and that folder.

    :raises Unusable: the file is no backup, is damaged or of a newer version, or the passphrase is wrong.
    """
    with tempfile.TemporaryDirectory(dir=beside, prefix=".restoring-") as folder:
        try:
            with _open_zip(file, beside, passphrase) as plain, zipfile.ZipFile(plain) as packed:
                manifest = _manifest(packed)
                for name, fingerprint in manifest.members.items():
                    _unpack(packed, name, fingerprint, Path(folder))
        except (
            zipfile.BadZipFile,
            zlib.error,
            EOFError,
            KeyError,
            NotImplementedError,
            RuntimeError,
            FileExistsError,  # one name is used for a file and for a folder
            NotADirectoryError,
        ) as error:
            raise _damage_error(file) from error
        except ValueError as error:
            raise _damage_error(file) from error
        yield manifest, Path(folder)


@contextmanager
def _open_zip(file: Path, beside: Path, passphrase: str) -> Iterator[IO[bytes]]:
    """Yield the decrypted zip of a backup.

    :raises Unusable: the passphrase is wrong.
    :raises ValueError: the file is damaged.
    """
    with file.open("rb") as raw:
        if not is_encrypted(file):
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


def _manifest(packed: zipfile.ZipFile) -> Manifest:
    with packed.open(MANIFEST) as said:
        manifest = msgspec.json.decode(said.read(MANIFEST_AT_MOST), type=Manifest)
    if manifest.format != FORMAT:
        raise ValueError(manifest.format)
    if manifest.version not in (1, VERSION):
        raise Unusable(
            _("This backup was made by a newer version of Takujō. Update first. Nothing was changed.")
        )
    return manifest


def _unpack(packed: zipfile.ZipFile, name: str, fingerprint: str, folder: Path) -> None:
    path = PurePosixPath(name)
    if not path.parts or path.is_absolute() or ".." in path.parts or "\\" in name:
        raise ValueError(name)
    target = folder / path
    target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    target.touch(mode=0o600)
    with packed.open(name) as member, target.open("wb") as file:
        while block := member.read(BLOCK):
            file.write(block)
        file.flush()
        os.fsync(file.fileno())
    if _fingerprint(target) != fingerprint:
        raise ValueError(name)


def _fingerprint(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _damage_error(file: Path) -> Unusable:
    return Unusable(
        _("%(file)s is no backup of Takujō, or is damaged. Nothing was changed.") % {"file": file}
    )
