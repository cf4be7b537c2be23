"""Addresses of sheets on other sites. They are not fetched: users open them and paste the content.

Fetching addresses that strangers enter would give them access to the server's own network (SSRF), and a
server at home may have no access to the internet.
"""

from __future__ import annotations

import re
from urllib.parse import parse_qs, urlencode, urlsplit

from characters.exchange import hokanjo
from characters.exchange.unreadable import UnreadableSheet

ADDRESS = re.compile(r"https?://[^\s<>\"']{4,1000}", re.IGNORECASE | re.ASCII)
HOKANJO_PATH = re.compile(r"/(m?[0-9a-f]{1,64})(?:\.\w+)?/?", re.ASCII)
OURS = re.compile(r"(/c/(?:[0-9]{1,18}|shared/[\w-]{1,100}))(?:\.json)?/?", re.ASCII)


def data_address(text: str) -> str | None:
    """Return the address of a sheet's data, None for a text that is no address.

    :raises UnreadableSheet: ``address_unknown`` for any other address.
    """
    if not ADDRESS.fullmatch(text):
        return None
    try:
        parts = urlsplit(text)
        host = parts.hostname
    except ValueError:
        host = None
    if host is None or "@" in parts.netloc:
        raise UnreadableSheet("address_unknown")
    if host == hokanjo.HOST and (match := HOKANJO_PATH.fullmatch(parts.path)):
        return f"https://{hokanjo.HOST}/{match[1]}.json"
    if match := OURS.fullmatch(parts.path):
        return parts._replace(path=f"{match[1]}.json", query="", fragment="").geturl()
    asked = parse_qs(parts.query)
    if "id" in asked:  # ゆとシートⅡ is self-hosted, so any host may have it
        query = {key: asked[key][0] for key in ("id", "backup", "log") if key in asked} | {"mode": "json"}
        return parts._replace(query=urlencode(query), fragment="").geturl()
    raise UnreadableSheet("address_unknown")
