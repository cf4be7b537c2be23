"""Forms of board games: the choices before one opens, and the rewards at its end."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Any, get_args, get_type_hints

from django import forms
from django.template import TemplateDoesNotExist
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from msgspec import NODEFAULT, inspect

from companion import rendering
from sessions.board_games.games import REWARD_POINTS_AT_MOST, GameChoices
from sessions.engine import bots
from sessions.forms.campaign import number_field
from sessions.game import AnyModule
from sessions.models import Bot, Campaign, Handout
from sessions.table import clock

OPTION = "option-"


class GameForm(forms.Form):
    """Bots, a clock, and a field for each module option that is a boolean, a choice or a small number."""

    def __init__(self, data: Any, *, module: AnyModule, sitting: int, over_days: bool = False) -> None:
        """Build the form for one game.

        :param sitting: the expected number of people; bots are proposed up to the number that the game needs.
        :param over_days: True if it may be a slow table; a game of one person cannot be.
        """
        super().__init__(data)
        most = module.seats.stop - 1
        if most > 1:  # a solitaire has one seat: no bots, no clock
            self._ask_for_bots(module, most - 1, max(0, module.seats.start - sitting))
            self._ask_for_clock([n for n in clock.CHOICES if over_days or n < clock.DAY])
        self._options = dict(_option_fields(module))
        self.fields.update({OPTION + name: field for name, field in self._options.items()})

    def _ask_for_bots(self, module: AnyModule, most: int, lacking: int) -> None:
        choices = [(kind, Bot(kind).label) for kind in bots.kinds(module)]
        self.fields["bot_count"] = number_field(0, most, label=_("Bots"), initial=lacking, required=False)
        self.fields["bot"] = forms.ChoiceField(
            label=_("How the bots play"),
            choices=choices,
            initial=bots.default_kind(module),
            required=False,
            widget=forms.RadioSelect if len(choices) > 1 else forms.HiddenInput,
        )

    def _ask_for_clock(self, choices: list[int]) -> None:
        self.fields["clock"] = forms.TypedChoiceField(
            label=_("Clock: the time for an answer, then a bot gives it"),
            choices=[(n, _clock_words(n)) for n in choices],
            coerce=int,
            initial=0,
            required=False,
            widget=forms.RadioSelect,
        )

    @property
    def choices(self) -> GameChoices:
        chosen = self.cleaned_data
        return GameChoices(
            options={name: chosen[OPTION + name] for name in self._options},
            bot=chosen.get("bot", ""),
            bot_count=chosen.get("bot_count", 0),
            clock=int(chosen.get("clock") or 0),
            of_the_day=self.data.get("daily") == "1",
        )

    @property
    def option_fields(self) -> list[forms.BoundField]:
        return [self[OPTION + name] for name in self._options]

    def clean_bot_count(self) -> int:
        return self.cleaned_data["bot_count"] or 0

    def clean_bot(self) -> str:
        return str(self.cleaned_data["bot"] or self.fields["bot"].initial)


def _clock_words(seconds: int) -> str | Promise:
    if seconds == clock.DAY:
        return _("a day, over days")
    return _("%(n)s s") % {"n": seconds} if seconds else _("No clock")


def _option_fields(module: AnyModule) -> Iterator[tuple[str, forms.Field]]:
    """Yield a field for each option that a form can ask for; other options keep the module's defaults."""
    struct = inspect.type_info(module.options)
    assert isinstance(struct, inspect.StructType)
    for option in struct.fields:
        if option.default is not NODEFAULT and (field := _option_field(module, option)):
            yield option.encode_name, field


def _option_field(module: AnyModule, option: inspect.Field) -> forms.Field | None:
    key = module.key
    label, initial = option_words(key, option.encode_name), option.default
    match option.type:
        case inspect.BoolType():
            return forms.BooleanField(label=label, initial=initial, required=False)
        case inspect.LiteralType():
            # Keep the order of the type's author; ``inspect`` sorts the values.
            values = list(get_args(get_type_hints(module.options)[option.name]))
            return _choice_field(key, option.encode_name, values, initial)
        case inspect.EnumType(cls=cls):
            return _choice_field(key, option.encode_name, [one.value for one in cls], initial.value)
        case inspect.IntType(ge=int(least), le=int(most)):
            return number_field(least, most, label=label, initial=initial)
    return None


def _choice_field(key: str, name: str, values: list[Any], initial: Any) -> forms.Field:
    return forms.TypedChoiceField(
        label=option_words(key, name),
        choices=[(value, option_words(key, name, value)) for value in values],
        coerce=lambda chosen: next(value for value in values if str(value) == chosen),
        initial=initial,
        widget=forms.RadioSelect,
    )


def option_words(key: str, option: str, value: Any = None) -> str:
    """Return a game's words for an option, or for one value of it; its bare name if there are none."""
    said = ""
    with suppress(TemplateDoesNotExist):
        said = rendering.render_first((f"tables/{key}/_option.jinja",), {"option": option, "value": value})
    return said or (option.replace("_", " ") if value is None else str(value))


class RewardForm(forms.Form):
    """The rewards of a board game: points, and optionally a handout of the campaign."""

    points = number_field(0, REWARD_POINTS_AT_MOST, label=_("Experience points for each"), initial=1)
    handout = forms.ModelChoiceField(
        Handout.objects.none(), label=_("Handout"), required=False, empty_label=_("None")
    )

    def __init__(self, data: Any, *, campaign: Campaign) -> None:
        super().__init__(data)
        self.fields["handout"].queryset = campaign.handouts.all()  # type: ignore[attr-defined]
