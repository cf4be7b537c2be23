"""Jobs that follow a move without belonging to it: character sheets, the dots on other tables' tabs.

The move is committed: a job that fails must not undo it or fail its response. A page's websocket defers these
jobs until all pages show the move; all other callers run them at once.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

Job = Callable[[], None]

logger = logging.getLogger(__name__)
_put_off: ContextVar[list[Job] | None] = ContextVar("jobs put off", default=None)


@contextmanager
def defer_jobs() -> Iterator[list[Job]]:
    """Collect the jobs that this block passes to ``run_or_defer``, to be passed to ``run`` later."""
    jobs: list[Job] = []
    token = _put_off.set(jobs)
    try:
        yield jobs
    finally:
        _put_off.reset(token)


def run_or_defer(job: Job) -> None:
    """Run a job now, or collect it inside ``defer_jobs``."""
    jobs = _put_off.get()
    if jobs is None:
        run([job])
    else:
        jobs.append(job)


def run(jobs: list[Job]) -> None:
    """Run jobs in their order; a failing one is logged, and the others still run."""
    for job in jobs:
        try:
            job()
        except Exception:
            logger.exception("not done after a move")
