"""Resolution 解決: who takes which event card. [TF-6]"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import groupby

from sessions.game import Seat

from .cards import Rank
from .judging import pair, worth
from .moves import Take
from .scene import TwentyFourScene
from .state import NPC, Judgement, Solved, State, Who, everybody, has_skill

Strength = tuple[bool, int, int]  # a lone hero, the power, the first card


def standings(state: State, judgement: Judgement) -> list[list[Who]]:
    """Return the present players and NPC by rank, first rank first; ties share a rank. [TF-6.1 to 6.4]"""
    return ranks(strengths(state, judgement))


def ranks(by_who: Mapping[Who, Strength]) -> list[list[Who]]:
    """Return all by rank, first rank first; ties share a rank."""
    ordered = sorted(by_who, key=lambda who: by_who[who], reverse=True)
    return [list(tied) for _, tied in groupby(ordered, key=lambda who: by_who[who])]


def strengths(state: State, judgement: Judgement) -> dict[Who, Strength]:
    """Return the strength of all present, the NPC last; a larger one ranks higher. [TF-6.1 to 6.3]"""
    return {
        who: (
            who == judgement.hero,
            judgement.powers[who],
            worth(state, who, pair(state, who, judgement.number)[0], judgement.clash),
        )
        for who in everybody(state)
        if who in judgement.powers
    }


def chooser(state: State, judgement: Judgement) -> Seat | None:
    """Return the seat of Hibachi if he is alone first and his skill is at work. [TF-9.3]"""
    for rank in standings(state, judgement)[:1]:
        if len(rank) == 1 and rank[0] != NPC and has_skill(state, rank[0], "hibachi"):
            return rank[0]
    return None


def resolve(scene: TwentyFourScene) -> None:
    """Let Hibachi choose if he is first, else hand out the cards."""
    scene.state.taker = chooser(scene.state, scene.judgement)
    if scene.state.taker:
        scene.state.phase = "take"
    else:
        _hand_out(scene, "main")


def take(scene: TwentyFourScene, move: Take) -> None:
    """Hand out the cards as Hibachi chose. [TF-9.3]"""
    scene.state.taker = None
    _hand_out(scene, move.rank)


def _hand_out(scene: TwentyFourScene, first_takes: Rank) -> None:
    """Give first and second their cards; for a tie, discard the card and give assists. [TF-6.1, 6.4]"""
    state, judgement = scene.state, scene.judgement
    ranks = [*standings(state, judgement), [], []][:2]
    cards = {"main": judgement.main, "sub": judgement.sub}
    taken: dict[str, Who | None] = {}
    rows: tuple[Rank, Rank] = ("main", "sub") if first_takes == "main" else ("sub", "main")
    for place, (row, rank) in enumerate(zip(rows, ranks, strict=True), 1):
        taken[row] = rank[0] if len(rank) == 1 else None
        if len(rank) == 1:
            state.players[rank[0]].gained.append(cards[row])
            scene.tell("took", seat=rank[0], card=cards[row], row=row, place=place)
            continue
        state.discards.append(cards[row])
        for who in rank:
            state.players[who].assists += 1
        scene.tell("untaken", card=cards[row], row=row, tied=list(rank))
    column = state.layout[judgement.number - 1]
    column.main = column.sub = None
    state.solved.append(
        Solved(
            number=judgement.number,
            main=judgement.main,
            sub=judgement.sub,
            main_to=taken["main"],
            sub_to=taken["sub"],
            tied_first=tuple(ranks[0]) if len(ranks[0]) > 1 else (),
            tied_second=tuple(ranks[1]) if len(ranks[1]) > 1 else (),
        )
    )
    state.phase = "discard"
