"""Addresses of sheets on other sites. They are not fetched: people open them, and paste what they see.

A server that fetched what strangers name would ask its own network in their place, and at home it may have no
way into the internet at all.
"""

from __future__ import annotations

import re
from urllib.parse import parse_qs, urlencode, urlsplit

from characters.exchange import hokanjo
from characters.exchange.unreadable import Unreadable

ADDRESS = re.compile(r"https?://[^\s<>\"']{4,1000}", re.IGNORECASE | re.ASCII)
HOKANJO_PATH = re.compile(r"/(m?[0-9a-f]{1,64})(?:\.\w+)?/?", re.ASCII)
OURS = re.compile(r"(/c/(?:[0-9]{1,18}|shared/[\w-]{1,100}))(?:\.json)?/?", re.ASCII)


def data_address(text: str) -> str | None:
    """Return the address at which a sheet stands as data, None for a text that is no address.

    :raises Unreadable: ``address_unknown`` for an address of something else.
    """
    if not ADDRESS.fullmatch(text):
        return None
    try:
        parts = urlsplit(text)
        host = parts.hostname
    except ValueError:
        host = None
    if host is None or "@" in parts.netloc:
        raise Unreadable("address_unknown")
    if host == hokanjo.HOST and (match := HOKANJO_PATH.fullmatch(parts.path)):
        return f"https://{hokanjo.HOST}/{match[1]}.json"
    if match := OURS.fullmatch(parts.path):
        return parts._replace(path=f"{match[1]}.json", query="", fragment="").geturl()
    asked = parse_qs(parts.query)
    if "id" in asked:  # ゆとシートⅡ stands on many hosts, wherever somebody put it
        query = {key: asked[key][0] for key in ("id", "backup", "log") if key in asked} | {"mode": "json"}
        return parts._replace(query=urlencode(query), fragment="").geturl()
    raise Unreadable("address_unknown")
