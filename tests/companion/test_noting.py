"""Values that note what is read of them: when a drawing may be used again, and when not."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from django.template import engines

from companion.jinja import ENGINE, SCENE, Given, Scene
from companion.noting import MISSING


class Hand(msgspec.Struct):
    cards: tuple[str, ...] = ()
    limit: int = 5
    owner: str | None = None


class View(msgspec.Struct):
    turn: str = "p1"
    hands: dict[str, Hand] = {}
    task: Hand | None = None


class Values(dict[str, Any]):
    def get(self, name: str, default: Any = MISSING) -> Any:
        return super().get(name, default)

    def piece(self, template: str, given: Given) -> Any:
        raise NotImplementedError


def drawn(source: str, **values: Any) -> tuple[str, Scene]:
    scene = Scene(Values(values), {})
    template = engines[ENGINE].env.from_string(source)  # type: ignore[attr-defined]
    return template.render({SCENE: scene}), scene


def fits(source: str, then: dict[str, Any], now: dict[str, Any]) -> bool:
    """True if a drawing from ``then`` may be shown for ``now``; it is then what would be drawn."""
    html, scene = drawn(source, **then)
    scene.reads[0].settle()
    holds = scene.reads[0].fit(Values(now).get)
    if holds:
        assert drawn(source, **now)[0] == html
    return holds


def view(**fields: Any) -> dict[str, Any]:
    return {"view": View(**fields)}


@pytest.mark.parametrize(
    "source",
    [
        "{{ view.turn }}",
        "{% if view.turn == 'p2' %}now{% endif %}",
        "{% set t = view.turn %}{{ t|upper }}",
        "{{ view['turn'] }}",
    ],
)
def test_a_field_that_was_read_counts(source: str) -> None:
    assert not fits(source, view(turn="p1"), view(turn="p2"))
    assert fits(source, view(turn="p1"), view(turn="p1", task=Hand()))


@pytest.mark.parametrize(
    "source", ["{% if view.task %}task{% endif %}", "{% if view.task is none %}free{% endif %}"]
)
def test_something_that_comes_or_goes_counts(source: str) -> None:
    for then, now in [(None, Hand()), (Hand(), None)]:
        assert not fits(source, view(task=then), view(task=now))
    assert fits(source, view(task=Hand(limit=5)), view(task=Hand(limit=6)))


def test_only_the_entry_that_was_read_counts() -> None:
    source = "{{ view.hands.p1.limit }}"
    then = view(hands={"p1": Hand(limit=5), "p2": Hand(limit=5)})
    assert fits(source, then, view(hands={"p1": Hand(limit=5), "p2": Hand(limit=9)}))
    assert not fits(source, then, view(hands={"p1": Hand(limit=6), "p2": Hand(limit=5)}))
    assert not fits(source, then, view(hands={"p2": Hand(limit=5)}))


def test_an_entry_that_was_missed_counts() -> None:
    source = "{{ view.hands.p3.limit }}"
    assert not fits(source, view(hands={}), view(hands={"p3": Hand()}))


def test_a_question_counts_only_by_its_answer() -> None:
    source = "{% if 's01' in view.task.cards %}ace{% endif %}"
    then = view(task=Hand(("s01", "s02")))
    assert fits(source, then, view(task=Hand(("s03", "s01", "s04"))))
    assert not fits(source, then, view(task=Hand(("s03",))))


def test_going_through_a_list_counts_its_length_and_what_was_read_of_each() -> None:
    source = "{% for hand in hands %}{{ hand.limit }}{% endfor %}"
    then = {"hands": [Hand(limit=1), Hand(limit=2)]}
    assert fits(source, then, {"hands": [Hand(limit=1, owner="p1"), Hand(limit=2)]})
    assert not fits(source, then, {"hands": [Hand(limit=1)]})
    assert not fits(source, then, {"hands": [Hand(limit=1), Hand(limit=3)]})
    assert not fits(source, then, {"hands": [Hand(limit=1), Hand(limit=2), Hand(limit=3)]})


def test_the_order_of_a_mapping_counts_for_who_goes_through_it() -> None:
    source = "{% for seat, hand in view.hands.items() %}{{ seat }}{% endfor %}"
    one, two = Hand(), Hand()
    assert not fits(source, view(hands={"p1": one, "p2": two}), view(hands={"p2": two, "p1": one}))


def test_a_whole_value_counts_where_it_is_compared_or_printed() -> None:
    for source in ("{{ view.task.cards }}", "{% if view.task.cards == other.cards %}same{% endif %}"):
        then = view(task=Hand(("s01",))) | {"other": Hand(("s01",))}
        assert not fits(source, then, view(task=Hand(("s02",))) | {"other": Hand(("s01",))})


def test_names_that_a_part_of_the_page_reads_count_as_well() -> None:
    source = "{% macro whose(hand) %}{{ hand.owner }}{% endmacro %}{{ whose(view.task) }}"
    assert not fits(source, view(task=Hand(owner="p1")), view(task=Hand(owner="p2")))


def test_what_is_not_there_is_nothing_as_in_every_template() -> None:
    assert drawn("[{{ nobody }}{{ view.task.limit }}]", **view())[0] == "[]"


def test_two_seats_see_the_same_where_each_comparison_comes_out_the_same() -> None:
    source = "{% if view.turn == seat %}yours{% else %}wait{% endif %}"
    assert fits(source, view(turn="p1") | {"seat": "p2"}, view(turn="p1") | {"seat": "p3"})
    assert not fits(source, view(turn="p1") | {"seat": "p2"}, view(turn="p1") | {"seat": "p1"})


def test_what_each_seat_has_there_counts_and_not_which_seat_it_is() -> None:
    source = "{{ view.hands[seat].limit }}{% if seat in view.hands %}here{% endif %}"
    hands = {"p1": Hand(limit=1), "p2": Hand(limit=1, owner="p2"), "p3": Hand(limit=3)}
    then = view(hands=hands) | {"seat": "p1"}
    assert fits(source, then, view(hands=hands) | {"seat": "p2"})
    assert not fits(source, then, view(hands=hands) | {"seat": "p3"})
    assert not fits(source, then, view(hands=hands) | {"seat": "p4"})
    assert fits(source, view() | {"seat": "p1"}, view() | {"seat": "p2"})
    assert not fits(source, then, view(hands=hands | {"p1": Hand(limit=2)}) | {"seat": "p1"})


@pytest.mark.parametrize(
    "source",
    [
        "{{ seat }}",
        "{{ 'to-' ~ seat }}",
        "{{ seat[1:] }}",
        "{{ seat|upper }}",
        "{% set s = seat %}{{ [s]|join(', ') }}",
        "{{ view.hands[seat].limit }}",
        "{% if seat in view.hands %}here{% endif %}",
        "{% if seat in ('p1', 'p2') %}front{% endif %}",
        "{{ {'p1': 'one', 'p3': 'three'}[seat] }}",
        "{% trans s=seat %}Seat {{ s }}{% endtrans %}",
        "{{ '%s'|format(seat) }}",
    ],
)
def test_a_seat_that_is_used_otherwise_counts_as_a_whole(source: str) -> None:
    hands = {"p1": Hand(limit=1), "p3": Hand(limit=3)}
    assert not fits(source, view(hands=hands) | {"seat": "p1"}, view(hands=hands) | {"seat": "p3"}) or (
        drawn(source, **view(hands=hands), seat="p1")[0] == drawn(source, **view(hands=hands), seat="p3")[0]
    )
