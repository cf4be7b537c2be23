"""An ASGI app for tests: each client gets the messages of all clients, through the channel layer."""

import os

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
pages = get_asgi_application()

from channels.generic.websocket import AsyncWebsocketConsumer  # noqa: E402
from channels.routing import ProtocolTypeRouter  # noqa: E402

from companion.requests.asgi_middleware import SameOrigin  # noqa: E402


class Echo(AsyncWebsocketConsumer):
    groups = ["everybody"]

    async def connect(self):
        await self.accept()
        await self.send("here")

    async def receive(self, text_data=None, bytes_data=None):
        await self.channel_layer.group_send("everybody", {"type": "said", "text": text_data})

    async def said(self, message):
        await self.send(message["text"])


application = ProtocolTypeRouter({"http": pages, "websocket": SameOrigin(Echo.as_asgi())})
