"""Play continues when a person drops out: stepping out, stand-ins 代行, deputies of the GM サブマスター."""

from __future__ import annotations

from django.db import transaction

from sessions.evening import presence
from sessions.evening.announcements import add_seat_note, broadcast
from sessions.evening.refusals import Refused
from sessions.models import Role, Seat, SeatNote

Kind = SeatNote.SeatNoteKind


def mark_away(*, seat: Seat) -> None:
    """Mark a seat as away for a while (離席中): it is shown so, and a stand-in for it needs no consent."""
    Seat.objects.filter(pk=seat.pk).update(stepped_out=True)
    broadcast(seat.session_id)


@transaction.atomic
def set_deputy(*, seat: Seat, deputy: bool) -> None:
    """Appoint a deputy (サブマスター), or end the appointment. A former deputy stops running the session."""
    Seat.objects.filter(pk=seat.pk).exclude(role=Role.GM).update(deputy=deputy)
    if not deputy:
        Seat.objects.filter(session=seat.session_id, role=Role.GM, stand_in=seat).update(stand_in=None)
    add_seat_note(Kind.DEPUTY if deputy else Kind.NO_DEPUTY, seat)


@transaction.atomic
def let_stand_in(*, seat: Seat, stand_in: Seat) -> None:
    """Let a stand-in play a player's seat until it is taken back (代行), or a deputy play the GM's.

    A stand-in sees the player's hand, so a player who is here is asked first, and must ``accept_stand_in``.

    :raises Refused: ``cannot_stand_in`` (themselves, a removed seat, another session, no player's seat).
    """
    fits = stand_in.session_id == seat.session_id and stand_in.pk != seat.pk and not stand_in.removed_at
    may_run = seat.is_gm and stand_in.deputy
    if not fits or not (seat.role == Role.PLAYER or may_run):
        raise Refused("cannot_stand_in")
    may_be_asked = seat.role == Role.PLAYER and not seat.removed_at and not seat.stepped_out
    if may_be_asked and presence.page_states([seat.pk])[seat.pk] == "here":
        Seat.objects.filter(pk=seat.pk).update(stand_in_asked=stand_in)
        broadcast(seat.session_id)
        return
    Seat.objects.filter(pk=seat.pk).update(stand_in=stand_in, stand_in_asked=None)
    add_seat_note(Kind.STOOD_IN, seat, stand_in.name)


@transaction.atomic
def accept_stand_in(*, seat: Seat, stand_in_pk: int) -> None:
    """Accept, as the player, the stand-in that was proposed for the seat.

    :raises Refused: ``cannot_stand_in`` (no stand-in, or another one, is proposed now).
    """
    asked = Seat.objects.filter(pk=seat.pk, stand_in_asked=stand_in_pk, stand_in_asked__removed_at=None)
    if not asked.update(stand_in=stand_in_pk, stand_in_asked=None):
        raise Refused("cannot_stand_in")
    add_seat_note(Kind.STOOD_IN, seat, Seat.objects.get(pk=stand_in_pk).name)


@transaction.atomic
def take_charge(*, deputy: Seat) -> Seat:
    """Let a deputy run the session while the GM is gone; return the GM's seat.

    :raises Refused: ``no_deputy``, ``gm_is_here`` (not silent for three minutes yet).
    """
    gm = Seat.objects.select_for_update().filter(session=deputy.session_id, role=Role.GM).first()
    if gm is None or not deputy.deputy or deputy.removed_at:
        raise Refused("no_deputy")
    if presence.seat_presences([gm.pk])[gm.pk].state not in ("gone", "absent"):
        raise Refused("gm_is_here")
    gm.stand_in = deputy
    gm.save(update_fields=["stand_in"])
    add_seat_note(Kind.TOOK_OVER, gm, deputy.name)
    return gm


@transaction.atomic
def return_to_seat(*, seat: Seat) -> None:
    """Let an owner play again: end a stand-in, and clear the mark of ``mark_away``."""
    Seat.objects.filter(pk=seat.pk).update(stepped_out=False)
    end_stand_in(seat=seat)
    broadcast(seat.session_id)


@transaction.atomic
def end_stand_in(*, seat: Seat) -> None:
    """End a stand-in or a deputy's running of the session, so that only the owner plays the seat.

    This also ends an unanswered proposal of a stand-in: it is how a player declines one.
    """
    own = Seat.objects.filter(pk=seat.pk)
    if own.exclude(stand_in_asked=None).update(stand_in_asked=None):
        add_seat_note(Kind.NO_STAND_IN, seat)
    if own.exclude(stand_in=None).update(stand_in=None):
        add_seat_note(Kind.TAKEN_BACK, seat)
