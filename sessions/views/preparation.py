"""A campaign's preparation by its GM: handouts, scene notes, checks, the library of NPCs, the house rules.

Prepared things are also handed over here, and NPCs brought to a table. The house rules have six parts, each
saved on its own or reset to the standard rules.
"""

from __future__ import annotations

from typing import Any

import msgspec
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.forms import Form, ModelForm
from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.datastructures import MultiValueDict
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from characters import reference
from characters.exchange.wording import wording
from companion.files import gallery
from companion.identity.people import HttpRequest
from companion.requests import read_number
from companion.requests.queue import WITH_A_PICTURE, heavy
from sessions import access
from sessions.card_table import house_rules, npcs
from sessions.evening import handouts, preparation
from sessions.forms.campaign import (
    ExperienceForm,
    NpcForm,
    RankForm,
    RungForm,
    SpawnForm,
    UndoWindowForm,
    WordsForm,
    row_forms,
)
from sessions.forms.session import prepared_form, written_form
from sessions.game import IllegalMove
from sessions.models import Campaign, LibraryNpc, Seat, Session
from sessions.views.responses import action, back, refusals_as_errors, refusals_as_messages, refused_move


@require_safe
@login_required
def desk(request: HttpRequest, pk: int) -> HttpResponse:
    campaign = access.own_campaign(request.person, pk)
    return render(
        request, "sessions/preparing.html", {"campaign": campaign, **preparation.prepared_things(campaign)}
    )


@heavy("POST", larger_than=WITH_A_PICTURE)
@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def prepare_thing(request: HttpRequest, pk: int, kind: str, item: int = 0) -> HttpResponse:
    campaign = access.own_campaign(request.person, pk)
    if kind not in preparation.KINDS:
        raise Http404
    known = get_object_or_404(preparation.KINDS[kind], pk=item, campaign=campaign) if item else None
    data, files = (request.POST, request.FILES) if request.method == "POST" else (None, None)
    form = prepared_form(preparation.KINDS[kind])(data, files, instance=known)
    if data is not None and is_fit(request, form):
        form.instance.campaign = campaign
        _save(form)
        messages.success(request, _("Saved."))
        return redirect("play:preparing", pk)
    context = {"campaign": campaign, "form": form, "kind": kind, "known": known}
    return render(request, "sessions/prepare.html", context, status=422 if form.errors else 200)


@require_POST
@login_required
def discard(request: HttpRequest, pk: int, kind: str, item: int) -> HttpResponse:
    campaign = access.own_campaign(request.person, pk)
    if kind not in preparation.KINDS:
        raise Http404
    get_object_or_404(preparation.KINDS[kind], pk=item, campaign=campaign).delete()
    return redirect("play:preparing", pk)


@heavy("POST", larger_than=WITH_A_PICTURE)
@require_POST
def write_thing(request: HttpRequest, pk: int, kind: str) -> HttpResponse:
    """Create a prepared thing at the table. Respond with a confirmation, or with the errors by field."""
    session = access.gm_seat(request.person, pk).session
    if kind not in preparation.KINDS:
        raise Http404
    form = written_form(kind, session, request.POST, request.FILES)
    if not is_fit(request, form):
        return JsonResponse({"errors": form.errors}, status=422)
    return JsonResponse({"said": _save_written(session, kind, form)})


def _save_written(session: Session, kind: str, form: ModelForm[Any]) -> str:
    """Save a thing that was written at the table; return the sentence that confirms it."""
    thing, said = form.save(commit=False), form.cleaned_data
    if kind == "checks":
        preparation.write_check(session=session, check=thing)
    elif kind == "notes":
        preparation.write_note(session=session, note=thing, picture=said["picture"], show=said["show"])
        if said["show"]:
            return _("Everybody sees the picture.")
    else:
        seats, now = said["to"], said["now"]
        handouts.write_handout(handout=thing, session=session, seats=seats, now=now, picture=said["picture"])
        if now:
            return _("Handed over: %(names)s") % {"names": _(", ").join(seat.name for seat in seats)}
    return _("Written down.")


def is_fit(request: HttpRequest, form: ModelForm[Any]) -> bool:
    """True if a form can be saved. Uploads are counted before a picture is decoded."""
    if not request.FILES or gallery.UPLOADS.count(str(request.person and request.person.pk)):
        return form.is_valid()
    form.files = MultiValueDict()
    form.full_clean()
    form.add_error("picture" if "picture" in form.fields else None, gallery.SENTENCES["too_many_pictures"])
    return False


def _save(form: ModelForm[Any]) -> None:
    thing, said = form.save(commit=False), form.cleaned_data
    if said.get("picture") or said.get("without"):
        preparation.save_with_picture(thing, said["picture"])
    else:
        thing.save()


@require_http_methods(["GET", "HEAD", "POST"])
def lay_out_handout(request: HttpRequest, pk: int, handout_pk: int) -> HttpResponse:
    """Show one handout; POST lays it out for a seat, or takes it back."""
    if request.method != "POST":
        return _render_handout(request, pk, handout_pk)
    gm = access.gm_seat(request.person, pk)
    handout = get_object_or_404(gm.session.own_campaign.handouts, pk=handout_pk)
    lay, take = (read_number(request.POST.get(name, "")) for name in ("lay", "take"))
    seat = get_object_or_404(gm.session.seats.exclude(role="gm"), pk=lay or take)
    with refusals_as_messages(request):
        handouts.prepare_copy(handout=handout, seat=seat, lay=bool(lay))
    return back(request, gm)


def _render_handout(request: HttpRequest, pk: int, handout_pk: int) -> HttpResponse:
    seat = access.own_seat(request.person, pk)
    if access.runs_session(seat):
        seat = access.gm_seat(request.person, pk)
    if not (shown := handouts.handout_context(seat, handout_pk)):
        raise Http404
    return render(request, "sessions/handout.html", {"session": seat.session, "my_seat": seat, **shown})


@action(access.gm_seat)
def hand_over_handouts(request: HttpRequest, gm: Seat) -> None:
    """Hand over all handouts that are laid out: every phone shows the same card."""
    handouts.hand_over_copies(session=gm.session)


@action(access.gm_seat)
def reveal_handout(request: HttpRequest, gm: Seat, handout_pk: int) -> None:
    handout = get_object_or_404(gm.session.own_campaign.handouts, pk=handout_pk)
    handouts.set_revealed(session=gm.session, handout=handout, revealed=request.POST.get("revealed") == "1")


@action(access.own_seat)
def put_away_notice(request: HttpRequest, seat: Seat) -> None:
    handouts.dismiss_notice(seat=seat, notice_pk=read_number(request.POST.get("notice", "")))


@require_safe
def handout_picture(request: HttpRequest, pk: int, key: str) -> HttpResponse:
    """Serve the picture of a handout to those who may read its secret; 404 for everybody else."""
    picture = request.person and handouts.picture_for(request.person, pk, key)
    if not picture:
        raise Http404
    return gallery.picture_response(picture)


@action(access.gm_seat)
def show_scene_picture(request: HttpRequest, gm: Seat) -> None:
    """Show everybody the picture of a scene note, or take the shown picture away."""
    pictured = gm.session.own_campaign.scene_notes.exclude(picture=None)
    wanted = request.POST.get("note")
    note = get_object_or_404(pictured, pk=read_number(wanted)) if wanted else None
    preparation.show_picture(session=gm.session, note=note)


@action(access.gm_seat)
def set_scene(request: HttpRequest, gm: Seat) -> None:
    """Set the line that shows everybody the current scene of the story."""
    handouts.set_scene(session=gm.session, scene=request.POST.get("scene", ""))


@require_safe
@login_required
def npc_library(request: HttpRequest) -> HttpResponse:
    """List the GM's NPCs by rank; with ``?campaign=1`` only those for that campaign."""
    wanted = request.GET.get("campaign", "")
    chosen = access.known_campaign(request.person, read_number(wanted)) if wanted else None
    context = {
        "npcs": access.npc_library(request.person, chosen),
        "ranks": house_rules.npc_ranks(chosen),
        "campaigns": request.person.campaigns.all() if request.person else [],
        "chosen": chosen,
    }
    return render(request, "sessions/npcs.html", context)


@heavy("POST", larger_than=WITH_A_PICTURE)
@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def make_npc(request: HttpRequest) -> HttpResponse:
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
        npcs.save_npc(library=form.save(commit=False), picture=said["picture"], keeps=keeps)
        messages.success(request, _("Saved."))
        return redirect("play:npcs")
    ccfolia = npcs.ccfolia_piece(npc, wording(get_language())) if npc.pk else ""
    context = {"form": form, "npc": npc, "ccfolia": ccfolia}
    return render(request, "sessions/npc.html", context, status=422 if form.errors else 200)


@require_POST
@login_required
def copy_npc(request: HttpRequest, pk: int) -> HttpResponse:
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
        context["npcs"] = access.npc_library(campaign.gm, campaign)
        return render(request, "sessions/_spawn.html", context)
    form = SpawnForm(request.POST)
    try:
        if not form.is_valid():
            raise IllegalMove("malformed_move")
        wish = form.cleaned_data
        if wish["library"]:
            chosen = access.library_npc(table.session.own_campaign.gm, wish["library"])
            npcs.spawn_library(table_pk=pk, library=chosen, count=wish["count"])
        else:
            npcs.spawn(
                table_pk=pk,
                rank=wish["rank"] or 0,
                count=1 if wish["name"] else wish["count"],
                name=wish["name"],
                hidden=wish["hidden"],
                special=wish["special"],
            )
    except IllegalMove as refused:
        return refused_move(table, refused)
    return JsonResponse({"accepted": wish["count"]})


#: Sample rows: the page has their sentences ready for a row that is being edited.
SAMPLES = [
    {"link": link, "near": near} for link in ("any", "colour", "suit", "near") for near in (0, "__n__")
]


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def edit_house_rules(request: HttpRequest, pk: int) -> HttpResponse:
    campaign = access.own_campaign(request.person, pk)
    part = request.POST.get("part", "")
    ranks, words = house_rules.npc_ranks(campaign), house_rules.words(campaign)
    powers, lines = reference.item_powers(words), reference.experience_lines(words)
    parts: dict[str, tuple[type[Form], list[Any]]] = {
        "ladder": (RungForm, house_rules.ladder(campaign)),
        "experience": (ExperienceForm, [vars(house_rules.experience_rates(campaign))]),
        "npcs": (RankForm, [msgspec.structs.asdict(rank.stats) for rank in ranks]),
        "powers": (WordsForm, [{"words": row.text} for row in powers]),
        "lines": (WordsForm, [{"words": row.text} for row in lines]),
        "grace": (UndoWindowForm, [{"grace": campaign.grace}]),
    }
    forms = {
        name: row_forms(kind, name, initials, request.POST if name == part else None)
        for name, (kind, initials) in parts.items()
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
    with refusals_as_errors(forms[0]):
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
                house_rules.set_words(
                    campaign=campaign, part=part, texts=[value["words"] for value in values]
                )
    return not forms[0].errors
