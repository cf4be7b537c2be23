"""Static files of a newer version: while workers are updated in turn, its pages ask us for them, too."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponseBase
from whitenoise.middleware import WhiteNoiseMiddleware


class LaterFilesMiddleware(WhiteNoiseMiddleware):
    """Serves what was gathered before this process began, and looks for what came later."""

    def __init__(self, get_response: object = None) -> None:
        super().__init__(get_response)
        if self.static_root and not self.autorefresh:
            # Where find_file looks; with autorefresh it knows.
            self.directories.append((f"{self.static_root}/", self.static_prefix))

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        path = request.path_info
        if path.startswith(self.static_prefix) and path not in self.files and (later := self.find_file(path)):
            self.files[path] = later
        answer: HttpResponseBase = super().__call__(request)
        return answer
