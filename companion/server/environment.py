"""The environment of the server: variables, data folder and secret key, mail server, and terminal.

The settings import this module, so it imports none of our modules. An unusable variable raises an error of
one sentence for the host. The mail server is one URL, like ``smtp://name:password@host:587``.
"""

from __future__ import annotations

import os
import secrets
import shlex
import stat
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit
from zoneinfo import ZoneInfo

from django.conf import settings

DATABASE_FILE = "takujo.sqlite3"
#: The variable that names the platform's folder for application data, and its default in the home folder. The
#: library ``platformdirs`` does not read LOCALAPPDATA, so some people's data would be elsewhere.
HOME_VARIABLE, HOME_FOLDER = {
    "win32": ("LOCALAPPDATA", "AppData/Local"),
    "darwin": ("XDG_DATA_HOME", "Library/Application Support"),
}.get(sys.platform, ("XDG_DATA_HOME", ".local/share"))
KEY_FILE = "secret-key"
#: The folder of a backup that is being restored. Its secret key is valid as soon as the folder has this name;
#: the server does not start before the restore is complete.
RESTORING = "restoring"


class WrongSetting(Exception):
    """A variable is unusable. The message is in Japanese and English, as no language is configured yet."""

    def __init__(self, name: str, ja: str, en: str) -> None:
        super().__init__(f"環境変数 {name} が使えません：{ja}。 The setting {name} cannot be used: {en}.")


def text(name: str, default: str = "") -> str:
    """An empty variable counts as unset."""
    return os.environ.get(name) or default


def switch(name: str) -> bool:
    """A variable is 1, or 0 or unset."""
    value = text(name, "0")
    if value not in ("0", "1"):
        raise WrongSetting(
            name, f"「{value}」ではなく 1 か 0 にしてください", f'it must be 1 or 0, not "{value}"'
        )
    return value == "1"


def number(name: str, default: int = 0) -> int:
    """Return a whole number of 0 or more."""
    value = text(name, str(default))
    if not (value.isascii() and value.isdigit()):
        raise WrongSetting(
            name,
            f"「{value}」ではなく 0 以上の整数にしてください",
            f'it must be a whole number, 0 or more, not "{value}"',
        )
    return int(value)


def one_of(name: str, *values: str) -> str:
    """Return one of these values; the first is the default."""
    value = text(name, values[0])
    if value not in values:
        known = [known for known in values if known]
        raise WrongSetting(
            name,
            f"「{value}」ではなく {'、'.join(known)} にするか、消してください",
            f'it must be {" or ".join(known)}, or not be there, not "{value}"',
        )
    return value


def command(name: str) -> list[str]:
    """Return the words of a command, in which ``{}`` stands for a file. It runs without a shell."""
    try:
        words = shlex.split(text(name))
    except ValueError:  # a quotation without its end
        words = [""]
    if words and not any("{}" in word for word in words):
        raise WrongSetting(
            name,
            "ファイルの場所に {} と書いたコマンドにしてください（例：rclone copy {} remote:takujo）",
            "it must be a command with {} for the file (as in: rclone copy {} remote:takujo)",
        )
    return words


def time_zone(name: str, default: str) -> str:
    value = text(name, default)
    try:
        ZoneInfo(value)
    except (ValueError, OSError, LookupError):
        raise WrongSetting(
            name,
            f"「{value}」という時間帯はありません（例：Asia/Tokyo）",
            f'there is no time zone "{value}" (one is Asia/Tokyo)',
        ) from None
    return value


def address(name: str, example: str, *schemes: str) -> str:
    """Return a URL with one of these schemes, or "". Errors do not quote it, as it may contain a password."""
    value = text(name)
    try:
        parts = urlsplit(value)
        # SQLite's URL has no host. Reading the port raises ValueError if it is not a number.
        there = parts.scheme == "sqlite" or (parts.port != 0 and (parts.hostname or parts.path.strip("/")))
    except ValueError:
        there = False
    if value and not (there and value.startswith(tuple(f"{scheme}://" for scheme in schemes))):
        raise WrongSetting(name, f"{example} のような形で書いてください", f"it must look like {example}")
    return value


def data_folder() -> Path:
    return Path(os.environ.get(HOME_VARIABLE) or Path.home() / HOME_FOLDER) / "takujo"


def keep_private(var_dir: Path, *, database: bool) -> None:
    """Let only the owner read the folder and the database; SQLite's helper files follow the database."""
    var_dir.mkdir(parents=True, exist_ok=True, mode=0o700)
    if database and not (var_dir / DATABASE_FILE).exists():
        (var_dir / DATABASE_FILE).touch(mode=0o600)
    for file in var_dir.glob(f"{DATABASE_FILE}*"):
        _set_mode(file, 0o600)
    # Leave shared folders such as /tmp (with the sticky bit) as they are.
    if not var_dir.stat().st_mode & stat.S_ISVTX:
        _set_mode(var_dir, 0o700)


def _set_mode(path: Path, mode: int) -> None:
    with suppress(OSError):  # it belongs to another user, or was deleted
        path.chmod(mode)


def home_secret_key(var_dir: Path) -> str:
    """Return the secret key in ``var_dir``, made on the first run."""
    restored, path = var_dir / RESTORING / KEY_FILE, var_dir / KEY_FILE
    if restored.exists():
        return restored.read_text()
    if not path.exists():
        # Write to another name and rename: a full disk must not leave an empty key.
        half = path.with_suffix(".half")
        half.touch(mode=0o600)
        half.write_text(secrets.token_urlsafe(50))
        half.replace(path)
    return path.read_text()


def can_send_emails() -> bool:
    return bool(settings.EMAIL_URL and settings.PUBLIC_URL)


def smtp_options(url: str) -> dict[str, Any]:
    """Return the options of Django's SMTP backend for ``EMAIL_URL``.

    ``smtp://`` uses STARTTLS (port 587), ``smtps://`` TLS from the first byte (port 465), and
    ``smtp+plain://`` no TLS (port 25, for a mail server on the same machine).

    :raises ValueError: the URL has another scheme, no host or an invalid port.
    """
    parts = urlsplit(url)
    ports = {"smtp": 587, "smtps": 465, "smtp+plain": 25}
    if parts.scheme not in ports or not parts.hostname:
        raise ValueError("EMAIL_URL looks like smtp://name:password@host:587")
    return {
        "host": parts.hostname,
        "port": parts.port or ports[parts.scheme],
        "username": unquote(parts.username or ""),
        "password": unquote(parts.password or ""),
        "use_tls": parts.scheme == "smtp",
        "use_ssl": parts.scheme == "smtps",
        "timeout": 10,
    }


def terminal_language() -> str:
    """Return the terminal's language if it is fully translated, else ``LANGUAGE_CODE``."""
    spoken = os.environ.get("LANG", "")[:2]
    is_ours = spoken in dict(settings.LANGUAGES) and spoken not in settings.PARTLY_TRANSLATED
    return spoken if is_ours else settings.LANGUAGE_CODE
