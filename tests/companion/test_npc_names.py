"""Names made from rank and letter are everybody's own language; names that a GM gave stay."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from django.utils import translation

from characters.models import NpcRank
from companion.figures import RANKS, figure, npc_kinds, npc_name, skill_name
from tests.words import COMPLETE


@pytest.mark.parametrize(
    ("kept", "japanese", "english"),
    [
        ("熟練者A", "熟練者A", "Skilled A"),
        ("SkilledA", "熟練者A", "Skilled A"),
        ("雑魚AB", "雑魚AB", "Small fry AB"),
        ("超人", "超人", "Superhuman"),
        ("熟練者の弟子", "熟練者の弟子", "熟練者の弟子"),
        ("Vitamin C", "Vitamin C", "Vitamin C"),
        ("竜", "竜", "竜"),
    ],
)
def test_an_npc_name_of_rank_and_letter_is_translated(kept: str, japanese: str, english: str) -> None:
    with translation.override("ja"):
        assert npc_name(kept) == japanese
    with translation.override("en"):
        assert npc_name(kept) == english


def test_a_numbered_skill_of_an_npc_is_translated() -> None:
    with translation.override("en"):
        assert [skill_name(skill) for skill in ("特技2", "剣術")] == ["Skill 2", "剣術"]


def test_a_players_character_named_like_a_rank_is_not_translated() -> None:
    figures, names = {"p1": "達人", "n1": "達人"}, {"p1": "あゆみ"}
    with translation.override("en"):
        assert [figure(figures, names, who) for who in ("p1", "n1")] == ["達人", "Master"]


@pytest.mark.parametrize("language", COMPLETE)
def test_names_of_npc_ranks_are_those_of_the_reference_table(reference_rows: None, language: str) -> None:
    with translation.override(language):
        assert [rank.name for rank in NpcRank.objects.all()] == [str(rank) for rank in RANKS]


def test_npcs_that_differ_by_a_letter_are_grouped() -> None:
    npcs = [SimpleNamespace(name=name) for name in ("雑魚A", "狼", "雑魚B", "Agent X", "BOB", "狼")]
    kinds = [(kind, [letter for letter, _ in members]) for kind, members in npc_kinds(npcs)]
    assert kinds == [("雑魚", ["A", "B"]), ("狼", ["", ""]), ("Agent X", ["X"]), ("BOB", [""])]
