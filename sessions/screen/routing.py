"""Addresses of the websockets."""

from channels.routing import URLRouter
from django.urls import path

from sessions.screen.person import with_person
from sessions.screen.socket import FaceConsumer, LobbyConsumer, TableConsumer

urlpatterns = [
    path("ws/sessions/<int:pk>/", LobbyConsumer.as_asgi()),
    path("ws/tables/<int:pk>/", TableConsumer.as_asgi()),
    path("ws/faces/<uuid:key>/", FaceConsumer.as_asgi()),
    path("ws/faces/<uuid:key>/join/", FaceConsumer.as_asgi(join_only=True)),
]

websockets = with_person(URLRouter(urlpatterns))
