"""How a database would answer the questions that every visitor may ask; runs where Django is set up."""

from __future__ import annotations

import json

from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from sessions.card_table import checklists
from sessions.evening import nights
from sessions.models import Session

#: The questions, and the index that each is answered by.
QUESTIONS = {
    "session_by_open_code": lambda: nights.session_by_code("123456"),
    "session_by_code_time": nights.code_length,
    "checklist_by_session": lambda: checklists.checklists_of(Session(pk=1)).exists(),
}


def plans() -> dict[str, str]:
    """Return the plan for each question, by the index that should be in it."""
    found = {}
    for index, question in QUESTIONS.items():
        with CaptureQueriesContext(
            connection,
        ) as asked:
            question()
        [query] = asked.captured_queries
        found[index] = plan_of(query["sql"])
    return found


def plan_of(sql: str) -> str:
    """Return how the database would answer a question."""
    with transaction.atomic(), connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            # A table of no rows is always read whole, unless that is forbidden.
            cursor.execute("SET LOCAL enable_seqscan = off")
        cursor.execute(f"EXPLAIN {'' if connection.vendor == 'postgresql' else 'QUERY PLAN '}{sql}")
        return "\n".join(str(row[-1]) if connection.vendor == "sqlite" else str(row[0]) for row in cursor)


def print_plans() -> None:
    print(json.dumps(plans()))
