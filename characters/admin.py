"""The reference tables in Django's admin. [UC-7.1, UC-10.4, UC-11.1]"""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from characters.models import ExperienceLine, ItemPower, NpcRank
from companion.wording.translated import search_fields


class ReferenceAdmin(admin.ModelAdmin):
    def get_changeform_initial_data(self, request: HttpRequest) -> dict[str, Any]:
        """Return no initial data: Django takes it from the URL, where it may have any form."""
        return {}


@admin.register(ItemPower)
class ItemPowerAdmin(ReferenceAdmin):
    list_display = ["table", "value", "texts"]
    list_editable = ["texts"]
    list_filter = ["table"]
    search_fields = search_fields("texts")


@admin.register(NpcRank)
class NpcRankAdmin(ReferenceAdmin):
    list_display = ["rank", "name", "hp", "skills", "suits", "weapon", "armour"]
    list_editable = ["hp", "skills", "suits", "weapon", "armour"]
    search_fields = [*search_fields("names"), *search_fields("descriptions")]


@admin.register(ExperienceLine)
class ExperienceLineAdmin(ReferenceAdmin):
    list_display = ["order", "key", "texts"]
    list_display_links = ["key"]
    list_editable = ["texts"]
    search_fields = ["key", *search_fields("texts")]
