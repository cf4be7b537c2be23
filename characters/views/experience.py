"""Experience on the sheet: the checklists that are open, the ledger, and what its points buy. [UC-11]"""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from characters import access, forms, reference
from characters.forms import run_service
from characters.models import Character, ExperienceChecklist
from characters.services import experience
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


@require_POST
def start_checklist(request: HttpRequest, pk: int) -> HttpResponse:
    """Open a checklist for a session that was played without Takujō."""
    character = access.get_own_character(request, pk)
    title = request.POST.get("title", "")
    refusal = run_service(request, lambda: experience.start_checklist(character=character, title=title))
    return _render_experience(request, character, refusal)


@require_POST
def tick_experience(request: HttpRequest, pk: int, checklist: int, key: str) -> HttpResponse:
    ticked = _own_checklist(request, pk, checklist)
    refusal = run_service(request, lambda: experience.tick_experience(checklist=ticked, key=key))
    return _render_experience(request, ticked.character, refusal)


@require_POST
def untick_experience(request: HttpRequest, pk: int, checklist: int, key: str) -> HttpResponse:
    unticked = _own_checklist(request, pk, checklist)
    refusal = run_service(request, lambda: experience.untick_experience(checklist=unticked, key=key))
    return _render_experience(request, unticked.character, refusal)


@require_POST
def confirm_experience(request: HttpRequest, pk: int, checklist: int) -> HttpResponse:
    """Confirm the checklist of a session that was played without Takujō, on the GM's word.

    In a session on Takujō the GM confirms it instead.
    """
    owned = access.get_own_character(request, pk)
    confirmed = get_object_or_404(owned.checklists.filter(session_key=""), pk=checklist)
    refusal = run_service(
        request, lambda: experience.confirm_experience(checklist=confirmed, by=request.person)
    )
    return _render_experience(request, owned, refusal)


@require_POST
def buy(request: HttpRequest, pk: int) -> HttpResponse:
    """Spend points. A purchase changes several parts of the sheet, so the whole page is loaded again."""
    character = access.get_own_character(request, pk)
    form = forms.BuyForm(request.POST)
    if not form.is_valid():
        messages.error(request, " ".join(str(error) for errors in form.errors.values() for error in errors))
    elif not run_service(
        request,
        lambda: experience.buy(
            character=character, offer=form.offer, bought=form.cleaned_data["bought"], by=request.person
        ),
    ):
        messages.success(request, _("Bought. It stands on the sheet now."))
    return redirect(f"{character.get_absolute_url()}#experience")


@require_POST
def take_back(request: HttpRequest, pk: int, entry: int) -> HttpResponse:
    character = access.get_own_character(request, pk)
    if not run_service(
        request, lambda: experience.take_back(character=character, entry_id=entry, by=request.person)
    ):
        messages.success(request, _("Taken back. The points are yours again."))
    return redirect(f"{character.get_absolute_url()}#experience")


def _own_checklist(request: HttpRequest, pk: int, checklist: int) -> ExperienceChecklist:
    return get_object_or_404(access.get_own_character(request, pk).checklists, pk=checklist)


def _render_experience(request: HttpRequest, character: Character, refusal: str) -> HttpResponse:
    context = {"character": character, "refusal": refusal, **experience_context(character)}
    page = character.get_absolute_url() + "#experience"
    return render_fragment(request, "characters/_experience.html", context, page=page)
