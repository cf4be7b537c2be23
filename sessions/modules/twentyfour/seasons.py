"""The game around the incidents: setup, seasons, placements, styles, and the scoring. [TF-2, 3, 4, 8, 10]"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from msgspec import Struct

from sessions.game import Fate, Seat, demand

from .moves import ChooseDetective, Place, SetStyle
from .state import (
    ACTIONS,
    DETECTIVES,
    EVENTS,
    INCIDENTS,
    NPC,
    SEASONS,
    Action,
    Column,
    Detective,
    Options,
    Player,
    State,
    Suit,
    TwentyFourScene,
    VpOutcome,
    everybody,
    is_mastermind,
    present,
    suit,
    value,
)

NEEDS_NPC = 3
SET_SIZE = 3


def begin_season(scene: TwentyFourScene) -> None:
    """Lay out ten event cards, give all living detectives ten action cards, and start the first placement."""
    state = scene.state
    if state.season == SEASONS:
        state.pile = scene.fate.shuffle("events", [*state.pile, *state.discards])
        state.discards = []
    state.layout = [Column(state.pile.pop(0), state.pile.pop(0)) for _ in range(INCIDENTS)]
    state.solved, state.judgement = [], None
    for player in state.players.values():
        player.hand = [] if player.dead else list(ACTIONS)
        player.first = player.second = None
        player.shown = 0
    npc = state.players.get(NPC)
    if npc:
        cards = scene.fate.shuffle("npc_actions", ACTIONS)
        npc.first, npc.second, npc.hand = cards[:INCIDENTS], cards[INCIDENTS:], []
    state.phase = "place1"
    scene.tell("season_begun", season=state.season)


def setup(seats: list[Seat], options: Options, fate: Fate) -> State:
    """Shuffle the event cards; deal detectives and begin if the option says ``random``. [TF-2.1, 2.3]"""
    state = State(
        seats=list(seats),
        players={seat: Player() for seat in seats},
        pile=fate.shuffle("events", EVENTS),
        layout=[Column() for _ in range(INCIDENTS)],
        options=options,
    )
    if options.detectives == "random":
        dealt = fate.shuffle("detectives", DETECTIVES)
        for seat, detective in zip(seats, dealt, strict=False):
            state.players[seat].detective = detective
        begin_game(TwentyFourScene(state, fate))
    return state


def chooser(state: State) -> Seat | None:
    """Return the seat that chooses a detective now, in seat order."""
    return next((seat for seat in state.seats if state.players[seat].detective is None), None)


def free_detectives(state: State) -> list[Detective]:
    taken = [player.detective for player in state.players.values()]
    return [detective for detective in DETECTIVES if detective not in taken]


def choose(scene: TwentyFourScene, seat: Seat, move: ChooseDetective) -> None:
    """Take a detective. [TF-2.1]"""
    state = scene.state
    demand(seat == chooser(state), "not_asked", "TF-2.1")
    demand(move.detective in free_detectives(state), "detective_taken", "TF-2.1")
    state.players[seat].detective = move.detective
    scene.tell("detective_chosen", seat=seat, detective=move.detective)
    if chooser(state) is None:
        begin_game(scene)


def begin_game(scene: TwentyFourScene) -> None:
    """Add the NPC if there are three players, and begin the first season. [TF-2.2]"""
    state = scene.state
    if len(state.seats) == NEEDS_NPC:
        detective = scene.fate.shuffle("npc_detective", free_detectives(state))[0]
        state.players[NPC] = Player(detective=detective)
        scene.tell("npc_joined", seat=NPC, detective=detective)
    begin_season(scene)


def placement(state: State, player: Player) -> list[Action] | None:
    """Return the cards that a player has laid in the present placement, None before that."""
    return player.first if state.phase == "place1" else player.second


def available(state: State, seat: Seat) -> list[Action]:
    """Return the cards that may be placed now, sorted, with those laid in this placement. [TF-4.5]"""
    player = state.players[seat]
    return sorted([*player.hand, *(placement(state, player) or [])])


def place(scene: TwentyFourScene, seat: Seat, move: Place) -> None:
    """Lay five cards, or replace them by others until all have placed. [TF-4.1, 4.3, 4.5]"""
    state, player = scene.state, scene.state.players[seat]
    demand(not player.out, "out", "TF-7.4")
    left = Counter(available(state, seat))
    left.subtract(move.cards)
    demand(min(left.values()) >= 0, "not_in_hand", "TF-4.1")
    again = placement(state, player) is not None
    player.hand = sorted(left.elements())
    if state.phase == "place1":
        player.first = list(move.cards)
    else:
        player.second = list(move.cards)
    if again:
        scene.whisper(seat, "placed_anew", seat=seat)
    else:
        scene.tell("placed", seat=seat)


def reveal(scene: TwentyFourScene) -> None:
    """Turn up the first cards and the event cards that lay face down. [TF-4.2]"""
    state = scene.state
    state.phase = "place2"
    firsts = {who: state.players[who].first for who in present(state)}
    scene.tell("revealed", firsts=firsts, events=[[column.main, column.sub] for column in state.layout])


class ScoreParts(Struct, frozen=True):
    """The VP of a player by source."""

    cards: int
    sets: int
    duty: int
    wolf: int

    @property
    def vp(self) -> int:
        """The total."""
        return self.cards + self.sets + self.duty + self.wolf


def score(player: Player) -> ScoreParts:
    """Return the VP of a player with the cards in Stand and Coop now. [TF-10.1 to 10.3]"""
    held = sum(map(value, player.stand)) + sum(map(value, player.coop))
    return ScoreParts(
        cards=held + player.assists,
        sets=set_bonus(player.coop, player.assists),
        duty=player.duty_vp,
        wolf=len(player.stand) if player.dead and player.detective == "wolf" else 0,
    )


def set_bonus(coop: Sequence[str], assists: int) -> int:
    """Return 1 VP for each event card of all sets, and for each assist if there is any set. [TF-10.2]"""
    in_sets = sum(count for count in by_suit(coop).values() if count + assists >= SET_SIZE)
    return in_sets + assists if in_sets else 0


def by_suit(cards: Sequence[str]) -> dict[Suit, int]:
    """Return the number of event cards of each suit, in the order of the cards."""
    counts: dict[Suit, int] = {}  # a Counter takes four times as long, and every view calls this often
    for card in cards:
        counts[suit(card)] = counts.get(suit(card), 0) + 1
    return counts


def result(state: State) -> VpOutcome:
    """Return the outcome at the end: most VP wins. [TF-10.3]"""
    vp = {seat: score(state.players[seat]).vp for seat in state.seats}
    most = max(vp.values())
    return VpOutcome(tuple(seat for seat in state.seats if vp[seat] == most), "vp", vp)


def close_incidents(scene: TwentyFourScene) -> None:
    """Let masterminds escape or be arrested, then ask for the styles. [TF-8.1]"""
    state = scene.state
    for who in everybody(state):
        player = state.players[who]
        for card in [card for card in player.gained if is_mastermind(card)]:
            if state.season > 1 and holds(player, card):
                scene.tell("arrested", seat=who, card=card)
                continue
            player.gained.remove(card)
            state.discards.append(card)
            player.assists += 1
            scene.tell("escaped", seat=who, card=card)
    state.judgement, state.phase = None, "style"


def holds(player: Player, mastermind: str) -> bool:
    """True if a Stand of earlier seasons is enough to arrest this mastermind."""
    return any(suit(card) == suit(mastermind) for card in player.stand)


def set_style(scene: TwentyFourScene, seat: Seat, move: SetStyle) -> None:
    """Choose the cards for Stand, or change that choice until all have chosen. [TF-8.2]"""
    player = scene.state.players[seat]
    demand(player.gained, "nothing_gained", "TF-8.2")
    demand(len(set(move.stand)) == len(move.stand), "card_twice", "TF-8.2")
    demand(set(move.stand) <= set(player.gained), "not_gained", "TF-8.2")
    again = player.style is not None
    player.style = sorted(move.stand)
    if again:
        scene.whisper(seat, "styled_anew", seat=seat)
    else:
        scene.tell("styled", seat=seat)


def close_season(scene: TwentyFourScene) -> None:
    """Turn the styles up; remove all damage, and let all but the dead return. [TF-8.2, 8.3]"""
    for who in everybody(scene.state):
        player = scene.state.players[who]
        chosen = player.style or []
        stand = sorted(card for card in player.gained if card in chosen)
        coop = sorted(card for card in player.gained if card not in chosen)
        player.stand += stand
        player.coop += coop
        if player.gained:
            scene.tell("set", seat=who, stand=stand, coop=coop, npc=who == NPC)
        player.gained, player.style, player.damage = [], None, 0
        player.out = player.dead
    scene.tell("season_ended", season=scene.state.season)
