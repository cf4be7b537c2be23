"""The routes of the websockets."""

from typing import Any

from channels.routing import URLRouter
from django.urls import path, re_path, register_converter

from companion.requests import RowConverter
from sessions.live.consumers import FaceConsumer, LobbyConsumer, TableConsumer
from sessions.live.sockets import SocketPersonMiddleware

register_converter(RowConverter, "row")


async def close_unknown(scope: dict[str, Any], receive: Any, send: Any) -> None:
    """Close a websocket to an unknown address."""
    await receive()
    await send({"type": "websocket.close"})


urlpatterns = [
    path("ws/sessions/<row:pk>/", LobbyConsumer.as_asgi()),
    path("ws/tables/<row:pk>/", TableConsumer.as_asgi()),
    path("ws/faces/<uuid:key>/", FaceConsumer.as_asgi()),
    path("ws/faces/<uuid:key>/join/", FaceConsumer.as_asgi(join_only=True)),
    re_path("", close_unknown),  # type: ignore[arg-type]  # an application, as the others are
]

websockets = SocketPersonMiddleware(URLRouter(urlpatterns))
