"""The product's settings with a bench: only for this machine, and its pages may be framed by the bench."""

from companion.settings import *  # noqa: F403
from companion.settings import CONTENT_SECURITY_POLICY, INSTALLED_APPS, LOGGING, MIDDLEWARE
from sessions.bench.watch import HOST

INSTALLED_APPS = [*INSTALLED_APPS, "sessions.bench"]
ROOT_URLCONF = "sessions.bench.urls"
ASGI_APPLICATION = "sessions.bench.asgi.application"
# Protects from DNS rebinding: a page of another site cannot reach the bench under a name of its own.
ALLOWED_HOSTS = [f".{HOST}"]

MIDDLEWARE = [
    *(each for each in MIDDLEWARE if not each.endswith("XFrameOptionsMiddleware")),
    "sessions.bench.views.FrameMiddleware",
]
CONTENT_SECURITY_POLICY["DIRECTIVES"] |= {
    "frame-ancestors": [f"http://{HOST}:*"],
    "frame-src": [f"http://*.{HOST}:*"],
}

# Serve static files straight from their folders; browsers must revalidate them each time.
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
STATIC_ROOT = None  # type: ignore[assignment]
WHITENOISE_USE_FINDERS = WHITENOISE_AUTOREFRESH = True
WHITENOISE_MAX_AGE = 0

LOGGING["handlers"]["bench"] = {"class": "sessions.bench.watch.Complaints", "level": "INFO"}  # type: ignore[index]
LOGGING["root"]["handlers"].append("bench")  # type: ignore[index]
# This logger reports moves that cannot be read; only the bench shows them.
LOGGING["loggers"]["sessions.live.consumers"] = {"level": "INFO"}  # type: ignore[index]
