"""The GM's library of NPCs, and bringing NPCs to a table."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from characters.exchange.wording import wording
from companion.http import HttpRequest
from companion.pacing.heavy import WITH_A_PICTURE, heavy
from sessions import access
from sessions.card_table import house_rules, npcs
from sessions.evening.codes import read_number
from sessions.forms.npcs import NpcForm, SpawnForm
from sessions.game import IllegalMove
from sessions.models import LibraryNpc
from sessions.screen.regions import refusal
from sessions.views.preparing import is_fit


@require_safe
@login_required
def npc_library(request: HttpRequest) -> HttpResponse:
    """List the GM's NPCs by rank; with ``?campaign=1`` only those for that campaign."""
    wanted = request.GET.get("campaign", "")
    chosen = access.campaign_known(request.person, read_number(wanted)) if wanted else None
    context = {
        "npcs": access.library(request.person, chosen),
        "ranks": house_rules.npc_ranks(chosen),
        "campaigns": request.person.campaigns.all() if request.person else [],
        "chosen": chosen,
    }
    return render(request, "sessions/npcs.html", context)


@heavy("POST", larger_than=WITH_A_PICTURE)
@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def make_npc(request: HttpRequest) -> HttpResponse:
    """Create an NPC in the library."""
    return _save_npc(request, LibraryNpc(owner=request.person, rank=1))


@heavy("POST", larger_than=WITH_A_PICTURE)
@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def edit_npc(request: HttpRequest, pk: int) -> HttpResponse:
    """Change an NPC of the library. Its copies at tables stay as they are."""
    return _save_npc(request, access.library_npc(request.person, pk))


def _save_npc(request: HttpRequest, npc: LibraryNpc) -> HttpResponse:
    form = NpcForm(request.POST or None, request.FILES or None, instance=npc, owner=npc.owner)
    if request.method == "POST" and is_fit(request, form):
        said = form.cleaned_data
        keeps = not said["picture"] and not said.get("without")
        npcs.save(library=form.save(commit=False), picture=said["picture"], keeps=keeps)
        messages.success(request, _("Saved."))
        return redirect("play:npcs")
    ccfolia = npcs.piece(npc, wording(get_language())) if npc.pk else ""
    context = {"form": form, "npc": npc, "ccfolia": ccfolia}
    return render(request, "sessions/npc.html", context, status=422 if form.errors else 200)


@require_POST
@login_required
def copy_npc(request: HttpRequest, pk: int) -> HttpResponse:
    """Copy an NPC of the library, and edit the copy."""
    npc = npcs.copy_npc(access.library_npc(request.person, pk))
    return redirect("play:npc", npc.pk)


@require_POST
@login_required
def delete_npc(request: HttpRequest, pk: int) -> HttpResponse:
    """Delete an NPC from the library, with its notes. Its copies at tables stay."""
    access.library_npc(request.person, pk).delete()
    return redirect("play:npcs")


@require_http_methods(["GET", "HEAD", "POST"])
def spawn_npcs(request: HttpRequest, pk: int) -> HttpResponse:
    """Bring NPCs to a running table: GET shows the choice, POST responds in JSON as to a move.

    A deputy who stands in for the GM uses the GM's library.
    """
    table = access.table_gm(request.person, pk)
    if request.method != "POST":
        campaign = table.session.own_campaign
        context = {"table": table, "ranks": house_rules.npc_ranks(campaign)}
        context["npcs"] = access.library(campaign.gm, campaign)
        return render(request, "sessions/_spawn.html", context)
    form = SpawnForm(request.POST)
    try:
        if not form.is_valid():
            raise IllegalMove("malformed_move")
        wish = form.cleaned_data
        if wish["library"]:
            chosen = access.library_npc(table.session.own_campaign.gm, wish["library"])
            npcs.spawn_library(table_pk=pk, library=chosen, count=wish["count"])
        elif wish["name"]:
            own = {name: wish[name] for name in ("name", "hidden", "special")}
            npcs.spawn_with_name(table_pk=pk, rank=wish["rank"] or 0, **own)
        else:
            npcs.spawn_rank(table_pk=pk, rank=wish["rank"] or 0, count=wish["count"], hidden=wish["hidden"])
    except IllegalMove as refused:
        reason = refusal(table.module, refused.code, refused.details)
        answer = {"refused": refused.code, "reason": reason, "rule": refused.details.get("rule")}
        return JsonResponse(answer, status=409)
    return JsonResponse({"accepted": wish["count"]})
