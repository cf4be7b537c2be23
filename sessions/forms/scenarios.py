"""The fields of a scenario's editor page, and the forms to import scenarios and campaigns.

The fields are derived from the types of the scenario's document.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy
from msgspec import inspect

from companion.models import Picture
from sessions.models import ScenarioSound
from sessions.scenarios.document import (
    EARLIER,
    PARAGRAPHS,
    Document,
    ScenarioPart,
    ScenarioScene,
    things,
)

LABELS: dict[str, str | Promise] = {
    "active": _("acting side of a contest (empty: chosen at the table)"),
    "ambience": _("sound"),
    "caption": _("words under the picture"),
    "count": pgettext_lazy("scenario", "how many"),
    "difficulty": _("difficulty"),
    "follows": _("what follows, on success and on failure"),
    "hidden": _("players do not see their HP"),
    "kind": pgettext_lazy("prepared check", "kind"),
    "label": _("what for"),
    "minutes": _("minutes"),
    "mood": pgettext_lazy("scenario", "mood"),
    "name": pgettext_lazy("scenario", "name (empty: by their rank)"),
    "notes": _("only the GM reads this"),
    "passive": _("passive side of a contest (empty: chosen at the table)"),
    "pitch": _("what it is about, for players"),
    "players_from": pgettext_lazy("scenario", "players, at least"),
    "players_to": pgettext_lazy("scenario", "players, at most"),
    "rank": _("rank"),
    "read": _("what everybody reads"),
    "skill": pgettext_lazy("scenario", "skill that fits"),
    "secret": _("only for who gets it"),
    "special": _("special ability"),
    "text": _("for everybody"),
    "title": _("title"),
    "tool_missing": _("needs a tool nobody has"),
    "warns": _("what it warns of, for everybody to read"),
    "whom": _("for whom"),
    "words": pgettext_lazy("scenario", "words"),
}
CHOICES: dict[tuple[str, str], str | Promise] = {
    ("mood", ""): pgettext_lazy("mood", "none"),
    ("mood", "dusk"): pgettext_lazy("mood", "dusk"),
    ("mood", "rain"): pgettext_lazy("mood", "rain"),
    ("mood", "cellar"): pgettext_lazy("mood", "cellar"),
    ("mood", "snow"): pgettext_lazy("mood", "snow"),
    ("mood", "harbour"): pgettext_lazy("mood", "harbour"),
    ("mood", "train"): pgettext_lazy("mood", "train"),
    ("ambience", ""): pgettext_lazy("ambience", "none"),
    ("ambience", "rain"): pgettext_lazy("ambience", "rain"),
    ("ambience", "fire"): pgettext_lazy("ambience", "fire"),
    ("ambience", "wind"): pgettext_lazy("ambience", "wind"),
    ("ambience", "train"): pgettext_lazy("ambience", "train"),
    ("ambience", "crowd"): pgettext_lazy("ambience", "crowd"),
    ("ambience", "heartbeat"): pgettext_lazy("ambience", "heartbeat"),
    ("kind", "check"): pgettext_lazy("prepared check", "an ordinary check"),
    ("kind", "chain"): _("chain check"),
    ("kind", "secret"): pgettext_lazy("prepared check", "secret check: the GM alone learns the result"),
    ("kind", "secret_own"): pgettext_lazy("prepared check", "secret check: its player learns it, too"),
    ("kind", "contest"): pgettext_lazy("prepared check", "contest"),
}
#: Labels of the lists of parts.
LISTS: dict[str, str | Promise] = {
    "checks": _("Prepared checks"),
    "npcs": _("NPCs"),
    "letters": _("Handouts"),
    "cut_ins": _("Cut-ins"),
    "scenes": _("Scenes"),
}
#: The most scenes and things whose forms a page renders at once, some 4 kB each; beyond that, one scene's.
SCENES_AT_ONCE, THINGS_AT_ONCE = 20, 120
#: The fields that can name a thing, the first choice first.
CALLED = ("title", "name", "label", "words")
#: The fields that have a place of their own on the page.
ELSEWHERE = frozenset({"id", "picture", "sound", "leads", *EARLIER})


@dataclass(frozen=True)
class Field:
    """A field as the page renders it; ``kind`` is line, text, number, tick or choice."""

    name: str
    kind: str
    label: str | Promise
    value: Any
    longest: int | None = None
    least: int | None = None
    most: int | None = None
    choices: tuple[tuple[str, str | Promise], ...] = ()


@dataclass(frozen=True)
class Part:
    """A thing as the page renders it; ``called`` is its name, empty until its author writes one."""

    thing: ScenarioPart
    called: str
    fields: list[Field]
    lists: list[tuple[str, str | Promise, list[Part]]]
    has_picture: bool
    picture: Picture | None
    sound: ScenarioSound | None


@dataclass(frozen=True)
class ClosedScene:
    """A scene whose forms are not rendered: its name, and how many things of each kind it contains."""

    thing: ScenarioScene
    called: str
    counts: list[tuple[str | Promise, int]]


def build_part(
    thing: ScenarioPart, pictures: Mapping[str, Picture], sounds: Mapping[str, ScenarioSound]
) -> Part:
    """Return a thing and its parts, with those of the scenario's pictures and sounds that they name."""
    lists = [
        (name, LISTS[name], [build_part(part, pictures, sounds) for part in getattr(thing, name)])
        for name in thing.parts
    ]
    picture = pictures.get(getattr(thing, "picture", ""))
    sound = sounds.get(getattr(thing, "sound", ""))
    return Part(
        thing, _name_of(thing), list(_build_fields(thing)), lists, hasattr(thing, "picture"), picture, sound
    )


def summarize_scene(scene: ScenarioScene) -> ClosedScene:
    counts = [(LISTS[name], len(getattr(scene, name))) for name in scene.parts]
    return ClosedScene(scene, _name_of(scene), counts)


def fits_on_a_page(document: Document) -> bool:
    return len(document.scenes) <= SCENES_AT_ONCE and sum(1 for _ in things(document)) <= THINGS_AT_ONCE


def leads(document: Document, scene: ScenarioScene) -> list[tuple[ScenarioScene, bool]]:
    """Return the other scenes, each with True if this one leads to it."""
    return [(other, other.id in scene.leads) for other in document.scenes if other is not scene]


def _name_of(thing: ScenarioPart) -> str:
    return next((said for name in CALLED if (said := getattr(thing, name, ""))), "")


def _build_fields(thing: ScenarioPart) -> Iterator[Field]:
    kind = inspect.type_info(type(thing))
    assert isinstance(kind, inspect.StructType)
    for field in kind.fields:
        if field.name not in ELSEWHERE and field.name not in thing.parts:
            yield _build_field(field.name, field.type, getattr(thing, field.name))


def _build_field(name: str, kind: inspect.Type, value: Any) -> Field:
    label = LABELS[name]
    if isinstance(kind, inspect.BoolType):
        return Field(name, "tick", label, value)
    if isinstance(kind, inspect.IntType):
        return Field(name, "number", label, value, least=kind.ge, most=kind.le)
    if isinstance(kind, inspect.LiteralType):
        choices = tuple((str(one), CHOICES[name, str(one)]) for one in kind.values)
        return Field(name, "choice", label, value, choices=choices)
    assert isinstance(kind, inspect.StrType)
    return Field(name, "text" if name in PARAGRAPHS else "line", label, value, longest=kind.max_length)


class PasteForm(forms.Form):
    """A scenario as text or as a file. ``sessions.scenarios.scenario_import`` validates its content."""

    text = forms.CharField(
        label=_("Paste your scenario"),
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"class": "long-text", "spellcheck": "false", "autocomplete": "off"}),
    )
    file = forms.FileField(
        label=_("Or choose a file"),
        help_text=_("Text (txt, md) up to 200,000 characters, or a room of CCFOLIA (zip) up to 7.5 MB"),
        required=False,
        allow_empty_file=True,
        widget=forms.FileInput(attrs={"accept": ".txt,.md,.zip,text/plain,text/markdown,application/zip"}),
    )


class CampaignFileForm(forms.Form):
    file = forms.FileField(
        label=_("The file of a campaign"),
        help_text=_("A zip of up to 7.5 MB"),
        widget=forms.FileInput(attrs={"accept": ".zip,application/zip"}),
    )


class ScenarioFileForm(forms.Form):
    file = forms.FileField(
        label=_("The file of a scenario"),
        help_text=_("A zip of up to 11 MB"),
        widget=forms.FileInput(attrs={"accept": ".zip,application/zip"}),
    )
