"""``@rule("UC-4.2")`` says for which rule of a module's page a test stands."""

import pytest

rule = pytest.mark.rule
