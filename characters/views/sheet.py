"""The views of sheets: the list of a person's characters, one sheet, and its sharing.

Other people than the owner see the read-only page, and may edit the sheet once they have given its edit
password.
"""

from __future__ import annotations

from django.contrib import messages
from django.db.models import Q, QuerySet
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from characters import access, forms, reference, rules
from characters.exchange import parsing
from characters.models import Character, ItemPower
from characters.services import exchange, sheets
from characters.views.experience import experience_context
from characters.views.history import concurrent_changes
from characters.views.responses import (
    action,
    forbid_caching,
    form_page,
    redirect_to,
    run_service,
    status,
    submit_form,
)
from companion.identity.people import HttpRequest, ensure_person
from companion.pages.defaults import render_fragment
from companion.pages.reach import origin_of
from companion.requests.throttle import PasswordAttempt, Windows, client_address

#: Show the search field above this number of characters.
SEARCH_ABOVE = 8
#: HP that no sheet has, in place of an invalid number, so that the service refuses it.
OFF_THE_SCALE = 1000
#: Correct passwords count, too, since hashing each one costs processor time.
PASSWORDS = Windows("edit-password", ((30, 60),), of_an_address=True)


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
        "many": bool(wanted) or mine.count() > SEARCH_ABOVE,
        "guest": bool(request.person and not request.user.is_authenticated),
    }
    return render(request, "characters/shelf.html", context)


def _matching(characters: QuerySet[Character], wanted: str) -> QuerySet[Character]:
    somewhere = Q()
    for field in ("name", "concept", "skills__name", "items__name", "seats__session__campaign__name"):
        somewhere |= Q(**{f"{field}__icontains": wanted})
    return characters.filter(pk__in=characters.filter(somewhere).values("pk"))


@action(redirect_to(lambda character: reverse("characters:shelf")))
def copy(request: HttpRequest, character: Character) -> HttpResponse:
    suffix = _(" (copy)")
    name = character.name[: rules.NAME_LENGTH - len(suffix)] + suffix
    made = exchange.copy_character(character=character, name=name)
    messages.success(request, _("This is the copy. From now on the two go their own ways."))
    return redirect(made)


@require_safe
def sheet(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a character: the owner's sheet, or the read-only page. A draft redirects to its creation."""
    character = access.get_visible_character(request, pk)
    if character.owner != request.person:
        return render_read_only(request, character)
    if not character.is_done:
        return redirect("characters:creation", pk)
    context = {
        "character": character,
        "link": _share_link(request, character),
        "faces": character.faces.with_pictures(),
        **experience_context(character),
    }
    return render(request, "characters/sheet.html", context)


@form_page
def edit(request: HttpRequest, pk: int) -> HttpResponse:
    character = access.get_editable_character(request, pk)
    if not character.is_done:
        return redirect("characters:creation", pk)
    form = forms.ReviseForm(request.POST or None, character=character)
    if submit_form(form, lambda: sheets.revise(character=character, by=request.person, **form.sheet)):
        return redirect(character)
    context = {
        "character": character,
        "form": form,
        "item_form": item_form(character),
        **concurrent_changes(character, form),
    }
    return render(request, "characters/edit.html", context, status=status(form))


@form_page
def delete(request: HttpRequest, pk: int) -> HttpResponse:
    """Ask for confirmation (GET), then delete a character or a draft (POST)."""
    character = access.get_own_character(request, pk)
    if request.method != "POST":
        return render(request, "characters/delete.html", {"character": character})
    character.delete()
    return redirect("characters:shelf")


def _show_hp(request: HttpRequest, character: Character, refusal: str) -> HttpResponse:
    character.refresh_from_db()
    context = {"character": character, "refusal": refusal}
    return render_fragment(request, "characters/_hp.html", context, page=character.get_absolute_url())


@action(_show_hp, access.get_editable_character)
def set_hp(request: HttpRequest, character: Character) -> None:
    hp = parsing.number(request.POST.get("hp"))
    sheets.set_hp(character=character, hp=OFF_THE_SCALE if hp is None else hp)


# Items: on the edit page, and during creation


def items_page(character: Character) -> str:
    if character.is_done:
        return reverse("characters:edit", args=[character.pk]) + "#items"
    return reverse("characters:create-items", args=[character.pk])


@require_POST
def add_item(request: HttpRequest, pk: int) -> HttpResponse:
    character = access.get_editable_character(request, pk)
    form = item_form(character, request.POST)
    if submit_form(form, lambda: sheets.add_item(character=character, wish=form.wish, by=request.person)):
        return redirect(items_page(character))
    context = {"character": character, "item_form": form, "items_page": items_page(character)}
    return render(request, "characters/add_item.html", context, status=422)


@action(redirect_to(items_page), access.get_editable_character)
def remove_item(request: HttpRequest, character: Character, item: int) -> None:
    sheets.remove_item(character=character, item_id=item, by=request.person)


def item_form(character: Character, sent: QueryDict | None = None) -> forms.ItemForm:
    """Return the form of an item, bound to ``sent`` if given."""
    return forms.ItemForm(sent, powers=powers(character), auto_id="item_%s")


def powers(character: Character) -> dict[str, list[ItemPower]]:
    """Return the power tables with the texts of the character's campaign. [UC-7.1]"""
    tables: dict[str, list[ItemPower]] = {table: [] for table in ItemPower.PowerTable.values}
    for power in reference.item_powers(reference.campaign_words(character)):
        tables[power.table].append(power)
    return tables


def render_read_only(request: HttpRequest, character: Character, share_key: str = "") -> HttpResponse:
    """Show the read-only page of a sheet, without its record of creation."""
    may_edit = access.may_edit(request, character)
    context = {"character": character, "share_key": share_key, "may_edit": may_edit}
    return forbid_caching(render(request, "characters/reading.html", context))


@require_safe
def show_shared(request: HttpRequest, key: str) -> HttpResponse:
    return render_read_only(request, access.get_shared_character(key), share_key=key)


def _share_link(request: HttpRequest, character: Character) -> str:
    """Return the address of a character's share link; empty without one."""
    key = character.share_key
    return origin_of(request) + reverse("characters:shared", args=[key]) if key else ""


def _sharing_part(character: Character) -> str:
    return character.get_absolute_url() + "#sharing"


def _show_visibility(request: HttpRequest, character: Character, refusal: str) -> HttpResponse:
    character.refresh_from_db()
    context = {"character": character, "refusal": refusal, "link": _share_link(request, character)}
    page = _sharing_part(character)
    return render_fragment(request, "characters/_visibility.html", context, page=page)


@action(_show_visibility)
def show_to(request: HttpRequest, character: Character) -> None:
    access.set_visibility(character=character, visibility=request.POST.get("visibility", ""))


@action(redirect_to(_sharing_part))
def make_link(request: HttpRequest, character: Character) -> None:
    access.make_link(character=character)


@action(redirect_to(_sharing_part))
def end_link(request: HttpRequest, character: Character) -> None:
    access.end_link(character=character)


@action(redirect_to(_sharing_part))
def set_password(request: HttpRequest, character: Character) -> None:
    """Set the edit password, with which other people may edit the sheet."""
    access.set_password(character=character, password=request.POST.get("password", ""))


@action(redirect_to(_sharing_part))
def end_password(request: HttpRequest, character: Character) -> None:
    access.end_password(character=character)


@never_cache
@form_page
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
            request, lambda: access.check_edit_password(character=character, password=password)
        )
        if not refusal:
            guess.forgive()
            character.editors.add(ensure_person(request))
            return redirect("characters:edit", character.pk)
    context = {"character": character, "refusal": refusal}
    return render(request, "characters/unlock.html", context, status=422 if refusal else 200)
