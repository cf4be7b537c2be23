"""Migrations that the version before survives: while workers are updated one after the other, it still works.

CONTRIBUTING.md has the rule ("Releases"). What it forbids goes in two releases.
"""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.db import migrations, models
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ModelState, ProjectState
from django.db.models.fields import NOT_PROVIDED

from tests.servers import ROOT

#: The last migration of each app from before there was the rule.
FREE_UNTIL = {"companion": "0008", "characters": "0011", "play": "0043"}
GONE = (
    migrations.RemoveField,
    migrations.RenameField,
    migrations.DeleteModel,
    migrations.RenameModel,
    migrations.AlterModelTable,
)


def problems(operation: Operation, app: str, state: ProjectState) -> list[str]:
    """Return what the version before, with tables as in this state, does not survive of an operation."""
    match operation:
        case migrations.SeparateDatabaseAndState():
            return [one for inner in operation.database_operations for one in problems(inner, app, state)]
        case _ if isinstance(operation, GONE):
            return [f"{operation.describe()}: the version before still asks for it"]
        case migrations.AddField() if not _may_be_left_out(operation.field):
            return [f"{operation.describe()}: the version before writes rows without it"]
        case migrations.AlterField():
            before = state.models[app, operation.model_name_lower].fields[operation.name]
            if _may_be_left_out(before) and not _may_be_left_out(operation.field):
                return [f"{operation.describe()}: the version before writes rows without it"]
    return []


def _may_be_left_out(field: Any) -> bool:
    """True if the database itself has a default for a column that earlier code does not name."""
    return field.many_to_many or field.null or field.db_default is not NOT_PROVIDED


def test_the_earlier_version_works_after_every_new_migration() -> None:
    loader = MigrationLoader(None)
    changelog = (ROOT / "CHANGELOG.md").read_text()
    found = []
    for (app, name), migration in loader.disk_migrations.items():
        if name[:4] <= FREE_UNTIL.get(app, "9999"):
            continue
        state = loader.project_state((app, name), at_end=False)
        for operation in migration.operations:
            found += [f"{app}.{name}: {one}" for one in problems(operation, app, state)]
            operation.state_forwards(app, state)
        if any(isinstance(operation, migrations.RunSQL) for operation in migration.operations):
            release = re.escape(getattr(migration, "unused_since", "?"))
            if not re.search(rf"^## \[{release}\] - ", changelog, re.MULTILINE):
                found.append(f"{app}.{name}: SQL, and unused_since names no release of CHANGELOG.md")
    assert found == []


ROWS = ModelState(
    "play", "Seat", [("id", models.AutoField(primary_key=True)), ("note", models.TextField(null=True))]
)


@pytest.mark.parametrize(
    ("operation", "survived"),
    [
        (migrations.RemoveField("seat", "note"), False),
        (migrations.RenameField("seat", "note", "words"), False),
        (migrations.DeleteModel("Seat"), False),
        (migrations.AddField("seat", "words", models.TextField(default="")), False),
        (migrations.AddField("seat", "words", models.TextField(db_default="")), True),
        (migrations.AddField("seat", "words", models.TextField(null=True)), True),
        (migrations.AlterField("seat", "note", models.TextField()), False),
        (migrations.AlterField("seat", "note", models.TextField(db_default="")), True),
        (
            migrations.SeparateDatabaseAndState(state_operations=[migrations.RemoveField("seat", "note")]),
            True,
        ),
        (migrations.SeparateDatabaseAndState([migrations.RemoveField("seat", "note")]), False),
        (migrations.CreateModel("Chair", [("id", models.AutoField(primary_key=True))]), True),
        (migrations.RunPython(migrations.RunPython.noop), True),
    ],
    ids=lambda value: value.describe() if isinstance(value, Operation) else "",
)
def test_unsafe_operations_of_a_migration_are_found(operation: Operation, survived: bool) -> None:
    assert (problems(operation, "play", ProjectState({("play", "seat"): ROWS})) == []) == survived
