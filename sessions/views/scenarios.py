"""A GM's scenarios: the list, the editor page, and the versions."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import wraps
from typing import Any

import msgspec
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from companion.files import gallery
from companion.files.pictures import SCENE, PictureRefused, rewritten
from companion.identity.people import HttpRequest
from companion.requests import read_number
from companion.requests.queue import WITH_A_PICTURE, heavy
from sessions import access
from sessions.evening import nights
from sessions.forms.scenarios import build_part, fits_on_a_page, leads, summarize_scene
from sessions.models import Campaign, Scenario
from sessions.scenarios import campaign_scenarios, editing, staging
from sessions.scenarios import document as documents
from sessions.scenarios.document import Document, Unfit
from sessions.views.responses import View, unfit_sentence


@require_safe
@login_required
def scenarios(request: HttpRequest) -> HttpResponse:
    own = Scenario.objects.filter(owner=request.person).defer("document")
    return render(request, "sessions/scenarios.html", {"scenarios": own})


@require_POST
@login_required
def create_scenario(request: HttpRequest) -> HttpResponse:
    assert request.person
    document = Document(scenes=[documents.ScenarioScene(id=editing.new_id())])
    return redirect("play:scenario", editing.create_scenario(request.person, document).pk)


@require_POST
@login_required
def start_from_campaign(request: HttpRequest, pk: int) -> HttpResponse:
    """Create a scenario from everything that is prepared in a campaign."""
    campaign = access.own_campaign(request.person, pk)
    return redirect("play:scenario", campaign_scenarios.scenario_of(campaign).pk)


@require_safe
@login_required
def scenario(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the editor page of a scenario; a large one has the forms of one scene only, ``?scene=``."""
    found = _scenario(request, pk)
    document = editing.document_of(found)
    kept = found.pictures.select_related("picture").defer("picture__content")
    pictures = {one.picture.key: one.picture for one in kept}
    sounds = {sound.key: sound for sound in found.sounds.defer("content")}
    sample = nights.find_sample(request.person)
    everything, wanted = fits_on_a_page(document), request.GET.get("scene")
    context = {
        "scenario": found,
        "whole": build_part(msgspec.structs.replace(document, scenes=[]), pictures, sounds),
        "scenes": [
            (build_part(scene, pictures, sounds), leads(document, scene))
            if everything or scene.id == wanted
            else (summarize_scene(scene), [])
            for scene in document.scenes
        ],
        "campaigns": Campaign.objects.filter(gm=request.person).exclude(pk__in=[sample.pk] if sample else []),
    }
    return render(request, "sessions/scenario.html", context)


def _scenario(request: HttpRequest, pk: int) -> Scenario:
    return get_object_or_404(Scenario.objects.select_related("owner"), owner=request.person, pk=pk)


class FieldEdit(msgspec.Struct, kw_only=True):
    """The body that the editor page sends while its author types."""

    of: str
    field: str
    value: str | int | bool | list[str] | None
    was: str | int | bool | list[str] | None


@require_POST
@login_required
def write_field(request: HttpRequest, pk: int) -> HttpResponse:
    """Save one field. Respond with the stored value, or with the current one after a concurrent edit."""
    found = _scenario(request, pk)
    try:
        said = msgspec.json.decode(request.body, type=FieldEdit)
        kept = editing.write(found.pk, said.of, said.field, said.value, said.was)
    except Unfit as unfit:
        answer = {"reason": unfit_sentence(unfit), "code": unfit.code}
        if unfit.code == "changed":
            document = editing.document_of(_scenario(request, pk))
            answer["now"] = getattr(documents.find(document, said.of), said.field)
        return JsonResponse(answer, status=409)
    except ValueError:
        return JsonResponse({"reason": unfit_sentence(Unfit("malformed")), "code": "malformed"}, status=422)
    return JsonResponse({"value": kept})


def change_scenario(act: Callable[..., str | None]) -> View:
    """Decorate a change of a scenario to receive it, and to redirect to the thing whose id it returns."""

    @require_POST
    @login_required
    @wraps(act)
    def inner(request: HttpRequest, pk: int, **kwargs: Any) -> HttpResponse:
        try:
            of = act(request, _scenario(request, pk), **kwargs)
        except Unfit as unfit:
            messages.error(request, unfit_sentence(unfit))
            of = ""
        address = reverse("play:scenario", args=[pk])
        if not of:
            return redirect(address)
        document = editing.document_of(Scenario.objects.get(pk=pk))
        with suppress(Unfit):  # the scenario itself is in no scene
            address += f"?scene={documents.scene_of(document, of).id}"
        return redirect(f"{address}#thing-{of}")

    return inner


@change_scenario
def add_part(request: HttpRequest, found: Scenario, of: str, name: str) -> str:
    return editing.add(found.pk, of, name).id


@change_scenario
def remove_part(request: HttpRequest, found: Scenario, of: str) -> str:
    scene = documents.scene_of(editing.document_of(found), of)
    editing.remove(found.pk, of)
    return "" if scene.id == of else scene.id


@change_scenario
def move_part(request: HttpRequest, found: Scenario, of: str) -> str:
    editing.move(found.pk, of, -1 if "up" in request.POST else 1)
    return of


@heavy("POST", larger_than=WITH_A_PICTURE)
@change_scenario
def change_picture(request: HttpRequest, found: Scenario, of: str) -> str:
    """Replace the picture of a thing, or remove it."""
    try:
        sent = request.FILES.get("picture")
        if sent and not gallery.UPLOADS.count(str(found.owner_id)):
            raise PictureRefused("too_many_pictures")
        editing.set_picture(found, of, rewritten(sent.read(), SCENE) if sent else None)
    except PictureRefused as refused:
        messages.error(request, gallery.SENTENCES[refused.code])
    return of


@change_scenario
def remove_sound(request: HttpRequest, found: Scenario, of: str) -> str:
    editing.set_media(found.pk, of, "sound", "")
    return of


@change_scenario
def restore_version(request: HttpRequest, found: Scenario, version: int) -> None:
    editing.restore(found.pk, version)
    messages.success(request, _("It is as it was then. What you had is among the versions."))


@heavy("POST")
@require_POST
@login_required
def duplicate_scenario(request: HttpRequest, pk: int) -> HttpResponse:
    found = _scenario(request, pk)
    title = _("%(title)s (copy)") % {"title": found.title[:50]}
    return redirect("play:scenario", editing.duplicate(found, found.owner, title).pk)


@require_POST
@login_required
def delete_scenario(request: HttpRequest, pk: int) -> HttpResponse:
    """Delete a scenario with all its versions. Parts of it that a session shows now stay there."""
    _scenario(request, pk).delete()
    return redirect("play:scenarios")


@heavy("GET")
@require_safe
@login_required
def versions(request: HttpRequest, pk: int) -> HttpResponse:
    found = _scenario(request, pk)
    kept = [(revision, editing.document_of(revision)) for revision in found.revisions.all()]
    return render(request, "sessions/scenario_versions.html", {"scenario": found, "versions": kept})


@require_POST
@login_required
def play_scenario(request: HttpRequest, pk: int) -> HttpResponse:
    """Open a session with this scenario: in a campaign, or in a new one with the scenario's title."""
    found = _scenario(request, pk)
    title = found.title or _("A scenario without a title")
    wanted = request.POST.get("campaign")
    with transaction.atomic():
        campaign = (
            get_object_or_404(Campaign, gm=request.person, pk=read_number(wanted))
            if wanted
            else Campaign.objects.create(gm=found.owner, name=title)
        )
        session = nights.open_session(campaign=campaign, title=title)
        staging.choose_scenario(session=session, scenario=found)
    return redirect(session)
