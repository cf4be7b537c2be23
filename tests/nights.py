"""An evening in which a little of everything happens, played by the program's own verbs."""

from __future__ import annotations

import json
import uuid

from characters.models import Character, ExperienceLine
from characters.services import experience
from companion.fate import commitment
from companion.models import Person
from sessions.board_games import games
from sessions.card_table import checklists, npcs
from sessions.chat import messages
from sessions.evening import handouts, nights
from sessions.evening.shares import PhoneShare, SecretParts
from sessions.management.commands.demo import SAMPLES, create_character
from sessions.models import Handout, LibraryNpc, PreparedCheck, Role, SceneNote, Seat, Session, Table
from sessions.table import moves, opening
from tests.evening import call, play, sit

#: What two phones give to the chance of a table.
SHARES = ("1" * 64, "2" * 64)


def say(seat: Seat, text: str, tab: str = "main", *to: Seat) -> None:
    draft = messages.MessageDraft(client_id=uuid.uuid4(), tab=tab, text=text, to=[str(one.pk) for one in to])
    messages.send(seat=Seat.objects.get(pk=seat.pk), draft=draft)


def declare(table: Table, seat: str, text: str) -> None:
    play(table, seat, json.dumps({"type": "declare", "text": text}).encode())


def take_back(table: Table, seat: str) -> None:
    play(table, seat, b'{"type":"undo"}')


def played(session: Session, ayumi: Person, bo: Person) -> Table:
    """Play an evening of Ayumi and Bo, up to the moment before its end."""
    gm = session.seats.get(role=Role.GM)
    seats = [sit(session, person) for person in (ayumi, bo)]
    for seat, sample in zip(seats, SAMPLES, strict=False):
        nights.bring_character(seat=seat, character=create_character(seat.person, sample))
        nights.set_approved(seat=seat, approved=True)
    watcher = sit(session, Person.objects.create(name="見物人"), Role.SPECTATOR)
    campaign = session.campaign
    SceneNote.objects.create(campaign=campaign, title="港", text="灯台守が待つ")
    PreparedCheck.objects.create(campaign=campaign, label="鍵を開ける", difficulty=3)
    letter = Handout.objects.create(campaign=campaign, title="HO1", text="皆へ", secret="あなたは裏切り者")
    handouts.prepare_copy(handout=letter, seat=seats[0], lay=True)
    notice = handouts.hand_over_copies(session=session)
    handouts.dismiss_notice(seat=seats[0], notice_pk=notice.pk)
    wolf = LibraryNpc.objects.create(
        owner=campaign.gm, campaign=campaign, name="狼", rank=2, notes="銀に弱い"
    )
    given = tuple(
        PhoneShare(seat.name, commitment(share), share) for seat, share in zip(seats, SHARES, strict=True)
    )
    table = opening.open_table(
        session=session,
        module_key="uroboros",
        players=seats,
        opened_by=gm,
        chance=SecretParts("opening", "0" * 64, tuple(given)),
    )
    npcs.spawn_library(table_pk=table.pk, library=wolf, count=1)
    table.refresh_from_db()
    declare(table, "p1", "崖を登る")
    declare(table, "p2", "待つ")
    take_back(table, "p2")
    play(table, "gm", call("p1"))
    play(table, "p1", json.dumps({"type": "draw"}).encode())
    table.refresh_from_db()
    moves.rewind(table_pk=table.pk, to=2, reason="やり直し", version=table.version)
    declare(table, "p2", "歌う")
    say(seats[0], "こんばんは")
    say(gm, "はじめます", "info")
    say(seats[0], "ボーさんだけに", "whisper", seats[1])
    say(seats[1], "GMにだけ", "whisper", gm)
    games.reward_seats(table=table, seats=seats, points=5, handout=None, by=campaign.gm)
    nights.remove_seat(seat=watcher)
    return table


def ended(session: Session, ayumi: Person, bo: Person) -> Table:
    """Play that evening to its end, with experience for one who spends it."""
    table = played(session, ayumi, bo)
    nights.close_session(session=session)
    checklists.open_checklists(session=session)
    seat = Seat.objects.get(session=session, person=ayumi)
    for line in ExperienceLine.objects.all()[:3]:
        checklists.tick_line(seat=seat, key=line.key, ticked=True)
    checklists.confirm(seat=seat, by=session.campaign.gm)
    hero = Character.objects.get(owner=ayumi)
    bought = experience.offers(hero)[0]
    if bought.cost <= experience.balance(hero):
        experience.buy(character=hero, offer=bought)
        experience.take_back(character=hero, entry_id=hero.ledger.order_by("-pk")[0].pk)
    table.refresh_from_db()
    return table
