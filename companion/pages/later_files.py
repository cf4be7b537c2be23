"""Serve static files of a newer version: during a rolling update, its pages request them from old workers."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponseBase
from whitenoise.middleware import WhiteNoiseMiddleware


class LaterFilesMiddleware(WhiteNoiseMiddleware):
    """WhiteNoise's middleware that also finds files collected after this process started."""

    def __init__(self, get_response: object = None) -> None:
        super().__init__(get_response)
        if self.static_root and not self.autorefresh:
            # find_file searches these directories; with autorefresh WhiteNoise adds this one itself.
            self.directories.append((f"{self.static_root}/", self.static_prefix))

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        path = request.path_info
        if path.startswith(self.static_prefix) and path not in self.files and (later := self.find_file(path)):
            self.files[path] = later
        answer: HttpResponseBase = super().__call__(request)
        return answer
