"""Import models from here; the modules of this package are internal."""

from sessions.models.chat import Message, Tab
from sessions.models.clocks import SharedClock
from sessions.models.evening import CODE_LIFETIME, Campaign, Session, Trial
from sessions.models.limits import Limit
from sessions.models.npcs import LibraryNpc, TableNpc
from sessions.models.ready import Handout, HandoutCopy, Notice, PreparedCheck, SceneNote
from sessions.models.scenarios import Scenario, ScenarioPicture, ScenarioRevision, ScenarioSound, Stage
from sessions.models.seats import Role, Seat, SeatClaim, SeatLink, SeatNote
from sessions.models.tables import Bot, Ending, Milestone, Move, Table, TableSeat

__all__ = [
    "CODE_LIFETIME",
    "Bot",
    "Campaign",
    "Ending",
    "Handout",
    "HandoutCopy",
    "LibraryNpc",
    "Limit",
    "Message",
    "Milestone",
    "Move",
    "Notice",
    "PreparedCheck",
    "Role",
    "Scenario",
    "ScenarioPicture",
    "ScenarioRevision",
    "ScenarioSound",
    "SceneNote",
    "Seat",
    "SeatClaim",
    "SeatLink",
    "SeatNote",
    "Session",
    "SharedClock",
    "Stage",
    "Tab",
    "Table",
    "TableNpc",
    "TableSeat",
    "Trial",
]
