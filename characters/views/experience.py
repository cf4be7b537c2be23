"""Experience on the sheet: the checklists that are open, the ledger, and what its points buy. [UC-11]"""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from characters import forms, reference
from characters.models import Character
from characters.services import experience
from characters.views.responses import action, redirect_to
from companion.cards import SUITS
from companion.identity.people import HttpRequest
from companion.pages.defaults import render_fragment


def experience_context(character: Character) -> dict[str, object]:
    """Return the template context for the experience part of a sheet."""
    rates, campaign = experience.rates_of(character)
    return {
        "checklists": character.checklists.filter(confirmed_at=None).prefetch_related("lines"),
        "lines": reference.experience_lines(reference.campaign_words(character)),
        "balance": experience.balance(character),
        "offers": experience.offers(character),
        "rates": rates,
        "rates_of": campaign,
        "other_suits": [suit for suit in SUITS if suit not in character.suits],
        "entries": character.ledger.select_related("checklist", "taken_back"),
        "tonight": date_format(timezone.localdate(), "SHORT_DATE_FORMAT"),
    }


def _experience_part(character: Character) -> str:
    return character.get_absolute_url() + "#experience"


def _show_experience(request: HttpRequest, character: Character, refusal: str) -> HttpResponse:
    context = {"character": character, "refusal": refusal, **experience_context(character)}
    page = _experience_part(character)
    return render_fragment(request, "characters/_experience.html", context, page=page)


@action(_show_experience)
def start_checklist(request: HttpRequest, character: Character) -> None:
    """Open a checklist for a session that was played without Takujō."""
    experience.start_own_checklist(character=character, title=request.POST.get("title", ""))


@action(_show_experience)
def tick_experience(request: HttpRequest, character: Character, checklist: int, key: str) -> None:
    found = get_object_or_404(character.checklists, pk=checklist)
    experience.tick_experience(checklist=found, key=key, ticked=True)


@action(_show_experience)
def untick_experience(request: HttpRequest, character: Character, checklist: int, key: str) -> None:
    found = get_object_or_404(character.checklists, pk=checklist)
    experience.tick_experience(checklist=found, key=key, ticked=False)


@action(_show_experience)
def confirm_experience(request: HttpRequest, character: Character, checklist: int) -> None:
    """Confirm the checklist of a session that was played without Takujō, on the GM's word.

    In a session on Takujō the GM confirms it instead.
    """
    found = get_object_or_404(character.checklists.filter(session_key=""), pk=checklist)
    experience.confirm_experience(checklist=found, by=request.person)


@action(redirect_to(_experience_part))
def buy(request: HttpRequest, character: Character) -> None:
    """Spend points. A purchase changes several parts of the sheet, so the whole page is loaded again."""
    form = forms.BuyForm(request.POST)
    if form.is_valid():
        wish = form.cleaned_data["bought"]
        experience.buy(character=character, offer=form.offer, bought=wish, by=request.person)
        messages.success(request, _("Bought. It stands on the sheet now."))
    else:
        messages.error(request, " ".join(str(error) for errors in form.errors.values() for error in errors))


@action(redirect_to(_experience_part))
def take_back(request: HttpRequest, character: Character, entry: int) -> None:
    experience.take_back(character=character, entry_id=entry, by=request.person)
    messages.success(request, _("Taken back. The points are yours again."))
