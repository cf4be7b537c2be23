"""Adding NPCs to a table, several at once: by rank, or from the GM's library. [UC-10.4]

Each NPC is added by an ordinary move of the GM; either all NPCs of one call are added, or none.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import SystemRandom
from typing import Any

from django.db import transaction
from django.db.models import Q, QuerySet

from characters.exchange import ccfolia
from characters.exchange.plain import PlainNpc
from characters.exchange.wording import Wording
from companion.cards import SUITS
from companion.files import gallery
from companion.files.pictures import EncodedPicture
from companion.models import Picture
from sessions.card_table.house_rules import Rank, card_game, npc_ranks
from sessions.engine.step import encode
from sessions.evening import announcements
from sessions.game import IllegalMove, Sheets
from sessions.models import LibraryNpc, Session, Table, TableNpc
from sessions.table import log, moves, seat_view
from sessions.table.commit import lock_table

NAME_LENGTH = 40
#: The most NPCs that a table has room for.
AT_ONCE = 20


def spawn(
    *,
    table_pk: int,
    rank: int,
    count: int = 1,
    name: str = "",
    hidden: bool = False,
    special: str = "",
    picture: Picture | None = None,
) -> None:
    """Add NPCs with the campaign's stats of their rank: 雑魚A, 雑魚B, 雑魚C. [UC-10.4]

    :param name: a name of their own, instead of the rank's.
    :param special: the special ability, in words, of NPCs with a name.
    :param picture: their face, which stays with its scenario.
    :raises IllegalMove: ``malformed_move``, ``too_many_npcs``, ``session_over``, or another code of the move.
    """
    known = _rank(_table(table_pk), rank)
    fields = _shared_fields(known, None) | {"hidden": hidden}
    if name:
        fields["special"] = special
    _spawn(table_pk, known, name or known.name, fields, count, TableNpc(picture=picture) if picture else None)


def spawn_library(*, table_pk: int, library: LibraryNpc, count: int) -> None:
    """Add ``count`` copies of an NPC in the library; its notes are shown only to the GM. [UC-10.4]

    :raises IllegalMove: as ``spawn``.
    """
    known = _rank(_table(table_pk), library.rank)
    fields = _shared_fields(known, library) | {"hidden": library.hidden}
    _spawn(table_pk, known, library.name, fields, count, TableNpc(library=library))


@transaction.atomic
def save_npc(*, library: LibraryNpc, picture: EncodedPicture | None, keeps: bool = False) -> None:
    """Save an NPC of the library with this picture.

    :param keeps: True if the NPC keeps its present picture, if any; ``picture`` is then ignored.
    :raises companion.requests.quotas.QuotaExceeded: when there is no room for it or its picture.
    """
    before = None if keeps else library.picture_id
    if not keeps:
        library.picture = gallery.store_picture(library.owner, picture) if picture else None
    library.save()
    gallery.discard(before)
    for session in Session.objects.filter(tables__npcs__library=library, ended_at=None).distinct():
        announcements.broadcast(session.pk)


def copy_npc(library: LibraryNpc) -> LibraryNpc:
    """Save and return a new NPC with the same fields, and its own copy of the picture."""
    picture = gallery.picture_content(library.picture) if library.picture else None
    copy = LibraryNpc.objects.get(pk=library.pk)
    copy.pk, copy.picture, copy._state.adding = None, None, True
    save_npc(library=copy, picture=picture)
    return copy


def npc_spoken_as(session: Session, name: str) -> LibraryNpc | None:
    """Return the library NPC of this name: one added to a running table, else one for this session."""
    here = TableNpc.objects.filter(table__session=session, table__ended_at=None, name=name)
    if came := here.exclude(library=None).select_related("library").order_by("pk").last():
        return came.library
    return library_of(session).filter(name=name).order_by("pk").last()


def library_of(session: Session) -> QuerySet[LibraryNpc]:
    """Return the library for a session: that of the campaign's GM, empty for a free session."""
    if session.campaign is None:
        return LibraryNpc.objects.none()
    for_it = Q(campaign=session.campaign) | Q(campaign=None)
    return LibraryNpc.objects.filter(for_it, owner=session.campaign.gm_id)


def notes_of(table: Table) -> dict[str, dict[str, str]]:
    """Return the table's name and the GM's notes of each library NPC, by its id at the table. [UC-10.4]"""
    rows = TableNpc.objects.filter(table=table).select_related("library")
    return {row.npc: {"name": row.name, "notes": row.library.notes} for row in rows if row.library}


def ccfolia_piece(library: LibraryNpc, words: Wording) -> str:
    """Return an NPC of the library as a piece for CCFOLIA, with the stats of its rank in its campaign.

    All players can read the board, so it shows neither the NPC's notes nor, if its HP is hidden, its stats.
    """
    [known] = [rank for rank in npc_ranks(library.campaign) if rank.rank == library.rank]
    stats = _npc_stats(known, library)
    npc = PlainNpc(
        name=library.name,
        hp_max=stats["hp_max"],
        rank=library.rank,
        suits=library.suits,
        skills=library.skill_names,
        weapon=stats["weapon"],
        armour=stats["armour"],
        secret=library.hidden,
    )
    return ccfolia.piece_text(ccfolia.npc_piece(npc, words))


def _table(table_pk: int) -> Table:
    table = Table.objects.select_related("session__campaign").get(pk=table_pk)
    if table.module != card_game().key:
        raise IllegalMove("malformed_move")
    return table


def _rank(table: Table, rank: int) -> Rank:
    for known in npc_ranks(table.session.campaign):
        if known.rank == rank:
            return known
    raise IllegalMove("malformed_move")


def _shared_fields(rank: Rank, library: LibraryNpc | None) -> dict[str, Any]:
    own, by_rank = library or LibraryNpc(), rank.stats
    stats: dict[str, Any] = {
        **_npc_stats(rank, own),
        "skills": own.skill_names or [f"特技{number}" for number in range(1, by_rank.skills + 1)],
    }
    if own.suits:
        stats["suits"] = list(own.suits)
    elif by_rank.suits != _sheets().suits_drawn(rank.rank):
        # Only for a changed number: the default number is drawn by the table, in a verifiable shuffle.
        stats["suits"] = SystemRandom().sample(SUITS, by_rank.suits)
    return stats


def _sheets() -> Sheets:
    sheets = card_game().sheets
    assert sheets
    return sheets


def _npc_stats(rank: Rank, own: LibraryNpc) -> dict[str, int]:
    by_rank = rank.stats
    return {
        "hp_max": by_rank.hp if own.hp_max is None else own.hp_max,
        "weapon": by_rank.weapon if own.weapon is None else own.weapon,
        "armour": by_rank.armour if own.armour is None else own.armour,
    }


@transaction.atomic
def _spawn(
    table_pk: int, rank: Rank, name: str, fields: dict[str, Any], count: int, origin: TableNpc | None
) -> None:
    if not 1 <= count <= AT_ONCE:
        raise IllegalMove("malformed_move")
    table = lock_table(table_pk)
    view: Any = seat_view.seat_view(table, "gm").view
    taken, version = {npc.name for npc in view.npcs}, table.version
    for called in _names(name, taken, count):
        raw = encode({"type": "add_npc", "name": called, "rank": rank.rank, **fields})
        version = moves.submit(table_pk, moves.MoveRequest(seat="gm", raw=raw, version=version)).version
        if origin:
            _remember(table, version, called, origin)


def _names(name: str, taken: set[str], count: int) -> Iterator[str]:
    """Yield names for new NPCs: letters continue after those in use; a single new name gets none."""
    if count == 1 and not any(known == name or _place(name, known) for known in taken):
        yield name
        return
    last = max((_place(name, known) for known in taken), default=0) or int(name in taken)
    for place in range(last + 1, last + 1 + count):
        yield _name_with_letters(name, place)


def _place(name: str, known: str) -> int:
    """Return the number behind an NPC's letters: 3 for 雑魚C, 0 for another name."""
    places = (place for place in range(1, 200) if _name_with_letters(name, place) == known)
    return next(places, 0)


def _name_with_letters(name: str, place: int) -> str:
    letters = ""
    while place:
        place, letter = divmod(place - 1, 26)
        letters = chr(ord("A") + letter) + letters
    # 雑魚A without a space, but Wolf A with one.
    letters = f" {letters}" if name.isascii() else letters
    return name[: NAME_LENGTH - len(letters)] + letters


def _remember(table: Table, version: int, name: str, origin: TableNpc) -> None:
    """Store where the NPC that the move of this version added came from."""
    [npc] = _sheets().npcs_added(log.events_of(table, [version]))
    came = {"name": name, "library": origin.library, "picture": origin.picture}
    TableNpc.objects.update_or_create(table=table, npc=npc, defaults=came)
    if origin.picture or (origin.library and origin.library.picture_id):
        announcements.broadcast(table.session_id)  # the move was announced before this row
