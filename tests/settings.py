"""The product's settings with changes for the tests."""

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

# The board game of the tests (tests/tally) has templates like any other.
TEMPLATES[0]["DIRS"].append(BASE_DIR / "tests" / "tally" / "templates")  # noqa: F405

# Moves follow each other at once: tests of the grace give it seconds of their own.
GRACE_SECONDS = float(os.environ.get("TAKUJO_TEST_GRACE", "0"))

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]

# A server in a process of its own is given the key and the database of the test run.
SECRET_KEY = os.environ.get("SECRET_KEY", "the key of the test run, long enough to be no warning at all")
