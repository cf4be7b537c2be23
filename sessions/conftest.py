"""The tests below this folder have the database of the others."""

from tests.conftest import django_db_setup, make_once, migrated_database

__all__ = ["django_db_setup", "make_once", "migrated_database"]
