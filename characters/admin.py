from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from characters import services
from characters.models import (
    Character,
    Creation,
    Draw,
    ExperienceChecklist,
    ExperienceLine,
    FacePicture,
    Item,
    ItemPower,
    LedgerEntry,
    NpcRank,
    Revision,
    Skill,
)
from companion.wording.translated import search_fields


class SkillInline(admin.TabularInline):
    model = Skill
    extra = 0


class ItemInline(admin.TabularInline):
    model = Item
    extra = 0
    readonly_fields = ["value"]


@admin.register(Character)
class CharacterAdmin(admin.ModelAdmin):
    list_display = ["__str__", "owner", "status", "hp", "hp_max", "suits", "ca", "changed_at"]
    list_filter = ["status", "visibility", "creation__method", "changed_at"]
    list_select_related = ["owner"]
    search_fields = ["name", "concept", "owner__name", "skills__name", "items__name"]
    date_hierarchy = "created_at"
    autocomplete_fields = ["owner"]
    readonly_fields = ["ca", "created_at", "changed_at"]
    inlines = [SkillInline, ItemInline]
    fieldsets = [
        (None, {"fields": ["name", "owner", "status", "visibility", "concept", "background"]}),
        (_("In play"), {"fields": [("hp", "hp_max"), "suits", "ca"]}),
        (_("Record"), {"fields": [("created_at", "changed_at")]}),
    ]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Character]:
        return super().get_queryset(request).prefetch_related("skills", "items")

    def save_model(self, request: HttpRequest, obj: Character, form: Any, change: bool) -> None:
        """Save, and start the history of a sheet that has none; ``save_related`` adds the new revision."""
        if change:
            services.begin_history(Character.objects.get(pk=obj.pk))
        super().save_model(request, obj, form, change)

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        super().save_related(request, form, formsets, change)
        services.keep_revision(form.instance, getattr(request, "person", None))


class DrawInline(admin.TabularInline):
    """The draws of a creation, read-only."""

    model = Draw
    extra = 0
    can_delete = False
    readonly_fields = ["number", "cards", "drawn_at"]

    def has_add_permission(self, request: HttpRequest, obj: Creation | None = None) -> bool:
        return False


@admin.register(Creation)
class CreationAdmin(admin.ModelAdmin):
    list_display = ["character", "method", "step", "redraws"]
    list_filter = ["method", "step"]
    list_select_related = ["character"]
    search_fields = ["character__name"]
    readonly_fields = ["character", "method"]
    inlines = [DrawInline]

    @admin.display(description=_("Redraws"))
    def redraws(self, creation: Creation) -> int:
        return creation.redraws

    def get_queryset(self, request: HttpRequest) -> QuerySet[Creation]:
        return super().get_queryset(request).prefetch_related("draws")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False


@admin.register(ItemPower)
class ItemPowerAdmin(admin.ModelAdmin):
    list_display = ["table", "value", "texts"]
    list_editable = ["texts"]
    list_filter = ["table"]
    search_fields = search_fields("texts")


@admin.register(NpcRank)
class NpcRankAdmin(admin.ModelAdmin):
    list_display = ["rank", "name", "hp", "skills", "suits", "weapon", "armour"]
    list_editable = ["hp", "skills", "suits", "weapon", "armour"]
    search_fields = [*search_fields("names"), *search_fields("descriptions")]


@admin.register(ExperienceLine)
class ExperienceLineAdmin(admin.ModelAdmin):
    list_display = ["order", "key", "texts"]
    list_display_links = ["key"]
    list_editable = ["texts"]
    search_fields = ["key", *search_fields("texts")]


@admin.register(ExperienceChecklist)
class ExperienceChecklistAdmin(admin.ModelAdmin):
    list_display = ["title", "character", "created_at", "confirmed_at"]
    list_filter = ["confirmed_at"]
    list_select_related = ["character"]
    search_fields = ["title", "character__name"]
    autocomplete_fields = ["character"]
    filter_horizontal = ["lines"]


class RecordAdmin(admin.ModelAdmin):
    """Base class of read-only records."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(Revision)
class RevisionAdmin(RecordAdmin):
    list_display = ["character", "number", "made_at", "made_by", "why"]
    list_filter = ["why", "made_at"]
    list_select_related = ["character", "made_by"]
    search_fields = ["character__name"]


@admin.register(LedgerEntry)
class LedgerEntryAdmin(RecordAdmin):
    list_display = ["character", "made_at", "kind", "points", "title", "bought", "made_by"]
    list_filter = ["kind", "made_at"]
    list_select_related = ["character", "made_by"]
    search_fields = ["character__name", "title", "bought"]


@admin.register(FacePicture)
class FacePictureAdmin(RecordAdmin):
    list_display = ["character", "label", "order"]
    list_select_related = ["character"]
    search_fields = ["character__name", "label"]
