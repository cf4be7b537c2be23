"""The product's settings with changes for the tests."""

import os

from companion.game_test_settings import *  # noqa: F403

# The board game of the tests (tests/tally) has templates like any other.
TEMPLATES[0]["DIRS"].append(BASE_DIR / "tests" / "tally" / "templates")  # noqa: F405

# Moves follow each other at once: tests of the grace give it seconds of their own.
GRACE_SECONDS = float(os.environ.get("TAKUJO_TEST_GRACE", "0"))

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]

# A server in a process of its own is given the key and the database of the test run.
SECRET_KEY = os.environ.get("SECRET_KEY", "the key of the test run, long enough to be no warning at all")
