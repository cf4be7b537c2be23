"""The perspectives on a log or replay: a spectator's, the reader's own, or one that shows everything."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import Http404

from sessions.access import runs
from sessions.game import Seat as Key
from sessions.models import Seat, Session, Table, TableSeat
from sessions.table.ledger import LogLine

SPECTATOR, OWN, OPEN = "spectator", "own", "open"


@dataclass(frozen=True)
class Perspective:
    """A perspective; ``seat`` is its owner, None for a spectator's and for one that shows everything."""

    view: str
    seat: Seat | None = None

    def at(self, table: Table) -> TablePerspective:
        """Return the perspective of this reader at a table."""
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
    def see_everything(self) -> bool:
        """True if the perspective includes everything hidden, even from the players of the table."""
        return self.view == OPEN

    def may_read(self, line: LogLine) -> bool:
        """True if a line of the table's log is for this reader."""
        return self.see_everything or line.may_be_read_by(self.key)


def perspectives(session: Session, seat: Seat | None) -> list[Perspective]:
    """Return the perspectives that are open to a seat (None: a visitor with the link), a spectator's first.

    Everything hidden is open after the session has ended: to the seat that runs it, and to all once the
    secrets are open.
    """
    allowed = [Perspective(SPECTATOR)]
    if seat and seat.table_seats.exists():
        allowed.append(Perspective(OWN, seat))
    if session.ended_at and (session.secrets_opened_at or (seat and runs(seat))):
        allowed.append(Perspective(OPEN))
    return allowed


def all_open(session: Session, seat: Seat | None) -> bool:
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
