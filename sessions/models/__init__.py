"""Import models from here; the modules of this package are internal."""

from sessions.models.chat import Message, Tab
from sessions.models.evening import CODE_LIFETIME, Campaign, Limit, Session, SharedClock, Trial
from sessions.models.preparation import (
    Handout,
    HandoutCopy,
    LibraryNpc,
    Notice,
    PreparedCheck,
    SceneNote,
    TableNpc,
)
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
