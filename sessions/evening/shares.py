"""Random shares of phones in a table's chance, so that nobody can choose or know a shuffle before the deal.

First the server tells the fingerprint of its own secret, and every phone that is here answers with the
fingerprint of a random share. Then the server tells all these fingerprints, and only now the phones send
their shares. So nobody knew anybody else's part when choosing their own. A phone that says nothing in time is
listed as silent.
"""

from __future__ import annotations

import asyncio
import logging
import re
import secrets
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer

from companion.fate import commitment, joined
from sessions.evening import presence
from sessions.evening.announcing import session_group
from sessions.models import Session

logger = logging.getLogger(__name__)

#: Seconds that phones have for a fingerprint, and again for a share.
WAIT = 1.0
#: What a phone sends: 32 bytes.
HEX = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True)
class Share:
    """A phone's part; the fingerprint is empty if the phone was silent, the share if it was silent then."""

    seat: str
    fingerprint: str = ""
    share: str = ""


@dataclass(frozen=True)
class Chance:
    """The parts that a table's secret is made of."""

    opening: str
    own: str
    shares: tuple[Share, ...] = ()

    @property
    def secret(self) -> str:
        """The secret from which all chance of the table is calculated."""
        return joined(self.own, [each.share for each in self.shares if each.share])

    @property
    def record(self) -> dict[str, Any]:
        """The parts as the table keeps them; empty if no phone was asked."""
        if not self.shares:
            return {}
        of = [vars(each) for each in self.shares]
        return {"opening": self.opening, "secret": self.own, "of": of}


def alone() -> Chance:
    """Return a chance that no phone has a share in."""
    return Chance(secrets.token_hex(8), secrets.token_hex(32))


def fits(record: dict[str, Any], secret: str, published: str) -> bool:
    """True if a table's kept parts give its secret, and each of them is what was promised."""
    if not record:
        return commitment(secret) == published
    given = [each for each in record["of"] if each["share"]]
    promised = all(commitment(each["share"]) == each["fingerprint"] for each in given)
    whole = joined(record["secret"], [each["share"] for each in given])
    return promised and whole == secret and commitment(record["secret"]) == published


def gather(session: Session) -> Chance:
    """Ask the phones that are here for their shares. It takes twice ``WAIT`` at most, and no time with none.

    Call it outside of transactions: the database would wait, too.
    """
    chance = alone()
    seats = {seat.pk: seat.name for seat in session.seats.filter(removed_at=None)}
    here = {pk: seats[pk] for pk, state in presence.of(seats).items() if state == "here"}
    if not here:
        return chance
    try:
        given: list[Share] = async_to_sync(_Asking(session.pk, chance.opening, here).shares)(
            commitment(chance.own)
        )
    except Exception:
        # No table must wait for the channel layer.
        logger.exception("session %s: no shares asked for", session.pk)
        given = [Share(name) for name in here.values()]
    return replace(chance, shares=tuple(given))


class _Asking:
    """One opening, and what the phones have said to it."""

    def __init__(self, session_pk: int, opening: str, here: dict[int, str]) -> None:
        self.group, self.opening, self.here = session_group(session_pk), opening, here
        self.layer = get_channel_layer()

    async def shares(self, published: str) -> list[Share]:
        """Return the shares by their fingerprints, silent phones last."""
        self.channel = await self.layer.new_channel()
        await self._tell(commitment=published)
        marks = await self._heard(set(self.here), lambda seat, said: True)
        await self._tell(fingerprints=sorted(marks.values()))
        told = await self._heard(set(marks), lambda seat, said: commitment(said) == marks[seat])
        shares = [Share(name, marks.get(pk, ""), told.get(pk, "")) for pk, name in self.here.items()]
        return sorted(shares, key=lambda each: (not each.fingerprint, each.fingerprint))

    async def _tell(self, **said: Any) -> None:
        fate = {"opening": self.opening, **said}
        await self.layer.group_send(self.group, {"type": "fate.told", "fate": fate, "to": self.channel})

    async def _heard(self, seats: set[int], counts: Callable[[int, str], bool]) -> dict[int, str]:
        """Return what these seats say, the first of each that counts, until all have spoken or time is up."""
        heard: dict[int, str] = {}
        try:
            async with asyncio.timeout(WAIT):
                while heard.keys() != seats:
                    said = await self.layer.receive(self.channel)
                    if said["seat"] in seats and counts(said["seat"], said["share"]):
                        heard.setdefault(said["seat"], said["share"])
        except TimeoutError:
            pass
        return heard
