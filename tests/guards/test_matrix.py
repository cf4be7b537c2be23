"""Who may do what: every address and every method, asked by every role.

``matrix.txt`` is the table, for people to review: a change of it is a change of who may do what.
``GUARDS=write make test-long ARGS="tests/guards -k matrix"`` writes it again; read the diff before a commit.

    no       refused: 401, 403, 404, 410
    sign in  sent to sign in
    reads    answered, and nothing was written
    WRITES   answered, and something was written
    -        no such method here
"""

from __future__ import annotations

import os
from pathlib import Path
from urllib.parse import urlencode

import pytest
from django.http import HttpResponse

from tests.evening import cards_in, hand
from tests.guards.addresses import Address, every
from tests.guards.asking import ask, said
from tests.guards.world import ROLES, World

pytestmark = [pytest.mark.django_db, pytest.mark.long]

GOLDEN = Path(__file__).with_name("matrix.txt")
METHODS = ["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"]
#: Methods that change nothing, whoever asks.
SAFE = {"GET", "HEAD", "OPTIONS"}
FORM = "application/x-www-form-urlencoded"


def fields(world: World) -> dict[str, str]:
    """Return one form that suits every page: what a page does not ask for it does not read."""
    return {
        "allowed": "1",
        "approved": "1",
        "by": str(world.seats["stand-in"].pk),
        "cut_in": "bang",
        "client_id": "00000000-0000-4000-8000-000000000000",
        "deputy": "1",
        "emblem": "lamp",
        "friends": "1",
        "hand": "p1",
        "hp": "1",
        "hp_max": "4",
        "kind": "weapon",
        "language": "ja",
        "label": "笑顔",
        "limit-kind": "line",
        "limit-words": "火事",
        "method": "standard",
        "module": "uroboros",
        "name": "新",
        "open": "1",
        "out": "1",
        "rank": "1",
        "role": "player",
        "scene": "pier",
        "seat": str(world.seats["absent"].pk),
        "tab": "main",
        "table": str(world.table.pk),
        "table_value": "1",
        "quality": "0",
        "text": "新",
        "thing": "map",
        "title": "新",
        "version": "2",
        "visibility": "public",
        "who": "nagi",
        "yes": "1",
    }


#: Sent to the page that asks for a name and a password.
SIGN_IN = ("/account/sign-in/", "/admin/login/", "/account/confirm/")


#: Refused for good: who asks, or what is asked for, is not for this page.
REFUSED = (401, 403, 404, 410)


def cell(answer: HttpResponse, written: set[str]) -> str:
    """Return in a word what became of a request."""
    if answer.status_code == 405:
        return "-"
    if answer.status_code in REFUSED:
        return "no"
    if answer.status_code in (301, 302) and answer["Location"].startswith(SIGN_IN):
        return "sign in"
    return "WRITES" if written else "reads"


class Matrix:
    """The whole table: each address and method with a word for every role."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.form = urlencode(fields(world))
        self.hands = {
            f"/t/{table.pk}/": {role: set(hand(table, seat)) for role, seat in HANDS.items()}
            for table in (world.table, world.ended_table)
        }
        self.faults: list[str] = []

    def rows(self, address: Address) -> list[str]:
        """Return the lines of an address, one for all methods that are answered alike."""
        path = address.path(self.world) + address.query
        words = {
            method: tuple(self.word(address, path, method, role) for role in ROLES) for method in METHODS
        }
        alike: dict[tuple[str, ...], list[str]] = {}
        for method, row in words.items():
            if set(row) != {"-"}:
                alike.setdefault(row, []).append(method)
        return [line(address.route, " ".join(methods), row) for row, methods in alike.items()]

    def word(self, address: Address, path: str, method: str, role: str) -> str:
        """Ask once, note what must not be, and return the word for it."""
        body = {} if method in SAFE else {"data": self.form, "content_type": FORM}
        answer, written = ask(self.world.clients[role], method, path, **body)
        asked = f"{role}: {method} {path}"
        if answer.status_code >= 500:
            self.faults.append(f"{asked}: {answer.status_code}")
        if method in SAFE and written:
            self.faults.append(f"{asked}: writes {sorted(written)}")
        self.faults += [f"{asked}: {leak}" for leak in self.leaks(said(answer), role, path)]
        return cell(answer, written)

    def leaks(self, text: str, role: str, path: str) -> list[str]:
        """Return what this role may not read in an answer."""
        found = [
            name
            for name, canary in self.world.canaries.items()
            if canary.text in text
            and role not in canary.roles
            and canary.text not in path
            and not path[1:].startswith(canary.addresses or "/")
        ]
        if role == "gm" and path.endswith(("/facts/", "/playthrough/")):
            return found  # the GM's own proof of an ended table: everything
        for start, hands in self.hands.items():
            shown = cards_in(text) if path.startswith(start) else set()
            found += [f"hand of {owner}" for owner in hands if role != owner and shown & hands[owner]]
        return found


#: Whose hand is whose; nobody sees another's cards at the card table, not even the GM.
HANDS = {"player": "p1", "stand-in": "p3", "gm": "gm"}


def line(route: str, methods: str, row: tuple[str, ...]) -> str:
    methods = "all" if methods == " ".join(METHODS) else methods
    return f"{methods:<31}{''.join(f'{word:<14}' for word in row)}/{route}"


def heading() -> list[str]:
    return [line("address", "method", tuple(ROLES)), ""]


def test_permissions_of_all_addresses_match_the_reviewed_matrix(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("ERROR")  # thousands of refusals, each with its line
    matrix = Matrix(world)
    written = heading() + [row for address in every() for row in matrix.rows(address)]
    if os.environ.get("GUARDS") == "write":
        GOLDEN.write_text("\n".join(text.rstrip() for text in written) + "\n", "utf-8")
    assert not matrix.faults, "\n".join(matrix.faults)
    assert [text.rstrip() for text in written] == GOLDEN.read_text("utf-8").splitlines()
