"""Throttle wrong passwords per client address and target.

A target ("door") is an account or a character sheet. A limit per target alone would let strangers lock its
owner out: however many guess, each address keeps two tries an hour. A known device is counted by itself.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.http import HttpRequest

from companion.limits.throttle import TooManyRequests, Windows, client_address

HOUR, DAY = 60 * 60, 24 * 60 * 60
#: Wrong passwords of one address, or of one known device, for one target.
AT_ONE_DOOR = Windows("guess", ((5, 300), (50, DAY)))
#: Wrong passwords of one address for all targets of a kind.
FROM_ONE_ADDRESS = Windows("guesses-from", ((20, HOUR), (100, DAY)), of_an_address=True)
#: Wrong passwords of all addresses for one target; once exceeded, each address has the second, lower limit.
AT_THE_DOOR, WHILE_MANY_GUESS = Windows("guesses-at", ((50, HOUR),)), Windows("guess-of-many", ((2, HOUR),))

#: Invalid keys, recovery codes and one-time links of one address.
WRONG_KEYS = Windows("wrong-key", ((20, HOUR), (100, DAY)), of_an_address=True)


def count_wrong_key(request: HttpRequest) -> None:
    """Count an invalid key that a form sent.

    A valid key works regardless of the count: keys have 59 bits or more and cannot be found by trying. A GET
    is not counted, because other sites could make a visitor's browser send one.

    :raises TooManyRequests: the client's address has exceeded the limit.
    """
    WRONG_KEYS.demand(client_address(request))


@dataclass(frozen=True)
class PasswordAttempt:
    """An attempt to enter a password."""

    kind: str
    door: str
    address: str
    #: The identifier of a device that signed in to this target before; "" for other devices.
    device: str = ""

    def record_attempt(self) -> None:
        """Count this as a wrong password, before it is verified.

        :raises TooManyRequests: a limit is exceeded; the password must not be verified.
        """
        # Check this limit before counting: a guesser can invent any number of targets.
        if not self.device and (seconds := FROM_ONE_ADDRESS.wait(self._from)):
            raise TooManyRequests(seconds)
        AT_ONE_DOOR.demand(self._target_and_guesser)
        if self.device:
            return
        FROM_ONE_ADDRESS.demand(self._from)
        many, few = not AT_THE_DOOR.count(self._at), WHILE_MANY_GUESS.count(self._target_and_guesser)
        if many and not few:
            raise TooManyRequests(WHILE_MANY_GUESS.wait(self._target_and_guesser))

    def forgive(self) -> None:
        """Undo ``record_attempt`` because the password was right."""
        AT_ONE_DOOR.forgive(self._target_and_guesser)
        if self.device:
            return
        FROM_ONE_ADDRESS.forgive(self._from)
        AT_THE_DOOR.forgive(self._at)
        WHILE_MANY_GUESS.forgive(self._target_and_guesser)

    @property
    def who(self) -> str:
        """The guesser whose attempts are counted: the known device, or else the client's address."""
        return self.device or self.address

    @property
    def _at(self) -> str:
        return f"{self.kind} {self.door}"

    @property
    def _target_and_guesser(self) -> str:
        return f"{self._at} {self.who}"

    @property
    def _from(self) -> str:
        return f"{self.kind} {self.address}"
