"""The evening in the admin. Hands and secrets of running tables are not shown here either."""

from __future__ import annotations

from django.contrib import admin
from django.http import HttpRequest

from sessions.models import (
    Campaign,
    Handout,
    LibraryNpc,
    Move,
    PreparedCheck,
    SceneNote,
    Seat,
    SeatNote,
    Session,
    Table,
    TableSeat,
)


class SessionInline(admin.TabularInline):
    model = Session
    fields = ["title", "code", "joining_open", "ended_at"]
    readonly_fields = ["code"]
    extra = 0
    show_change_link = True


@admin.register(Campaign)
class CampaignAdmin(admin.ModelAdmin):
    list_display = ["name", "gm", "jokers", "created_at"]
    search_fields = ["name", "gm__name"]
    autocomplete_fields = ["gm"]
    inlines = [SessionInline]


@admin.register(Handout, SceneNote, PreparedCheck)
class ReadyAdmin(admin.ModelAdmin):
    list_display = ["__str__", "campaign"]
    list_filter = ["campaign"]
    autocomplete_fields = ["campaign"]


class SeatInline(admin.TabularInline):
    model = Seat
    fields = ["name", "role", "person", "character", "approved", "deputy", "removed_at"]
    autocomplete_fields = ["person", "character"]
    extra = 0


@admin.register(Session)
class SessionAdmin(admin.ModelAdmin):
    list_display = ["title", "campaign", "code", "joining_open", "opened_at", "ended_at"]
    list_filter = ["joining_open", "ended_at"]
    search_fields = ["title", "code", "campaign__name", "seats__name"]
    autocomplete_fields = ["campaign"]
    readonly_fields = ["face_key"]
    inlines = [SeatInline]


class WrittenOnce(admin.ModelAdmin):
    """What only a move may change: to be looked at, not to be edited."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False


@admin.register(SeatNote)
class SeatNoteAdmin(WrittenOnce):
    list_display = ["at", "session", "kind", "name", "by"]
    list_filter = ["kind"]
    search_fields = ["session__title", "name"]


@admin.register(Seat)
class SeatAdmin(admin.ModelAdmin):
    list_display = ["name", "session", "role", "character", "approved", "removed_at"]
    list_filter = ["role", "approved"]
    search_fields = ["name", "session__title", "character__name"]
    autocomplete_fields = ["session", "person", "character"]


class TableSeatInline(admin.TabularInline):
    model = TableSeat
    fields = ["key", "seat", "bot"]
    extra = 0


@admin.register(Table)
class TableAdmin(WrittenOnce):
    list_display = ["pk", "module", "session", "version", "opened_at", "ended_at"]
    list_filter = ["module"]
    search_fields = ["session__title", "module"]
    fields = ["module", "session", "version", "commitment", "opened_at", "ended_at"]
    inlines = [TableSeatInline]


@admin.register(Move)
class MoveAdmin(WrittenOnce):
    list_display = ["number", "table", "seat", "played_at"]
    list_filter = ["table__module"]
    search_fields = ["table__session__title"]
    fields = ["table", "number", "seat", "client_id", "played_at"]

    def has_delete_permission(self, request: HttpRequest, obj: object = None) -> bool:
        """With its table only: a log with a hole in it replays to nothing."""
        match = request.resolver_match
        alone = match is None or (match.url_name or "").startswith("play_move_")
        return not alone and super().has_delete_permission(request, obj)


@admin.register(LibraryNpc)
class LibraryNpcAdmin(admin.ModelAdmin):
    list_display = ["name", "rank", "owner", "campaign"]
    list_filter = ["rank"]
    search_fields = ["name", "owner__name"]
    autocomplete_fields = ["owner", "campaign"]
    exclude = ["notes"]
