"""A campaign between two sessions, as one of its people sees it: links for the home page, book, and recap.

The book has the people with their characters, the NPCs they met, the sessions, and the handouts as its reader
may read them. The recap tells the last session at the beginning of the next. Both are made of what everybody
at the table knew.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from django.db.models import Min
from django.utils.translation import gettext as _

from characters.models import Character, ExperienceChecklist
from companion import shared_time
from companion.figures import npc_kind
from companion.models import Person, Picture
from companion.rendering.markup import plain
from sessions import access
from sessions.card_table import checklists
from sessions.engine.registry import registry
from sessions.evening import handouts, nights
from sessions.evening.nights import LastJoin
from sessions.game import GameFailed
from sessions.models import (
    CODE_LIFETIME,
    Campaign,
    Handout,
    Role,
    Seat,
    Session,
    Stage,
    Table,
    TableNpc,
)
from sessions.report import session_report
from sessions.scenarios.document import ScenarioScene
from sessions.scenarios.editing import document_of

#: The campaigns on the home page, and the newest seats among which they are looked for.
CAMPAIGNS_SHOWN, SEATS_READ = 2, 60
#: The newest tables that are searched for NPCs.
TABLES_READ = 20
#: With fewer turning points than this, highlights follow in a recap.
FEW = 3
SCENES_NAMED, PICTURES_AT_MOST = 5, 3
#: The label before the sentence of a highlight.
_LABEL = re.compile(r"<b>.*?</b>", re.DOTALL)


# The home page


@dataclass(frozen=True)
class OwnCampaign:
    """A campaign of a player, for the player's home page.

    Its open session admits the player, and does not seat them yet; ``again`` has their last name and
    character. ``last`` is their newest ended session; ``ticks`` is True if their checklist is open there.
    """

    campaign: Campaign
    open_session: Session | None
    again: LastJoin
    last: Session | None
    ticks: bool

    @property
    def join_url(self) -> str:
        return nights.join_url(self.open_session, "") if self.open_session else ""


def own_campaigns(person: Person) -> list[OwnCampaign]:
    """Return the campaigns in which a person plays, those with an open session first, then the newest."""
    seats: dict[int, list[Seat]] = {}
    own = access.member_seats(person).filter(role=Role.PLAYER).order_by("-joined_at", "-pk")
    for seat in own.select_related("session__campaign", "character")[:SEATS_READ]:
        seats.setdefault(seat.session.own_campaign.pk, []).append(seat)
    if not seats:
        return []
    open_sessions = {session.campaign_id: session for session in _admitting(seats, person)}
    order = sorted(seats, key=lambda pk: pk not in open_sessions)[:CAMPAIGNS_SHOWN]
    last = {pk: next((one.session for one in seats[pk] if one.session.ended_at), None) for pk in order}
    ticking = _open_checklists(person, [session for session in last.values() if session])
    return [
        OwnCampaign(
            campaign=seats[pk][0].session.own_campaign,
            open_session=open_sessions.get(pk),
            again=nights.join_of(seats[pk][0], seats[pk][0].session.campaign),
            last=last[pk],
            ticks=last[pk] in ticking,
        )
        for pk in order
    ]


def _admitting(campaigns: Iterable[int], person: Person) -> list[Session]:
    """Return the open sessions of these campaigns that ``person`` may join as a newcomer, the newest last."""
    fresh = shared_time.now() - CODE_LIFETIME
    running = Session.objects.filter(campaign__in=list(campaigns), ended_at=None, trial="")
    admitting = running.filter(joining_open=True, code_issued_at__gt=fresh).exclude(code="")
    return list(admitting.exclude(seats__person=person).order_by("opened_at", "pk"))


def _open_checklists(person: Person, sessions: Sequence[Session]) -> list[Session]:
    """Return the sessions in which a person's own checklist waits for ticks or for the GM."""
    keys = {checklists.session_key(session.pk): session for session in sessions}
    waiting = ExperienceChecklist.objects.filter(
        session_key__in=keys, character__owner=person, confirmed_at=None
    )
    return [keys[key] for key in waiting.values_list("session_key", flat=True)]


# The book


@dataclass
class BookPerson:
    """A player of a campaign under their newest name, with their characters, the newest first."""

    name: str
    characters: list[Character] = field(default_factory=list)


@dataclass(frozen=True)
class MetNpc:
    """A kind of NPC that was at a table."""

    name: str
    picture: Picture | None


@dataclass(frozen=True)
class BookHandout:
    """A handout that was handed over; ``opens`` is True if the reader may read its secret.

    ``is_whole`` is False for older ones beyond the size of a page; they have pages of their own.
    """

    handout: Handout
    opens: bool
    is_whole: bool
    handed_at: datetime | None


@dataclass(frozen=True)
class CampaignBook:
    """A campaign's book for one reader, by their newest seat.

    ``nights`` has each session, and whether its report opens to the reader.
    """

    seat: Seat | None
    people: list[BookPerson]
    met: list[MetNpc]
    nights: list[tuple[Session, bool]]
    handouts: list[BookHandout]


def campaign_book(campaign: Campaign, reader: Person) -> CampaignBook:
    """Return the book of a campaign for its GM, or for one of its people (``access.member_campaign``)."""
    own = Seat.objects.filter(person=reader, session__campaign=campaign, removed_at=None)
    readable = set(own.values_list("session", flat=True))
    sessions = campaign.evenings.order_by("-opened_at", "-pk")[: nights.SESSIONS_A_PAGE]
    seat = own.select_related("session").order_by("joined_at", "pk").last()
    return CampaignBook(
        seat=seat,
        people=_people(campaign),
        met=_people_met(campaign),
        nights=[(session, session.pk in readable) for session in sessions],
        handouts=_book_handouts(seat),
    )


def _people(campaign: Campaign) -> list[BookPerson]:
    rows = Seat.objects.filter(session__campaign=campaign, role=Role.PLAYER, removed_at=None)
    rows = rows.exclude(session__trial__gt="").select_related("character__portrait")
    people: dict[int, BookPerson] = {}
    for seat in rows.defer("character__portrait__content").order_by("-joined_at", "-pk"):
        person = people.setdefault(seat.person_id, BookPerson(seat.name))
        if seat.character and seat.character.is_done and seat.character not in person.characters:
            person.characters.append(seat.character)
    return sorted(people.values(), key=lambda person: person.name)


def _people_met(campaign: Campaign) -> list[MetNpc]:
    """Return the NPCs of the newest tables by their kinds, the newest first."""
    tables = Table.objects.filter(session__campaign=campaign, session__trial="").order_by("-opened_at", "-pk")
    tables = tables.filter(module__in=[game.key for game in registry().values() if game.gm])[:TABLES_READ]
    kinds = dict.fromkeys(npc_kind(name) for table in tables for name in _names_met(table))
    came = TableNpc.objects.filter(table__session__campaign=campaign, table__session__trial="")
    came = came.with_pictures().order_by("pk")
    faces = {npc_kind(row.name): row.shown_picture for row in came if row.shown_picture}
    return [MetNpc(kind, faces.get(kind)) for kind in kinds if kind]


def _names_met(table: Table) -> tuple[str, ...]:
    try:
        return session_report.digest_of(table).met
    except GameFailed:
        return ()  # the report of the session says so


def _book_handouts(seat: Seat | None) -> list[BookHandout]:
    """Return the handouts that were handed over, as a seat's person may read them, the newest first."""
    if seat is None:
        return []
    readable = handouts.known_with_parts(seat.session, seat)
    rows = Handout.objects.filter(pk__in=[handout.pk for handout, _, _ in readable])
    handed = dict(rows.values_list("pk").annotate(Min("copies__notice__at")))
    return [BookHandout(one, opens, whole, handed[one.pk]) for one, opens, whole in reversed(readable)]


# The recap


@dataclass(frozen=True)
class Recap:
    """The turning points of the last session in a few sentences, with pictures to choose from.

    The pictures of scenes that were shown come first, then the portraits of the characters.
    """

    session: Session
    text: str
    pictures: list[Picture]


def recap(session: Session) -> Recap | None:
    """Return the recap of the session before this one, from its report; None if there was none."""
    last = nights.previous_sessions(session).last()
    if last is None:
        return None
    scenes = _scenes_shown(last)
    titles = session_report.spread([scene.title for scene in scenes if scene.title], SCENES_NAMED)
    night = {"night": last.name, "scenes": " → ".join(titles)}
    lines = [_("%(night)s: %(scenes)s.") % night if titles else last.name]
    for table in session_report.report(last).tables:
        more = table.highlights[: max(0, FEW - len(table.turning_points))]
        lines += [plain(_LABEL.sub("", moment)) for moment in (*table.turning_points, *more)]
    brought = [seat.character for seat in last.players if seat.character]
    portraits = [character.portrait for character in brought if character.portrait]
    return Recap(last, "\n".join(lines), [*_pictures_of(last, scenes), *portraits])


def _scenes_shown(session: Session) -> list[ScenarioScene]:
    """Return the scenes that everybody saw at a session, in the order in which they were put on stage."""
    stage = Stage.objects.filter(session=session).select_related("scenario").first()
    if stage is None or stage.scenario is None:
        return []
    scenes = {scene.id: scene for scene in document_of(stage.scenario).scenes}
    return [scenes[key] for key in stage.used if key in scenes]


def _pictures_of(session: Session, scenes: Iterable[ScenarioScene]) -> list[Picture]:
    keys = list(dict.fromkeys(scene.picture for scene in scenes if scene.picture))
    rows = Picture.objects.filter(key__in=keys, guarded=False).defer("content")
    own = rows.filter(owner=session.own_campaign.gm_id)
    return sorted(own, key=lambda picture: keys.index(picture.key))
