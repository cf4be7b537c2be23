"""Backups that timers make: which stay, what opens them, and the proof that they can be restored."""

from __future__ import annotations

import io
import re
import shutil
from base64 import b64decode
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from django.utils import timezone

from companion.backups import age, retention
from tests.companion.test_backups import Server
from tests.conftest import Somebody
from tests.home import refused, run

#: What another program (rage) wrote, for the passphrase "夜の 合言葉".
THEIRS = b64decode(
    "YWdlLWVuY3J5cHRpb24ub3JnL3YxCi0+IHNjcnlwdCBXU2ZBODVaYWR6MzZ2U3pSUjhYZEJRIDE3Cm1SOW9nZzQ5ZXRXR3ZxVGVLSU91"
    "ZTBDclc3dXl3QmtjaXZVNTg1cElKSk0KLS0tIERBVHZJanhlTkxlNzJGbzdwSTdnTlJqd2w5SW9HdmprNlkvRmZmMjYyYWcKQGkltgkk"
    "231HckJCLmkNissXIWMJjuZCkSQssCs6ii66gK16wV5nbu85sSc="
)


def opened(sealed: bytes, passphrase: str) -> bytes:
    plain = io.BytesIO()
    age.decrypt(io.BytesIO(sealed), plain, passphrase)
    return plain.getvalue()


def sealed(content: bytes, passphrase: str) -> bytes:
    raw = io.BytesIO()
    with age.encrypting(raw, passphrase) as writer:
        for start in range(0, len(content), 50_000):
            writer.write(content[start : start + 50_000])
    return raw.getvalue()


def test_an_encrypted_file_of_the_age_program_is_opened() -> None:
    assert opened(THEIRS, "夜の 合言葉").decode() == "卓上 kept\n"


@pytest.mark.parametrize("size", [0, 1, age.CHUNK, age.CHUNK + 1, 3 * age.CHUNK])
def test_an_encrypted_file_of_any_size_is_opened_again(size: int) -> None:
    content = bytes(number % 251 for number in range(size))
    assert opened(sealed(content, "a"), "a") == content


def test_an_encrypted_file_that_was_cut_or_changed_is_refused() -> None:
    file = sealed(b"x" * 3 * age.CHUNK, "a")
    with pytest.raises(age.WrongPassphrase):
        opened(file, "b")
    for spoilt in (file[: -age.CHUNK - age.TAG], file[:-1], file[:-1] + bytes([file[-1] ^ 1]), file[:150]):
        with pytest.raises(ValueError, match=r"other bytes|no header"):
            opened(spoilt, "a")


def made(*ages: float) -> list[retention.BackupFile]:
    """Return backups of these ages in days, the newest first."""
    now = datetime(2026, 11, 25, 4, tzinfo=UTC)  # a Wednesday
    return [retention.BackupFile(now - timedelta(days=days), Path(f"{days}")) for days in ages]


def test_retention_keeps_the_newest_backup_of_each_day_and_week() -> None:
    found = made(0, 0.1, *range(1, 40))
    gone = retention.surplus_backups(found, days=3, weeks=3)
    stay = [one.file.name for one in found if one not in gone]
    assert stay == ["0", "1", "2", "3", "10"], "three days, and the last days of the two weeks before"


def test_a_host_away_for_a_year_loses_no_old_backup() -> None:
    found = made(0, 365, 366, 367)
    assert retention.surplus_backups(found, days=7, weeks=4) == []
    assert retention.surplus_backups(found, days=0, weeks=0) == found[1:], "the newest always stays"


@pytest.mark.long
def test_an_encrypted_backup_passes_its_restore_check_and_is_restored(tmp_path: Path) -> None:
    here, there = Server(tmp_path / "here"), Server(tmp_path / "there")
    folder = tmp_path / "backups"
    here.manage("migrate", "-v0")
    with here.played() as acknowledged:
        assert next(number for number in acknowledged if number >= 20)
    here.env |= {"BACKUP_DIR": str(folder)}
    assert "There is no backup in" in here.manage("backup", "--check", fails=True)
    here.env |= {"BACKUP_PASSPHRASE": "夜の 合言葉"}
    here.manage("backup")
    [file] = folder.iterdir()
    assert file.name.endswith(".backup.age")
    said = here.manage("backup", "--check")
    assert "can be restored" in said
    assert "Tables: 1." in said
    assert [found.name for found in folder.iterdir()] == [file.name]
    assert not list(here.var.glob(".rehearsal-*"))
    assert "has a passphrase" in there.manage("restore", str(file), fails=True)
    there.env |= {"BACKUP_PASSPHRASE": "another"}
    assert "another passphrase" in there.manage("restore", str(file), fails=True)
    there.env |= {"BACKUP_PASSPHRASE": "夜の 合言葉"}
    there.manage("restore", str(file))
    assert there.tables() == here.tables()


@pytest.mark.usefixtures("migrated_home")
def test_a_new_backup_is_taken_to_another_place_by_a_command(tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    done = run("backup", var=tmp_path, BACKUP_TO=f"cp {{}} {elsewhere}")
    assert done.returncode == 0, done.stderr
    (kept,) = (tmp_path / "backups").glob("*.backup")
    assert (elsewhere / kept.name).read_bytes() == kept.read_bytes()
    for command in ("cp {} /no/such/folder/", "no-such-program {}"):
        said = refused("backup", var=tmp_path, BACKUP_TO=command)
        assert "did not take it to its place" in said
        assert re.search(r"No such file or directory|Not a directory", said), said
    assert "rclone copy {}" in refused("backup", var=tmp_path, BACKUP_TO="rclone copy remote:")
    assert "BACKUP_TO" in refused("backup", var=tmp_path, BACKUP_TO="cp '{} there")


@pytest.mark.long
def test_a_restore_check_finds_a_table_that_differs_from_its_moves(tmp_path: Path) -> None:
    here = Server(tmp_path / "here")
    here.manage("migrate", "-v0")
    with here.played() as acknowledged:
        assert next(number for number in acknowledged if number >= 20)
    changed = "from sessions.models import Move; Move.objects.filter(number=3).update(move=b'{}')"
    here.manage("shell", "-v0", "-c", changed)
    here.manage("backup")
    assert "does not follow from their moves: 第一夜 (uroboros #1)" in here.manage(
        "backup", "--check", fails=True
    )


def keep(folder: Path, **ago: float) -> None:
    """Put files into a folder that look like backups of so long ago."""
    folder.mkdir()
    (folder / "takujo-notes.txt").touch()
    (folder / f"{timezone.now() - timedelta(**ago):{retention.NAME}}.backup").touch()


def told(server: Somebody) -> str:
    """Return what the GM's desk says of backups; "" if nothing."""
    page = server.client.get("/gm/").content.decode()
    found = re.search(r'<p class="([\w ]+)"\s+id="backup">(.*?)</p>', page, re.DOTALL)
    return " ".join(f"{found[1]}: {found[2]}".split()) if found else ""


@pytest.mark.django_db
def test_the_gm_page_tells_only_a_host_how_old_the_last_backup_is(
    gm: Somebody, tmp_path: Path, settings
) -> None:
    settings.BACKUP_DIR = tmp_path / "backups"
    assert told(gm).startswith("hint: このサーバーのバックアップはまだありません。")
    keep(settings.BACKUP_DIR, hours=5)
    assert told(gm) == "hint: このサーバーの最後のバックアップは 5時間前のものです。"
    shutil.rmtree(settings.BACKUP_DIR)
    keep(settings.BACKUP_DIR, days=3)
    assert told(gm).startswith("notice warn: このサーバーの最後のバックアップは 3日前のものです。")
    gm.person.user.is_superuser = False
    gm.person.user.save()
    assert told(gm) == ""


def test_a_home_server_makes_a_backup_a_day(tmp_path: Path, settings) -> None:
    settings.BACKUP_DIR = tmp_path / "backups"
    assert retention.due_commands() == ["backup", "clearsessions"]
    keep(settings.BACKUP_DIR, hours=23)
    assert retention.due_commands() == []
    shutil.rmtree(settings.BACKUP_DIR)
    settings.KEEP_NIGHTS_DAYS = 30
    keep(settings.BACKUP_DIR, hours=25)
    assert retention.due_commands() == ["backup", "clearsessions", "thin_nights"]
