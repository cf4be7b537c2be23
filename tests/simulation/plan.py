"""What happens in an evening, made from a seed: who thinks when, what fails, what the GM does in between."""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random

#: Games that are played most: with a veil and hands, and with secrets of another kind.
GAMES: dict[str, float] = {"uroboros": 6, "goodcop": 3, "journey": 1, "liarmafia": 1, "twentyfour": 1}
PLAYERS = {"uroboros": 3, "goodcop": 4, "journey": 1, "liarmafia": 2, "twentyfour": 3}
#: The pages that are not always open: of who watches, and second ones of the same seat.
PAGES = ("late", "watcher", "gm too", "p1 too")
#: Troubles, and how often each comes.
TROUBLES: dict[str, float] = {
    "cut": 4,
    "silent": 2,
    "sleep": 2,
    "rough": 3,
    "kill": 2,
    "freeze": 2,
    "layer loses": 3,
    "layer delays": 2,
    "database away": 2,
    "lost before commit": 3,
    "lost after commit": 3,
}
#: What people do besides moves, and how often.
ACTS: dict[str, float] = {
    "rewind": 3,
    "hit points": 2,
    "admit": 1,
    "peek": 1,
    "stand in": 2,
    "take back seat": 2,
    "house rule": 1,
    "bot": 3,
    "no bot": 3,
    "remove": 1,
    "restore": 2,
    "read log": 6,
    "stop": 0.2,
    "end night": 0.3,
    "deputy": 1,
    "lay clock": 0.5,
    "turn clock": 3,
    "take clock": 0.5,
    "scenario": 0.3,
    "scene": 2,
    "no scene": 0.5,
    "cut in": 2,
}
#: What a second device of who runs the session does at the same moment, now and then.
AT_ONCE = ("turn clock", "take clock", "scenario", "scene", "cut in")
#: Seconds until everybody is there, and after the last event until everything has to be well again: with
#: trouble, the lines have to be found dead first.
ARRIVAL, CALM, CALM_AFTER_TROUBLE = 3.0, 7.0, 36.0


@dataclass(frozen=True)
class Event:
    """Something that happens; ``lot`` settles all that is left to chance about it."""

    at: float
    kind: str
    lot: int


@dataclass(frozen=True)
class Plan:
    """An evening as it is meant to go."""

    seed: str
    game: str
    players: int
    hosted: bool
    clock: int
    #: How often threads give way.
    haste: float
    #: True if the evening round the table is drawn, too: it takes as long as all the rest.
    with_room: bool
    #: True if it is played twice, with other cards in the deck (twins.py).
    twice: bool
    #: True if moves that draw cards are made more than others.
    draws: bool
    #: True if people whose seat is in other hands try to move all the same.
    collides: bool
    #: The pages that are open, besides the players', each once.
    pages: tuple[str, ...]
    events: tuple[Event, ...]

    @property
    def is_calm(self) -> bool:
        """True if nothing fails."""
        return not any(event.kind in TROUBLES for event in self.events)

    @property
    def end(self) -> float:
        """When nothing more happens but what must."""
        return max((event.at for event in self.events), default=ARRIVAL) + 6.0

    def with_events(self, events: tuple[Event, ...]) -> Plan:
        return replace(self, events=events)


@dataclass(frozen=True)
class Wish:
    """The choices for sessions: a game, and acts and troubles instead of all; None leaves one to chance."""

    game: str = ""
    acts: tuple[str, ...] | None = None
    troubles: tuple[str, ...] | None = None
    twice: bool | None = None
    hosted: bool | None = None
    #: True if many moves are taken back and unveiled at the same time.
    duels: bool = False
    #: True if whoever an act sends away tries to move all the same.
    collisions: bool = False


def planned(seed: str, wish: Wish = Wish()) -> Plan:
    """Return the evening of a seed."""
    acts = ACTS if wish.acts is None else dict.fromkeys(wish.acts, 1.0)
    troubles = TROUBLES if wish.troubles is None else dict.fromkeys(wish.troubles, 1.0)
    often = 0.4 if wish.acts is None else 0.7
    chance = Random(f"{seed}/plan")
    twice, chosen = chance.random() < 0.25, _one_of(chance, GAMES)
    if twice and chance.random() < 0.7:
        chosen = "uroboros"
    game = wish.game or chosen
    hosted, is_calm = chance.random() < 0.75, chance.random() < 0.4
    twice = twice if wish.twice is None else wish.twice
    hosted = hosted if wish.hosted is None else wish.hosted
    is_calm = is_calm if wish.troubles is None else not troubles
    clock = 30 if game != "uroboros" and chance.random() < 0.3 else 0
    now, events = ARRIVAL, list[Event]()

    def add(at: float, kind: str) -> None:
        events.append(Event(round(at, 3), kind, chance.getrandbits(32)))

    for _ in range(chance.randint(8, 16) if twice else chance.randint(20, 45)):
        now += chance.choice([0.02, 0.1, 0.4, 0.4, 1.0, 1.0, 2.5, 6.5])
        add(now, "think")
        lot = chance.random()
        if twice and lot < 0.7:
            # Before anything is shown: a move, its undo, and a look at the log.
            if lot < 0.6:
                now += chance.choice([0.15, 0.6, 2.0, 4.0, 4.6])
                add(now, "rewind" if lot < 0.1 else "take back")
            else:
                # Too late to be taken back, and too early to be seen.
                now += 5.0
            add(now + 0.2, "read log")
            lot = 1.0
        if lot < 0.15:
            now += chance.choice([0.15, 0.6, 2.0, 4.0, 4.6, 4.8, 4.95, 5.05, 5.4, 5.6])
            add(now, "take back")
        elif lot < 0.22:
            now += chance.choice([0.2, 1.0])
            add(now, "draw now")
        elif lot < (0.8 if wish.duels else 0.29):
            now += chance.choice([0.4, 1.5])
            add(now, "take back")
            add(now + chance.choice([-0.01, 0, 0.003, 0.01, 0.05]), "draw now")
        elif lot < often and acts:
            now += chance.choice([0.003, 0.01, 0.02, 0.3, 1.0])
            act = _one_of(chance, acts)
            add(now, act)
            if act in AT_ONCE and chance.random() < 0.7:
                others = [act] if chance.random() < 0.7 else [one for one in AT_ONCE if one in acts]
                add(now + chance.choice([0, 0.003, 0.01]), chance.choice(others))
            if wish.collisions or chance.random() < 0.5:
                now += chance.choice([-0.002, 0.01, 0.05, 0.2, 0.6])
                add(now, "think")
        if not is_calm and chance.random() < (0.2 if wish.troubles is None else 0.5):
            add(now + chance.uniform(-0.1, 0.3), _one_of(chance, troubles))
    haste = chance.choice([0.05, 0.15, 0.4])
    pages = tuple(page for page in PAGES if chance.random() < 0.3 or (wish.duels and "too" in page))
    events.sort(key=lambda event: event.at)
    with_room = chance.random() < 0.15
    return Plan(
        seed,
        game,
        PLAYERS[game],
        hosted,
        clock,
        haste,
        with_room,
        twice,
        twice or wish.duels,
        wish.collisions,
        pages,
        tuple(events),
    )


def _one_of(chance: Random, kinds: dict[str, float]) -> str:
    return chance.choices(list(kinds), list(kinds.values()))[0]
