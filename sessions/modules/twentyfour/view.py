"""The view of one seat, built field by field. Everything outside ``me`` is the same for all seats.

``resample`` makes other states that have the same views.
"""

from __future__ import annotations

from collections.abc import Collection

from msgspec import Struct
from msgspec.structs import replace

from sessions.game import Fate, Seat, kinds

from .incidents import Odds, guard, highest, limit, odds, ranks, strengths
from .legal import has_answered, legal_moves, may_move, waiting_for
from .moves import SetStyle
from .seasons import SET_SIZE, ScoreParts, available, by_suit, free_detectives, placement, score
from .state import (
    HERO,
    INCIDENTS,
    JUDGING,
    NPC,
    Action,
    ChallengeRoll,
    Detective,
    Judgement,
    Options,
    Phase,
    Player,
    Solved,
    State,
    Who,
    everybody,
    has_skill,
    hidden_row,
    number_of,
)

DOWN = "?"
HOURS = 24


class ColumnView(Struct, frozen=True):
    """An incident's two event cards: each is an id, ``?`` if face down, or None if there is none."""

    number: int
    main: str | None
    sub: str | None


class ChallengeDiceView(Struct, frozen=True):
    """The last challenge; None for a die that was not rolled."""

    seat: Seat
    green: int | None
    red: int | None


class SuitView(Struct, frozen=True):
    """The cards of one suit in a Stand or Coop."""

    suit: str
    count: int
    missing: int  # cards to a set in Coop, assists counted; always 0 in Stand


class PlayerView(Struct, frozen=True):
    detective: Detective | None
    number: int | None
    hand_count: int
    placed: bool
    first: tuple[str, ...] | None
    second: tuple[str, ...] | None
    power: int | None
    stand: tuple[str, ...]
    coop: tuple[str, ...]
    gained: tuple[str, ...]
    assists: int
    damage: int
    hurt: bool
    dead: bool
    out: bool
    duty_vp: int
    vp: int | None
    score_parts: ScoreParts | None
    limit: int | None  # the damage that hurts badly
    skill: bool  # True if it is at work
    so_far: ScoreParts  # the score if the game ended with the open cards
    protects: tuple[SuitView, ...]  # the Stand by suit: prevents damage, and arrests masterminds of the suit
    sets: tuple[SuitView, ...]  # the Coop by suit
    hours: int | None  # of the action cards that are not placed yet


class JudgementView(Struct, frozen=True):
    number: int
    main: str
    sub: str
    hero: Who | None
    clash: tuple[Who, ...]
    order: tuple[Seat, ...]  # those that may still decide, the first now
    highest: tuple[Who, ...]  # by the powers now
    ranks: tuple[tuple[Who, ...], ...]  # as things stand
    challenges: tuple[ChallengeRoll, ...]
    declined: tuple[Seat, ...]
    guard: int  # damage that the Stand of the deciding seat prevents
    odds: tuple[Odds, ...]  # of the deciding seat
    late: Seat | None  # Wolf, who decides last though he has the highest power
    scotch: Seat | None  # the seat whose hero counts 3 in this clash


class StylePreview(Struct, frozen=True):
    """The score after one choice of styles."""

    stand: tuple[str, ...]
    vp: int
    sets: int


class MyView(Struct, frozen=True):
    """The part of a view that only this seat knows."""

    hand: tuple[Action, ...]
    first: tuple[Action, ...] | None
    second: tuple[Action, ...] | None
    style: tuple[str, ...] | None
    peek: tuple[ColumnView, ...] | None
    available: tuple[Action, ...]  # the cards that may be placed now, including those laid in this placement
    can: tuple[str, ...]  # the types of the moves that are possible now
    answered: bool  # True if a choice is made and may still be changed
    previews: tuple[StylePreview, ...]  # while styles are set: every choice, with its VP


class View(Struct, frozen=True):
    seat: Seat | None
    phase: Phase
    season: int
    waiting_for: tuple[Seat, ...]
    incident: int | None
    deciding: Seat | None
    layout: tuple[ColumnView, ...]
    pile_count: int
    discards: tuple[str, ...]
    dice: ChallengeDiceView | None
    players: dict[Who, PlayerView]
    me: MyView | None
    options: Options
    chosen: dict[Seat, Detective]  # while detectives are chosen
    free: tuple[Detective, ...]
    judgement: JudgementView | None
    rolled: ChallengeRoll | None  # the last challenge, with its result
    solved: tuple[Solved, ...]
    clock: int  # hours left of this season's day
    winners: tuple[Seat, ...] | None


def view(state: State, seat: Seat | None) -> View:
    judging = state.judgement if state.phase in JUDGING else None
    choosing, dice = state.phase == "detectives", state.dice
    deciders = judging.deciders if judging and state.phase == "challenge" else []
    return View(
        seat=seat,
        phase=state.phase,
        season=state.season,
        waiting_for=tuple(sorted(waiting_for(state))),
        incident=judging.number if judging else None,
        deciding=deciders[0] if deciders else None,
        layout=_layout(state, peek=False),
        pile_count=len(state.pile),
        discards=tuple(sorted(state.discards)),
        dice=ChallengeDiceView(dice.seat, dice.green, dice.red) if dice else None,
        players={who: _player(state, who) for who in everybody(state)},
        me=_me(state, seat) if seat else None,
        options=state.options,
        chosen={who: one.detective for who, one in state.players.items() if choosing and one.detective},
        free=tuple(free_detectives(state)) if choosing else (),
        judgement=_judgement(state, judging) if judging else None,
        rolled=dice,
        solved=tuple(state.solved),
        clock=_clock(state),
        winners=state.result.winners if state.result else None,
    )


def names(view: View) -> dict[Who, str]:
    """Return the name of the NPC; players have their own names."""
    return {NPC: "NPC"} if NPC in view.players else {}


def _layout(state: State, *, peek: bool) -> tuple[ColumnView, ...]:
    def seen(column: int, row: str, card: str | None) -> str | None:
        return DOWN if card and hidden_row(state, column, row) and not peek else card

    return tuple(
        ColumnView(place + 1, seen(place, "main", column.main), seen(place, "sub", column.sub))
        for place, column in enumerate(state.layout)
    )


def _player(state: State, who: Who) -> PlayerView:
    player, choosing = state.players[who], state.phase == "detectives"
    placing = state.phase in ("place1", "place2")
    judging = state.judgement if state.phase in JUDGING else None
    parts = score(player)
    final = parts if state.result and who != NPC else None
    return PlayerView(
        detective=None if choosing else player.detective,
        number=None if choosing else number_of(state, who),
        hand_count=INCIDENTS if who == NPC and state.phase == "place1" else len(player.hand),
        placed=placing and (who == NPC or has_answered(state, who)),
        first=_row(player.first, 0 if state.phase == "place1" else INCIDENTS),
        second=None if state.phase == "place1" else _row(player.second, player.shown),
        power=judging.powers.get(who) if judging else None,
        stand=tuple(sorted(player.stand)),
        coop=tuple(sorted(player.coop)),
        gained=tuple(sorted(player.gained)),
        assists=player.assists,
        damage=player.damage,
        hurt=player.hurt,
        dead=player.dead,
        out=player.out,
        duty_vp=player.duty_vp,
        vp=final.vp if final else None,
        score_parts=final,
        limit=None if choosing or who == NPC else limit(state, who),
        skill=not choosing and player.detective is not None and has_skill(state, who, player.detective),
        so_far=parts,
        protects=tuple([SuitView(name, count, 0) for name, count in by_suit(player.stand).items()]),
        sets=tuple(
            [
                SuitView(name, count, max(SET_SIZE - count - player.assists, 0))
                for name, count in by_suit(player.coop).items()
            ]
        ),
        hours=_hours(state, player, who),
    )


def _row(cards: list[Action] | None, shown: int) -> tuple[str, ...] | None:
    """Return a row of action cards, with backs for those not shown yet."""
    if cards is None:
        return None
    return (*cards[:shown], *(DOWN,) * (len(cards) - shown))


def _hours(state: State, player: Player, who: Who) -> int | None:
    """Return the public count of hours left in a hand after the first cards; a hero has none."""
    if state.phase == "place1":
        return None if player.out else HOURS
    if state.phase != "place2" or player.first is None:
        return None
    return HOURS - sum(int(card) for card in player.first if card != HERO)


def _judgement(state: State, judging: Judgement) -> JudgementView:
    deciding = judging.deciders[0] if state.phase == "challenge" and judging.deciders else None
    top, by_who = highest(judging), strengths(state, judging)
    wolf = [who for who in judging.deciders if who in top and has_skill(state, who, "wolf")]
    scotch = [who for who in judging.clash if has_skill(state, who, "scotch")]
    return JudgementView(
        number=judging.number,
        main=judging.main,
        sub=judging.sub,
        hero=judging.hero,
        clash=tuple(judging.clash),
        order=tuple(judging.deciders),
        highest=tuple(top),
        ranks=tuple(map(tuple, ranks(by_who))),
        challenges=tuple(judging.challenges),
        declined=tuple(judging.declined),
        guard=guard(state.players[deciding], judging.main, judging.sub) if deciding else 0,
        odds=odds(state, judging, deciding, by_who) if deciding else (),
        late=wolf[0] if wolf else None,
        scotch=scotch[0] if scotch else None,
    )


def _clock(state: State) -> int:
    """Return the hours left of 24: the first placement takes six hours and each incident three."""
    match state.phase:
        case "detectives" | "place1":
            return HOURS
        case "place2":
            return HOURS - 6
        case "style" | "over":
            return 0
    return HOURS - 6 - 3 * state.judgement.number if state.judgement else 0


def _me(state: State, seat: Seat) -> MyView:
    player = state.players[seat]
    peeks = state.phase == "place1" and not player.out and has_skill(state, seat, "lloyd")
    placing = state.phase in ("place1", "place2") and not player.out
    moves = legal_moves(state, seat)
    return MyView(
        hand=tuple(sorted(player.hand)),
        first=tuple(player.first) if player.first else None,
        second=tuple(player.second) if player.second else None,
        style=tuple(player.style) if player.style is not None else None,
        peek=_layout(state, peek=True) if peeks else None,
        available=tuple(available(state, seat)) if placing else (),
        can=kinds(moves),
        answered=seat in may_move(state) and has_answered(state, seat),
        previews=tuple(_preview(player, move.stand) for move in moves if isinstance(move, SetStyle)),
    )


def _preview(player: Player, stand: tuple[str, ...]) -> StylePreview:
    coop = [*player.coop, *(card for card in player.gained if card not in stand)]
    parts = score(replace(player, stand=[*player.stand, *stand], coop=coop))
    return StylePreview(stand, parts.vp, parts.sets)


def resample(state: State, seats: Collection[Seat], fate: Fate) -> None:
    """Shuffle what none of ``seats`` sees: the pile, face-down cards, others' placements and styles."""
    _shuffle_events(state, seats, fate)
    for who, player in state.players.items():
        if who not in seats:
            _shuffle_actions(state, who, player, fate)
            if player.style is not None:
                player.style = sorted(card for card in player.gained if fate.roll("style", 2) == 1)


def _shuffle_events(state: State, seats: Collection[Seat], fate: Fate) -> None:
    """Shuffle the pile, together with the face-down event cards unless Lloyd has seen them. [TF-9.4]"""
    places = [
        (column, row)
        for place, column in enumerate(state.layout)
        for row in ("main", "sub")
        if hidden_row(state, place, row)
    ]
    if any(has_skill(state, seat, "lloyd") and not state.players[seat].out for seat in seats):
        places = []
    unknown = fate.shuffle("pile", [*state.pile, *(getattr(column, row) for column, row in places)])
    for column, row in places:
        setattr(column, row, unknown.pop())
    state.pile = unknown


def _shuffle_actions(state: State, who: Who, player: Player, fate: Fate) -> None:
    """Shuffle the face-down action cards of a player; in the first placement with those in hand. [TF-4.4]"""
    if who == NPC and state.phase == "place1":
        cards = fate.shuffle("actions", [*(player.first or []), *(player.second or [])])
        player.first, player.second = cards[:5], cards[5:]
    elif state.phase == "place1" and placement(state, player):
        cards = fate.shuffle("actions", [*player.hand, *(player.first or [])])
        player.first, player.hand = cards[:5], sorted(cards[5:])
    elif player.second:
        down = fate.shuffle("actions", player.second[player.shown :])
        player.second = [*player.second[: player.shown], *down]
