"""Views that export and import campaigns as files."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.http import content_disposition_header
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from companion.files.unusable_files import Unusable
from companion.http import HttpRequest
from companion.identity.people import ensure_person
from companion.limits.throttle import Windows
from companion.pacing.heavy import heavy
from sessions import access
from sessions.forms.keeping import CampaignFileForm
from sessions.keeping import campaign_file as campaign_files
from sessions.keeping import exporting, importing

#: How many files one account may import: each import replays all games of the file.
CAMPAIGN_IMPORTS = Windows("campaign-file", ((10, 60 * 60), (40, 24 * 60 * 60)))


@heavy("GET")
@require_safe
@login_required
def export_campaign(request: HttpRequest, pk: int) -> HttpResponse:
    """Export a campaign as one file, for its GM alone."""
    campaign = access.campaign_gm(request.person, pk)
    name = slugify(campaign.name, allow_unicode=True) or "campaign"
    response = HttpResponse(campaign_files.encode_campaign(exporting.export(campaign)), content_type="application/zip")
    file_name = f"takujo-{name}-{timezone.localdate():%Y-%m-%d}.zip"
    response["Content-Disposition"] = content_disposition_header(True, file_name)
    response["Cache-Control"] = "no-store"
    return response


@heavy("POST")
@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def import_campaign(request: HttpRequest) -> HttpResponse:
    """Import a campaign from another server's file."""
    asked = CampaignFileForm(request.POST or None, request.FILES or None)
    why, status = "", 422 if request.method == "POST" else 200
    if asked.is_valid():
        if not CAMPAIGN_IMPORTS.count(f"account.{request.user.pk}"):
            why, status = _("Those were many files. Please try again in an hour."), 429
        else:
            try:
                file = campaign_files.read(asked.cleaned_data["file"].read())
                campaign = importing.bring(file, gm=ensure_person(request))
            except Unusable as problem:
                why = str(problem)
            else:
                messages.success(request, _("The campaign is here."))
                return redirect("play:campaign", campaign.pk)
    return render(request, "sessions/bring_campaign.html", {"form": asked, "why": why}, status=status)
