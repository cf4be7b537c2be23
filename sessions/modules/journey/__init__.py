"""明日、旅に出ます: a solitaire of seven days."""

from sessions.game import Bots, Cover, Module, Tables, Telling

from . import rules
from .bot import bot, strong_bot
from .first_game import first_game
from .legal import legal_moves
from .moves import AnyMove
from .rules import setup
from .state import Options, State
from .telling import digest, marks, signs, study
from .view import resample, view

module = Module[State, AnyMove](
    contract=2,
    key="journey",
    seats=range(1, 2),
    options=Options,
    state=State,
    move=AnyMove,
    setup=setup,
    waiting_for=rules.waiting_for,
    legal_moves=legal_moves,
    apply=rules.apply,
    outcome=rules.outcome,
    view=view,
    asked=rules.question,
    resample=resample,
    bots=Bots(plain=bot, strong=strong_bot),
    cover=Cover(minutes=(20, 30), difficulty=2),
    first_game=first_game,
    tables=Tables(daily=True, signs=signs),
    telling=Telling(digest=digest, marks=marks),
    study=study,
)
