"""Trial sessions: a newcomer's practice session from the home page, and a GM's rehearsal."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import get_language
from django.views.decorators.http import require_http_methods, require_POST

from characters.pregenerated import PEOPLE
from companion.http import HttpRequest
from companion.identity.first_posts import answered_once
from companion.identity.people import ensure_person
from companion.limits.throttle import client_address
from sessions import access
from sessions.card_table import trials
from sessions.evening import free_nights
from sessions.scenarios import rehearsal


@answered_once
@require_http_methods(["GET", "HEAD", "POST"])
def practice(request: HttpRequest) -> HttpResponse:
    """Explain what a practice session is, and begin one with the chosen character."""
    who = request.POST.get("who", "")
    if who in PEOPLE:
        person = ensure_person(request)
        free_nights.count_game(person, client_address(request))
        return redirect(trials.begin_practice(person, who))
    (first, proposed), *others = [(key, one.sheet) for key, one in PEOPLE.items()]
    context = {"first": first, "proposed": proposed, "others": others}
    context["going_on"] = trials.practice_going_on(request.person)
    return render(request, "sessions/practice.html", context)


@require_POST
@login_required
def rehearse(request: HttpRequest, pk: int) -> HttpResponse:
    """Begin a rehearsal of a campaign."""
    campaign = access.campaign_gm(request.person, pk)
    free_nights.count_game(campaign.gm, client_address(request))
    return redirect(rehearsal.begin_staged_rehearsal(campaign, get_language()))


@require_POST
def end_trial(request: HttpRequest, pk: int) -> HttpResponse:
    """Delete a practice session or a rehearsal, and go back to where it was begun."""
    session = access.seat_kept(request.person, pk).session
    if not session.trial:
        raise Http404
    campaign = session.campaign_id
    session.delete()
    return redirect("play:campaign", campaign) if campaign else redirect("play:practice")
