"""Every address of the server, found in its own resolver, with its parts filled in from the world."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.apps import apps
from django.contrib.contenttypes.models import ContentType
from django.urls import URLPattern, get_resolver

from companion.pages import reach
from sessions.models import Campaign, Handout, Limit, SharedClock
from tests.guards.world import World


class Unknown(Exception):
    """An address with a part that this file cannot fill in: say below what it stands for."""


@dataclass(frozen=True)
class Address:
    route: str
    name: str

    def path(self, world: World) -> str:
        """Return the address of this world's own thing.

        :raises Unknown: a part of the route stands for nothing that is known here.
        """
        if self.route in _WHOLE:
            return "/" + _WHOLE[self.route]
        return "/" + _PART.sub(lambda part: str(self._fill(world, part[0])), self.route)

    @property
    def query(self) -> str:
        """The query parameters without which there is no page."""
        return _QUERIES.get(self.name, "")

    def _fill(self, world: World, part: str) -> Any:
        if self.route.startswith("admin/"):
            return _of_admin(self.route, part)
        for route, names, fill in _PARTS:
            if part == names and re.match(route, self.route):
                return fill(world, self)
        raise Unknown(f"{part} of {self.route} ({self.name})")


def every() -> list[Address]:
    """Return all patterns of the resolver, in its order."""
    return list(_walk(get_resolver().url_patterns, ""))


def _walk(patterns: list[Any], before: str) -> Iterator[Address]:
    for pattern in patterns:
        route = before + str(pattern.pattern)
        if isinstance(pattern, URLPattern):
            yield Address(route, pattern.name or "")
        else:
            yield from _walk(pattern.url_patterns, route)


_QUERIES = {
    "chat": "?tab=whisper",
    "report-file": "?format=json",
}
_PART = re.compile(r"<[^>]+>")
_WHOLE = {
    "admin/^(?P<app_label>companion|characters)/$": "admin/companion/",
    "admin/(?P<url>.*)$": "admin/nowhere/",
}


def _of_admin(route: str, part: str) -> Any:
    if part == "<path:content_type_id>":
        return ContentType.objects.get_for_model(Campaign).pk
    if "content_type_id" in route:
        return Campaign.objects.values_list("pk", flat=True)[0]
    app, model = route.split("/")[1:3]
    return apps.get_model(app, model)._default_manager.values_list("pk", flat=True).first() or 1


def _night(world: World, address: Address) -> Any:
    return (world.ended if address.name in _AFTERWARDS else world.night).pk


def _table(world: World, address: Address) -> Any:
    if address.name in _AFTERWARDS:
        return (world.ended_game if address.name in _OF_ENDED_GAMES else world.ended_table).pk
    return (world.game if address.name in _OF_GAMES else world.table).pk


_OF_ENDED_GAMES = {"rematch", "result", "reward"}
_OF_GAMES = {"leave-game", "stop-game", "hand-to-bot", "take-from-bot", "replace-bot"}
#: What is done and read when the night has ended.
_AFTERWARDS = _OF_ENDED_GAMES | {
    "report",
    "report-secrets",
    "report-share",
    "report-log",
    "report-file",
    "report-verify",
    "report-replay",
    "report-verify-table",
    "report-facts",
    "report-fits",
    "report-playthrough",
    "experience-begin",
    "experience-confirm-all",
    "experience-tick",
    "experience-confirm",
    "experience-tick-for",
}


def _seat(world: World, address: Address) -> Any:
    session = world.ended if address.name in _AFTERWARDS else world.night
    role = "absent" if address.name == "take-back" else "player"
    return session.seats.get(person=world.people[role]).pk


def _of_character(world: World, address: Address) -> Any:
    return (world.draft if "/creation/" in address.route else world.character).pk


_PARTS: list[tuple[str, str, Any]] = [
    (r"s/", "<int:pk>", _night),
    (r"t/", "<int:pk>", _table),
    (r"s/", "<int:seat_pk>", _seat),
    (r"s/", "<int:table_pk>", lambda world, _: world.table.pk),
    (r"s/", "<int:claim_pk>", lambda world, _: world.claim.pk),
    (r"s/", "<int:link_pk>", lambda world, _: world.word.pk),
    (r"handouts/", "<int:pk>", lambda *_: Handout.objects.order_by("pk")[0].pk),
    (r"handouts/", "<slug:key>", lambda *_: Handout.objects.order_by("pk")[0].picture.key),
    (r"s/", "<int:handout_pk>", lambda *_: Handout.objects.order_by("pk")[0].pk),
    (r"s/", "<int:clock_pk>", lambda *_: SharedClock.objects.order_by("pk")[0].pk),
    (r"s/", "<uuid:limit_pk>", lambda *_: Limit.objects.order_by("pk")[0].pk),
    (r"s/.*/experience/", "<slug:key>", lambda *_: "attended"),
    (r"s/.*/experience/", "<int:ticked>", lambda *_: 1),
    (r"s/.*/history/", "<int:number>", lambda *_: 1),
    (r"s/.*/chat/", "<uuid:key>", lambda world, _: world.message.pk),
    (r"help/", "<slug:name>", lambda *_: "gm"),
    (r"help/games/", "<slug:key>", lambda *_: "goodcop"),
    (r"book/", "<int:pk>", lambda world, _: world.ended_game.pk),
    (r"book/", "<slug:key>", lambda *_: "p1"),
    (r"campaigns/", "<int:pk>", lambda world, _: world.night.campaign_id),
    (r"games/", "<slug:key>", lambda *_: "liarmafia"),
    (r"s/.*/write/", "<slug:kind>", lambda *_: "notes"),
    (r"s/.*/games/", "<slug:key>", lambda *_: "goodcop"),
    (r"t/.*/seats/", "<slug:key>", lambda *_: "p1"),
    (r"t/.*/rewind/", "<int:to>", lambda *_: 1),
    (r"j/", "<str:code>", lambda world, _: world.night.code),
    (r"seat/", "<str:token>", lambda world, _: world.seat_link),
    (r"device/", "<str:token>", lambda world, _: world.person_link),
    (r"reach/", "<str:token>", lambda *_: reach.token()),
    (r"gm/enter/", "<str:token>", lambda world, _: world.gm_link),
    (r"face/", "<uuid:key>", lambda world, _: world.night.face_key),
    (r"r/", "<uuid:key>", lambda world, _: world.ended.replay_key),
    (r"r/", "<int:table_pk>", lambda world, _: world.ended_table.pk),
    (r"rules/", "<slug:key>", lambda *_: "goodcop"),
    (r"gm/scenarios/", "<int:pk>", lambda world, _: world.scenario.pk),
    (r"gm/scenarios/", "<slug:of>", lambda *_: "pier"),
    (r"gm/scenarios/", "<slug:name>", lambda *_: "checks"),
    (r"gm/scenarios/", "<int:version>", lambda *_: 1),
    (r"s/.*/stage/", "<slug:check>", lambda *_: "climb"),
    (r"s/.*/stage/", "<int:place>", lambda *_: 0),
    (r"s/.*/stage/", "<slug:letter>", lambda *_: "map"),
    (r"s/.*/stage/", "<slug:npc>", lambda *_: "rats"),
    (r"gm/npcs/", "<int:pk>", lambda world, _: world.npc.pk),
    (r"gm/scenarios/take/", "<slug:key>", lambda *_: "yukimachi"),
    (r"sounds/", "<slug:key>", lambda world, _: world.sound.key),
    (r"gm/campaigns/", "<int:pk>", lambda world, _: world.night.campaign_id),
    (r"gm/campaigns/", "<slug:kind>", lambda *_: "handout"),
    (r"gm/campaigns/", "<int:item>", lambda *_: Handout.objects.order_by("pk")[0].pk),
    (r"(characters|c)/shared/", "<str:key>", lambda world, _: world.character.share_key),
    (r"(characters|c)/", "<int:pk>", _of_character),
    (r"characters/", "<int:item>", lambda world, _: world.character.items.all()[0].pk),
    (r"characters/", "<int:checklist>", lambda world, _: world.checklist.pk),
    (r"characters/", "<int:face>", lambda world, _: world.character.faces.all()[0].pk),
    (r"characters/", "<slug:key>", lambda *_: "attended"),
    (r"characters/", "<int:entry>", lambda world, _: world.entry.pk),
    (r"characters/", "<int:number>", lambda *_: 1),
    (r"pictures/", "<slug:key>", lambda world, _: world.picture.key),
    (r"account/passkeys/", "<int:pk>", lambda *_: 1),
]
