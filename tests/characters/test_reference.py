"""The source's tables, word for word."""

from __future__ import annotations

import pytest
from django.utils import translation

from characters.models import ExperienceLine, ItemPower, NpcRank
from characters.refusals import SENTENCES
from tests.rules import rule

pytestmark = pytest.mark.django_db

POWERS = """
tool 0 普通の道具。道具が必要な判定で道具が無い場合は難易度を上げること。
tool 1 ちょっとした業物。時間をかけて探せばまれに手に入る。
tool 2 めったに手に入らない優れた道具。
tool 3 世界に2つとない優れた道具。
tool 4 オーバーテクノロジーによるものや魔法的な効果を持つ高性能な道具。
weapon 0 パンチ、キック、頭突き、かみつきなど
weapon 1 ナイフ、杖、小型の槍、小型の弓、小型〜中型のピストルなど
weapon 2 片手用の刀剣/斧/棍棒類、大型の槍や弓、大型のピストル、ライフル、ショットガンなど
weapon 3 両手剣、大型のクロスボウ、グレネードランチャー、対戦車ライフルなど
weapon 4 パイルバンカー、バズーカ、ミサイルなど
armour 0 厚手の服、防寒具、体の極一部だけを守る防具(額当て等)など。
armour 1 革鎧、防弾チョッキ、簡易ボディーアーマー、小型の盾など。
armour 2 軽金属鎧(チェインメイル等)、ボディアーマー、中型の盾など。
armour 3 重金属鎧(プレートメイル等)、全身を覆うプロテクター、大型の盾など。
armour 4 パワードスーツ、魔法で強化された防具など
""".strip().splitlines()

RANKS = """
1 雑魚(子供、老人、病人、ただの群衆や倒されるためのザコ敵など)
2 一般人(中高校生〜中年までの普通に健康な人。得意スートや特技は無い)
3 熟練者(PCのライバルとなりうる。特技と普通の装備を持つ。)
4 玄人(その道では名の知れた人物。得意スートと特技、普通の装備を持つ)
5 達人(中ボスクラス。得意スートと特技、良い性能の装備を持つ)
6 超人(大ボスクラス。得意スートと特技、良い性能の装備、特殊能力を持つ)
""".strip().splitlines()

LINES = """
セッションに最後まで参加した。
積極的に行動し、自分の活躍するシーンを作った。
他のキャラクターの行動を効果的にサポートできた。
リーダーシップを発揮して他のキャラクターを導いた。
問題を解決するために積極的に行動した。
NPCと良い関係を築いた(友人/恋人/良きライバルになった等)。
他のPCと良い関係を築いた(友人/恋人/良きライバルになった等)。
隠されていた謎や伏線に気が付き、そのことを自分のキャラクターに語らせた。
参加者をあっと言わせるようなセリフを言ったり、行動をしたりした。
""".strip().splitlines()


@rule("UC-7.1")
def test_the_item_power_tables_match_the_rulebook():
    with translation.override("ja"):
        rows = {f"{power.table} {power.value} {power.text}" for power in ItemPower.objects.all()}
    assert rows == set(POWERS)


@rule("UC-10.4")
def test_the_npc_ranks_match_the_rulebook():
    with translation.override("ja"):
        assert [f"{rank.rank} {rank.name}({rank.text})" for rank in NpcRank.objects.all()] == RANKS


@rule("UC-10.4")
def test_the_figures_of_npc_ranks_match_the_rulebook():
    stats = NpcRank.objects.values_list("hp", "skills", "suits", "weapon", "armour")
    assert list(stats) == [
        (1, 0, 0, 0, 0),
        (2, 0, 0, 0, 0),
        (3, 1, 0, 1, 1),
        (4, 2, 1, 1, 1),
        (5, 3, 1, 2, 2),
        (6, 4, 2, 2, 2),
    ]


@rule("UC-11.1")
def test_the_experience_checklist_has_the_nine_lines_of_the_rulebook():
    with translation.override("ja"):
        assert [line.text for line in ExperienceLine.objects.all()] == LINES


@pytest.mark.parametrize("model", [ItemPower, NpcRank, ExperienceLine])
def test_every_reference_row_is_translated_into_english(model):
    with translation.override("en"):
        assert all(row.text.isascii() or "…" in row.text for row in model.objects.all())


def test_every_refusal_of_a_sheet_is_translated_into_japanese():
    with translation.override("ja"):
        assert not [code for code, words in SENTENCES.items() if str(words).isascii()]
        assert not [code for code, words in SENTENCES.items() if "エラー" in str(words)]
