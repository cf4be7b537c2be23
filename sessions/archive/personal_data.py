"""A person's own data from sessions: their seats, words, moves, best scores and scenarios.

All of it can be exported. Scenarios are also handed over to an account, or deleted with their owner.
"""

from __future__ import annotations

import json
from typing import Any

import msgspec
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from companion.identity.personal_data import Belonging, DataProvider, transfer_rows
from companion.models import Person
from companion.requests.queue import check_client_waits
from sessions.archive.file_format import encode_picture
from sessions.board_games.own_games import bests
from sessions.engine.registry import registry
from sessions.models import Campaign, LibraryNpc, Message, Scenario, Seat, Table
from sessions.scenarios.editing import document_of, pictures_of


def session_data(person: Person) -> dict[str, Any]:
    """Return the data of a person by file name, without any words of other people."""
    seats = Seat.objects.filter(person=person).select_related("session__campaign", "character")
    return {
        "evenings.json": [_evening(seat) for seat in seats],
        "bests.json": {
            key: [_fields(one, "points", "day", "daily") for one in bests(person, key).ever]
            for key, module in registry().items()
            if module.tables.daily
        },
        "campaigns.json": [_campaign(campaign) for campaign in Campaign.objects.filter(gm=person)],
        "npcs.json": [
            _fields(npc, "name", "rank", "skills", "notes", "picture")
            for npc in LibraryNpc.objects.filter(owner=person).select_related("picture")
        ],
    }


def _evening(seat: Seat) -> dict[str, Any]:
    written = Message.objects.filter(author=seat, deleted_at=None).prefetch_related("to")
    return {
        "campaign": seat.session.campaign.name if seat.session.campaign else None,
        "title": seat.session.name,
        **_fields(seat.session, "opened_at", "ended_at"),
        **_fields(seat, "name", "role"),
        "character": seat.character.name if seat.character else None,
        **_fields(seat, "joined_at", "removed_at"),
        "messages": [
            _fields(message, "tab", "spoken_as", "text")
            | {"to": [to.name for to in message.to.all()], "sent_at": message.sent_at}
            for message in written
        ],
        "tables": [_table(table, seat) for table in Table.objects.filter(table_seats__seat=seat)],
    }


def _fields(row: object, *names: str) -> dict[str, Any]:
    """Return these fields of a row, a picture as base64 text."""
    values = {name: getattr(row, name) for name in names}
    return {name: encode_picture(value) if name == "picture" else value for name, value in values.items()}


def _table(table: Table, seat: Seat) -> dict[str, Any]:
    check_client_waits()
    key = table.table_seats.get(seat=seat).key
    moves = table.moves.filter(seat=key, stand_in="", bot="") | table.moves.filter(stand_in=seat.name)
    return {
        "game": table.module,
        "seat": key,
        **_fields(table, "opened_at", "ended_at"),
        "moves": [
            _fields(move, "number", "played_at") | {"move": json.loads(bytes(move.move))}
            for move in moves.order_by("number")
        ],
    }


def _campaign(campaign: Campaign) -> dict[str, Any]:
    return {
        **_fields(campaign, "name", "created_at"),
        "evenings": campaign.evenings.count(),
        "handouts": [
            _fields(handout, "title", "text", "secret", "picture")
            for handout in campaign.handouts.select_related("picture")
        ],
        "scene_notes": [
            _fields(note, "title", "text", "caption", "picture")
            for note in campaign.scene_notes.select_related("picture")
        ],
    }


def scenario_items(person: Person, receiver: Person | None) -> list[Belonging]:
    items = []
    for scenario in Scenario.objects.filter(owner=person):
        count = len(scenario.document["scenes"])
        scenes = ngettext("%(count)s scene", "%(count)s scenes", count) % {"count": count}
        items.append(Belonging("theme", scenario.title or _("A scenario without a title"), scenes))
    return items


def hand_over_scenarios(person: Person, receiver: Person) -> list[int]:
    """Give all scenarios of a person to another. Their pictures are handed over with all other pictures."""
    return transfer_rows(Scenario.objects.filter(owner=person), receiver)


def give_back_scenarios(rows: list[int], person: Person) -> None:
    Scenario.objects.filter(pk__in=rows).update(owner=person)


def delete_scenarios(person: Person) -> None:
    """Delete all scenarios of a person, with their pictures."""
    Scenario.objects.filter(owner=person).delete()


def scenario_data(person: Person) -> dict[str, Any]:
    scenarios = Scenario.objects.filter(owner=person).order_by("pk")
    return {f"scenario-{number}.json": _data(scenario) for number, scenario in enumerate(scenarios, 1)}


def _data(scenario: Scenario) -> dict[str, Any]:
    check_client_waits()
    document = document_of(scenario)
    return {
        **_fields(scenario, "created_at", "changed_at"),
        "document": msgspec.to_builtins(document),
        "pictures": {picture.key: encode_picture(picture) for picture in pictures_of(scenario, document)},
    }


scenario_provider = DataProvider(
    "scenarios", scenario_items, hand_over_scenarios, give_back_scenarios, delete_scenarios, scenario_data
)
