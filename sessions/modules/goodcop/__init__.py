"""Good Cop Bad Cop グッドコップバッドコップ: hidden teams, guns and equipment, and zombies."""

from sessions.game import Bots, Cover, Module, Reactions, Tables, Telling

from . import rules, state
from .bot import bot, strong_bot
from .first_game import first_game, script
from .legal import legal_moves
from .moves import AnyMove
from .rules import setup
from .state import Options, State
from .telling import daily_score, digest, gist, marks, signs, study
from .view import resample, view

module = Module[State, AnyMove](
    contract=2,
    key="goodcop",
    seats=range(4, 9),
    options=Options,
    state=State,
    move=AnyMove,
    setup=setup,
    waiting_for=state.waiting_for,
    legal_moves=legal_moves,
    apply=rules.apply,
    outcome=lambda state: state.result,
    view=view,
    asked=state.question,
    resample=resample,
    bots=Bots(plain=bot, strong=strong_bot, script=script),
    pace=Reactions(silence=state.timeout_move),
    cover=Cover(minutes=(10, 20), difficulty=2),
    first_game=first_game,
    tables=Tables(daily=True, score=daily_score, signs=signs),
    telling=Telling(digest=digest, gist=gist, marks=marks),
    study=study,
)
