"""24 −共鳴するテロル−: five detectives, five incidents a season, three seasons."""

from sessions.engine.contract import Cover, Module

from . import asking, rules
from .bot import bot
from .digest import digest
from .legal import legal_moves
from .moves import AnyMove
from .options import Options
from .resample import resample
from .setup import setup
from .state import State
from .strong import strong_bot
from .study import study
from .view import names, view

module = Module[State, AnyMove](
    key="twentyfour",
    seats=range(3, 6),
    options=Options,
    state=State,
    move=AnyMove,
    setup=setup,
    waiting_for=asking.waiting_for,
    legal_moves=legal_moves,
    apply=rules.apply,
    view=view,
    asked=asking.asked,
    outcome=rules.outcome,
    resample=resample,
    bot=bot,
    strong_bot=strong_bot,
    digest=digest,
    names=names,
    cover=Cover(minutes=(30, 40), difficulty=3),
    study=study,
)
