"""The ground of the state machines: each example has the database for itself, and leaves nothing there.

A machine does what people do, in any order that Hypothesis thinks of, and keeps in plain Python what must be
true by then; its invariants hold the database against that after every step.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.db import transaction
from hypothesis import HealthCheck, settings
from hypothesis.stateful import RuleBasedStateMachine, run_state_machine_as_test

from characters.rules import SheetRefused
from companion.identity import person_links
from companion.models import Person
from sessions.evening.refusals import Refused
from tests.evening import clear_caches

#: How many evenings a test plays, and how many with ``-m long``.
EXAMPLES = pytest.mark.parametrize("examples", [8, pytest.param(40, marks=pytest.mark.long)])


class Machine(RuleBasedStateMachine):
    """A state machine whose rows are taken back when an example ends."""

    def __init__(self) -> None:
        super().__init__()
        clear_caches()
        self.rows = transaction.atomic()
        self.rows.__enter__()
        self.prepare()

    def prepare(self) -> None:
        """Make the rows with which every example begins."""

    def teardown(self) -> None:
        transaction.set_rollback(True)
        self.rows.__exit__(None, None, None)


def run(machine: type[Machine], examples: int, steps: int = 30) -> None:
    checks = [HealthCheck.too_slow, HealthCheck.data_too_large]
    bounds = settings(
        max_examples=examples, stateful_step_count=steps, deadline=None, suppress_health_check=checks
    )
    run_state_machine_as_test(machine, settings=bounds)


def refusal(verb: Callable[..., object], **arguments: object) -> str:
    """Do something; return the code with which it was refused, "" if it was done."""
    try:
        with transaction.atomic():
            verb(**arguments)
    except (Refused, SheetRefused, person_links.LinkRefused) as refused:
        return refused.code
    return ""


def guest(name: str) -> Person:
    return Person.objects.create(name=name)
