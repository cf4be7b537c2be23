"""The views of a sheet: show, edit and delete it, and change HP and items."""

from __future__ import annotations

from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from characters import access, forms, reference, services, sharing
from characters.experience import experience
from characters.history import meanwhile
from characters.models import Character, ItemPower
from characters.submission import run_service, status, submit_form
from companion.http import HttpRequest
from companion.pages.fragments import render_fragment

OFF_THE_SCALE = 1000


@require_safe
def sheet(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a character: the owner's sheet, or the read-only page. A draft redirects to its creation."""
    character = access.get_visible_character(request, pk)
    if character.owner != request.person:
        return sharing.for_reading(request, character)
    if not character.is_done:
        return redirect("characters:creation", pk)
    context = {"character": character, "link": sharing.link_of(request, character), **experience(character)}
    context["faces"] = character.faces.with_pictures()
    return render(request, "characters/sheet.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def edit(request: HttpRequest, pk: int) -> HttpResponse:
    character = access.get_editable_character(request, pk)
    if not character.is_done:
        return redirect("characters:creation", pk)
    form = forms.ReviseForm(request.POST or None, character=character)
    if request.method == "POST" and submit_form(
        form, lambda: services.revise(character=character, by=request.person, **form.sheet)
    ):
        return redirect(character)
    context = {
        "character": character,
        "form": form,
        "item_form": item_form(character),
        **meanwhile(character, form),
    }
    return render(request, "characters/edit.html", context, status=status(form))


@require_http_methods(["GET", "HEAD", "POST"])
def delete(request: HttpRequest, pk: int) -> HttpResponse:
    """Ask for confirmation (GET), then delete a character or a draft (POST)."""
    character = access.get_own_character(request, pk)
    if request.method != "POST":
        return render(request, "characters/delete.html", {"character": character})
    character.delete()
    return redirect("characters:shelf")


@require_POST
def set_hp(request: HttpRequest, pk: int) -> HttpResponse:
    character = access.get_editable_character(request, pk)
    form = forms.HpForm(request.POST)
    hp = form.cleaned_data["hp"] if form.is_valid() else OFF_THE_SCALE
    refusal = run_service(request, lambda: services.set_hp(character=character, hp=hp))
    character.refresh_from_db()
    context = {"character": character, "refusal": refusal}
    return render_fragment(request, "characters/_hp.html", context, page=character.get_absolute_url())


# Items: on the edit page, and during creation


@require_POST
def add_item(request: HttpRequest, pk: int) -> HttpResponse:
    character = access.get_editable_character(request, pk)
    form = item_form(character, request.POST)
    if submit_form(form, lambda: services.add_item(character=character, wish=form.wish, by=request.person)):
        return redirect(items_page(character))
    context = {"character": character, "item_form": form, "items_page": items_page(character)}
    return render(request, "characters/add_item.html", context, status=422)


@require_POST
def remove_item(request: HttpRequest, pk: int, item: int) -> HttpResponse:
    """Remove an item from the sheet."""
    character = access.get_editable_character(request, pk)
    run_service(request, lambda: services.remove_item(character=character, item_id=item, by=request.person))
    return redirect(items_page(character))


def items_page(character: Character) -> str:
    """Return the page that adds and removes items."""
    if character.is_done:
        return reverse("characters:edit", args=[character.pk]) + "#items"
    return reverse("characters:create-items", args=[character.pk])


def item_form(character: Character, sent: QueryDict | None = None) -> forms.ItemForm:
    """Return the form of an item, bound to ``sent`` if given."""
    return forms.ItemForm(sent, powers=powers(character), auto_id="item_%s")


def powers(character: Character) -> dict[str, list[ItemPower]]:
    """Return the power tables with the texts of the character's campaign. [UC-7.1]"""
    tables: dict[str, list[ItemPower]] = {table: [] for table in ItemPower.PowerTable.values}
    for power in reference.item_powers(reference.words_of(character)):
        tables[power.table].append(power)
    return tables
