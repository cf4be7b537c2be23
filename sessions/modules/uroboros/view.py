"""The view of one seat. It starts empty and adds only what the seat may know.

``chain`` and ``moment`` are the public record of the last moves (telling.py). ``chain`` has the last cards
laid on the field, the field card last, each with its bond to the card before. ``moment`` is the newest
moment, the same for everybody, with a growing number. A task begins with a moment without links, result and
beats, so that no old one stays visible.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct
from msgspec.structs import asdict, replace

from companion.cards import Card, Suit, is_joker
from sessions.game import Seat, kinds

from .cards import hand_limit, knows, sees_card, surplus
from .checks import Miss
from .legal import AttackOption, Damage, attack_options, damage_options, legal_moves
from .state import (
    GM,
    Cue,
    GearItem,
    Link,
    NpcState,
    Practice,
    Rung,
    Secrecy,
    SecretCheck,
    Stage,
    State,
    Task,
    TaskKind,
    TaskResult,
)
from .telling import LASTS, CueKind, deed_of, kind_of
from .turns import (
    asked_seat,
    asked_side,
    busy,
    current_check,
    may_draw_now,
    must_play_card,
    required_chain_length,
    turn_seat,
    waiting_for,
)


class FieldView(Struct, frozen=True):
    """The field card 場札 and, for a joker, its named suit."""

    card: Card
    suit: Suit | None


class TaskView(Struct, frozen=True, omit_defaults=True):
    """The running task, adjusting included."""

    number: int
    kind: TaskKind | Literal["adjust"]
    seat: Seat
    npc: str | None
    target: str | None
    asked: Seat | None
    difficulty: int | None
    level: int | None
    label: str
    stage: Stage
    count: int | None
    need: int | None
    allow_draw: bool
    under: TaskView | None
    chain: bool
    raise_to: int | None  # the raise that the GM has to answer
    text: str  # the description of an attack
    deed: str  # the description: label or text, else the player's declaration
    skill: bool | None  # true if a skill helps; only for the seat that plays now, like ``q``
    q: int | None
    secrecy: Secrecy | None = None  # if set, only seats that know them see difficulty and level


class SecretView(Struct, frozen=True):
    """A decided secret check before its reveal. Only seats that know them see the last three fields."""

    number: int
    seat: Seat
    npc: str | None
    secrecy: Secrecy
    deed: str
    laid: bool  # false: given up
    drew: bool
    card: Card | None
    suit: Suit | None  # the suit that a joker stands for
    result: TaskResult | None


class CueView(Cue, kw_only=True):
    """The newest moment, with its weight and its duration."""

    kind: CueKind
    lasts: int  # in milliseconds


class RequestView(Struct, frozen=True):
    seat: Seat
    text: str


class GearView(Struct, frozen=True):
    """The gear of a character, only for its owner and the GM."""

    weapons: tuple[GearItem, ...]
    armour: int | None
    shield: int | None
    tools: tuple[GearItem, ...]


class CharacterView(Struct, frozen=True):
    name: str
    hp: int
    hp_max: int
    ca: int
    suits: tuple[Suit, ...]
    skills: tuple[str, ...]
    hand_count: int
    limit: int
    extra: int
    owes: bool
    gear: GearView | None


class NpcGearView(Struct, frozen=True):
    """The gear of an NPC, and whether its HP is hidden from players. Only for the GM."""

    weapon: int
    armour: int
    hidden: bool


class NpcView(Struct, frozen=True):
    """An NPC. Only the GM sees its special ability, and its HP if that is hidden."""

    id: str
    name: str
    rank: int
    hp: int | None
    hp_max: int | None
    suits: tuple[Suit, ...]
    skills: tuple[str, ...]
    acted: bool
    special: str | None
    gear: NpcGearView | None


class FitView(Struct, frozen=True):
    """The verdict on a hand card if it were played now, and the id of the rule that decides it."""

    card: Card
    success: bool
    why: str


class MyView(Struct, frozen=True, omit_defaults=True):
    """The part of a view that only this seat knows."""

    hand: tuple[Card, ...]
    fits: tuple[FitView, ...]
    can: tuple[str, ...]  # the types of the moves that are possible now
    coming: int = 0  # the number of face-down cards, which come after those of the hand
    misses: dict[Card, Miss] = {}  # why the cards that do not fit would fail
    ways: tuple[AttackOption, ...] = ()  # the attacks that are possible now, with the prospects of each card
    damage: tuple[Damage, ...] = ()
    peeked: bool = False  # the GM has looked at this hand since the seat's last move


class View(Struct, frozen=True, omit_defaults=True):
    seat: Seat | None
    phase: Literal["idle", "task", "over"]
    round: int | None
    turn: Seat | None
    stays: bool  # the player whose turn it is has acted, and the GM ends the turn
    ladder: tuple[Rung, ...]
    seating: tuple[Seat, ...]
    waiting_for: tuple[Seat, ...]
    field: FieldView
    pile_count: int
    deck_count: int
    gm_hand_count: int
    gm_limit: int
    gm_extra: int
    gm_owes: bool
    task: TaskView | None
    results: tuple[TaskResult, ...]
    result_text: str  # the description of the attack of the newest result
    result_deed: str  # the description of the newest result
    chain: tuple[Link, ...]
    moment: CueView | None
    interrupts: tuple[RequestView, ...]
    treated: tuple[str, ...]
    declared: dict[Seat, str]
    characters: dict[Seat, CharacterView]
    npcs: tuple[NpcView, ...]
    me: MyView | None
    practice: Practice | None = None
    rehearsal: bool = False
    secrets: tuple[SecretView, ...] = ()

    @property
    def down(self) -> tuple[Seat, ...]:
        """Return the seats of characters with HP 0 or less, in the order of seating, for templates."""
        return tuple(seat for seat in self.seating if self.characters[seat].hp <= 0)

    @property
    def no_foe_stands(self) -> bool:
        """True in a round whose NPCs have all fallen; an NPC with hidden HP may still be up."""
        fallen = (npc.hp is not None and npc.hp <= 0 for npc in self.npcs)
        return self.round is not None and bool(self.npcs) and all(fallen)

    @property
    def offers(self) -> tuple[tuple[Seat, Seat], ...]:
        """Return the treatments that players offer, as healer and patient, for templates.

        A declaration that names a fallen character is an offer: players declare in words, in any language.
        """
        standing = [(seat, said) for seat, said in self.declared.items() if seat not in (GM, *self.down)]
        return tuple(
            (healer, patient)
            for healer, said in standing
            for patient in self.down
            if patient not in self.treated and self.characters[patient].name in said
        )


def view(state: State, seat: Seat | None) -> View:
    gm_hand = state.hands[GM]
    return View(
        seat=seat,
        phase="over" if state.ended else "task" if busy(state) else "idle",
        round=state.combat.round if state.combat else None,
        turn=state.combat.turn if state.combat else None,
        stays=state.combat.stays if state.combat else False,
        ladder=state.ladder,
        seating=tuple(state.seating),
        waiting_for=tuple(sorted(waiting_for(state))),
        field=FieldView(state.pile[-1], state.field_suit if is_joker(state.pile[-1]) else None),
        pile_count=len(state.pile),
        deck_count=len(state.deck),
        gm_hand_count=len(gm_hand.cards),
        gm_limit=hand_limit(state, GM),
        gm_extra=gm_hand.extra,
        gm_owes=gm_hand.owes,
        task=_task(state, seat),
        results=tuple(state.results),
        result_text=state.result_text,
        result_deed=state.told.deed,
        chain=tuple(state.told.chain),
        moment=_moment(state.told.moment),
        interrupts=tuple(RequestView(request.seat, request.text) for request in state.requests),
        treated=tuple(state.treated),
        declared=dict(state.declared),
        characters={other: _character(state, other, seat) for other in state.seating},
        npcs=tuple(_npc(npc, seat) for npc in state.npcs),
        me=_me(state, seat) if seat else None,
        practice=state.practice,
        rehearsal=state.rehearsal,
        secrets=tuple(_secret(check, seat) for check in state.secrets),
    )


def _task(state: State, looker: Seat | None) -> TaskView | None:
    if state.adjusting:
        return _adjusting(state, state.adjusting[0])
    if state.task is None:
        return None
    asked = asked_seat(state)
    mine = must_play_card(state, asked or GM) and asked == looker and _knows(state.task, looker)
    side = asked_side(state.task) if mine else None
    return replace(
        _task_view(state, state.task, looker),
        asked=asked,
        allow_draw=may_draw_now(state),
        under=_task_view(state, state.under, looker) if state.under else None,
        skill=side.skill if side else None,
        q=side.q if side else None,
    )


def _knows(task: Task, looker: Seat | None) -> bool:
    return knows(looker, task.sides[0].seat, task.secrecy)


def _task_view(state: State, task: Task, looker: Seat | None) -> TaskView:
    """Return a task that waits for no seat."""
    acting, known = task.sides[0], _knows(task, looker)
    return TaskView(
        number=task.number,
        kind=task.kind,
        seat=acting.seat,
        npc=acting.npc,
        target=task.target,
        asked=None,
        difficulty=task.difficulty if known else None,
        level=task.level if known else None,
        label=task.label,
        stage=task.stage,
        count=asked_side(task).successes if task.chain else None,
        need=required_chain_length(task),
        allow_draw=False,
        under=None,
        chain=task.chain,
        raise_to=task.raise_to if task.stage == "raise" else None,
        text=task.text,
        deed=deed_of(state, task),
        skill=None,
        q=None,
        secrecy=task.secrecy,
    )


def _secret(check: SecretCheck, looker: Seat | None) -> SecretView:
    result = check.result
    seen = check.links[-1] if check.links and sees_card(looker, check) else None
    return SecretView(
        number=check.number,
        seat=result.seat,
        npc=result.npc,
        secrecy=check.secrecy,
        deed=check.deed,
        laid=bool(check.links),
        drew=check.drew,
        card=seen.card if seen else None,
        suit=seen.suit if seen else None,
        result=result if knows(looker, result.seat, check.secrecy) else None,
    )


def _moment(moment: Cue | None) -> CueView | None:
    if moment is None:
        return None
    kind = kind_of(moment)
    return CueView(**asdict(moment), kind=kind, lasts=LASTS[kind])


def _adjusting(state: State, seat: Seat) -> TaskView:
    return TaskView(
        number=state.task_number,
        kind="adjust",
        seat=seat,
        npc=None,
        target=None,
        asked=seat,
        difficulty=None,
        level=None,
        label="",
        stage="discard",
        count=None,
        need=surplus(state, seat),
        allow_draw=False,
        under=None,
        chain=False,
        raise_to=None,
        text="",
        deed="",
        skill=None,
        q=None,
    )


def _character(state: State, seat: Seat, looker: Seat | None) -> CharacterView:
    character, hand = state.characters[seat], state.hands[seat]
    return CharacterView(
        name=character.name,
        hp=character.hp,
        hp_max=character.hp_max,
        ca=character.ca,
        suits=character.suits,
        skills=character.skills,
        hand_count=len(hand.cards),
        limit=hand_limit(state, seat),
        extra=hand.extra,
        owes=hand.owes,
        gear=(
            GearView(character.weapons, character.armour, character.shield, character.tools)
            if looker in (seat, GM)
            else None
        ),
    )


def _npc(npc: NpcState, looker: Seat | None) -> NpcView:
    open_hp = looker == GM or not npc.hidden
    return NpcView(
        id=npc.id,
        name=npc.name,
        rank=npc.rank,
        hp=npc.hp if open_hp else None,
        hp_max=npc.hp_max if open_hp else None,
        suits=npc.suits,
        skills=npc.skills,
        acted=npc.acted,
        special=npc.special if looker == GM else None,
        gear=NpcGearView(npc.weapon, npc.armour, npc.hidden) if looker == GM else None,
    )


def _me(state: State, seat: Seat) -> MyView:
    hand, acts = state.hands[seat], turn_seat(state) == seat
    fits, misses = _judge_hand(state, seat)
    return MyView(
        hand=tuple(hand.visible_cards),
        fits=fits,
        can=kinds(legal_moves(state, seat)),
        coming=len(hand.cards) - len(hand.visible_cards),
        misses=misses,
        ways=tuple(attack_options(state, seat)) if acts else (),
        damage=tuple(damage_options(state, seat)) if acts else (),
        peeked=seat in state.told.peeked,
    )


def _judge_hand(state: State, seat: Seat) -> tuple[tuple[FitView, ...], dict[Card, Miss]]:
    task = state.task
    if task is None or not must_play_card(state, seat) or not _knows(task, seat):
        return (), {}
    hand = state.hands[seat].visible_cards
    check = current_check(state, task)
    fits = tuple(FitView(card, *check.judge(card)) for card in hand)
    return fits, {card: miss for card in hand if (miss := check.miss(card))}
