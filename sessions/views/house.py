"""The house rules of a campaign: six parts, each saved on its own or reset to the standard rules."""

from __future__ import annotations

from typing import Any

import msgspec
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from characters import reference
from companion.http import HttpRequest
from sessions import access
from sessions.card_table import house_rules
from sessions.evening.refusals import Refused, refusal_sentence
from sessions.forms.house import ExperienceForm, RankForm, RungForm, UndoWindowForm, WordsForm, rows
from sessions.models import Campaign

#: Sample rows: the page has their sentences ready for a row that is being edited.
SAMPLES = [
    {"link": link, "near": near} for link in ("any", "colour", "suit", "near") for near in (0, "__n__")
]


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def edit_house_rules(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the house rules of a campaign, and change a part of them."""
    campaign = access.campaign_gm(request.person, pk)
    part = request.POST.get("part", "")
    ranks, words = house_rules.npc_ranks(campaign), house_rules.words(campaign)
    powers, lines = reference.item_powers(words), reference.experience_lines(words)
    initials = {
        "ladder": house_rules.ladder(campaign),
        "experience": [vars(house_rules.experience_rates(campaign))],
        "npcs": [msgspec.structs.asdict(rank.stats) for rank in ranks],
        "powers": [{"words": row.text} for row in powers],
        "lines": [{"words": row.text} for row in lines],
        "grace": [{"grace": campaign.grace}],
    }
    kinds = {
        "ladder": RungForm,
        "experience": ExperienceForm,
        "npcs": RankForm,
        "powers": WordsForm,
        "lines": WordsForm,
        "grace": UndoWindowForm,
    }
    forms = {
        name: rows(kind, name, initials[name], request.POST if name == part else None)
        for name, kind in kinds.items()
    }
    if part in forms and _save_part(campaign, part, forms[part], reset="reset" in request.POST):
        messages.success(request, _("Saved."))
        return redirect("play:house-rules", pk)
    context = {
        "campaign": campaign,
        "changed": house_rules.changed_parts(campaign),
        "forms": forms,
        "npcs": list(zip(ranks, forms["npcs"], strict=True)),
        "powers": list(zip(powers, forms["powers"], strict=True)),
        "lines": list(zip(lines, forms["lines"], strict=True)),
        "samples": SAMPLES,
    }
    status = 422 if request.method == "POST" else 200
    return render(request, "sessions/house_rules.html", context, status=status)


def _save_part(campaign: Campaign, part: str, forms: list[Any], *, reset: bool) -> bool:
    """Save a part, or reset it; return False, with errors on the forms, if that is refused."""
    if reset:
        house_rules.reset(campaign=campaign, part=part)
        return True
    if not all(form.is_valid() for form in forms):
        return False
    values = [form.cleaned_data for form in forms]
    try:
        match part:
            case "ladder":
                house_rules.set_ladder(campaign=campaign, rows=values)
            case "experience":
                house_rules.set_experience(campaign=campaign, rates=values[0])
            case "npcs":
                house_rules.set_npcs(campaign=campaign, stats=dict(enumerate(values, 1)))
            case "grace":
                house_rules.set_undo_window(campaign=campaign, on=values[0]["grace"])
            case "powers" | "lines":
                house_rules.set_words(campaign=campaign, part=part, texts=[value["words"] for value in values])
    except Refused as refused:
        forms[0].add_error(None, refusal_sentence(refused))
    return not forms[0].errors
