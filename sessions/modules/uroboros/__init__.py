"""Uroboros Chain 〜無限蛇の鎖〜: the TRPG's card table."""

from sessions.engine.contract import Cover, Module

from . import asking, rules
from .digest import digest
from .legal import legal_moves
from .moves import AnyMove
from .options import Options
from .resample import resample
from .setup import setup
from .sheets import names, sheets
from .state import State
from .veil import veil
from .view import view

module = Module[State, AnyMove](
    key="uroboros",
    seats=range(1, 9),
    gm=True,
    options=Options,
    state=State,
    move=AnyMove,
    setup=setup,
    waiting_for=asking.waiting_for,
    legal_moves=legal_moves,
    apply=rules.apply,
    view=view,
    asked=rules.asked,
    outcome=rules.outcome,
    resample=resample,
    digest=digest,
    house_rules=("jokers", "ladder"),
    names=names,
    sheets=sheets,
    texts=("text", "label"),
    cover=Cover(minutes=(120, 240), difficulty=2),
    telling=("told",),
    veil=veil,
    opened=lambda state: state.opened,
    peek=lambda seat: {"type": "peek", "seat": seat},
)
