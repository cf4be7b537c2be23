"""Find the port that Takujō uses on this machine, or would use."""

from __future__ import annotations

import urllib.request
from dataclasses import dataclass
from enum import Enum, auto

from django.conf import settings
from django.core.management.base import CommandError
from django.urls import reverse

from companion.management.commands.play import FIRST_PORT, hold
from companion.pages import reach
from companion.server import serving

#: Seconds after which a program on this machine that does not answer is not ours.
PATIENCE = 3
#: The number of ports to check, from the usual one on.
LOOKED_AT = 10
#: Requests to this machine go through no proxy.
DIRECT = urllib.request.build_opener(urllib.request.ProxyHandler({}))


class PortState(Enum):
    """Whether a port is used by a Takujō with our secret key, is free, or is taken by another program."""

    OURS, FREE, TAKEN = auto(), auto(), auto()


@dataclass(frozen=True)
class Port:
    """A port of this machine; ``taken`` are the ports up to it that other programs use."""

    number: int
    state: PortState
    taken: list[int]


def find(wanted: int | None) -> Port:
    """Return the port of our running server, else the first free port, else the first taken one."""
    states = {
        number: _state(number)
        for number in ([wanted] if wanted is not None else range(FIRST_PORT, FIRST_PORT + LOOKED_AT))
    }
    for state in (PortState.OURS, PortState.FREE, PortState.TAKEN):
        for number in states:
            if states[number] is state:
                taken = [other for other in states if states[other] is PortState.TAKEN and other <= number]
                return Port(number, state, taken)
    raise AssertionError


def _state(port: int) -> PortState:
    try:
        serving.listen("0.0.0.0", port).close()  # noqa: S104
    except OSError:
        pass
    else:
        return PortState.FREE
    path = reverse("companion:reach-seen", args=[reach.token()])
    try:
        with DIRECT.open(f"http://127.0.0.1:{port}{path}", timeout=PATIENCE):
            return PortState.OURS
    except (OSError, ValueError):
        return PortState.TAKEN


def is_ready(port: int) -> bool:
    """True if the server at this port reports that it is ready."""
    try:
        with DIRECT.open(f"http://127.0.0.1:{port}/health/ready/", timeout=PATIENCE):
            return True
    except OSError:
        return False


def is_held() -> bool:
    """True if a server runs with our data folder."""
    try:
        hold(settings.VAR_DIR).close()
    except CommandError:
        return True
    except OSError:  # the folder is not writable; the check of the disk reports it
        return False
    return False
