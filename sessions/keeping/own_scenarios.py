"""Scenarios as personal data: they are handed over to an account, or deleted with their owner."""

from __future__ import annotations

from typing import Any

import msgspec
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from companion.identity.belongings import Belonging, DataProvider, transfer_rows
from companion.models import Person
from companion.pacing.heavy import go_on
from sessions.keeping.packed_pictures import encode_picture
from sessions.models import Scenario
from sessions.scenarios.writing import document_of, pictures_of


def scenario_items(person: Person, receiver: Person | None) -> list[Belonging]:
    return [
        Belonging(
            "theme",
            scenario.title or _("A scenario without a title"),
            _scenes(len(scenario.document["scenes"])),
        )
        for scenario in Scenario.objects.filter(owner=person)
    ]


def hand_over_scenarios(person: Person, receiver: Person) -> list[int]:
    """Give all scenarios of a person to another. Their pictures are handed over with all other pictures."""
    return transfer_rows(Scenario.objects.filter(owner=person), receiver)


def give_back_scenarios(rows: list[int], person: Person) -> None:
    Scenario.objects.filter(pk__in=rows).update(owner=person)


def delete_scenarios(person: Person) -> None:
    """Delete all scenarios of a person, with their pictures."""
    Scenario.objects.filter(owner=person).delete()


def scenario_data(person: Person) -> dict[str, Any]:
    scenarios = Scenario.objects.filter(owner=person).order_by("pk")
    return {f"scenario-{number}.json": _data(scenario) for number, scenario in enumerate(scenarios, 1)}


def _data(scenario: Scenario) -> dict[str, Any]:
    go_on()
    document = document_of(scenario)
    return {
        "created_at": scenario.created_at,
        "changed_at": scenario.changed_at,
        "document": msgspec.to_builtins(document),
        "pictures": {picture.key: encode_picture(picture) for picture in pictures_of(scenario, document)},
    }


def _scenes(count: int) -> str:
    return ngettext("%(count)s scene", "%(count)s scenes", count) % {"count": count}


keeper = DataProvider("scenarios", scenario_items, hand_over_scenarios, give_back_scenarios, delete_scenarios, scenario_data)
