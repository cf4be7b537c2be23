"""Export and import: campaigns and scenarios as files, and a text or a CCFOLIA room as a scenario's draft.

The scenarios that come with Takujō are copied here, too.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import RequestDataTooBig
from django.forms import Form
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.text import slugify
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from characters.exchange.parsing import UnreadableSheet
from characters.exchange.reader import ZIP_BYTES_AT_MOST
from companion.files import Unusable
from companion.identity.people import HttpRequest, ensure_person
from companion.pages.defaults import file_response
from companion.requests.queue import WITH_A_PICTURE, heavy
from companion.requests.throttle import Windows
from sessions import access
from sessions.archive import campaign_export, campaign_import
from sessions.archive import campaign_file as campaign_files
from sessions.archive import scenario_file as scenario_files
from sessions.forms.scenarios import CampaignFileForm, PasteForm, ScenarioFileForm
from sessions.models import Scenario
from sessions.scenarios import scenario_import, shipped
from sessions.scenarios.document import Unfit
from sessions.views.responses import no_store

#: How many files one account may import: each import replays all games of the file.
CAMPAIGN_IMPORTS = Windows("campaign-file", ((10, 60 * 60), (40, 24 * 60 * 60)))
#: How many files one account may import: each import encodes all pictures again.
SCENARIO_IMPORTS = Windows("scenario-file", ((10, 60 * 60), (40, 24 * 60 * 60)))


@heavy("GET")
@require_safe
@login_required
def export_campaign(request: HttpRequest, pk: int) -> HttpResponse:
    """Export a campaign as one file, for its GM alone."""
    campaign = access.own_campaign(request.person, pk)
    content = campaign_files.encode_campaign(campaign_export.export_campaign(campaign))
    return _zip_response(content, slugify(campaign.name, allow_unicode=True) or "campaign")


@heavy("GET")
@require_safe
@login_required
def export_scenario(request: HttpRequest, pk: int) -> HttpResponse:
    """Export a scenario as one file, for its owner alone."""
    scenario = get_object_or_404(Scenario, pk=pk, owner=ensure_person(request))
    content = scenario_files.encode_scenario(scenario)
    return _zip_response(content, slugify(scenario.title, allow_unicode=True) or "scenario")


def _zip_response(content: bytes, name: str) -> HttpResponse:
    file_name = f"takujo-{name}-{timezone.localdate():%Y-%m-%d}.zip"
    return no_store(file_response(content, "application/zip", file_name))


@heavy("POST")
@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def import_campaign(request: HttpRequest) -> HttpResponse:
    """Import a campaign from another server's file."""

    def bring(content: bytes) -> HttpResponse:
        campaign = campaign_import.import_campaign(campaign_files.read(content), gm=ensure_person(request))
        messages.success(request, _("The campaign is here."))
        return redirect("play:campaign", campaign.pk)

    return _import(request, CampaignFileForm, CAMPAIGN_IMPORTS, bring, "sessions/bring_campaign.html")


@heavy("POST")
@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def import_scenario(request: HttpRequest) -> HttpResponse:

    def bring(content: bytes) -> HttpResponse:
        came = scenario_files.read(content)
        scenario = scenario_files.import_scenario(came, owner=ensure_person(request))
        messages.success(request, _("The scenario is here."))
        if came.left_out:
            sentence = _("Pictures or sounds that are not in the file were left out: %(places)s.")
            messages.warning(request, sentence % {"places": " / ".join(came.left_out)})
        return redirect("play:scenario", scenario.pk)

    return _import(request, ScenarioFileForm, SCENARIO_IMPORTS, bring, "sessions/bring_scenario.html")


def _import(
    request: HttpRequest,
    kind: type[Form],
    limit: Windows,
    bring: Callable[[bytes], HttpResponse],
    template: str,
) -> HttpResponse:
    form = kind(request.POST or None, request.FILES or None)
    why, status = "", 422 if request.method == "POST" else 200
    if form.is_valid():
        if not limit.count(f"account.{request.user.pk}"):
            why, status = _("Those were many files. Please try again in an hour."), 429
        else:
            try:
                return bring(form.cleaned_data["file"].read())
            except Unusable as problem:
                why = str(problem)
    return render(request, template, {"form": form, "why": why}, status=status)


@require_POST
@login_required
def copy_shipped_scenario(request: HttpRequest, key: str) -> HttpResponse:
    """Copy a scenario that comes with Takujō, to edit and to play."""
    try:
        scenario = shipped.copy_scenario(ensure_person(request), key, get_language())
    except LookupError as nothing:
        raise Http404 from nothing
    return redirect("play:scenario", scenario.pk)


#: Bytes that a form needs besides a file.
ENVELOPE = 4_000


@heavy("POST", larger_than=WITH_A_PICTURE)
@csrf_exempt  # the token is in the body, so the check would read a body that is too large
@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def paste_scenario(request: HttpRequest) -> HttpResponse:
    """Refuse an upload that is too large with a sentence; ``_paste`` does the rest."""
    if int(request.META.get("CONTENT_LENGTH") or 0) > ZIP_BYTES_AT_MOST + ENVELOPE:
        return _render_refusal(request, PasteForm(), "too_large")
    try:
        return _paste(request)
    except RequestDataTooBig:  # raised for the text, whose size Django limits itself
        return _render_refusal(request, PasteForm(), "text_too_long")


@csrf_protect
def _paste(request: HttpRequest) -> HttpResponse:
    """Ask for a scenario, show a preview of the draft, and save it when its author confirms.

    Only content that was previewed is saved: ``keep`` is its fingerprint; other content gets a preview first.
    """
    if request.method != "POST":
        return render(request, "sessions/scenario_paste.html", {"form": PasteForm()})
    form = PasteForm(request.POST, request.FILES)
    if not form.is_valid():
        return _render_refusal(request, form, "bad_characters")
    file = form.cleaned_data["file"]
    content = file.read() if file else form.cleaned_data["text"].encode()
    fingerprint = hashlib.sha256(content).hexdigest()
    try:
        draft = scenario_import.read(content)
    except (UnreadableSheet, Unfit) as problem:
        return _render_refusal(request, form, problem.code)
    if request.POST.get("keep") == fingerprint:
        scenario, unread = scenario_import.save_draft(ensure_person(request), draft, content)
        _report_reading(request, scenario, unread)
        return redirect("play:scenario", scenario.pk)
    least, most = draft.document.players_from, draft.document.players_to
    context = {
        "form": form,
        "draft": draft,
        "players": f"{least}–{most}" if most != least else str(least),
        "left": [scenario_import.describe_difference(left) for left in draft.left],
        "fingerprint": fingerprint,
        "file": file.name if file else "",
    }
    return render(request, "sessions/scenario_paste.html", context)


def _render_refusal(request: HttpRequest, form: PasteForm, code: str) -> HttpResponse:
    context = {"form": form, "why": scenario_import.refusal_sentence(code)}
    # htmx puts the refusal into the page, and swaps in 2xx responses only (static/js/answers.js).
    status = 200 if request.headers.get("HX-Request") else 422
    return render(request, "sessions/scenario_paste.html", context, status=status)


def _report_reading(request: HttpRequest, scenario: Scenario, unread: int) -> None:
    title = scenario.title or _("A scenario without a title")
    messages.success(request, _("“%(title)s” is kept as a draft.") % {"title": title})
    if unread:
        said = ngettext(
            "%(count)s picture could not be read.", "%(count)s pictures could not be read.", unread
        )
        messages.warning(request, said % {"count": unread})
