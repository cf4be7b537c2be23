"""Jobs that follow a move without belonging to it: sheets, dots of other tables.

The move stands; whatever fails here must not take it back, nor its answer. A page's websocket puts these jobs
off until everybody has seen the move; all other callers do them at once.
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
def put_off() -> Iterator[list[Job]]:
    """Collect the jobs that follow from this block, for ``run`` later."""
    jobs: list[Job] = []
    token = _put_off.set(jobs)
    try:
        yield jobs
    finally:
        _put_off.reset(token)


def follow(job: Job) -> None:
    """Do a job now, or later where jobs are put off."""
    jobs = _put_off.get()
    if jobs is None:
        run([job])
    else:
        jobs.append(job)


def run(jobs: list[Job]) -> None:
    """Do jobs in their order; one that fails is logged and stops no other."""
    for job in jobs:
        try:
            job()
        except Exception:
            logger.exception("not done after a move")
