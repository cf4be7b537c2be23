"""The visitor behind a request, found out without asking the database."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any, NamedTuple

from django.conf import settings
from django.http.cookie import parse_cookie

from companion.identity import people
from companion.limits import throttle


class Visitor(NamedTuple):
    """A person and their address. Visitors without a key are all the people of their address in one."""

    person: Hashable
    address: str

    @property
    def is_known(self) -> bool:
        return self.person != self.address


def visitor_of(scope: Mapping[str, Any]) -> Visitor:
    address = throttle.socket_address(scope)
    cookies = cookies_of(scope)
    # Nobody looks up here whether there is such a session: whoever makes them up has one address for all.
    key = people.key_in(cookies.get(people.COOKIE)) or people.new_key_in(cookies.get(people.NEW_COOKIE))
    person = key or cookies.get(settings.SESSION_COOKIE_NAME)
    return Visitor(person or address, address)


def cookies_of(scope: Mapping[str, Any]) -> dict[str, str]:
    sent = [value.decode("latin-1") for name, value in scope["headers"] if name == b"cookie"]
    return parse_cookie("; ".join(sent))
