"""Sounds of scenarios: uploaded by their authors, and served to everybody who knows their address."""

from __future__ import annotations

from django.db import transaction
from django.http import HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_POST, require_safe

from companion.files.sounds import SoundRefused
from companion.http import HttpRequest
from companion.pacing.heavy import heavy
from sessions.evening.refusals import NOT_NOW
from sessions.models import Scenario, ScenarioSound
from sessions.scenarios import sounds, writing
from sessions.scenarios.document import Unfit


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
            kept = sounds.keep_sound(scenario, upload)
            if scene_id:
                writing.set_media(scenario.pk, scene_id, "sound", kept.key)
    except SoundRefused as refused:
        return JsonResponse({"reason": sounds.SENTENCES[refused.code] % refused.details}, status=422)
    except Unfit:
        return JsonResponse({"reason": NOT_NOW}, status=422)
    return JsonResponse({"key": kept.key, "name": kept.name, "seconds": round(kept.seconds, 1)})


@require_safe
def sound(request: HttpRequest, key: str) -> HttpResponse:
    """Serve a sound to everybody who knows its address, as a table face is not signed in."""
    return sounds.sound_response(request, get_object_or_404(ScenarioSound, key=key))
