"""The GM's actions on the stage: scenes and what they contain, cut-ins, sounds, and shared clocks.

Cut-ins and short sounds are shown and played on all screens. Sounds are uploaded by the authors of scenarios
and served to everybody who knows their address. What the GM improvised during a session can be kept in its
scenario. Shared clocks are for the GM or the deputy who runs the session.
"""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import urlencode

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import Http404, HttpResponse, HttpResponseBadRequest, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from companion.files.sounds import SoundRefused
from companion.identity.people import HttpRequest
from companion.requests import read_number
from companion.requests.queue import heavy
from sessions import access
from sessions.evening import shared_clocks
from sessions.evening.refusals import NOT_NOW, Refused, refusal_sentence
from sessions.forms.session import RecapForm, SharedClockForm
from sessions.models import Scenario, ScenarioSound, Seat, SharedClock, Stage
from sessions.report import campaign_book
from sessions.scenarios import campaign_scenarios as improvising
from sessions.scenarios import editing, staging
from sessions.scenarios.document import Unfit
from sessions.views.responses import action, refusals_as_messages


@action(access.gm_seat)
def choose_scenario(request: HttpRequest, seat: Seat) -> None:
    """Choose a scenario of the campaign's GM for the session, or none.

    A deputy who took over may choose the session's own scenario alone: the others are for other sessions.
    """
    session, wanted = seat.session, request.POST.get("scenario")
    owned = session.own_campaign.gm.scenarios.all()
    is_deputy = seat.person != request.person
    if is_deputy:
        owned = owned.filter(pk__in=Stage.objects.filter(session=session).values("scenario"))
    scenario = get_object_or_404(owned, pk=read_number(wanted or "")) if wanted or is_deputy else None
    staging.choose_scenario(session=session, scenario=scenario)


@action(access.gm_seat)
def put_on_scene(request: HttpRequest, gm: Seat) -> None:
    staging.show_scene(session=gm.session, scene_id=request.POST.get("scene", ""))


@action(access.gm_seat)
def take_off_scene(request: HttpRequest, gm: Seat) -> None:
    staging.clear_stage(session=gm.session)


@heavy("GET")
@require_http_methods(["GET", "HEAD", "POST"])
def recap(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the GM the recap of the last session, to be edited. POST puts it on stage for everybody."""
    session = access.gm_seat(request.person, pk).session
    told = None if session.ended_at else campaign_book.recap(session)
    if told is None:
        raise Http404
    form = RecapForm(request.POST or None, initial={"text": staging.shown_recap(session) or told.text})
    if request.method == "POST" and form.is_valid():
        keys = request.POST.getlist("picture")
        chosen = [picture for picture in told.pictures if picture.key in keys]
        staging.show_recap(
            session=session, text=form.cleaned_data["text"], pictures=chosen[: campaign_book.PICTURES_AT_MOST]
        )
        return redirect(session.running[-1] if session.running else session)
    context = {"session": session, "told": told, "form": form, "most": campaign_book.PICTURES_AT_MOST}
    return render(request, "sessions/recap.html", context, status=422 if form.errors else 200)


@action(access.gm_seat)
def mark_used(request: HttpRequest, gm: Seat) -> None:
    staging.mark_used(session=gm.session, thing_id=request.POST.get("thing", ""))


@action(access.gm_seat)
def read_out(request: HttpRequest, gm: Seat, check: str, place: int) -> None:
    staging.read_out(session=gm.session, check_id=check, place=place)


@action(access.gm_seat)
def send_handout(request: HttpRequest, gm: Seat, letter: str) -> None:
    """Give a handout of the scenario to one player, or to all."""
    wanted = request.POST.get("seat", "")
    seats = [seat for seat in gm.session.players if wanted == "all" or seat.pk == read_number(wanted)]
    if not seats:
        raise Unfit("nobody")
    staging.give_handout(session=gm.session, handout_id=letter, seats=seats)


@action(access.gm_seat)
def send_each_handout(request: HttpRequest, gm: Seat) -> None:
    """Give each player without a handout one of the scene's."""
    staging.give_each_handout(session=gm.session)


@require_POST
def bring_npcs(request: HttpRequest, pk: int, npc: str) -> HttpResponse:
    """Bring NPCs of the scenario to the card table. [UC-10.4]"""
    table = access.table_gm(request.person, read_number(request.POST.get("table", "")))
    if table.session_id == pk:
        with refusals_as_messages(request, table):
            staging.bring_npcs(session=table.session, npc_id=npc, table_pk=table.pk)
    return redirect(table)


@action(access.gm_seat)
def throw_cut_in(request: HttpRequest, gm: Seat) -> None:
    staging.show_cut_in(session=gm.session, cut_in_id=request.POST.get("cut_in", ""))


@action(access.gm_seat)
def show_code(request: HttpRequest, gm: Seat) -> None:
    staging.show_code(session=gm.session)


@action(access.gm_seat)
def play_once(request: HttpRequest, gm: Seat) -> None:
    staging.play_once(session=gm.session, key=request.POST.get("sound", ""))


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def improvised_things(request: HttpRequest, pk: int) -> HttpResponse:
    """List a session's improvised things for its scenario's owner. POST keeps ``thing`` in ``scene``."""
    session = access.gm_seat(request.person, pk).session
    stage = get_object_or_404(Stage.objects.select_related("scenario"), session=session)
    scenario = stage.scenario
    if scenario is None or scenario.owner != request.person:
        return redirect(session)
    if request.method == "POST":
        thing, scene = request.POST.get("thing", ""), request.POST.get("scene", "")
        with refusals_as_messages(request):
            improvising.add_improvised(session=session, scenario=scenario, scene_id=scene, key=thing)
            messages.success(request, _("It is in the scenario now."))
        return redirect(f"{request.path}?{urlencode({'scene': scene})}")
    document = editing.document_of(scenario)
    context = {
        "session": session,
        "on": request.GET.get("scene") or stage.scene,
        "scenario": scenario,
        "scenes": document.scenes,
        "made": improvising.improvised_things(session, document),
    }
    return render(request, "sessions/improvised.html", context)


@heavy("POST")
@require_POST
def scenario_sound(request: HttpRequest, pk: int) -> HttpResponse:
    """Save a sound with a scenario, and assign it to the scene that the form names in ``of``, if any."""
    scenario = get_object_or_404(Scenario, pk=pk, owner=request.person)
    upload, scene_id = request.FILES.get("sound"), request.POST.get("of", "")
    try:
        if upload is None:
            raise SoundRefused("sound_empty")
        with transaction.atomic():
            kept = editing.keep_sound(scenario, upload)
            if scene_id:
                editing.set_media(scenario.pk, scene_id, "sound", kept.key)
    except SoundRefused as refused:
        return JsonResponse({"reason": editing.SOUND_REFUSALS[refused.code] % refused.details}, status=422)
    except Unfit:
        return JsonResponse({"reason": NOT_NOW}, status=422)
    return JsonResponse({"key": kept.key, "name": kept.name, "seconds": round(kept.seconds, 1)})


@require_safe
def sound(request: HttpRequest, key: str) -> HttpResponse:
    """Serve a sound to everybody who knows its address, as a table face is not signed in."""
    return editing.sound_response(request, get_object_or_404(ScenarioSound, key=key))


@require_POST
def add_clock(request: HttpRequest, pk: int) -> HttpResponse:
    """Add a clock that everybody sees. Respond with a confirmation, or with the errors by field."""
    session = access.gm_seat(request.person, pk).session
    form = SharedClockForm(request.POST)
    if not form.is_valid():
        return JsonResponse({"errors": form.errors}, status=422)
    try:
        shared_clocks.add_clock(session=session, clock=form.save(commit=False))
    except Refused as refused:
        return JsonResponse({"reason": refusal_sentence(refused)}, status=422)
    return JsonResponse({"said": _("Everybody sees the clock.")})


#: The actions on a clock, by the form's ``move``.
CLOCK_MOVES: dict[str, Callable[[SharedClock], None]] = {
    "more": lambda clock: shared_clocks.fill_segments(clock=clock, by=1),
    "less": lambda clock: shared_clocks.fill_segments(clock=clock, by=-1),
    "run": lambda clock: shared_clocks.start_clock(clock=clock),
    "pause": lambda clock: shared_clocks.pause_clock(clock=clock),
    "away": lambda clock: shared_clocks.remove_clock(clock=clock),
}


@action(access.gm_seat)
def move_clock(request: HttpRequest, gm: Seat, clock_pk: int) -> HttpResponse | None:
    clock = get_object_or_404(gm.session.clocks, pk=clock_pk)
    if request.POST.get("move") not in CLOCK_MOVES:
        return HttpResponseBadRequest()
    CLOCK_MOVES[request.POST["move"]](clock)
    return None
