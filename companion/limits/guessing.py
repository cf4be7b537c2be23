"""Guesses at passwords: who guesses is slowed down, by address and door together, and nobody else.

A door is an account or a sheet. A limit of the door alone would let anybody keep its owner out, so guesses of
others take tries only from those who guess themselves; a device that was let in before is counted alone.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.http import HttpRequest

from companion.limits.throttle import TooOften, Windows, client_address

HOUR, DAY = 60 * 60, 24 * 60 * 60
#: Wrong passwords of one address, or of one known device, at one door.
AT_ONE_DOOR = Windows("guess", ((5, 300), (50, DAY)))
#: Those of one address at all doors of a kind.
FROM_ONE_ADDRESS = Windows("guesses-from", ((20, HOUR), (100, DAY)), of_an_address=True)
#: Those of all addresses at one door: beyond them, each address has only the next number left.
AT_THE_DOOR, WHILE_MANY_GUESS = Windows("guesses-at", ((50, HOUR),)), Windows("guess-of-many", ((2, HOUR),))

#: Keys, recovery codes and one-time links of one address that opened nothing.
WRONG_KEYS = Windows("wrong-key", ((20, HOUR), (100, DAY)), of_an_address=True)


def count_wrong_key(request: HttpRequest) -> None:
    """Count a key that a form sent and that opens nothing.

    A right one opens whatever was counted: keys have 59 bits and more, so nobody finds one by trying. A page
    that was only asked for counts nothing, as any other site could let a visitor's browser ask for it.

    :raises TooOften: it is one too many.
    """
    WRONG_KEYS.demand(client_address(request))


@dataclass(frozen=True)
class Guess:
    """A password that somebody gives."""

    kind: str
    door: str
    address: str
    #: What tells a device that was let in here before from others; "" for all others.
    device: str = ""

    def count(self) -> None:
        """Count this as a wrong one, before it is looked at.

        :raises TooOften: it is one too many, and is not to be looked at.
        """
        # Before anything is counted: doors that a guesser makes up are without end.
        if not self.device and (seconds := FROM_ONE_ADDRESS.wait(self._from)):
            raise TooOften(seconds)
        AT_ONE_DOOR.demand(self._here)
        if self.device:
            return
        FROM_ONE_ADDRESS.demand(self._from)
        many, few = not AT_THE_DOOR.count(self._at), WHILE_MANY_GUESS.count(self._here)
        if many and not few:
            raise TooOften(WHILE_MANY_GUESS.wait(self._here))

    def forgive(self) -> None:
        """Take it back, as the password was right."""
        AT_ONE_DOOR.forgive(self._here)
        if self.device:
            return
        FROM_ONE_ADDRESS.forgive(self._from)
        AT_THE_DOOR.forgive(self._at)
        WHILE_MANY_GUESS.forgive(self._here)

    @property
    def who(self) -> str:
        """The guesser that is counted: the device, or all that come from its address."""
        return self.device or self.address

    @property
    def _at(self) -> str:
        return f"{self.kind} {self.door}"

    @property
    def _here(self) -> str:
        return f"{self._at} {self.who}"

    @property
    def _from(self) -> str:
        return f"{self.kind} {self.address}"
