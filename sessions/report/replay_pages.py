"""The pages of a replay: one step of an ended table, as a reader sees it."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.safestring import SafeString

from companion.figures import figure
from companion.rendering.markup import still
from sessions.engine.registry import registry
from sessions.live.regions import (
    layout_template,
    plain_values,
    render_hand,
    render_line,
    render_shared_regions,
    seat_names,
)
from sessions.models import Table
from sessions.report.audience import Perspective, TablePerspective
from sessions.table import log
from sessions.table.replay import table_at


@dataclass(frozen=True)
class RenderedHand:
    name: str
    html: SafeString


@dataclass(frozen=True)
class ReplayStep:
    """A table after its first ``version`` moves, and the events of the last of them."""

    version: int
    last: int
    lines: list[SafeString]
    table: list[SafeString]
    hands: list[RenderedHand]
    #: False if the reader sees a part that was taken back before anybody saw it.
    shown: bool

    @property
    def previous(self) -> int:
        return max(0, self.version - 1)

    @property
    def next(self) -> int:
        return min(self.last, self.version + 1)


def layout_of(table: Table) -> str:
    """Return the layout of a replay, which is the table face's."""
    return layout_template(table.module, "face")


def step_at(table: Table, reader: Perspective, written: str) -> ReplayStep:
    """Return the step with a number from a URL; the opening if it is no number, the end if it is too high."""
    is_number = written.isascii() and written.isdigit() and len(written) < 10
    version = min(int(written), table.version) if is_number else 0
    eyes, names = reader.at_table(table), seat_names(table)
    then = table_at(table, version, everything=eyes.sees_everything)
    context = plain_values(then, None, names)
    lines = log.move_lines(table, version)
    shown = render_shared_regions(then, layout_of(then), names)
    return ReplayStep(
        version=version,
        last=table.version,
        lines=[render_line(table, line, context) for line in lines if eyes.may_read(line)],
        table=[SafeString(still(html)) for html in shown.values()],
        hands=_hands(then, eyes, names, context),
        shown=all(line.shown for line in lines) or not eyes.sees_everything,
    )


def _hands(
    then: Table, eyes: TablePerspective, names: dict[str, str], context: dict[str, object]
) -> list[RenderedHand]:
    """Render the hands that a perspective shows, of the seats taken at that step."""
    seated = registry()[then.module].load(bytes(then.snapshot)).seats
    keys = list(seated) if eyes.sees_everything else [key for key in seated if key == eyes.key]
    drawn = {key: render_hand(then, key, names) for key in keys}
    return [
        RenderedHand(str(figure(context["figures"], context["names"], key)), SafeString(still(html)))
        for key, html in drawn.items()
        if html
    ]
