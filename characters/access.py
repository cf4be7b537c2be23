"""The only ways to get hold of a character on somebody's behalf: 404 for "no" and for "not yours"."""

from __future__ import annotations

from django.shortcuts import get_object_or_404

from characters.models import Character, Creation
from companion.http import HttpRequest


def character_read(request: HttpRequest, pk: int) -> Character:
    """Return a character of the one who asks, with all its sheet shows."""
    return get_object_or_404(Character.objects.with_rows(), owner=request.person, pk=pk)


def character_write(request: HttpRequest, pk: int) -> Character:
    """Return a character of the one who asks, to change it."""
    return get_object_or_404(Character, owner=request.person, pk=pk)


def creation_write(request: HttpRequest, pk: int) -> Creation:
    """Return the creation of a character of the one who asks, to go on with it."""
    creations = Creation.objects.select_related("character").prefetch_related(
        "draws", "character__skills", "character__items"
    )
    return get_object_or_404(creations, character=character_write(request, pk))


def is_public(character: Character) -> bool:
    """Say whether anybody may read a character, a stranger's program too."""
    return False
