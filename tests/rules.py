"""Which rule a test stands for."""

import pytest

rule = pytest.mark.rule
