"""Intervals against figures from the literature."""

from __future__ import annotations

import pytest

from sessions.lab.statistics import Proportion, difference


def test_wilsons_interval_matches_the_literature() -> None:
    """Newcombe 1998 (Statistics in Medicine 17:857), table I: 81 of 263, 15 of 148, 0 of 20, 1 of 29."""
    for (hits, of), (low, high) in {
        (81, 263): (0.2553, 0.3662),
        (15, 148): (0.0624, 0.1605),
        (0, 20): (0.0, 0.1611),
        (1, 29): (0.0061, 0.1718),
    }.items():
        assert Proportion(hits, of).bounds == pytest.approx((low, high), abs=0.0001)


def test_newcombes_interval_of_a_difference_matches_the_literature() -> None:
    """Newcombe 1998 (Statistics in Medicine 17:873), table II, method 10: 56/70 − 48/80."""
    one = difference(Proportion(56, 70), Proportion(48, 80))
    assert (one.value, one.low, one.high) == pytest.approx((0.2, 0.0524, 0.3339), abs=0.0001)
    assert one.is_clear
    assert not difference(Proportion(5, 10), Proportion(4, 10)).is_clear


def test_the_interval_of_an_empty_sample_is_zero_to_one() -> None:
    assert Proportion(0, 0).bounds == (0, 1)
    assert not difference(Proportion(0, 0), Proportion(5, 5)).is_clear
