"""The models of sessions in the admin. It does not show hands and secrets of running tables, either."""

from __future__ import annotations

from django.contrib import admin
from django.forms import ModelForm
from django.http import HttpRequest

from sessions.models import (
    Campaign,
    Handout,
    LibraryNpc,
    Move,
    PreparedCheck,
    Scenario,
    SceneNote,
    Seat,
    SeatNote,
    Session,
    SharedClock,
    Table,
    TableSeat,
)


class ReadOnly(admin.options.BaseModelAdmin):
    """Rows that the admin only shows; only the app itself changes them."""

    def has_add_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False


class WrittenOnce(ReadOnly, admin.ModelAdmin):
    """Read-only rows that are deleted only with their parent: no gap in a log, no hand without an owner."""

    def has_delete_permission(self, request: HttpRequest, obj: object = None) -> bool:
        match = request.resolver_match
        own_pages = f"{self.opts.app_label}_{self.opts.model_name}_"
        alone = match is None or (match.url_name or "").startswith(own_pages)
        return not alone and super().has_delete_permission(request, obj)


class SessionInline(ReadOnly, admin.TabularInline):
    model = Session
    fields = ["title", "code", "joining_open", "ended_at"]
    can_delete = False
    show_change_link = True


@admin.register(Campaign)
class CampaignAdmin(admin.ModelAdmin):
    list_display = ["name", "gm", "jokers", "created_at"]
    search_fields = ["name", "gm__name"]
    autocomplete_fields = ["gm"]
    inlines = [SessionInline]

    def get_readonly_fields(self, request: HttpRequest, obj: Campaign | None = None) -> list[str]:
        """Make the GM read-only, as the GM can read everything that is prepared in the campaign."""
        return ["gm"] if obj else []


class ReadyAdmin(admin.ModelAdmin):
    list_display = ["__str__", "campaign"]
    list_filter = ["campaign"]
    autocomplete_fields = ["campaign"]

    def get_readonly_fields(self, request: HttpRequest, obj: object = None) -> list[str]:
        """Make the campaign read-only: in another one the handout would be open to that campaign's GM."""
        return ["campaign"] if obj else []


admin.site.register(PreparedCheck, ReadyAdmin)


@admin.register(Handout)
class HandoutAdmin(ReadyAdmin):
    exclude = ["secret"]


@admin.register(SceneNote)
class SceneNoteAdmin(ReadyAdmin):
    exclude = ["text"]


@admin.register(Scenario)
class ScenarioAdmin(ReadOnly, admin.ModelAdmin):
    """Scenarios without their document, which only the author may read."""

    list_display = ["title", "owner", "version", "changed_at"]
    search_fields = ["title", "owner__name"]
    fields = ["title", "owner", "version", "created_at", "changed_at"]


@admin.register(SharedClock)
class SharedClockAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ["__str__", "session"]


class SeatInline(ReadOnly, admin.TabularInline):
    model = Seat
    fields = ["name", "role", "person", "character", "approved", "deputy", "removed_at"]
    can_delete = False


@admin.register(Session)
class SessionAdmin(admin.ModelAdmin):
    """Sessions. The admin cannot end one: that reveals the secrets of its tables, so only the GM can."""

    list_display = ["title", "campaign", "code", "joining_open", "opened_at", "ended_at"]
    list_filter = ["joining_open", "ended_at"]
    search_fields = ["title", "code", "campaign__name", "seats__name"]
    fields = ["title", "campaign", "code", "joining_open", "face_key", "opened_at", "ended_at"]
    readonly_fields = ["campaign", "code", "joining_open", "face_key", "opened_at", "ended_at"]
    inlines = [SeatInline]

    def has_add_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False

    def save_model(self, request: HttpRequest, obj: Session, form: ModelForm, change: bool) -> None:
        # Only the title: the seating may have changed since the form was rendered.
        obj.save(update_fields=["title"])


@admin.register(SeatNote)
class SeatNoteAdmin(WrittenOnce):
    list_display = ["at", "session", "kind", "name", "by"]
    list_filter = ["kind"]
    search_fields = ["session__title", "name"]


@admin.register(Seat)
class SeatAdmin(WrittenOnce):
    list_display = ["name", "session", "role", "character", "approved", "removed_at"]
    list_filter = ["role", "approved"]
    search_fields = ["name", "session__title", "character__name"]


class TableSeatInline(ReadOnly, admin.TabularInline):
    model = TableSeat
    fields = ["key", "seat", "bot"]
    can_delete = False


@admin.register(Table)
class TableAdmin(ReadOnly, admin.ModelAdmin):
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


@admin.register(LibraryNpc)
class LibraryNpcAdmin(admin.ModelAdmin):
    list_display = ["name", "rank", "owner", "campaign"]
    list_filter = ["rank"]
    search_fields = ["name", "owner__name"]
    autocomplete_fields = ["owner", "campaign"]
    exclude = ["notes"]

    def get_readonly_fields(self, request: HttpRequest, obj: LibraryNpc | None = None) -> list[str]:
        """Make the owner read-only, as the owner can read the notes."""
        return ["owner"] if obj else []
