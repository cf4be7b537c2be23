"""Views that export and import scenarios as files, and copy those that come with Takujō."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.http import content_disposition_header
from django.utils.text import slugify
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from companion.files.unusable_files import Unusable
from companion.http import HttpRequest
from companion.identity.people import ensure_person
from companion.limits.throttle import Windows
from companion.pacing.heavy import heavy
from sessions.forms.keeping import ScenarioFileForm
from sessions.keeping import scenario_file as scenario_files
from sessions.models import Scenario
from sessions.scenarios import shipped

#: How many files one account may import: each import encodes all pictures again.
SCENARIO_IMPORTS = Windows("scenario-file", ((10, 60 * 60), (40, 24 * 60 * 60)))


@heavy("GET")
@require_safe
@login_required
def export_scenario(request: HttpRequest, pk: int) -> HttpResponse:
    """Export a scenario as one file, for its owner alone."""
    scenario = get_object_or_404(Scenario, pk=pk, owner=ensure_person(request))
    name = slugify(scenario.title, allow_unicode=True) or "scenario"
    response = HttpResponse(scenario_files.encode_scenario(scenario), content_type="application/zip")
    file_name = f"takujo-{name}-{timezone.localdate():%Y-%m-%d}.zip"
    response["Content-Disposition"] = content_disposition_header(True, file_name)
    response["Cache-Control"] = "no-store"
    return response


@heavy("POST")
@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def import_scenario(request: HttpRequest) -> HttpResponse:
    """Import a scenario from a file."""
    asked = ScenarioFileForm(request.POST or None, request.FILES or None)
    why, status = "", 422 if request.method == "POST" else 200
    if asked.is_valid():
        if not SCENARIO_IMPORTS.count(f"account.{request.user.pk}"):
            why, status = _("Those were many files. Please try again in an hour."), 429
        else:
            try:
                came = scenario_files.read(asked.cleaned_data["file"].read())
            except Unusable as problem:
                why = str(problem)
            else:
                scenario = scenario_files.bring(came, owner=ensure_person(request))
                _report_import(request, came)
                return redirect("play:scenario", scenario.pk)
    return render(request, "sessions/bring_scenario.html", {"form": asked, "why": why}, status=status)


@require_POST
@login_required
def copy_shipped_scenario(request: HttpRequest, key: str) -> HttpResponse:
    """Copy a scenario that comes with Takujō, to edit and to play."""
    try:
        return redirect("play:scenario", shipped.copy_shipped(ensure_person(request), key, get_language()).pk)
    except LookupError as nothing:
        raise Http404 from nothing


def _report_import(request: HttpRequest, came: scenario_files.ScenarioFile) -> None:
    messages.success(request, _("The scenario is here."))
    if came.left_out:
        sentence = _("Pictures or sounds that are not in the file were left out: %(places)s.")
        messages.warning(request, sentence % {"places": " / ".join(came.left_out)})
