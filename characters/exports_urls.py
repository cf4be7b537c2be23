"""Short addresses of a character, for other tools: ``/c/…``."""

from django.urls import path

from characters import exports

app_name = "exports"

urlpatterns = [
    path("<int:pk>", exports.page, name="page"),
    path("<int:pk>.json", exports.character_json, name="json"),
    path("shared/<str:key>.json", exports.shared_json, name="shared"),
    path("<int:pk>/palette.txt", exports.palette_text, name="palette"),
    path("<int:pk>/udonarium.zip", exports.udonarium_zip, name="udonarium"),
]
