"""Random shares of phones in a table's secret, so that no party can choose or know a shuffle before the deal.

This is a commit–reveal protocol. The server publishes the fingerprint (hash) of its own secret, and every
open phone answers with the fingerprint of a random share. Then the server publishes all fingerprints, and
only then the phones send their shares. So no party knows the parts of the others when it chooses its own. A
phone that does not answer in time is listed as silent.
"""

from __future__ import annotations

import asyncio
import logging
import re
import secrets
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer

from companion.fate import combine_secret, commitment
from sessions.evening import presence
from sessions.evening.announcements import session_group
from sessions.models import Session

logger = logging.getLogger(__name__)
#: Seconds that phones have to send a fingerprint, and again to send a share.
WAIT = 1.0
#: A fingerprint or a share as a phone sends it: 32 bytes in hexadecimal.
HEX = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True)
class PhoneShare:
    """A phone's part; both strings are empty if the phone was silent, ``share`` if it sent no valid share."""

    seat: str
    fingerprint: str = ""
    share: str = ""


@dataclass(frozen=True)
class SecretParts:
    """The parts of which a table's secret is made: the server's own and the phones' shares."""

    opening: str
    own: str
    shares: tuple[PhoneShare, ...] = ()

    @property
    def secret(self) -> str:
        """The secret from which all shuffles and rolls of the table are calculated."""
        return combine_secret(self.own, [each.share for each in self.shares if each.share])

    @property
    def record(self) -> dict[str, Any]:
        """The parts as the table stores them; empty if no phone was asked."""
        if not self.shares:
            return {}
        of = [vars(each) for each in self.shares]
        return {"opening": self.opening, "secret": self.own, "of": of}


def make_server_secret() -> SecretParts:
    """Return a secret of the server alone, without shares of phones."""
    return SecretParts(secrets.token_hex(8), secrets.token_hex(32))


def is_proven(record: dict[str, Any], secret: str, published: str) -> bool:
    """True if a table's stored parts give its secret, and each part matches its published fingerprint."""
    if not record:
        return commitment(secret) == published
    given = [each for each in record["of"] if each["share"]]
    promised = all(commitment(each["share"]) == each["fingerprint"] for each in given)
    whole = combine_secret(record["secret"], [each["share"] for each in given])
    return promised and whole == secret and commitment(record["secret"]) == published


def gather_shares(session: Session) -> SecretParts:
    """Ask the session's open phones for shares, which takes twice ``WAIT`` seconds at most.

    Without open phones it returns at once. Call it outside of transactions: the database would wait, too.
    """
    chance = make_server_secret()
    seats = {seat.pk: seat.name for seat in session.seats.filter(removed_at=None)}
    here = {pk: seats[pk] for pk, state in presence.page_states(seats).items() if state == "here"}
    if not here:
        return chance
    try:
        given: list[PhoneShare] = async_to_sync(_ShareExchange(session.pk, chance.opening, here).shares)(
            commitment(chance.own)
        )
    except Exception:
        # A failing channel layer must not prevent the opening of a table.
        logger.exception("session %s: no shares asked for", session.pk)
        given = [PhoneShare(name) for name in here.values()]
    return replace(chance, shares=tuple(given))


class _ShareExchange:
    """The exchange with the phones for one opening of a table."""

    def __init__(self, session_pk: int, opening: str, here: dict[int, str]) -> None:
        self.group, self.opening, self.here = session_group(session_pk), opening, here
        self.layer = get_channel_layer()

    async def shares(self, published: str) -> list[PhoneShare]:
        """Return the shares in the order of their fingerprints, silent phones last."""
        self.channel = await self.layer.new_channel()
        await self._send(commitment=published)
        marks = await self._collect_answers(set(self.here), lambda seat, said: True)
        await self._send(fingerprints=sorted(marks.values()))
        heard = await self._collect_answers(set(marks), lambda seat, said: commitment(said) == marks[seat])
        shares = [PhoneShare(name, marks.get(pk, ""), heard.get(pk, "")) for pk, name in self.here.items()]
        return sorted(shares, key=lambda each: (not each.fingerprint, each.fingerprint))

    async def _send(self, **said: Any) -> None:
        fate = {"opening": self.opening, **said}
        await self.layer.group_send(self.group, {"type": "fate.told", "fate": fate, "to": self.channel})

    async def _collect_answers(self, seats: set[int], counts: Callable[[int, str], bool]) -> dict[int, str]:
        """Return the first valid answer of each of these seats, until all have answered or time is up."""
        heard: dict[int, str] = {}
        with suppress(TimeoutError):
            async with asyncio.timeout(WAIT):
                while heard.keys() != seats:
                    said = await self.layer.receive(self.channel)
                    if said["seat"] in seats and counts(said["seat"], said["share"]):
                        heard.setdefault(said["seat"], said["share"])
        return heard
