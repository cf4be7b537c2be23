"""The addresses that letters are sent to: browsers name them, so anybody may name anything.

Only https on its own port, only hosts of the public internet, and the very address that was looked at is the
one that is connected to: a name that leads elsewhere a moment later leads nobody into the host's own network.
"""

from __future__ import annotations

import http.client
import ipaddress
import socket
import ssl
from functools import cache
from urllib.parse import SplitResult, urlsplit

from django.conf import settings

#: Seconds until a push service that does not answer is given up.
PATIENCE = 10
#: No longer address is kept; those of browsers have some hundred signs.
LONGEST = 1024
#: IPv4 inside of IPv6, by translation: what lies behind is for nobody here to say.
TRANSLATED = ipaddress.ip_network("64:ff9b::/32")


class NotAllowed(Exception):
    """Nothing is sent to this address."""


def checked(endpoint: str) -> SplitResult:
    """Return the parts of an address that may be that of a push service; nobody is asked.

    :raises NotAllowed:
    """
    try:
        parts = urlsplit(endpoint)
        port = parts.port
    except ValueError:
        raise NotAllowed from None
    if len(endpoint) > LONGEST or not endpoint.isascii() or not endpoint.isprintable() or " " in endpoint:
        raise NotAllowed
    if not parts.hostname or parts.username is not None or parts.password is not None or parts.fragment:
        raise NotAllowed
    if settings.PUSH_TO_TEST_SERVERS:
        return parts
    if parts.scheme != "https" or port not in (None, 443):
        raise NotAllowed
    try:
        is_outside = is_public(parts.hostname)
    except ValueError:  # a name, of which nothing is known yet
        is_outside = "." in parts.hostname
    if not is_outside:
        raise NotAllowed
    return parts


def is_public(address: str) -> bool:
    """True if an IP address belongs to the public internet.

    :raises ValueError: it is no IP address.
    """
    ip = ipaddress.ip_address(address)
    if isinstance(ip, ipaddress.IPv6Address) and (
        ip.ipv4_mapped or ip.sixtofour or ip.teredo or ip in TRANSLATED
    ):
        return False
    return ip.is_global and not ip.is_multicast and not ip.is_reserved


def post(endpoint: str, body: bytes, headers: dict[str, str]) -> int:
    """Send something to a push service and return its answer's status. A redirect is followed nowhere.

    :raises NotAllowed:
    :raises OSError: it does not answer.
    """
    parts = checked(endpoint)
    connection = _connection(parts)
    try:
        path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        connection.request("POST", path, body, headers)
        return connection.getresponse().status
    except http.client.HTTPException as problem:
        raise OSError("no answer that can be read") from problem
    finally:
        connection.close()


def _connection(parts: SplitResult) -> http.client.HTTPConnection:
    assert parts.hostname
    port = parts.port or (443 if parts.scheme == "https" else 80)
    connection = http.client.HTTPConnection(parts.hostname, port, timeout=PATIENCE)
    line = socket.create_connection((_address(parts.hostname, port), port), PATIENCE)
    secured = parts.scheme == "https"
    connection.sock = _tls().wrap_socket(line, server_hostname=parts.hostname) if secured else line
    return connection


def _address(host: str, port: int) -> str:
    """Return an address that a name leads to, if all of them may be connected to.

    :raises NotAllowed:
    """
    found = [str(row[4][0]) for row in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]
    if not settings.PUSH_TO_TEST_SERVERS and not all(is_public(address) for address in found):
        raise NotAllowed
    return found[0]


@cache
def _tls() -> ssl.SSLContext:
    return ssl.create_default_context()
