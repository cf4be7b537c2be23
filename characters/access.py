"""The only ways to get hold of a character on somebody's behalf: 404 for "no" and for "not yours"."""

from __future__ import annotations

from django.db.models import Q
from django.shortcuts import get_object_or_404

from characters.models import Character, Creation
from companion.http import HttpRequest


def character_read(request: HttpRequest, pk: int) -> Character:
    """Return a character of the one who asks, with all its sheet shows."""
    return get_object_or_404(Character.objects.with_rows(), owner=request.person, pk=pk)


def character_shown(request: HttpRequest, pk: int) -> Character:
    """Return a character that the one who asks may look at: their own, or a finished one shown to them.

    The GM, or the sub-GM who took over, sees what is brought to their session, and who holds the seat that
    brings it. What its owner shows to
    campaigns is seen by everybody who sits in a session of a campaign it was brought to, and what is public
    by everybody.
    """
    own, everybody = Q(owner=request.person), Q(status="done", visibility=Character.Visibility.PUBLIC)
    if request.person is None:
        return get_object_or_404(Character.objects.with_rows().filter(everybody), pk=pk)
    gm, deputy = "seats__session__seats__", "seats__session__seats__stand_in__"
    runs = Q(status="done", seats__removed_at=None, **{f"{gm}role": "gm"}) & (
        Q(**{f"{gm}person": request.person})
        | Q(**{f"{deputy}person": request.person, f"{deputy}deputy": True, f"{deputy}removed_at": None})
    )
    beside = "seats__session__campaign__sessions__seats__"
    sits = Q(
        status="done",
        visibility=Character.Visibility.CAMPAIGN,
        seats__removed_at=None,
        **{f"{beside}person": request.person, f"{beside}removed_at": None},
    )
    # A seat that went to another device takes its sheet along, to be read.
    holds = Q(status="done", seats__person=request.person, seats__removed_at=None)
    shown = Character.objects.with_rows().filter(own | everybody | runs | sits | holds)
    return get_object_or_404(shown.distinct(), pk=pk)


def character_shared(key: str) -> Character:
    """Return the character that a share link opens; who knows the link may look."""
    return get_object_or_404(
        Character.objects.with_rows().exclude(share_key=""), status="done", share_key=key
    )


def is_public(character: Character) -> bool:
    """Say whether anybody may read a character, a stranger's program too."""
    return character.is_done and character.visibility == Character.Visibility.PUBLIC


def is_shown(character: Character) -> bool:
    """Say whether its owner shows a character to anybody else."""
    return character.is_done and character.visibility != Character.Visibility.PRIVATE


def character_write(request: HttpRequest, pk: int) -> Character:
    """Return a character of the one who asks, to change it."""
    return get_object_or_404(Character, owner=request.person, pk=pk)


def creation_write(request: HttpRequest, pk: int) -> Creation:
    """Return the creation of a character of the one who asks, to go on with it."""
    creations = Creation.objects.select_related("character").prefetch_related(
        "draws", "character__skills", "character__items"
    )
    return get_object_or_404(creations, character=character_write(request, pk))
