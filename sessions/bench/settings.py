"""The product's settings with a bench: on this machine alone, and its pages may stand in frames of it."""

from companion.settings import *  # noqa: F403
from companion.settings import CONTENT_SECURITY_POLICY, INSTALLED_APPS, LOGGING, MIDDLEWARE
from sessions.bench.setting import HOST

INSTALLED_APPS = [*INSTALLED_APPS, "sessions.bench"]
ROOT_URLCONF = "sessions.bench.urls"
ASGI_APPLICATION = "sessions.bench.asgi.application"
# No page from elsewhere reaches it, whatever name of this machine it invents.
ALLOWED_HOSTS = [f".{HOST}"]

MIDDLEWARE = [
    *(each for each in MIDDLEWARE if not each.endswith("XFrameOptionsMiddleware")),
    "sessions.bench.frames.FrameMiddleware",
]
CONTENT_SECURITY_POLICY["DIRECTIVES"] |= {
    "frame-ancestors": [f"http://{HOST}:*"],
    "frame-src": [f"http://*.{HOST}:*"],
}

# Files as they lie in their folders, and never those of a minute ago.
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
STATIC_ROOT = None  # type: ignore[assignment]
WHITENOISE_USE_FINDERS = WHITENOISE_AUTOREFRESH = True
WHITENOISE_MAX_AGE = 0

LOGGING["handlers"]["bench"] = {"class": "sessions.bench.complaints.Complaints", "level": "INFO"}  # type: ignore[index]
LOGGING["root"]["handlers"].append("bench")  # type: ignore[index]
# A move that cannot be read is told of here alone.
LOGGING["loggers"]["sessions.screen.sockets.table"] = {"level": "INFO"}  # type: ignore[index]
