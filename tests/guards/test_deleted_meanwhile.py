"""Every form, while another device deletes what a view has just looked up."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import product
from typing import Any
from urllib.parse import urlencode

import pytest
from django.db import connection, models

from characters.models import Character, ExperienceChecklist, FacePicture, Item
from sessions.models import (
    Handout,
    LibraryNpc,
    Limit,
    PreparedCheck,
    Scenario,
    SceneNote,
    SharedClock,
)
from tests.guards.addresses import every
from tests.guards.asking import ask
from tests.guards.test_matrix import FORM, fields
from tests.guards.world import World

pytestmark = [pytest.mark.django_db, pytest.mark.long]

READ = re.compile(r'SELECT .* FROM "(\w+)"')
#: The rows that a person can delete while others have them on a page.
DELETED: list[type[models.Model]] = [
    Character,
    ExperienceChecklist,
    FacePicture,
    Handout,
    Item,
    LibraryNpc,
    Limit,
    PreparedCheck,
    Scenario,
    SceneNote,
    SharedClock,
]


def chosen(world: World) -> dict[str, str]:
    """A form that names a row wherever a page asks for one."""
    return fields(world) | {
        "character": str(world.character.pk),
        "lay": str(world.seats["absent"].pk),
        "move": "more",
        "note": str(SceneNote.objects.get(campaign=world.night.campaign_id).pk),
        "revealed": "1",
        "scenario": str(world.scenario.pk),
    }


@contextmanager
def deleting(model: type[models.Model] | None) -> Iterator[set[str]]:
    """Delete all rows of a model once a view has read some, before its next statement.

    Yields the database tables that the view has read outside of transactions.
    """
    depth, read = len(connection.savepoint_ids) + 1, set[str]()

    def delete(execute: Any, sql: str, params: Any, many: bool, context: dict[str, Any]) -> Any:
        nonlocal model
        is_outside = len(connection.savepoint_ids) == depth
        if is_outside and model and model._meta.db_table in read:
            rows, model = model._default_manager.all(), None
            rows.delete()
        if is_outside:
            read.update(READ.findall(sql))
        return execute(sql, params, many, context)

    with connection.execute_wrapper(delete):
        yield read


def test_no_form_crashes_if_another_device_deletes_its_rows(world: World) -> None:
    note = SceneNote.objects.get(campaign=world.night.campaign_id)
    note.picture = world.picture
    note.save()
    body, tried = urlencode(chosen(world)), 0
    own = [address for address in every() if not address.route.startswith(("admin/", "account/"))]
    for address, role in product(own, ("gm", "player")):
        path = address.path(world) + address.query
        form = {"data": body, "content_type": FORM}
        with deleting(None) as read:
            ask(world.clients[role], "POST", path, **form)
        for model in DELETED:
            if model._meta.db_table in read:
                with deleting(model):
                    answer, _ = ask(world.clients[role], "POST", path, **form)
                assert answer.status_code < 500, (role, path, model)
                tried += 1
    assert tried > 100
