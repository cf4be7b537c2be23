"""Starter: lay cards, and stop in time."""

from sessions.game import Bots, Cover, Module

from . import rules
from .bot import bot
from .moves import AnyMove
from .resample import resample
from .state import Options, State
from .view import view

module = Module[State, AnyMove](
    contract=2,
    key="starter",
    seats=range(2, 5),
    # [gm]
    gm=True,
    # [/gm]
    options=Options,
    state=State,
    move=AnyMove,
    setup=rules.setup,
    waiting_for=rules.waiting_for,
    legal_moves=rules.legal_moves,
    apply=rules.apply,
    outcome=rules.outcome,
    view=view,
    asked=rules.question,
    resample=resample,
    bots=Bots(plain=bot),
    cover=Cover(minutes=(5, 10), difficulty=1),
)
