"""明日、旅に出ます: a solitaire of seven days."""

from sessions.engine.contract import Cover, Module

from . import rules
from .bot import bot, strong_bot
from .digest import digest
from .legal import legal_moves
from .moves import AnyMove
from .options import Options
from .resample import resample
from .setup import setup
from .state import State
from .study import study
from .view import view

module = Module[State, AnyMove](
    key="journey",
    seats=range(1, 2),
    options=Options,
    state=State,
    move=AnyMove,
    setup=setup,
    waiting_for=rules.waiting_for,
    legal_moves=legal_moves,
    apply=rules.apply,
    view=view,
    asked=rules.asked,
    outcome=rules.outcome,
    resample=resample,
    digest=digest,
    bot=bot,
    strong_bot=strong_bot,
    daily=True,
    cover=Cover(minutes=(20, 30), difficulty=2),
    study=study,
)
