"""Sharing of a sheet: visibility, share link and edit password, and the read-only page."""

from __future__ import annotations

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from characters import access, services
from characters.models import Character
from characters.submission import run_service
from companion.http import HttpRequest
from companion.identity.people import ensure_person
from companion.limits.guessing import PasswordAttempt
from companion.limits.throttle import Windows, client_address
from companion.pages.fragments import render_fragment
from companion.pages.public_origin import origin_of

#: Correct passwords count, too, since hashing each one costs processor time.
PASSWORDS = Windows("edit-password", ((30, 60),), of_an_address=True)


def for_reading(request: HttpRequest, character: Character, share_key: str = "") -> HttpResponse:
    """Show the read-only page of a sheet, without its record of creation."""
    context = {"character": character, "share_key": share_key}
    context["may_edit"] = access.may_edit(request, character)
    response = render(request, "characters/reading.html", context)
    # A sheet that is shown today may be private tomorrow, so no cache and no search engine may keep a copy.
    response["Cache-Control"] = "no-store"
    response["X-Robots-Tag"] = "noindex"
    return response


@require_safe
def show_shared(request: HttpRequest, key: str) -> HttpResponse:
    """Show the sheet of a share link."""
    return for_reading(request, access.get_shared_character(key), share_key=key)


def link_of(request: HttpRequest, character: Character) -> str:
    """Return the address of a character's share link; empty without one."""
    if not character.share_key:
        return ""
    origin = origin_of(request)
    return origin + reverse("characters:shared", args=[character.share_key])


@require_POST
def show_to(request: HttpRequest, pk: int) -> HttpResponse:
    character = access.get_own_character(request, pk)
    wish = request.POST.get("visibility", "")
    refusal = run_service(request, lambda: services.show_to(character=character, visibility=wish))
    character.refresh_from_db()
    context = {"character": character, "refusal": refusal, "link": link_of(request, character)}
    return render_fragment(request, "characters/_visibility.html", context, page=_sharing(character))


@require_POST
def make_link(request: HttpRequest, pk: int) -> HttpResponse:
    """Create the share link of a sheet."""
    character = access.get_own_character(request, pk)
    run_service(request, lambda: services.make_link(character=character))
    return redirect(_sharing(character))


@require_POST
def end_link(request: HttpRequest, pk: int) -> HttpResponse:
    character = access.get_own_character(request, pk)
    services.end_link(character=character)
    return redirect(_sharing(character))


@require_POST
def set_password(request: HttpRequest, pk: int) -> HttpResponse:
    """Set the edit password, with which other people may edit the sheet."""
    character = access.get_own_character(request, pk)
    password = request.POST.get("password", "")
    run_service(request, lambda: services.set_password(character=character, password=password))
    return redirect(_sharing(character))


@require_POST
def end_password(request: HttpRequest, pk: int) -> HttpResponse:
    character = access.get_own_character(request, pk)
    services.end_password(character=character)
    return redirect(_sharing(character))


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def unlock(request: HttpRequest, key: str) -> HttpResponse:
    """Ask for the edit password of a shared sheet. The correct one allows the person to edit the sheet."""
    character = access.get_shared_character(key)
    if not character.edit_password:
        raise Http404
    if access.may_edit(request, character):
        return redirect("characters:edit", character.pk)
    refusal = ""
    if request.method == "POST":
        guess = PasswordAttempt("sheet", str(character.pk), client_address(request))
        PASSWORDS.demand(guess.who)
        guess.record_attempt()
        password = request.POST.get("password", "")
        refusal = run_service(
            request, lambda: services.demand_password(character=character, password=password)
        )
        if not refusal:
            guess.forgive()
            services.let_edit(character=character, person=ensure_person(request))
            return redirect("characters:edit", character.pk)
    context = {"character": character, "refusal": refusal}
    return render(request, "characters/unlock.html", context, status=422 if refusal else 200)


def _sharing(character: Character) -> str:
    return character.get_absolute_url() + "#sharing"
