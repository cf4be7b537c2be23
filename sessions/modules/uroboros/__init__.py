"""Uroboros Chain 〜無限蛇の鎖〜: the TRPG's card table."""

from sessions.game import Bots, Cover, Module, Secrets, Tables, Telling

from . import bot, rules, turns
from .cards import setup
from .legal import legal_moves
from .moves import AnyMove
from .resample import masked_state, resample
from .sheets import names, sheets
from .state import Options, State
from .telling import digest
from .view import view

module = Module[State, AnyMove](
    contract=2,
    key="uroboros",
    seats=range(1, 9),
    gm=True,
    options=Options,
    state=State,
    move=AnyMove,
    setup=setup,
    waiting_for=turns.waiting_for,
    legal_moves=legal_moves,
    apply=rules.apply,
    outcome=rules.outcome,
    view=view,
    asked=rules.question,
    resample=resample,
    secrets=Secrets(
        opened=lambda state: state.opened, veil=masked_state, peek=lambda seat: {"type": "peek", "seat": seat}
    ),
    bots=Bots(plain=bot.bot, script=bot.script),
    cover=Cover(minutes=(120, 240), difficulty=2),
    tables=Tables(house_rules=("jokers", "ladder"), trial_options=("practice", "rehearsal")),
    telling=Telling(digest=digest, names=names, texts=("text", "label"), fields=("told",)),
    sheets=sheets,
)
