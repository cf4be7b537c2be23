"""Short addresses of a character, for other tools: ``/c/…``."""

from django.urls import path

from characters.views import exchange

app_name = "exports"

urlpatterns = [
    path("<int:pk>", exchange.page, name="page"),
    path("<int:pk>.json", exchange.character_json, name="json"),
    path("shared/<str:key>.json", exchange.shared_json, name="shared"),
    path("<int:pk>/palette.txt", exchange.palette_text, name="palette"),
    path("<int:pk>/udonarium.zip", exchange.udonarium_zip, name="udonarium"),
]
