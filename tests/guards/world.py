"""A session with every kind of secret, and one person of every role.

What is hidden carries a canary: a text that is found nowhere else, with the roles that may read it. There are
two nights of one campaign with the same seats, one that runs and one that has ended with its secrets closed.
"""

from __future__ import annotations

import io
import json
import uuid
from dataclasses import dataclass, field

import msgspec
from django.test import Client
from django.utils import timezone
from PIL import Image

from characters import access
from characters.models import Character, ExperienceChecklist, LedgerEntry
from characters.services import drafts, experience, faces, sheets
from companion.fate import commitment
from companion.files import gallery, pictures
from companion.identity import gm_link, people, person_links
from companion.models import Person, PersonLink, Picture, User
from sessions.card_table import checklists
from sessions.chat import messages
from sessions.engine.registry import registry
from sessions.engine.step import encode
from sessions.evening import devices, handouts, nights, preparation, shares, stand_ins
from sessions.game import Outcome
from sessions.models import (
    Campaign,
    LibraryNpc,
    Message,
    Role,
    Scenario,
    ScenarioSound,
    Seat,
    SeatClaim,
    Session,
    SharedClock,
    Table,
)
from sessions.modules.uroboros.state import NpcState
from sessions.report import audience
from sessions.scenarios import editing, staging
from sessions.scenarios.document import CutIn, Document, ScenarioCheck, ScenarioHandout, ScenarioScene
from sessions.scenarios.document import ScenarioNpc as Npcs
from sessions.table import opening, table_cache
from tests.evening import call, play, sit

#: Everybody who may ask for a page, from those who know nothing to those who know most.
ROLES = [
    "stranger",
    "other",
    "elsewhere",
    "kicked",
    "spectator",
    "player",
    "stand-in",
    "gm",
    "gm elsewhere",
    "superuser",
]
ELSEWHERE = ("elsewhere", "gm elsewhere", "superuser")
SEATED = {"spectator", "player", "stand-in", "gm"}
#: Addresses that are a key to a sheet.
SHARED = ("characters/shared/", "c/shared/")
HIDDEN_HP = 7351934
#: Six cards that a character may be made of.
CARDS = ["h01", "d05", "h12", "d03", "c13", "s02"]


@dataclass(frozen=True)
class Canary:
    """A text that only some roles may read, and the secret addresses that show it."""

    text: str
    roles: set[str]
    addresses: tuple[str, ...] = ()


@dataclass
class World:
    """The nights, the people, and the things that addresses name."""

    people: dict[str, Person] = field(default_factory=dict)
    clients: dict[str, Client] = field(default_factory=dict)
    canaries: dict[str, Canary] = field(default_factory=dict)
    night: Session = None  # type: ignore[assignment]  # all of these are set by ``lay_out``
    ended: Session = None  # type: ignore[assignment]
    table: Table = None  # type: ignore[assignment]
    game: Table = None  # type: ignore[assignment]
    ended_table: Table = None  # type: ignore[assignment]
    ended_game: Table = None  # type: ignore[assignment]
    seats: dict[str, Seat] = field(default_factory=dict)
    character: Character = None  # type: ignore[assignment]
    picture: Picture = None  # type: ignore[assignment]
    draft: Character = None  # type: ignore[assignment]
    checklist: ExperienceChecklist = None  # type: ignore[assignment]
    entry: LedgerEntry = None  # type: ignore[assignment]
    scenario: Scenario = None  # type: ignore[assignment]
    sound: ScenarioSound = None  # type: ignore[assignment]
    npc: LibraryNpc = None  # type: ignore[assignment]
    message: Message = None  # type: ignore[assignment]
    claim: SeatClaim = None  # type: ignore[assignment]
    word: PersonLink = None  # type: ignore[assignment]
    seat_link: str = ""
    person_link: str = ""
    gm_link: str = ""

    def headers(self, role: str) -> dict[str, str]:
        """Return the cookies of a role's device as a header, for websockets."""
        cookies = self.clients[role].cookies.items()
        return {"Cookie": "; ".join(f"{name}={morsel.value}" for name, morsel in cookies)}

    def plant(self, name: str, *roles: str, text: str = "", at: tuple[str, ...] = ()) -> str:
        """Return a text to hide somewhere. Only these roles may read it."""
        text = text or f"Kanari{name.title().replace(' ', '')}"
        self.canaries[name] = Canary(text, set(roles), at)
        return text


def lay_out() -> World:
    """Make the whole world in an empty database."""
    world = World()
    _people(world)
    campaign = Campaign.objects.create(gm=world.people["gm"], name="蛇")
    _characters(world)
    world.ended, _ = _night(world, campaign, "昨夜")
    world.ended_table, world.ended_game = _tables(world, world.ended, "ended")
    _end(world)
    world.night, world.seats = _night(world, campaign, "今夜")
    world.table, world.game = _tables(world, world.night, "running")
    _hide(world, campaign)
    _keys(world)
    _elsewhere(world)
    return world


def _people(world: World) -> None:
    accounts: dict[str, dict[str, bool]] = {
        "other": {},
        "gm": {},
        "gm elsewhere": {},
        "superuser": {"is_staff": True, "is_superuser": True},
    }
    for number, role in enumerate([*ROLES, "absent"]):
        client = world.clients[role] = Client()
        if role == "stranger":
            continue
        world.people[role] = person = Person.objects.create(name=f"人{number}")
        if role in accounts:
            user = User.objects.create_user(f"account{number}", password="known", **accounts[role])
            person.user = user
            person.save()
            client.force_login(user)
        else:
            client.cookies[people.COOKIE] = people.token(person)
    mail = world.plant("e-mail of another", "other", "superuser")
    User.objects.filter(person=world.people["other"]).update(email=f"{mail}@takujo.example")


def _characters(world: World) -> None:
    owner = world.people["player"]
    world.character = _sheet(owner, "朔")
    world.picture = gallery.store_picture(owner, pictures.EncodedPicture(b"RIFF", 3, 4))
    drawn = io.BytesIO()
    Image.new("RGB", (3, 4)).save(drawn, "PNG")
    label = world.plant("label of a face", "player", "superuser", text="Kanarigesicht")
    faces.add_face(character=world.character, label=label, sent=drawn.getvalue())
    world.plant("face that nobody saw", "player", text=world.character.faces.get().picture.key)
    before = world.plant("background as it was", "player", "gm", "superuser")
    after = world.plant("background of a sheet", "player", "gm", "superuser", at=SHARED)
    for background in (before, after):
        form = {"hp_max": 4, "suits": "h", "skills": ["剣術", "料理"]}
        sheets.revise(character=world.character, name="朔", background=background, **form)
    world.checklist = experience.start_own_checklist(character=world.character, title="稽古")
    experience.give_points(character=world.character, points=60, title="冠", campaign="蛇", source="before")
    experience.buy(character=world.character, offer=experience.offers(world.character)[0], bought="泳ぎ")
    world.entry = world.character.ledger.order_by("pk").last()
    access.set_password(character=world.character, password="kanarienvogel")
    world.character.refresh_from_db()
    world.plant("share key", "player", text=world.character.share_key)
    name = world.plant("name of a draft", "player", "superuser")
    world.draft = drafts.start_draft(owner=owner, method="standard", name=name)
    world.draft.creation.draws.create(number=0, cards=CARDS)


def _sheet(owner: Person, name: str) -> Character:
    character = drafts.start_draft(owner=owner, method="standard", name=name)
    character.creation.draws.create(number=0, cards=CARDS)
    drafts.keep(character=character)
    drafts.choose_suits(character=character, suits="h")
    drafts.choose_skills(character=character, names=["剣術", "料理"])
    sword = {"kind": "weapon", "name": "脇差", "table_value": 2, "quality": 0}
    drafts.choose_specials(character=character, wishes=[sword])
    drafts.settle_items(character=character)
    drafts.describe(character=character, name=name)
    drafts.finish(character=character)
    return Character.objects.get(pk=character.pk)


def _night(world: World, campaign: Campaign, title: str) -> tuple[Session, dict[str, Seat]]:
    session = nights.open_session(campaign=campaign, title=title)
    seats = {"gm": session.seats.get(role=Role.GM)}
    for role in ("player", "absent", "stand-in", "kicked"):
        seats[role] = sit(session, world.people[role])
    seats["spectator"] = sit(session, world.people["spectator"], Role.SPECTATOR)
    nights.bring_character(seat=seats["player"], character=world.character)
    return session, seats


def _tables(world: World, session: Session, when: str) -> tuple[Table, Table]:
    """Open a card table with a task under way and a hidden NPC, and a board game."""
    seats = {seat.person_id: seat for seat in session.seats.all()}
    players = [seats[world.people[role].pk] for role in ("player", "absent", "stand-in", "kicked")]
    # Every shuffle is known beforehand, so that each run asks the same.
    own, knows = commitment(f"{when} table"), ["gm"] if when == "ended" else []
    parts = (shares.PhoneShare("人", commitment("0" * 64), "0" * 64),)
    chance = shares.SecretParts(
        when, world.plant(f"the server's part of the {when} table", *knows, text=own), parts
    )
    table = opening.open_table(session=session, module_key="uroboros", players=players, chance=chance)
    play(table, "gm", call("p1", 2))
    play(table, "gm", json.dumps({"type": "declare", "text": "戸が開く"}).encode())
    library = LibraryNpc.objects.create(
        owner=world.people["gm"], name="影", rank=2, notes=world.plant("notes of an NPC", "gm", "superuser")
    )
    world.npc = library
    chance = shares.SecretParts(when, commitment(f"{when} game"))
    game = opening.open_table(session=session, module_key="goodcop", players=players, chance=chance)
    world.plant(f"secret of the {when} table", *knows, text=table.secret)
    world.plant(f"secret of the {when} game", *knows, text=game.secret)
    stand_ins.let_stand_in(seat=players[1], stand_in=players[2])
    nights.remove_seat(seat=players[3])
    return Table.objects.get(pk=table.pk), Table.objects.get(pk=game.pk)


def _end(world: World) -> None:
    state = registry()["goodcop"].load(bytes(world.ended_game.snapshot))
    state.phase, state.result = "over", Outcome(("p1",), "honest")
    world.ended_game.snapshot = encode(state)
    world.ended_game.save(update_fields=["snapshot"])
    Table.objects.filter(session=world.ended).update(ended_at=timezone.now())
    nights.close_session(session=world.ended)
    opening.store_ending(Table.objects.get(pk=world.ended_game.pk))
    checklists.open_checklists(session=world.ended)
    audience.share_replays(session=world.ended, is_shared=True)
    world.ended.refresh_from_db()


def _hide(world: World, campaign: Campaign) -> None:
    """Fill the night that runs with what only some may read."""
    seats, plant = world.seats, world.plant
    given = campaign.handouts.create(
        title="封書", text="皆へ", secret=plant("secret of a handout", "player", "gm")
    )
    preparation.save_with_picture(given, pictures.EncodedPicture(b"RIFF", 3, 4))
    laid = campaign.handouts.create(title=plant("handout on the desk", "gm", "superuser"))
    handouts.prepare_copy(handout=given, seat=seats["player"], lay=True)
    handouts.hand_over_copies(session=world.night)
    handouts.prepare_copy(handout=laid, seat=seats["spectator"], lay=True)
    campaign.limits.create(words=plant("proposed limit", "gm"))
    SharedClock.objects.create(session=world.night, name="警備が気づくまで", segments=6)
    campaign.scene_notes.create(title="港", text=plant("scene note", "gm"))
    campaign.prepared_checks.create(label=plant("prepared check", "gm", "superuser"))
    text, to = plant("whisper", "player"), [str(seats["absent"].pk)]
    whisper = messages.MessageDraft(uuid.uuid4(), "whisper", text, to=to)
    world.message = messages.send(seat=seats["player"], draft=whisper)
    pier = ScenarioScene(
        id="pier",
        title=plant("scene that is not on", "gm"),
        notes=plant("notes of a scene", "gm"),
        checks=[ScenarioCheck(id="climb", label=plant("check of a scene", "gm"))],
        letters=[ScenarioHandout(id="map", secret=plant("letter of a scene", "gm"))],
        npcs=[Npcs(id="rats", special=plant("special ability", "gm"))],
        cut_ins=[CutIn(id="bang", words=plant("words of a cut in", "gm"))],
    )
    world.scenario = editing.create_scenario(
        world.people["gm"], Document(title=plant("scenario", "gm", "superuser"), scenes=[pier])
    )
    content = plant("sound", *ROLES).encode()
    world.sound = world.scenario.sounds.create(
        name="波", media_type="audio/mpeg", seconds=2, size=len(content), content=content
    )
    plant("key of a sound", "gm", "superuser", text=world.sound.key, at=("sounds/",))
    staging.choose_scenario(session=world.night, scenario=world.scenario)
    state = registry()["uroboros"].load(bytes(world.table.snapshot))
    state.npcs.append(_hidden_npc())
    plant("HP of a hidden NPC", "gm", text=str(HIDDEN_HP))
    Table.objects.filter(pk=world.table.pk).update(snapshot=encode(state))
    table_cache.invalidate_table(world.table.pk)
    world.table.refresh_from_db()


def _hidden_npc() -> NpcState:
    fields = {"id": "n1", "name": "影", "rank": 2, "hp": HIDDEN_HP, "hp_max": HIDDEN_HP, "suits": ["s"]}
    more = {"skills": [], "weapon": 1, "armour": 1, "hidden": True}
    return msgspec.convert(fields | more, NpcState)


def _keys(world: World) -> None:
    world.seat_link = world.plant("link to a seat", text=devices.issue(seat=world.seats["player"]))
    world.person_link = world.plant("key to a guest", text=person_links.issue(world.people["player"]))
    world.gm_link = world.plant("link to the GM's desk", text=gm_link.issue())
    here = ("j/", "face/")
    Session.objects.filter(pk=world.night.pk).update(code="8675309427")
    world.night.refresh_from_db()
    world.plant("join code", *SEATED, "superuser", text=world.night.code, at=here)
    world.plant("address of the face", *SEATED, text=str(world.night.face_key), at=here)
    for role, person in world.people.items():
        world.plant(f"key of {role}", text=person.key.hex)
        world.plant(f"dashed key of {role}", text=str(person.key))
    silent = world.seats["absent"]
    new = Person.objects.create(name="新")
    world.claim = SeatClaim.objects.create(seat=silent, person=new)
    asks = {"asked_by": world.people["player"], "asked_at": timezone.now()}
    world.word = PersonLink.objects.create(person=new, kind=PersonLink.Kind.WORD, token_hash="word", **asks)


def _elsewhere(world: World) -> None:
    """Another GM's campaign with a night, which this campaign's people know nothing about."""
    campaign = Campaign.objects.create(gm=world.people["gm elsewhere"], name="塔")
    session = nights.open_session(campaign=campaign, title=world.plant("night elsewhere", *ELSEWHERE))
    seat = sit(session, world.people["elsewhere"])
    campaign.scene_notes.create(title="塔", text=world.plant("scene note elsewhere", "gm elsewhere"))
    text = world.plant("message elsewhere", "elsewhere", "gm elsewhere")
    messages.send(seat=seat, draft=messages.MessageDraft(uuid.uuid4(), "main", text))
    opening.open_table(session=session, module_key="uroboros", players=[seat])


ELSEWHERE = ("elsewhere", "gm elsewhere", "superuser")
