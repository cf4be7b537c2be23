"""LIAR MAFIA ライアーマフィア: two bosses, three cards each, and lies."""

from sessions.game import Bots, Cover, Module, Tables, Telling

from . import legal, rules
from .bot import bot, strong_bot
from .first_game import first_game, script
from .legal import legal_moves
from .moves import AnyMove
from .rules import setup
from .state import Options, State
from .telling import daily_score, digest, marks, signs, study
from .view import resample, view

module = Module[State, AnyMove](
    contract=2,
    key="liarmafia",
    seats=range(2, 3),
    options=Options,
    state=State,
    move=AnyMove,
    setup=setup,
    waiting_for=legal.waiting_for,
    legal_moves=legal_moves,
    apply=rules.apply,
    outcome=lambda state: state.result,
    view=view,
    asked=legal.question,
    resample=resample,
    bots=Bots(plain=bot, strong=strong_bot, script=script),
    cover=Cover(minutes=(5, 10), difficulty=1),
    first_game=first_game,
    tables=Tables(daily=True, score=daily_score, signs=signs),
    telling=Telling(digest=digest, marks=marks),
    study=study,
)
