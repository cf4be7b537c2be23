"""What a version leaves behind: a database in its middle, and a campaign's file.

Two evenings are over, one of the card table and one of board games; in a third, all games are going on.
"""

from __future__ import annotations

from companion.fate import Fate
from companion.identity import gm_link
from companion.models import Person
from sessions.engine import bots
from sessions.engine.registry import registry
from sessions.engine.step import encode
from sessions.evening import nights as evenings
from sessions.models import Campaign, Session, Table
from sessions.table import bots as table_bots
from sessions.table import opening
from tests import nights
from tests.evening import play, sit

CAMPAIGN, RUNNING = "年をこえるキャンペーン", "続いている夜"
#: So many moves are played in a game that goes on.
BEGUN = 20


def lay_out() -> Campaign:
    """Play the three evenings in an empty database."""
    gm = gm_link.ensure_home_gm().person
    campaign = Campaign.objects.create(gm=gm, name=CAMPAIGN)
    ayumi, bo = [Person.objects.create(name=name) for name in ("あゆみ", "ボー")]
    nights.ended(evenings.open_session(campaign=campaign, title="カードの夜"), ayumi, bo)
    over = evenings.open_session(campaign=campaign, title="ボードゲームの夜")
    for table in _opened(over, ayumi, bo):
        play_on(table)
    evenings.close_session(session=over)
    running = evenings.open_session(campaign=campaign, title=RUNNING)
    for table in _opened(running, ayumi, bo):
        play_on(table, BEGUN)
    return campaign


def _opened(session: Session, *people: Person) -> list[Table]:
    """Open every game for these people and as many bots as it needs besides."""
    seats = [sit(session, person) for person in people]
    tables = []
    for key, module in registry().items():
        spare = [opening.Sitter(None, bots.default_kind(module))] * (module.seats.start - len(seats))
        players = [*seats[: module.seats.stop - 1], *spare]
        tables.append(opening.open_table(session=session, module_key=key, players=players))
    return tables


def play_on(table: Table, at_most: int = 1_000) -> int:
    """Let bots move for the awaited seats; return the number of moves.

    A game with a GM has no bots: one of its players declares something.
    """
    module = registry()[table.module]
    for number in range(at_most):
        table.refresh_from_db()
        state = module.load(bytes(table.snapshot))
        if module.outcome(state) is not None or (module.gm and number == BEGUN):
            return number
        if module.gm:
            nights.declare(table, "p1", f"宣言 {number}")
            continue
        if table_bots.play_next(table_pk=table.pk, version=table.version):
            continue
        seat = min(module.waiting_for(state))
        move = bots.choose_move(
            module, bots.RANDOM, state, seat, Fate(f"bot of {table.secret}", table.version)
        )
        play(table, seat, encode(move))
    return at_most
