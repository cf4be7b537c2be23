"""Identify the visitor of a request without querying the database."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any, NamedTuple

from django.conf import settings
from django.http.cookie import parse_cookie

from companion.identity import people
from companion.limits import throttle


class Visitor(NamedTuple):
    """A person and their address. All visitors of one address who have no key count as one person."""

    person: Hashable
    address: str

    @property
    def is_known(self) -> bool:
        return self.person != self.address


def visitor_of(scope: Mapping[str, Any]) -> Visitor:
    address = throttle.socket_address(scope)
    cookies = cookies_of(scope)
    # The session cookie is not verified here; forged cookies share the limits of their address.
    key = people.key_in(cookies.get(people.COOKIE)) or people.new_key_in(cookies.get(people.NEW_COOKIE))
    person = key or cookies.get(settings.SESSION_COOKIE_NAME)
    return Visitor(person or address, address)


def cookies_of(scope: Mapping[str, Any]) -> dict[str, str]:
    sent = [value.decode("latin-1") for name, value in scope["headers"] if name == b"cookie"]
    return parse_cookie("; ".join(sent))
