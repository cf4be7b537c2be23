"""The view of improvised things: what the GM made during a session, to be kept in its scenario."""

from __future__ import annotations

from urllib.parse import urlencode

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from companion.http import HttpRequest
from sessions import access
from sessions.models import Stage
from sessions.scenarios import improvised as improvising
from sessions.scenarios import writing
from sessions.scenarios.document import Unfit
from sessions.views.stage import unfit_sentence


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def improvised_things(request: HttpRequest, pk: int) -> HttpResponse:
    """List a session's improvised things for its scenario's owner. POST keeps ``thing`` in ``scene``."""
    session = access.seat_gm(request.person, pk).session
    stage = get_object_or_404(Stage.objects.select_related("scenario"), session=session)
    scenario = stage.scenario
    if scenario is None or scenario.owner != request.person:
        return redirect(session)
    if request.method == "POST":
        thing, scene = request.POST.get("thing", ""), request.POST.get("scene", "")
        try:
            improvising.keep_improvised(session=session, scenario=scenario, scene_id=scene, key=thing)
            messages.success(request, _("It is in the scenario now."))
        except Unfit as unfit:
            messages.error(request, unfit_sentence(unfit))
        return redirect(f"{request.path}?{urlencode({'scene': scene})}")
    document = writing.document_of(scenario)
    context = {
        "session": session,
        "on": request.GET.get("scene") or stage.scene,
        "scenario": scenario,
        "scenes": document.scenes,
        "made": improvising.find_improvised(session, document),
    }
    return render(request, "sessions/improvised.html", context)
