"""LIAR MAFIA ライアーマフィア: two bosses, three cards each, and lies."""

from sessions.game import Bots, Cover, Module, Tables, Telling

from . import asking, rules
from .bot import bot, strong_bot
from .daily import daily_score, signs
from .digest import digest
from .first_game import first_game, script
from .legal import legal_moves
from .marks import marks
from .moves import AnyMove
from .options import Options
from .resample import resample
from .setup import setup
from .state import State
from .study import study
from .view import view

module = Module[State, AnyMove](
    contract=2,
    key="liarmafia",
    seats=range(2, 3),
    options=Options,
    state=State,
    move=AnyMove,
    setup=setup,
    waiting_for=asking.waiting_for,
    legal_moves=legal_moves,
    apply=rules.apply,
    outcome=rules.outcome,
    view=view,
    asked=asking.question,
    resample=resample,
    bots=Bots(plain=bot, strong=strong_bot, script=script),
    cover=Cover(minutes=(5, 10), difficulty=1),
    first_game=first_game,
    tables=Tables(daily=True, score=daily_score, signs=signs),
    telling=Telling(digest=digest, marks=marks),
    study=study,
)
