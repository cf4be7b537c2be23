"""The file of a campaign: a zip of JSON. ``docs/formats.md`` describes it.

It contains no ids of the database: people, characters and sessions are named by their places in the lists,
tables by a number of the file's own. Pictures are base64 text, and are re-encoded when they are imported.
"""

from __future__ import annotations

from datetime import date, datetime
from typing import Annotated, Any

import msgspec
from django.utils.translation import gettext_noop
from msgspec import Meta, Struct

from characters import rules
from characters.exchange import safe_parsers
from sessions.archive.file_format import (
    FileFormat,
    FileHead,
    damage_error,
    decode_member,
    too_large,
    zip_members,
)

FORMAT = "takujo.campaign"
VERSION = 2
WHOLE = "campaign.json"
BYTES_AT_MOST = 7_500_000
CAMPAIGN_FILE = FileFormat(
    FORMAT,
    VERSION,
    WHOLE,
    BYTES_AT_MOST,
    safe_parsers.Bounds(members=2_001, bytes=60_000_000),
    foreign=gettext_noop("This is no campaign of Takujō."),
    newer=gettext_noop("This campaign was written by a newer version of Takujō. Update this one first."),
)
MOVES_AT_MOST = 20_000
MOVES_AT_ONE_TABLE = 5_000
Place = Annotated[int, Meta(ge=0, le=100_000)]
When = Annotated[datetime, Meta(tz=True)]
Hex = Annotated[str, Meta(pattern=r"\A(?:[0-9a-f]{64})?\Z")]
Json = dict[str, Any]
#: The name in files for the values of house rules, and for the rates of experience.
FIGURES = "figures"


class ChecklistRecord(Struct, kw_only=True):
    """A character's experience checklist for a session; ``night`` is None if that is not in the file."""

    night: Place | None
    title: str
    campaign: str
    rates: dict[str, int] = msgspec.field(name=FIGURES)
    lines: list[str]
    created_at: When
    confirmed_at: When | None


class LedgerRecord(Struct, kw_only=True):
    """An entry of a character's experience, which refers to earlier entries and checklists by place."""

    kind: str
    points: int
    title: str
    campaign: str
    rates: dict[str, int] = msgspec.field(name=FIGURES)
    reached: int
    bought: str
    checklist: Place | None
    takes_back: Place | None
    table: Place | None
    made_at: When


class CharacterRecord(Struct, kw_only=True):
    """A character: its sheet in the format ``takujo.character``, and its experience, the oldest first."""

    person: Place
    sheet: Json
    checklists: Annotated[list[ChecklistRecord], Meta(max_length=1_000)]
    ledger: Annotated[list[LedgerRecord], Meta(max_length=2_000)]


class HandoutCopyRecord(Struct, kw_only=True):
    """A seat's copy of a handout; without a notice it was never given out."""

    night: Place
    seat: Place
    notice: Place | None


class HandoutRecord(Struct, kw_only=True):
    title: str
    text: str
    secret: str
    revealed_at: When | None
    picture: str = ""
    copies: Annotated[list[HandoutCopyRecord], Meta(max_length=2_000)]


class SceneNoteRecord(Struct, kw_only=True):
    title: str
    text: str
    caption: str = ""
    picture: str = ""


class CheckRecord(Struct, kw_only=True):
    label: str
    difficulty: int
    chain: bool
    tool_missing: bool


class NpcRecord(Struct, kw_only=True):
    name: str
    rank: int
    hp_max: int | None
    suits: str
    skills: str
    weapon: int | None
    armour: int | None
    hidden: bool
    notes: str
    picture: str = ""


class SeatRecord(Struct, kw_only=True):
    """A seat of a session; ``person`` is None for the GM's."""

    person: Place | None
    role: str
    name: str
    character: Place | None
    approved: bool
    deputy: bool
    joined_at: When
    removed_at: When | None


class SeatNoteRecord(Struct, kw_only=True):
    kind: str
    name: str
    by: str
    at: When


class NoticeRecord(Struct, kw_only=True):
    """A time at which handouts were given out, and the seats that dismissed the card."""

    at: When
    read_by: Annotated[list[Place], Meta(max_length=1_000)]


class MessageRecord(Struct, kw_only=True):
    tab: str
    author: Place
    spoken_as: str
    text: str
    to: Annotated[list[Place], Meta(max_length=1_000)]
    open_to_gm: bool
    changes: list[tuple[str, int, int]]
    sent_at: When
    edited_at: When | None
    #: The character that speaks, and the label of the face that was chosen for the line.
    character: Place | None = None
    face: Annotated[str, Meta(max_length=rules.LABEL_LENGTH)] = ""
    npc: Place | None = None


class SessionRecord(Struct, kw_only=True):
    """A session that has ended; ``tables`` are the numbers of its tables in the file."""

    title: str
    scene: str
    players_open: bool
    gm_reads_whispers: bool
    players_write_hp: bool
    spectators_chat: bool
    opened_at: When
    ended_at: When
    secrets_opened_at: When | None
    seats: Annotated[list[SeatRecord], Meta(max_length=1_000)]
    notes: Annotated[list[SeatNoteRecord], Meta(max_length=20_000)]
    notices: Annotated[list[NoticeRecord], Meta(max_length=5_000)]
    messages: Annotated[list[MessageRecord], Meta(max_length=20_000)]
    tables: Annotated[list[Place], Meta(max_length=200)]


class OmissionRecord(Struct, kw_only=True):
    """A session, table or picture that is not in the file, and the reason (``campaign_export.WHY``)."""

    title: str
    why: str


class LimitRecord(Struct, kw_only=True):
    """A line or a veil; ``agreed`` is False for a proposal that waits for the GM."""

    kind: str
    words: str
    agreed: bool


class CampaignRecord(Struct, kw_only=True):
    name: str
    jokers: int
    ladder: list[Json] | None
    house_values: Json = msgspec.field(name=FIGURES)
    grace: bool = True
    created_at: When


class CampaignContent(Struct, kw_only=True):
    """The member ``campaign.json``."""

    format: str = FORMAT
    version: int = VERSION
    #: The newest migrations of the version that wrote it.
    migrations: list[str] = []
    campaign: CampaignRecord
    people: Annotated[list[str], Meta(max_length=2_000)]
    characters: Annotated[list[CharacterRecord], Meta(max_length=2_000)]
    handouts: Annotated[list[HandoutRecord], Meta(max_length=500)]
    scene_notes: Annotated[list[SceneNoteRecord], Meta(max_length=500)]
    prepared_checks: Annotated[list[CheckRecord], Meta(max_length=500)]
    limits: Annotated[list[LimitRecord], Meta(max_length=60)] = []
    npcs: Annotated[list[NpcRecord], Meta(max_length=1_000)]
    nights: Annotated[list[SessionRecord], Meta(max_length=1_000)]
    left_out: Annotated[list[OmissionRecord], Meta(max_length=5_000)]


class TableSeatRecord(Struct, kw_only=True):
    """A seat of a table, and the session's seat that played it; None for a bot."""

    key: str
    seat: Place | None
    bot: str


class TableNpcRecord(Struct, kw_only=True):
    npc: str
    name: str
    library: Place


class MoveRecord(Struct, kw_only=True):
    seat: str
    stand_in: str
    bot: str
    move: msgspec.Raw
    played_at: When
    unseen: bool = False


class ShareRecord(Struct, kw_only=True):
    seat: Annotated[str, Meta(max_length=40)]
    fingerprint: Hex
    share: Hex


class SharesRecord(Struct, kw_only=True):
    """The parts of a table's secret, if phones contributed some (``evening/shares.py``)."""

    opening: Annotated[str, Meta(max_length=40)]
    secret: Hex
    of: Annotated[list[ShareRecord], Meta(min_length=1, max_length=200)]


class TableRecord(Struct, kw_only=True):
    """A member ``tables/<number>.json``: all data that determine a table, and its last snapshot to compare.

    In files of version 1 the snapshot is a fingerprint, which cannot be compared once the game has changed.
    """

    module: str
    options: Json
    opening_seats: list[str]
    opened_by: Place | None
    rematch_of: Place | None
    secret: Annotated[str, Meta(max_length=64)]
    shares: SharesRecord | None = None
    daily: date | None
    snapshot: msgspec.Raw
    opened_at: When
    ended_at: When
    seats: Annotated[list[TableSeatRecord], Meta(max_length=20)]
    npcs: Annotated[list[TableNpcRecord], Meta(max_length=1_000)]
    moves: Annotated[list[MoveRecord], Meta(max_length=MOVES_AT_ONE_TABLE)]


class CampaignFile(Struct):
    whole: CampaignContent
    tables: dict[int, TableRecord]


#: The types that are decoded from files, for engine/registry.py.
READ = (FileHead, CampaignContent, TableRecord)


def encode_campaign(file: CampaignFile) -> bytes:
    """Return the bytes of a file, always the same for the same campaign."""
    return zip_members([(WHOLE, file.whole), *((_member(n), part) for n, part in file.tables.items())])


def read(content: bytes) -> CampaignFile:
    """Read a file and check its format; ``campaign_import`` checks its content.

    :raises Unusable: it is too large, no campaign, of a newer version, or damaged.
    """
    members = CAMPAIGN_FILE.unzip(content, ".json")
    whole = CAMPAIGN_FILE.decode_whole(members, CampaignContent)
    numbers = [number for session in whole.nights for number in session.tables]
    if len(set(numbers)) < len(numbers) or not {_member(number) for number in numbers} <= members.keys():
        raise damage_error("tables")
    tables = {number: decode_member(members[_member(number)], TableRecord) for number in numbers}
    if sum(len(table.moves) for table in tables.values()) > MOVES_AT_MOST:
        raise too_large()
    return CampaignFile(whole, tables)


def _member(number: int) -> str:
    return f"tables/{number}.json"
