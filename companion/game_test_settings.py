"""The product's settings with the changes that the tests of any game want, also outside this repository."""

import atexit
import os
import shutil
import tempfile

if "TAKUJO_VAR" not in os.environ:
    # A folder for this run and its workers: two runs in one checkout leave each other alone.
    os.environ["TAKUJO_VAR"] = tempfile.mkdtemp(prefix="takujo-tests-")
    os.environ["PYTEST_DEBUG_TEMPROOT"] = os.environ["TAKUJO_VAR"]
    atexit.register(shutil.rmtree, os.environ["TAKUJO_VAR"], ignore_errors=True)

from companion.settings import *  # noqa: F403

# Static files straight from their folders: no collectstatic before a test run.
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = True
