"""Import of a character: paste data or upload a file, check the preview, confirm."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import replace

from django.contrib import messages
from django.core.exceptions import RequestDataTooBig
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_http_methods

from characters import forms, labels, rules, services
from characters.creation import local_path
from characters.exchange import reading, sheet_json
from characters.exchange.parsing import Reading
from characters.exchange.plain import PlainFace
from characters.exchange.reading import Elsewhere, Found
from characters.exchange.rooms import ImportedRoom
from characters.exchange.unreadable import UnreadableSheet
from characters.exports import words
from characters.models import Item
from characters.refusals import trim_sentence, why_unreadable
from companion.files import pictures
from companion.http import HttpRequest
from companion.identity.first_posts import first_answer
from companion.identity.people import ensure_person
from companion.models import Picture
from companion.pacing.heavy import heavy
from companion.pages.public_origin import origin_of

#: Bytes of a request body besides an uploaded file of at most ``reading.ZIP_BYTES_AT_MOST``.
ENVELOPE = 4_000
#: Bytes of the largest form field; the other fields need the rest of ``DATA_UPLOAD_MAX_MEMORY_SIZE``.
FIELD_AT_MOST = 250_000
#: The value of the field ``yes`` if cards shall be drawn for the imported character.
DRAW = "draw"
#: Trims that are not reported for a character of another game: its HP and suits are not imported.
NOT_THEIRS = ("hp", "suits")


@heavy("POST")
@csrf_exempt  # the CSRF check would read the body, even one that is too large; ``_bring`` checks it
@require_http_methods(["GET", "HEAD", "POST"])
def bring(request: HttpRequest) -> HttpResponse:
    """Refuse uploads that are too large with a readable message, and pass the others to ``_bring``."""
    if int(request.META.get("CONTENT_LENGTH") or 0) > reading.ZIP_BYTES_AT_MOST + ENVELOPE:
        return _form_page(request, forms.BringForm(), UnreadableSheet("too_large"))
    try:
        return _bring(request)
    except RequestDataTooBig:  # by Django's own limit for text fields
        return _form_page(request, forms.BringForm(), UnreadableSheet("too_large"))


@csrf_protect
def _bring(request: HttpRequest) -> HttpResponse:
    """Ask for a character, show a preview, and create the character once it is confirmed.

    In data of a whole room, one character is chosen first. ``?next=`` is the page that receives it.
    """
    if request.method != "POST":
        return _form_page(request, forms.BringForm())
    form = forms.BringForm(request.POST, request.FILES)
    try:
        found = _read(form, origin_of(request))
        found = with_own_pictures(found, origin_of(request)) if isinstance(found, Reading) else found
    except UnreadableSheet as error:
        return _form_page(request, form, error)
    following = {"next": _next(request)}
    if isinstance(found, Elsewhere):
        return render(request, "characters/elsewhere.html", {"address": found.address, **following})
    if isinstance(found, ImportedRoom):
        return render(request, "characters/room.html", {"characters": found.characters, **following})
    if "yes" not in request.POST:
        return render(request, "characters/brought.html", _preview(found) | following)
    if again := first_answer(request):
        return again
    if found.person or request.POST["yes"] == DRAW:
        drawn = services.bring_person(
            owner=ensure_person(request), sheet=found.sheet, return_to=_next(request)
        )
        return redirect("characters:create-cards", drawn.pk)
    character = services.bring_in(owner=ensure_person(request), sheet=found.sheet)
    messages.success(request, gettext("%(name)s is here.") % {"name": character.name})
    return redirect(_next(request) or character)


def _next(request: HttpRequest) -> str:
    return local_path(request.GET.get("next", ""))


def _read(form: forms.BringForm, ours: str) -> Found:
    """Read the file if there is one, else the text.

    :raises UnreadableSheet: the data is no character.
    """
    if not form.is_valid():  # only for a NUL, or for a file without a name
        raise UnreadableSheet("bad_characters")
    if file := form.cleaned_data["file"]:
        return reading.read_file(file.read(reading.ZIP_BYTES_AT_MOST + 1), words(), ours)
    return reading.read_text(form.cleaned_data["text"], words(), ours)


def _form_page(
    request: HttpRequest, form: forms.BringForm, error: UnreadableSheet | None = None
) -> HttpResponse:
    """Render the form; after a refusal with the pasted text and the reason."""
    context = {"form": form, "next": _next(request), "field_at_most": FIELD_AT_MOST}
    if error is None:
        return render(request, "characters/bring.html", context)
    return render(request, "characters/bring.html", context | {"why": why_unreadable(error)}, status=422)


def with_own_pictures(found: Reading, ours: str) -> Reading:
    """Add the faces whose pictures are stored on this server. Pictures on other servers are not fetched."""
    faces: list[PlainFace] = []
    for written, address in found.faces[: rules.FACES_AT_MOST]:
        content = _picture_at(address, ours)
        if content is None:
            continue
        with suppress(rules.SheetRefused):
            label = labels.clean_label(written)
            if labels.find_label(label, (face.label for face in faces)) is None:
                faces.append(PlainFace(label, pictures.rewritten(content, pictures.FACE).content))
    taken = {face.label for face in faces}
    left = [label for label, _ in found.faces if label.lstrip(labels.MARKS) not in taken]
    return replace(
        found, sheet=replace(found.sheet, faces=(*found.sheet.faces, *faces)), faceless=tuple(left)
    )


def _picture_at(address: str, ours: str) -> bytes | None:
    """Return the picture at an address of this server. Knowing the address of an unguarded one is enough."""
    key = re.fullmatch(re.escape(ours) + r"/pictures/([\w-]{1,64})\.webp", address, re.ASCII)
    picture = Picture.objects.filter(key=key[1], guarded=False).first() if ours and key else None
    return bytes(picture.content) if picture else None


def _preview(found: Reading) -> dict[str, object]:
    """Return the context of the preview. It carries the sheet as our own JSON; nothing is saved yet.

    With many faces the JSON exceeds the limit of a form field. A script then sends it as a file; a browser
    without scripts sends the sheet without faces.
    """
    kinds = dict(Item.ItemKind.choices)
    items = [{"kind": kinds[item.kind], "name": item.name, "value": item.value} for item in found.sheet.items]
    sheet = replace(found.sheet, hp=1, hp_max=1, suits="") if found.person else found.sheet
    whole = text = sheet_json.text(sheet_json.document(sheet))
    if is_large := len(whole.encode()) > FIELD_AT_MOST:
        text = sheet_json.text(sheet_json.document(replace(sheet, faces=())))
    trims = [trim_sentence(trim) for trim in found.trims if not (found.person and trim.code in NOT_THEIRS)]
    return {
        "found": found,
        "beyond": rules.beyond_creation(found.sheet.figures),
        "sheet": found.sheet,
        "items": items,
        "text": text,
        "trims": trims,
        "whole": whole if is_large else "",
    }
