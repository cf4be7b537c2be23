"""The URLs that notifications are sent to. Clients choose them, so this module prevents SSRF.

Only https on port 443 and only public hosts are allowed. The connection uses the very IP address that was
checked, so a name that resolves differently a moment later cannot lead into the host's own network.
"""

from __future__ import annotations

import http.client
import ipaddress
import socket
import ssl
from functools import cache
from urllib.parse import SplitResult, urlsplit

from django.conf import settings

#: The timeout of a push service, in seconds.
PATIENCE = 10
#: The maximum length of an endpoint; those of browsers have a few hundred characters.
LONGEST = 1024
#: NAT64: IPv4 translated into IPv6. The address behind it is unknown here.
TRANSLATED = ipaddress.ip_network("64:ff9b::/32")


class NotAllowed(Exception):
    """Notifications may not be sent to this URL."""


def check_endpoint(endpoint: str) -> SplitResult:
    """Return the parts of an endpoint, or raise ``NotAllowed``. Its host is not resolved here."""
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
    except ValueError:  # a host name, which is resolved later
        is_outside = "." in parts.hostname
    if not is_outside:
        raise NotAllowed
    return parts


def is_public(address: str) -> bool:
    """True if an IP address belongs to the public internet. Raise ValueError if it is no IP address."""
    ip = ipaddress.ip_address(address)
    if isinstance(ip, ipaddress.IPv6Address) and (
        ip.ipv4_mapped or ip.sixtofour or ip.teredo or ip in TRANSLATED
    ):
        return False
    return ip.is_global and not ip.is_multicast and not ip.is_reserved


def post(endpoint: str, body: bytes, headers: dict[str, str]) -> int:
    """POST to a push service and return the status of its response. Redirects are not followed.

    :raises NotAllowed: the URL is not allowed, or its host resolves to an address that is not public.
    :raises OSError: the service does not respond.
    """
    parts = check_endpoint(endpoint)
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
    """Resolve a host name, or raise ``NotAllowed`` unless all of its addresses are public."""
    found = [str(row[4][0]) for row in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]
    if not settings.PUSH_TO_TEST_SERVERS and not all(is_public(address) for address in found):
        raise NotAllowed
    return found[0]


@cache
def _tls() -> ssl.SSLContext:
    return ssl.create_default_context()
