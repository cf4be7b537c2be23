"""The list of a person's own characters, with search and copying."""

from __future__ import annotations

from django.contrib import messages
from django.db.models import Q, QuerySet
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from characters import access, rules, services
from characters.models import Character
from characters.submission import run_service
from companion.http import HttpRequest

#: Show the search field above this number of characters.
MANY = 8


@require_safe
def character_list(request: HttpRequest) -> HttpResponse:
    """Show the person's characters, finished and unfinished, with the campaigns they were brought to."""
    mine = Character.objects.with_rows().filter(owner=request.person)
    mine = mine.prefetch_related("seats__session__campaign")
    wanted = request.GET.get("q", "").replace("\x00", "").strip()[: rules.NAME_LENGTH]
    found = _matching(mine, wanted) if wanted else mine
    context = {
        "ready": found.filter(status="done"),
        "drafts": found.filter(status="draft"),
        "wanted": wanted,
        "many": bool(wanted) or mine.count() > MANY,
        "guest": bool(request.person and not request.user.is_authenticated),
    }
    return render(request, "characters/shelf.html", context)


def _matching(characters: QuerySet[Character], wanted: str) -> QuerySet[Character]:
    fields = ("name", "concept", "skills__name", "items__name", "seats__session__campaign__name")
    somewhere = Q()
    for field in fields:
        somewhere |= Q(**{f"{field}__icontains": wanted})
    return characters.filter(pk__in=characters.filter(somewhere).values("pk"))


@require_POST
def copy(request: HttpRequest, pk: int) -> HttpResponse:
    """Copy a character with its sheet."""
    character = access.get_own_character(request, pk)
    made: list[Character] = []
    name = _copy_name(character.name)
    if run_service(request, lambda: made.append(services.copy(character=character, name=name))):
        return redirect("characters:shelf")
    messages.success(request, _("This is the copy. From now on the two go their own ways."))
    return redirect(made[0])


def _copy_name(name: str) -> str:
    suffix = _(" (copy)")
    return name[: rules.NAME_LENGTH - len(suffix)] + suffix
