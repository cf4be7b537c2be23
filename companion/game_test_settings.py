"""The product's settings with changes for the tests of games, in this repository or outside it."""

import atexit
import os
import shutil
import tempfile

if "TAKUJO_VAR" not in os.environ:
    # One folder per test run, shared by its workers, so that two runs in one checkout do not collide.
    os.environ["TAKUJO_VAR"] = tempfile.mkdtemp(prefix="takujo-tests-")
    os.environ["PYTEST_DEBUG_TEMPROOT"] = os.environ["TAKUJO_VAR"]
    atexit.register(shutil.rmtree, os.environ["TAKUJO_VAR"], ignore_errors=True)

from companion.settings import *  # noqa: F403

# Serve static files from their source folders: tests need no collectstatic.
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = True
