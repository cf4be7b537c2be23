"""The perspectives in which a log or a replay is read: a spectator's, one's own, or all-open ones."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import Http404

from sessions.access import runs
from sessions.game import Seat as Key
from sessions.models import Seat, Session, Table, TableSeat
from sessions.table.ledger import Line

SPECTATOR, OWN, OPEN = "spectator", "own", "open"


@dataclass(frozen=True)
class Reader:
    """A perspective; ``seat`` is its owner, None for a spectator's and the all-open one."""

    view: str
    seat: Seat | None = None

    def at(self, table: Table) -> Eyes:
        """Return the perspective of this reader at a table."""
        if self.view == OPEN:
            return Eyes(self.view, None)
        mine = TableSeat.objects.filter(table=table, seat=self.seat).first() if self.seat else None
        return Eyes(self.view, mine.key if mine else None)


@dataclass(frozen=True)
class Eyes:
    """A perspective at one table; ``key`` is the reader's seat there, None for a spectator."""

    view: str
    key: Key | None

    @property
    def see_everything(self) -> bool:
        """True if they read what was hidden, too, also from those who played."""
        return self.view == OPEN

    def may_read(self, line: Line) -> bool:
        """True if a line of the table's log is for this reader."""
        return self.see_everything or line.may_be_read_by(self.key)


def readers(session: Session, seat: Seat | None) -> list[Reader]:
    """Return the perspectives that are open to a seat (None: somebody with the link), for all first.

    Everything hidden is read after the session has ended: by its GM, and by all once the secrets are open.
    """
    allowed = [Reader(SPECTATOR)]
    if seat and seat.table_seats.exists():
        allowed.append(Reader(OWN, seat))
    if session.ended_at and (session.secrets_opened_at or (seat and runs(seat))):
        allowed.append(Reader(OPEN))
    return allowed


def all_open(session: Session, seat: Seat | None) -> bool:
    """True if a seat may know everything: the secret of a table too, which gives away every hand."""
    return any(known.view == OPEN for known in readers(session, seat))


def reader(session: Session, seat: Seat | None, view: str) -> Reader:
    """Return the perspective ``view``, "" for one's own or else a spectator's.

    :raises Http404: it is not open to this seat.
    """
    allowed = {known.view: known for known in readers(session, seat)}
    found = allowed.get(view or (OWN if OWN in allowed else SPECTATOR))
    if found is None:
        raise Http404
    return found
