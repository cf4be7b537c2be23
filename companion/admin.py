from django.contrib import admin
from django.contrib.auth.admin import UserAdmin

from companion.models import Person, User

admin.site.register(User, UserAdmin)


@admin.register(Person)
class PersonAdmin(admin.ModelAdmin):
    list_display = ["name", "user", "created_at"]
    search_fields = ["name", "user__username"]
    readonly_fields = ["key", "created_at"]
