"""Handouts and their secrets: prepare copies, hand them over, reveal them.

Every phone is notified alike, so that a buzz does not give away the receiver.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.db import transaction
from django.db.models import F, Q, QuerySet

from companion import names, shared_time
from companion.files.pictures import EncodedPicture as NewPicture
from companion.models import Person, Picture, PicturedQuerySet
from sessions.evening import preparation
from sessions.evening.announcements import broadcast, notify_handout
from sessions.evening.preparation import BUTTONS_AT_MOST, CHARACTERS_AT_MOST, newest_keys_within
from sessions.evening.refusals import Refused
from sessions.models import Handout, HandoutCopy, Notice, Role, Seat, Session

PARTS = ("handouts", "notice", "unread")


@transaction.atomic
def prepare_copy(*, handout: Handout, seat: Seat, lay: bool) -> None:
    """Prepare a copy of a handout for a seat, or remove it. Players learn of it by ``hand_over_copies`` only.

    :raises Refused: ``handed_over`` for a copy that was handed over.
    :raises Handout.DoesNotExist: it was deleted.
    """
    if lay:
        handout = _lock_handout(handout)
        HandoutCopy.objects.get_or_create(handout=handout, seat=seat)
    elif not HandoutCopy.objects.filter(handout=handout, seat=seat, notice=None).delete()[0]:
        raise Refused("handed_over")
    broadcast(seat.session_id, *PARTS)


@transaction.atomic
def hand_over_copies(*, session: Session) -> Notice:
    """Hand over all prepared copies. Every phone shows the same card, empty where its seat may read nothing.

    With no copies prepared all cards are empty, so a card alone does not reveal that a handout exists.
    """
    notice = Notice.objects.create(session=session)
    HandoutCopy.objects.filter(seat__session=session, notice=None).update(notice=notice)
    broadcast(session.pk, *PARTS)
    notify_handout(session)
    return notice


@transaction.atomic
def give_handout(*, handout: Handout, session: Session, seats: Iterable[Seat]) -> None:
    """Hand one handout to these seats at once; every phone shows a card. Other copies stay prepared.

    A seat that already has the handout keeps its copy.
    """
    give_handouts(session=session, copies=((handout, seat) for seat in seats))


@transaction.atomic
def give_handouts(*, session: Session, copies: Iterable[tuple[Handout, Seat]]) -> None:
    """Hand handouts to seats as ``give_handout`` does, with one card on every phone for all of them."""
    notice = Notice.objects.create(session=session)
    for handout, seat in copies:
        copy, _new = HandoutCopy.objects.get_or_create(handout=handout, seat=seat)
        if copy.notice_id is None:
            copy.notice = notice
            copy.save(update_fields=["notice"])
    broadcast(session.pk, *PARTS)
    notify_handout(session)


@transaction.atomic
def write_handout(
    *, handout: Handout, session: Session, seats: Iterable[Seat], now: bool, picture: NewPicture | None = None
) -> None:
    """Save a handout written during play, and hand it to these seats now, or prepare copies for them.

    :raises companion.requests.quotas.QuotaExceeded: the campaign has no room for it.
    """
    handout.campaign = session.own_campaign
    preparation.save_with_picture(handout, picture)
    if now:
        give_handout(handout=handout, session=session, seats=seats)
        return
    for seat in seats:
        prepare_copy(handout=handout, seat=seat, lay=True)
    broadcast(session.pk, "handouts")


@transaction.atomic
def set_revealed(*, session: Session, handout: Handout, revealed: bool) -> None:
    """Reveal the secret of a handout to all players, or hide it again (its readers may remember it).

    :raises Handout.DoesNotExist: it was deleted.
    """
    handout = _lock_handout(handout)
    handout.revealed_at = shared_time.now() if revealed else None
    handout.save(update_fields=["revealed_at"])
    broadcast(session.pk, *PARTS)


def dismiss_notice(*, seat: Seat, notice_pk: int) -> None:
    for notice in Notice.objects.filter(pk=notice_pk, session=seat.session_id):
        notice.read_by.add(seat)
        broadcast(seat.session_id, *PARTS)


def set_scene(*, session: Session, scene: str) -> None:
    """Set the name of the scene that everybody sees; "" for none."""
    Session.objects.filter(pk=session.pk).update(scene=names.clean(scene)[:60])
    broadcast(session.pk)


def _lock_handout(handout: Handout) -> Handout:
    return Handout.objects.select_for_update().get(pk=handout.pk)


def readable_handouts(seat: Seat) -> QuerySet[Handout]:
    """Return the handouts whose secrets ``seat`` may read: those handed to it, and the revealed ones."""
    # With a copy for this seat, or for its person's seats in other sessions.
    mine = Q(copies__seat=seat) | Q(copies__seat__person=seat.person_id)
    own = mine & Q(copies__notice__isnull=False)
    revealed = Q(revealed_at__isnull=False)
    return Handout.objects.filter(own | revealed, campaign=seat.session.campaign_id).distinct()


def picture_for(person: Person, handout_pk: int, key: str) -> Picture | None:
    """Return the picture of a handout, if ``person`` may read the handout's secret now; otherwise None."""
    handout = Handout.objects.filter(pk=handout_pk, picture__key=key).select_related("picture").first()
    if handout is None:
        return None
    seats = Seat.objects.filter(session__campaign=handout.campaign_id)
    own = seats.filter(person=person, removed_at=None).select_related("session").order_by("pk").last()
    # One seat is enough: a person may read on each of their seats what was handed to any of them.
    reads = own is not None and readable_handouts(own).filter(pk=handout.pk).exists()
    in_charge = Q(person=person) | Q(
        stand_in__person=person, stand_in__deputy=True, stand_in__removed_at=None
    )
    runs = handout.campaign.gm_id == person.pk or seats.filter(in_charge, role=Role.GM).exists()
    return handout.picture if reads or runs else None


def handouts_context(session: Session, seat: Seat | None) -> dict[str, Any]:
    """Return the GM's overview, or the handouts that the seat reads, for their region."""
    if seat is None:
        return {}
    if seat.is_gm:
        copies = list(HandoutCopy.objects.filter(seat__session=session))
        laid_out = sum(copy.notice_id is None for copy in copies)
        handouts = Handout.objects.filter(campaign=session.own_campaign).with_pictures()
        return {
            "desk": _overview(session, copies, handouts),
            "laid_out": laid_out,
            "unread": _players_with_notice(session),
        }
    return {"handouts": known_with_parts(session, seat)}


def known_with_parts(session: Session, seat: Seat) -> list[tuple[Handout, bool, bool]]:
    """Return the handouts that were handed over and that ``seat`` may know, oldest first.

    With each are whether its secret may be read, and whether it is shown in full among the others.
    """
    out = session.read_once("handouts", lambda: _handed_out(session))
    if seat.is_gm:
        return _with_whole(out, {one.pk for one in out})
    secrets = _readable_secrets(seat) if out else set()
    # A handout without a public text is not even named to players who may not read its secret.
    return _with_whole([one for one in out if one.text or one.pk in secrets], secrets)


def unread_context(session: Session, seat: Seat | None) -> dict[str, Any]:
    """Return for the GM the players who still look at the newest card."""
    return {"unread": _players_with_notice(session)} if seat and seat.is_gm else {}


def _handed_out(session: Session) -> list[Handout]:
    """Return the campaign's handouts of which a copy was handed over, and the revealed ones."""
    found = Handout.objects.filter(campaign=session.campaign_id)
    out = Q(pk__in=HandoutCopy.objects.exclude(notice=None).values("handout")) | ~Q(revealed_at=None)
    return list(found.filter(out).order_by("pk").with_pictures())


def known_handouts(seat: Seat) -> PicturedQuerySet[Handout]:
    out = Handout.objects.filter(campaign=seat.session.campaign_id, copies__notice__isnull=False)
    # A handout without a public text is not even named to players who may not read its secret.
    known = out.exclude(text="") | Handout.objects.filter(pk__in=_readable_secrets(seat))
    return known.distinct().order_by("pk")


def handout_context(seat: Seat, handout_pk: int) -> dict[str, Any] | None:
    """Return a handout page's context, as ``handouts_context``; None if the seat may not read it."""
    session = seat.session
    if seat.is_gm:
        handouts = Handout.objects.filter(campaign=session.own_campaign, pk=handout_pk).with_pictures()
        copies = list(HandoutCopy.objects.filter(seat__session=session, handout=handout_pk))
        return next(iter(_overview(session, copies, handouts)), None)
    handout = known_handouts(seat).with_pictures().filter(pk=handout_pk).first()
    return {"handout": handout, "opens": handout.pk in _readable_secrets(seat)} if handout else None


def _readable_secrets(seat: Seat) -> set[int]:
    return set(readable_handouts(seat).values_list("pk", flat=True))


def _with_whole(handouts: list[Handout], secrets: set[int]) -> list[tuple[Handout, bool, bool]]:
    """Return each handout, whether its secret may be read, and whether it is shown here in full."""
    weights = ((one.pk, len(one.text) + len(one.secret) * (one.pk in secrets)) for one in handouts)
    whole = newest_keys_within(weights, CHARACTERS_AT_MOST)
    return [(one, one.pk in secrets, one.pk in whole) for one in handouts]


def possible_receivers(session: Session) -> QuerySet[Seat]:
    return session.seats.filter(removed_at=None).exclude(role=Role.GM)


def receivers_context(session: Session, seat: Seat | None) -> dict[str, Any]:
    """Return the seats among which the GM chooses those of a new handout."""
    return {"receivers": session.players} if seat and seat.is_gm else {}


def _overview(
    session: Session, copies: list[HandoutCopy], handouts: Iterable[Handout]
) -> list[dict[str, Any]]:
    known = {(copy.handout_id, copy.seat_id): copy for copy in copies}
    found, seats = list(handouts), session.players
    whole = newest_keys_within(((handout.pk, len(seats) + 1) for handout in found), BUTTONS_AT_MOST)
    return [
        {
            "handout": handout,
            "seats": [(seat, known.get((handout.pk, seat.pk))) for seat in seats],
            "is_whole": handout.pk in whole,
        }
        for handout in found
    ]


def _players_with_notice(session: Session) -> list[Seat]:
    """Return the players who have not dismissed the card of the newest notice."""
    notices, dismissed = _notices(session)
    return [seat for seat in session.players if notices and (notices[-1].pk, seat.pk) not in dismissed]


def notice_context(session: Session, seat: Seat | None) -> dict[str, Any]:
    """Return the oldest notice that this seat has not dismissed, and its handouts.

    ``read`` has the handouts of this seat in full, and the public texts of the others; ``for_me`` is True if
    one is for this seat.
    """
    if seat is None or seat.is_gm or session.ended_at:
        return {"notice": None}
    notices, dismissed = _notices(session)
    waiting = next(
        (one for one in notices if one.at >= seat.joined_at and (one.pk, seat.pk) not in dismissed), None
    )
    if waiting is None:
        return {"notice": None}
    mine = set(Handout.objects.filter(copies__notice=waiting, copies__seat=seat).values_list("pk", flat=True))
    # A handout without a public text is not even named to players who may not read its secret.
    out = Handout.objects.filter(copies__notice=waiting).filter(~Q(text="") | Q(pk__in=mine)).distinct()
    read = _with_whole(list(out.order_by("pk").with_pictures()), mine)
    return {"notice": waiting, "read": read, "for_me": bool(mine)}


def _notices(session: Session) -> tuple[list[Notice], set[tuple[int, int]]]:
    """Return a session's notices in their order, and which seats have dismissed which of them."""
    # A row for each reader of a notice, or one with None.
    rows = session.read_once(
        "notices", lambda: list(session.notices.order_by("pk").annotate(reader=F("read_by")))
    )
    return list({row.pk: row for row in rows}.values()), {(row.pk, row.reader) for row in rows}
