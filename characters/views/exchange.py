"""The views that export a character to other tools, and import one.

An export is a file to download, or an address that programs can fetch. An import goes in three steps: paste
data or upload a file, check the preview, confirm.
"""

from __future__ import annotations

import re
import unicodedata
from contextlib import suppress
from dataclasses import replace

from django.contrib import messages
from django.core.exceptions import RequestDataTooBig
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import get_language, gettext
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_http_methods, require_safe

from characters import access, forms, rules
from characters.exchange import ccfolia, parsing, reader, sheet_json, udonarium
from characters.exchange.parsing import Reading, UnreadableSheet
from characters.exchange.plain import PlainFace
from characters.exchange.reader import Elsewhere, Found, ImportedRoom
from characters.exchange.wording import Wording, wording
from characters.models import Character, Item
from characters.refusals import trim_sentence, why_unreadable
from characters.services.exchange import import_as_draft, import_character, plain_sheet
from characters.views.responses import forbid_caching, form_page, local_path
from companion.files import pictures
from companion.identity.first_posts import first_answer
from companion.identity.people import HttpRequest, ensure_person
from companion.models import Picture
from companion.pages.defaults import file_response
from companion.pages.reach import origin_of
from companion.requests.queue import heavy

#: Bytes of a request body besides an uploaded file of at most ``reader.ZIP_BYTES_AT_MOST``.
ENVELOPE = 4_000
#: Bytes of the largest form field; the other fields need the rest of ``DATA_UPLOAD_MAX_MEMORY_SIZE``.
FIELD_AT_MOST = 250_000
#: The value of the field ``yes`` if cards shall be drawn for the imported character.
DRAW = "draw"
#: Trims that are not reported for a character of another game: its HP and suits are not imported.
NOT_THEIRS = ("hp", "suits")


@require_safe
def page(request: HttpRequest, pk: int) -> HttpResponse:
    """Redirect the short address to the sheet. The sheet's own view checks who may read it."""
    return redirect("characters:sheet", pk)


@require_http_methods(["GET", "HEAD", "OPTIONS"])
def character_json(request: HttpRequest, pk: int) -> HttpResponse:
    """Return the sheet in our own format. Pages of any origin may fetch a public one."""
    character = _readable(request, pk)
    return _json_response(request, character, to_anybody=access.is_public(character))


@require_http_methods(["GET", "HEAD", "OPTIONS"])
def shared_json(request: HttpRequest, key: str) -> HttpResponse:
    """Return the sheet behind a share link in our own format. Knowing the link is enough."""
    return _json_response(request, access.get_shared_character(key), to_anybody=True)


@require_safe
def palette_text(request: HttpRequest, pk: int) -> HttpResponse:
    character = _readable(request, pk)
    text = ccfolia.palette_text(plain_sheet(character), _reader_wording())
    return forbid_caching(HttpResponse(text, content_type="text/plain; charset=utf-8"))


@require_safe
def udonarium_zip(request: HttpRequest, pk: int) -> HttpResponse:
    character = _readable(request, pk)
    archive = udonarium.character_zip(
        plain_sheet(character, faces=_shows_faces(request, character)),
        player=character.owner.name,
        url=way_back(request, character),
        words=_reader_wording(),
    )
    return forbid_caching(file_response(archive, "application/zip", f"{file_name(character.name)}.zip"))


def ccfolia_text(request: HttpRequest, character: Character) -> str:
    """Return the CCFOLIA piece of a character, to be copied to the clipboard."""
    return ccfolia.piece_text(
        ccfolia.character_piece(
            plain_sheet(character),
            player=character.owner.name,
            url=way_back(request, character),
            words=_reader_wording(),
            icon=icon_of(request, character.portrait),
            faces=faces_of(request, character),
        )
    )


def icon_of(request: HttpRequest, picture: Picture | None) -> str:
    """Return the absolute address of a picture for other boards; "" without https, as at home."""
    origin = origin_of(request)
    return origin + picture.get_absolute_url() if picture and origin.startswith("https://") else ""


def faces_of(request: HttpRequest, character: Character) -> list[tuple[str, str]]:
    """Return labels and addresses of the faces that other boards can show; none unless the owner asks."""
    if not _shows_faces(request, character):
        return []
    faces = [(face.label, icon_of(request, face.picture)) for face in character.faces.with_pictures()]
    return [(label, icon) for label, icon in faces if icon]


def way_back(request: HttpRequest, character: Character) -> str:
    """Return the address that a piece links to: the sheet if it is shown to others, else our home page."""
    path = reverse("exports:page", args=[character.pk]) if access.is_shown(character) else "/"
    return origin_of(request) + path


def _reader_wording() -> Wording:
    return wording(get_language())


def file_name(name: str) -> str:
    """Return a character's name as a file name that every system allows."""
    shown = "".join(" " if unicodedata.category(char)[0] == "C" else char for char in name)
    return re.sub(r'[\\/:*?"<>|\s]+', "_", shown).strip("._") or "character"


def _shows_faces(request: HttpRequest, character: Character) -> bool:
    """True for the owner alone, as some faces may be unused so far."""
    return character.owner == request.person


def _readable(request: HttpRequest, pk: int) -> Character:
    character = access.get_visible_character(request, pk)
    if not character.is_done:
        raise Http404
    return character


def _json_response(request: HttpRequest, character: Character, *, to_anybody: bool) -> HttpResponse:
    """Return a sheet in our own format, or the answer to a preflight request.

    :param to_anybody: True if pages of other origins may read the answer.
    """
    if request.method == "OPTIONS":
        answer = HttpResponse(status=204, headers={"Allow": "GET, HEAD, OPTIONS"})
    else:
        url = way_back(request, character) if access.is_shown(character) else ""
        document = sheet_json.write_document(
            plain_sheet(character, faces=_shows_faces(request, character)),
            player=character.owner.name,
            url=url,
        )
        answer = file_response(
            sheet_json.document_text(document).encode(),
            "application/json",
            f"{file_name(character.name)}.json",
        )
    if to_anybody:
        answer["Access-Control-Allow-Origin"] = "*"
        answer["Access-Control-Allow-Methods"] = "GET, HEAD, OPTIONS"
        answer["Access-Control-Allow-Headers"] = "*"
    return forbid_caching(answer)


@heavy("POST")
@csrf_exempt  # the CSRF check would read the body, even one that is too large; ``_bring`` checks it
@form_page
def bring(request: HttpRequest) -> HttpResponse:
    """Refuse uploads that are too large with a readable message, and pass the others to ``_bring``."""
    if int(request.META.get("CONTENT_LENGTH") or 0) > reader.ZIP_BYTES_AT_MOST + ENVELOPE:
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
        drawn = import_as_draft(owner=ensure_person(request), sheet=found.sheet, return_to=_next(request))
        return redirect("characters:create-cards", drawn.pk)
    character = import_character(owner=ensure_person(request), sheet=found.sheet)
    messages.success(request, gettext("%(name)s is here.") % {"name": character.name})
    return redirect(_next(request) or character)


def _next(request: HttpRequest) -> str:
    return local_path(request.GET.get("next", ""))


def _read(form: forms.BringForm, ours: str) -> Found:
    """Read the file if there is one, else the text."""
    if not form.is_valid():  # only for a NUL, or for a file without a name
        raise UnreadableSheet("bad_characters")
    if file := form.cleaned_data["file"]:
        return reader.read_file(file.read(reader.ZIP_BYTES_AT_MOST + 1), _reader_wording(), ours)
    return reader.read_text(form.cleaned_data["text"], _reader_wording(), ours)


def _form_page(
    request: HttpRequest, form: forms.BringForm, error: UnreadableSheet | None = None
) -> HttpResponse:
    """Render the form; after a refusal with the pasted text and the reason."""
    context = {"form": form, "next": _next(request), "field_at_most": FIELD_AT_MOST}
    if error:
        context["why"] = why_unreadable(error)
    return render(request, "characters/bring.html", context, status=422 if error else 200)


def with_own_pictures(found: Reading, ours: str) -> Reading:
    """Add the faces whose pictures are stored on this server. Pictures on other servers are not fetched."""
    faces: list[PlainFace] = []
    for written, address in found.faces[: rules.FACES_AT_MOST]:
        content = _picture_at(address, ours)
        if content is None:
            continue
        with suppress(rules.SheetRefused):
            label = parsing.clean_label(written)
            if parsing.find_label(label, (face.label for face in faces)) is None:
                faces.append(PlainFace(label, pictures.rewritten(content, pictures.FACE).content))
    taken = {face.label for face in faces}
    faceless = tuple(label for label, _ in found.faces if label.lstrip(parsing.MARKS) not in taken)
    return replace(found, sheet=replace(found.sheet, faces=(*found.sheet.faces, *faces)), faceless=faceless)


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
    whole = text = sheet_json.document_text(sheet_json.write_document(sheet))
    if is_large := len(whole.encode()) > FIELD_AT_MOST:
        text = sheet_json.document_text(sheet_json.write_document(replace(sheet, faces=())))
    trims = [trim_sentence(trim) for trim in found.trims if not (found.person and trim.code in NOT_THEIRS)]
    return {
        "found": found,
        "beyond": rules.find_excesses(found.sheet.figures),
        "sheet": found.sheet,
        "items": items,
        "text": text,
        "trims": trims,
        "whole": whole if is_large else "",
    }
