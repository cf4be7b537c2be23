"""Addresses, forms and files that no page of ours sends: no 5xx, and what is refused changes nothing."""

from __future__ import annotations

import io
import re
import zipfile
from random import Random
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from characters.models import Character
from tests.guards import odd
from tests.guards.addresses import Address, every
from tests.guards.asking import ask
from tests.guards.test_matrix import fields
from tests.guards.world import World

pytestmark = [pytest.mark.django_db, pytest.mark.long]

ADDRESSES, FORMS, UPLOADS = 1500, 2500, 400
ASKERS = ["stranger", "player", "stand-in", "gm", "superuser"]
QUERIES = [
    "as",
    "character",
    "code",
    "format",
    "key",
    "lang",
    "next",
    "o",
    "p",
    "q",
    "snapshot__gt",
    "tab",
    "table",
    "version",
    "view",
]
PART = re.compile(r"<[^>]+>")
FORM = "application/x-www-form-urlencoded"


def bent(address: Address, world: World, rng: Random) -> str:
    """Return the address with odd parts in the place of some of its own."""
    if rng.random() < 0.4 or "(?P" in address.route:
        return address.path(world)
    return "/" + PART.sub(lambda _: odd.quoted(odd.text(rng)), address.route)


def query(rng: Random) -> str:
    return odd.encoded([(rng.choice(QUERIES), odd.text(rng)) for _ in range(rng.randrange(4))])


def test_a_malformed_address_is_answered_and_changes_nothing(world: World) -> None:
    rng, addresses = Random("addresses"), every()
    for _ in range(ADDRESSES):
        address, role = rng.choice(addresses), rng.choice(ASKERS)
        path = f"{bent(address, world, rng)}?{query(rng)}"
        answer, written = ask(world.clients[role], "GET", path)
        assert answer.status_code < 500, (role, path)
        assert written <= {"companion_person"}, (role, path)


def test_a_malformed_form_is_answered_and_a_refusal_changes_nothing(world: World) -> None:
    rng = Random("forms")
    own = [address for address in every() if not address.route.startswith("admin/")]
    usual = fields(world)
    for _ in range(FORMS):
        address, role = rng.choice(own), rng.choice(ASKERS)
        # Mostly as a page sends it, with a few odd fields: those get further.
        form = dict(usual) if rng.random() < 0.8 else {}
        form |= {rng.choice([*usual, "surprise"]): odd.text(rng) for _ in range(rng.randrange(1, 5))}
        path = bent(address, world, rng) if rng.random() < 0.2 else address.path(world)
        body = odd.encoded([*form.items(), *rng.sample(sorted(form.items()), rng.randrange(2))])
        answer, written = ask(world.clients[role], "POST", path, data=body, content_type=FORM)
        assert answer.status_code < 500, (role, path, body)
        if answer.status_code >= 400:
            assert written <= {"companion_person"}, (role, path, body)


def test_a_damaged_upload_is_refused_and_makes_no_character(world: World) -> None:
    rng, client = Random("uploads"), world.clients["player"]
    whole = taken_along(client, world)
    refused = 0
    for _ in range(UPLOADS):
        content = mutated(rng.choice(whole), rng)
        upload = SimpleUploadedFile(rng.choice(["a.zip", "a.json", "a", "\u202e.txt"]), content)
        before = Character.objects.count()
        answer: Any = client.post("/characters/bring/", {"file": upload, "yes": "1"})
        assert answer.status_code in (302, 422), content
        refused += answer.status_code == 422
        assert Character.objects.count() == before + (answer.status_code == 302)
    assert refused > UPLOADS / 2


def taken_along(client: Client, world: World) -> list[bytes]:
    """Return a character in each format that goes out, and a zip that holds none."""
    pk = world.character.pk
    files = [client.get(f"/c/{pk}{ending}") for ending in (".json", "/udonarium.zip")]
    nothing = io.BytesIO()
    with zipfile.ZipFile(nothing, "w") as packed:
        packed.writestr("data.xml", "<character/>")
    return [*(file.content for file in files), nothing.getvalue()]


def mutated(content: bytes, rng: Random) -> bytes:
    """Return it with some bytes changed, cut off or doubled."""
    changed = bytearray(content)
    for _ in range(rng.randrange(1, 12)):
        at = rng.randrange(len(changed) or 1)
        match rng.randrange(4):
            case 0:
                changed[at : at + 1] = rng.randbytes(1)
            case 1:
                del changed[at : at + rng.randrange(1, 60)]
            case 2:
                changed[at:at] = changed[at : at + rng.randrange(1, 60)]
            case _:
                changed[at:at] = odd.text(rng).encode("utf-8", "surrogatepass")
    return bytes(changed)
