"""The guarantees for every course of a move: each is a question to a state of the model."""

from __future__ import annotations

from collections.abc import Callable

from tests.protocol.model import Model, World, read


def accepted_is_in_the_log_once(world: World) -> bool:
    ids = [row.id for row in world.log]
    accepted = ((id_, number) for id_, number in world.answers if number)
    return len(set(ids)) == len(ids) and all(ids[number - 1 : number] == [id_] for id_, number in accepted)


def refused_is_not_in_the_log(world: World) -> bool:
    return not {id_ for id_, number in world.answers if not number} & {row.id for row in world.log}


def nobody_knows_too_early(world: World) -> bool:
    """No page reads a card that was masked when its row was taken back."""
    return not world.too_early


def what_was_seen_is_not_undone(world: World) -> bool:
    """Of an undo and the end of a veil, by its time or by the mover's tap, one wins."""
    return not world.too_late


def only_who_has_the_seat_moves(world: World) -> bool:
    return world.taken is None or all(row.by for row in world.log[world.taken :])


def pages_show_what_was_written(world: World) -> bool:
    lives = (process.live.log for process in world.processes)
    return all(log == world.log[: len(log)] for log in lives)


def up_to_date_after_a_heartbeat(model: Model) -> Callable[[World], bool]:
    """Return the question whether a heartbeat, once all is quiet, lets all pages show the present table."""

    def holds(world: World) -> bool:
        if world.sendings or world.news:
            return True
        return all(process.live == read(world) for process in model.beat(world).processes)

    return holds


def properties(model: Model) -> dict[str, Callable[[World], bool]]:
    always = (
        accepted_is_in_the_log_once,
        refused_is_not_in_the_log,
        nobody_knows_too_early,
        what_was_seen_is_not_undone,
        only_who_has_the_seat_moves,
        pages_show_what_was_written,
    )
    named: dict[str, Callable[[World], bool]] = {one.__name__: one for one in always}
    return named | {"up_to_date_after_a_heartbeat": up_to_date_after_a_heartbeat(model)}
