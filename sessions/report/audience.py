"""The readers of an ended session: the perspectives on its log and replays, and what its GM discloses.

A perspective is a spectator's, the reader's own, or one that shows everything. After the session has
ended, the GM may open its secrets to the people in it, and share its replays with others.
"""

from __future__ import annotations

import uuid
from dataclasses import dataclass

from django.db import transaction
from django.http import Http404

from companion import shared_time
from sessions.access import runs_session
from sessions.evening import announcements, refusals
from sessions.game import Seat as Key
from sessions.models import Seat, Session, Table, TableSeat
from sessions.table.log import LogLine

SPECTATOR, OWN, OPEN = "spectator", "own", "open"


@dataclass(frozen=True)
class Perspective:
    """A perspective; ``seat`` is its owner, None for a spectator's and for one that shows everything."""

    view: str
    seat: Seat | None = None

    def at_table(self, table: Table) -> TablePerspective:
        if self.view == OPEN:
            return TablePerspective(self.view, None)
        mine = TableSeat.objects.filter(table=table, seat=self.seat).first() if self.seat else None
        return TablePerspective(self.view, mine.key if mine else None)


@dataclass(frozen=True)
class TablePerspective:
    """A perspective at one table; ``key`` is the reader's seat there, None for a spectator."""

    view: str
    key: Key | None

    @property
    def sees_everything(self) -> bool:
        """True if the perspective includes everything hidden, even from the players of the table."""
        return self.view == OPEN

    def may_read(self, line: LogLine) -> bool:
        return self.sees_everything or line.may_be_read_by(self.key)


def perspectives(session: Session, seat: Seat | None) -> list[Perspective]:
    """Return the perspectives that are open to a seat (None: a visitor with the link), a spectator's first.

    Everything hidden is open after the session has ended: to the seat that runs it, and to all once the
    secrets are open.
    """
    allowed = [Perspective(SPECTATOR)]
    if seat and seat.table_seats.exists():
        allowed.append(Perspective(OWN, seat))
    if session.ended_at and (session.secrets_opened_at or (seat and runs_session(seat))):
        allowed.append(Perspective(OPEN))
    return allowed


def may_know_everything(session: Session, seat: Seat | None) -> bool:
    """True if a seat may know everything, even the secret of a table, which reveals every hand."""
    return any(known.view == OPEN for known in perspectives(session, seat))


def open_perspective(session: Session, seat: Seat | None, view: str) -> Perspective:
    """Return the perspective ``view``; "" is the reader's own, or a spectator's without one.

    :raises Http404: it is not open to this seat.
    """
    allowed = {known.view: known for known in perspectives(session, seat)}
    found = allowed.get(view or (OWN if OWN in allowed else SPECTATOR))
    if found is None:
        raise Http404
    return found


@transaction.atomic
def open_secrets(*, session: Session, is_open: bool) -> None:
    """Let everybody seated read all that was hidden, or revoke that. Readers remember what they read.

    :raises Refused: ``session_running``.
    """
    session = _lock_ended_session(session)
    session.secrets_opened_at = (session.secrets_opened_at or shared_time.now()) if is_open else None
    session.save(update_fields=["secrets_opened_at"])
    announcements.broadcast(session.pk)


@transaction.atomic
def share_replays(*, session: Session, is_shared: bool) -> None:
    """Let everybody with the link see the replays, or revoke that. Sharing again makes a new link.

    :raises Refused: ``session_running``.
    """
    session = _lock_ended_session(session)
    session.replay_key = (session.replay_key or uuid.uuid4()) if is_shared else None
    session.save(update_fields=["replay_key"])


def _lock_ended_session(session: Session) -> Session:
    """Return the session with its row locked.

    :raises Refused: ``session_running``.
    """
    locked = Session.objects.select_for_update().get(pk=session.pk)
    if locked.ended_at is None:
        raise refusals.Refused("session_running")
    return locked
