"""Read settings from environment variables. An unusable one raises an error of one sentence for the host."""

from __future__ import annotations

import os
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo


class WrongSetting(Exception):
    """A variable is unusable. The message is in Japanese and English, as no language is configured yet."""

    def __init__(self, name: str, ja: str, en: str) -> None:
        super().__init__(f"環境変数 {name} が使えません：{ja}。 The setting {name} cannot be used: {en}.")


def text(name: str, default: str = "") -> str:
    """Return a variable; an empty one counts as unset."""
    return os.environ.get(name) or default


def switch(name: str) -> bool:
    """Return True if a variable is 1, False if it is 0 or unset."""
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


def zone(name: str, default: str) -> str:
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
