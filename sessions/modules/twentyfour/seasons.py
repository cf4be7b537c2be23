"""The beginning of a season. [TF-2.4, 3]"""

from __future__ import annotations

from .cards import ACTIONS
from .scene import TwentyFourScene
from .state import INCIDENTS, NPC, SEASONS, Column


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
