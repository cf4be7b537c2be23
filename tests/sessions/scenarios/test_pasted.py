"""Text becomes a draft: what its author wrote is understood as far as it goes, and nothing of it is lost."""

from __future__ import annotations

import re
import sys
import unicodedata
from itertools import count
from pathlib import Path
from random import Random
from unicodedata import normalize

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as some

from characters.exchange.wording import without_controls
from sessions.scenarios import document as documents
from sessions.scenarios import text_import
from sessions.scenarios.document import ScenarioCheck, ScenarioScene, Unfit
from sessions.scenarios.drafts import ImportDifference, ScenarioDraft, iter_texts
from sessions.scenarios.text_lines import classify_line

TEXTS = Path(__file__).with_name("texts")


def _one_of(choices: str) -> some.SearchStrategy[str]:
    return some.sampled_from(choices.replace("\n", "").split("|"))


def read(text: str) -> ScenarioDraft:
    numbers = count(1)
    draft = text_import.read(text, lambda: f"x{next(numbers)}")
    # Whatever comes out is a document that can be kept.
    assert documents.read(msgspec.json.encode(draft.document)) == draft.document
    return draft


def scenes(name: str) -> list[ScenarioScene]:
    return read((TEXTS / name).read_text()).document.scenes


def titles(text: str) -> list[str]:
    return [scene.title for scene in read(text).document.scenes]


def test_a_markdown_scenario_with_handouts_is_read_completely() -> None:
    draft = read((TEXTS / "harbour.ja.md").read_text())
    document = draft.document
    assert document.title == "灯の消えた港"
    assert (document.players_from, document.players_to, document.minutes) == (3, 4, 180)
    assert document.warns == "溺死\n幽霊\n暗所"
    assert document.pitch == "港の灯台が三夜つづけて消えた。船が戻らない。"
    assert "弟だ。" in document.notes
    pier, tower, _ = document.scenes
    assert [scene.title for scene in document.scenes] == ["シーン1：桟橋", "シーン2：灯台", "エンディング"]
    assert pier.read == "霧が深い。波の音だけが聞こえる。\n灯台は、今夜も暗い。"
    assert pier.notes == "漁師たちは口が重い。酒をおごると話す。"
    friend, stranger = pier.letters
    assert (friend.title, friend.text) == ("HO1：灯台守の友人", "あなたは灯台守と幼なじみだった。")
    assert friend.secret == "あなたは、彼の弟が町を恨んでいることを知っている。"
    assert (stranger.whom, stranger.text) == ("PC②", "あなたは昨日この町に着いた。")
    prints, talk = pier.checks
    assert (prints.label, prints.difficulty) == ("足跡を調べる", 3)
    assert prints.follows.split("\n")[1:] == ["片足を引きずっている。", "失敗：足跡は霧に消える。"]
    assert (talk.label, talk.skill, talk.difficulty) == ("〈聞き込み〉", "聞き込み", 2)
    assert tower.read == "階段は濡れている。上から、かすかに歌が聞こえる。"
    assert "歌っているのは弟" in tower.notes
    assert [(npc.name, npc.rank, npc.count) for npc in tower.npcs] == [
        ("雑魚", 1, 3),
        ("灯台守の弟", 3, 1),
    ]
    assert draft.left == []


def test_a_scenario_with_symbol_headings_and_handout_secrets_is_read() -> None:
    draft = read((TEXTS / "letters.ja.txt").read_text())
    document = draft.document
    assert (document.title, document.players_from, document.players_to) == ("雨の手紙", 2, 2)
    assert document.minutes == 180, "of a span the longer one"
    assert "（テキスト：５時間）" in document.notes
    office, post, climax, _ = document.scenes
    assert office.notes.startswith("導入フェイズ"), "a chapter that holds scenes is none itself"
    assert [(check.skill, check.difficulty) for check in office.checks] == [("観察", 2), ("", 4)]
    assert office.checks[0].follows == "成功：靴が乾いている"
    detective, client = office.letters
    assert detective.text.endswith("使命：手紙の送り主を見つける。")
    assert detective.secret == "手紙を書いたのは、あなたの母だ。"
    assert client.secret == "あなたは手紙を読んでいない。"
    assert (post.npcs[0].name, post.npcs[0].rank) == ("局長", 2)
    assert "口が軽い" in post.npcs[0].special
    assert (climax.npcs[0].name, climax.npcs[0].count) == ("影", 5)
    assert post.checks[0].difficulty == 5
    assert "難易度8" in post.checks[0].follows
    assert draft.left == [ImportDifference("difficulty", post.checks[0].label, 8)]


def test_a_scenario_with_plain_acts_boxes_and_half_width_text_is_read() -> None:
    draft = read((TEXTS / "train.ja.txt").read_text())
    assert draft.document.title == "夜汽車の客"
    assert draft.document.warns == "流血\n閉所"
    first, second, third = draft.document.scenes
    assert first.read == "夜の駅に、汽笛が響く。\n客車には、あなたたちしかいない。"
    check = first.checks[0]
    assert (check.label, check.difficulty, check.skill) == ("切符の日付に気づく", 1, "観察")
    assert second.read == "白い布の上に、六つの皿。\nひとつだけ、湯気が立っている。"
    assert second.notes == "給仕は客ではない者を知っている。"
    letter = third.letters[0]
    assert (letter.text, letter.secret) == ("あなたは名前を思い出せない。", "あなたは五十年前に死んだ。")


def test_an_english_scenario_is_read_completely() -> None:
    draft = read((TEXTS / "manor.en.md").read_text())
    document = draft.document
    assert document.title == "The Manor on the Marsh"
    assert (document.players_from, document.players_to, document.minutes) == (3, 4, 120)
    assert document.warns == "drowning\na dead child"
    causeway, cellar, _ = document.scenes
    assert causeway.read == "The tide is coming in. The lamps of the manor are lit."
    assert causeway.checks[0].label == "Cross before the tide"
    assert "Failure: they lose a lantern." in causeway.checks[0].follows
    cousin, doctor = causeway.letters
    assert cousin.secret == "You have already sold it."
    assert (doctor.whom, doctor.secret) == ("PC2", "He was poisoned, and you know by what.")
    assert cellar.checks[0].difficulty == 4
    assert [(npc.name, npc.rank, npc.count) for npc in cellar.npcs] == [
        ("Drowned servants", 1, 4),
        ("The child", 5, 1),
    ]


def test_text_without_structure_is_one_scene() -> None:
    text = (TEXTS / "plain.en.txt").read_text()
    (scene,) = scenes("plain.en.txt")
    assert scene.notes == text.strip()
    assert (scene.title, scene.read, scene.checks) == ("", "", [])


def test_numbered_lines_are_headings_if_there_are_no_others() -> None:
    woods = scenes("outline.ja.txt")
    assert [scene.title for scene in woods] == ["1. 依頼", "2. 森", "3. 帰還"]
    assert "2）木に登る" in woods[1].notes, "a list is none"


@pytest.mark.parametrize(
    "heading", ["# 桟橋", "## 桟橋", "【桟橋】", "■桟橋", "◆ 桟橋", "●桟橋", "▼桟橋", "── 桟橋 ──"]
)
def test_a_line_with_a_heading_mark_begins_a_scene(heading: str) -> None:
    assert titles(f"{heading}\n霧。\n\n{heading.replace('桟橋', '倉庫')}\n闇。") == ["桟橋", "倉庫"]


@pytest.mark.parametrize(
    "heading",
    [
        "シーン１：桟橋",
        "■シーン1：桟橋",
        "第１幕",
        "第三章　港",
        "導入",
        "クライマックス",
        "Scene 1: Pier",
        "Act II",
    ],
)
def test_a_line_with_a_scene_word_is_a_heading_without_a_mark(heading: str) -> None:
    (title,) = titles(f"{heading}\n霧。")
    assert title == heading.removeprefix("■")


def test_a_sentence_is_no_heading() -> None:
    text = "シーン1では灯台が消えている。\n導入が長いので短くする。\nHO1を読んだ人は黙っている。"
    (scene,) = read(text).document.scenes
    assert scene.notes == text
    assert scene.letters == []


@pytest.mark.parametrize(
    ("line", "label", "difficulty"),
    [
        ("〈追跡〉の判定（難易度3）", "〈追跡〉", 3),
        ("【運動】で判定 難易度：2", "【運動】", 2),
        ("・足跡を調べる判定（難易度３）", "足跡を調べる", 3),
        ("「潮が満ちる前に渡る」の判定（難易度2）", "潮が満ちる前に渡る", 2),
        ("判定「岩場を登る」（難易度2）", "岩場を登る", 2),
        ("「止まれ」と叫ぶ判定（難易度2）", "「止まれ」と叫ぶ", 2),
        ("難易度4の判定", "判定", 4),
        ("DC 3", "DC 3", 3),
        ("Check (difficulty 3)", "Check", 3),
        ("### 扉を破る判定[難易度=0]", "扉を破る", 0),
    ],
)
def test_a_line_that_asks_for_a_check_has_label_and_difficulty(
    line: str, label: str, difficulty: int
) -> None:
    (scene,) = read(f"シーン1：扉\n{line}").document.scenes
    assert [(check.label, check.difficulty) for check in scene.checks] == [(label, difficulty)]


def test_a_check_gets_its_difficulty_from_the_next_line_that_says_nothing_else() -> None:
    text = "シーン1：扉\n判定：扉を破る\n難易度：4\n判定：壁を登る\n窓を割る（難易度1）"
    (scene,) = read(text).document.scenes
    assert [(check.label, check.difficulty) for check in scene.checks] == [
        ("扉を破る", 4),
        ("壁を登る", 2),
        ("窓を割る", 1),
    ]


def test_a_check_over_the_label_length_keeps_its_whole_line_as_text() -> None:
    line = f"〈追跡〉の判定（難易度3）。{'長い説明。' * 20}"
    (check,) = read(f"シーン1：扉\n{line}").document.scenes[0].checks
    assert (len(check.label), check.follows) == (80, line)


@pytest.mark.parametrize(
    ("line", "least", "most", "minutes"),
    [
        ("人数：3～5人", 3, 5, 180),
        ("ＰＬ人数：２名", 2, 2, 180),
        ("Players: 2 to 4", 2, 4, 180),
        ("プレイ時間：3時間半", 3, 4, 210),
        ("所要時間：1時間30分", 3, 4, 90),
        ("想定時間：180分程度", 3, 4, 180),
        ("Time: 2 hours", 3, 4, 120),
        ("Duration: 2-3 hours", 3, 4, 180),
    ],
)
def test_player_counts_and_durations_are_read_in_their_usual_notations(
    line: str, least: int, most: int, minutes: int
) -> None:
    document = read(f"{line}\n\nシーン1：港\n霧。").document
    assert (document.players_from, document.players_to, document.minutes) == (least, most, minutes)


def test_values_out_of_range_are_reported_and_kept_in_the_notes() -> None:
    draft = read("人数：12人\nプレイ時間：三日三晩\n\nシーン1：港\n敵：雑魚×20、竜（ランク9）")
    assert "人数：12人" in draft.document.notes
    assert "プレイ時間：三日三晩" in draft.document.notes
    assert [left.code for left in draft.left] == ["players", "not_understood", "count", "rank"]
    assert [(npc.count, npc.rank) for npc in draft.document.scenes[0].npcs] == [(8, 1), (1, 6)]


@pytest.mark.parametrize(
    ("line", "least", "most", "minutes", "said"),
    [
        ("プレイ人数：三人", 3, 3, 180, {"players"}),
        ("プレイ人数：ひとり", 1, 1, 180, {"players"}),
        ("プレイ人数：二〜四人", 2, 4, 180, {"players"}),
        ("Players: two to four", 2, 4, 180, {"players"}),
        ("プレイ時間：六時間", 3, 4, 360, {"minutes"}),
        ("プレイ時間：二時間半", 3, 4, 150, {"minutes"}),
        ("プレイ人数：お好きに", 3, 4, 180, set()),
        ("ひとりで、6時間ほどかけて遊ぶ話です。", 3, 4, 180, set()),
    ],
)
def test_player_counts_and_times_in_words_are_read_or_left_at_defaults(
    line: str, least: int, most: int, minutes: int, said: set[str]
) -> None:
    draft = read(f"{line}\n\nシーン1：港\n霧。")
    document = draft.document
    assert (document.players_from, document.players_to, document.minutes) == (least, most, minutes)
    assert draft.said == said


@pytest.mark.parametrize(
    ("first", "title"),
    [
        ("よその神話RPG「雨の駅」", "よその神話RPG「雨の駅」"),
        ("「雨の駅」", "雨の駅"),
        ("『雨の駅』", "雨の駅"),
        ("「雨」と「駅」", "「雨」と「駅」"),
        ("タイトル：『雨の駅』", "雨の駅"),
        ("タイトル：続『雨の駅』", "続『雨の駅』"),
    ],
)
def test_a_title_keeps_its_brackets(first: str, title: str) -> None:
    assert read(f"{first}\nプレイ人数：3人\n■導入\n雨。").document.title == title


MAC = """雨の駅\nプレイ人数：３人\nプレイ時間：２時間\n■オープニング\n雨。\n■ハンドアウト1\nあなたは医師だ。
■ハンドアウト1の秘密\nあなたは患者を殺した。\n■エンディング\n朝。"""


@pytest.mark.parametrize("line_break", ["\n", "\r", "\r\n", "\v", "\f", "\x85", "\u2028", "\u2029"])
@pytest.mark.parametrize("form", ["NFC", "NFD"])
@pytest.mark.parametrize("unseen", ["", "\u200b", "\u200e", "\u3164"])
def test_unicode_forms_line_breaks_and_invisible_marks_make_no_difference(
    line_break: str, form: str, unseen: str
) -> None:
    written = unicodedata.normalize(form, MAC).replace("■", f"{unseen}■").replace("\n", line_break)
    draft, plain = read(written), read(MAC)
    assert draft.document == plain.document
    assert draft.said == plain.said == {"players", "minutes"}
    (letter,) = draft.document.scenes[0].letters
    assert (letter.text, letter.secret) == ("あなたは医師だ。", "あなたは患者を殺した。")


def test_persons_with_a_mission_and_a_secret_are_read_as_handouts() -> None:
    text = "もう一度\nプレイ人数：2人\n○PC1\n【使命】\n友人を見つける。\n【秘密】\nあなたが隠した。\n"
    text += "○田中\n【使命】\n真相を知る。\n【秘密】\n見ていた。\n○導入フェイズ\n朝。"
    (scene,) = read(text).document.scenes
    assert scene.title == "導入フェイズ"
    assert [(letter.title, letter.text, letter.secret) for letter in scene.letters] == [
        ("PC1", "【使命】\n友人を見つける。", "あなたが隠した。"),
        ("田中", "【使命】\n真相を知る。", "見ていた。"),
    ]


def test_all_paragraphs_of_a_handouts_secret_stay_secret() -> None:
    text = (
        "シーン1：港\nHO1：友人\n公の話。\n秘密：ひとつめ。\n\nふたつめ。\n\n> みっつめ。\n\n■シーン2\n霧。"
    )
    (first, _) = read(text).document.scenes
    assert first.letters[0].text == "公の話。"
    assert all(word in first.letters[0].secret for word in ("ひとつめ", "ふたつめ", "みっつめ"))
    assert first.read == ""


def test_a_scene_over_the_length_limit_continues_in_another_scene() -> None:
    lines = [f"{n}番目の話。" for n in range(1_500)]
    draft = read("シーン1：港\n" + "\n".join(lines) + "\nシーン2：宿\n灯。")
    more = draft.document.scenes[1:]
    assert more[0].title == "シーン1：港 (2)"
    said = "\n".join(scene.notes for scene in draft.document.scenes)
    assert said == "\n".join([*lines, "灯。"])
    assert draft.left == [ImportDifference("continued", "シーン1：港", len(more))]


def test_scenes_and_checks_over_the_limits_are_reported() -> None:
    draft = read("\n".join(f"■シーン{n}\n霧{n}。" for n in range(70)))
    assert len(draft.document.scenes) == 60
    assert draft.left[0] == ImportDifference("scenes", "シーン60", 10)
    assert draft.left[1] == ImportDifference("cut", "", sum(len(f"シーン{n}霧{n}。") for n in range(60, 70)))
    many = read("■シーン1\n" + "\n".join(f"〈技{n}〉の判定（難易度2）" for n in range(33)))
    (scene,) = many.document.scenes
    assert len(scene.checks) == 30
    assert "〈技32〉" in scene.notes
    assert many.left == [ImportDifference("checks", "シーン1", 3)]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "empty"),
        (" \n\t\n", "empty"),
        ("霧" * 200_001, "too_large"),
        ("<!DOCTYPE html><html><body>霧", "web_page"),
        ("<h1>港</h1><p>霧</p><p>闇</p>", "web_page"),
        ("From: <Saved by Blink>\nMIME-Version: 1.0", "web_page"),
    ],
)
def test_a_text_that_is_no_scenario_is_refused(text: str, code: str) -> None:
    with pytest.raises(Unfit, match=code):
        read(text)


@pytest.mark.parametrize(
    ("line", "kind", "label", "passive"),
    [
        ("秘密判定「足跡に気づく」（難易度2）", "secret", "足跡に気づく", ""),
        ("秘密判定：足跡に気づく（難易度2）", "secret", "足跡に気づく", ""),
        ("■【秘密判定】足跡に気づく　難易度：2", "secret", "足跡に気づく", ""),
        ("〈観察〉の秘密判定（難易度2）", "secret", "〈観察〉", ""),
        ("足跡に気づく（秘密判定、難易度2）", "secret", "足跡に気づく", ""),
        ("秘匿判定：足跡に気づく（難易度2）", "secret", "足跡に気づく", ""),
        ("足跡に気づく秘密の連続判定（難易度2）", "secret", "足跡に気づく", ""),
        ("Secret check: notice the tracks (DC 2)", "secret", "notice the tracks", ""),
        ("連続判定「岩場を登る」（難易度2）", "chain", "岩場を登る", ""),
        ("・岩場を登る連続判定（難易度2）", "chain", "岩場を登る", ""),
        ("対抗判定「話を聞かせる」（難易度2）", "contest", "話を聞かせる", ""),
        ("対抗判定「話を聞かせる」（能動者：PC、受動者：岩瀬、難易度2）", "contest", "話を聞かせる", "岩瀬"),
        ("対抗判定「話を聞かせる」（難易度2）\n受動者：岩瀬", "contest", "話を聞かせる", "岩瀬"),
        ("岩瀬との対抗判定（難易度2）", "contest", "岩瀬との対抗判定", "岩瀬"),
        ("足跡に気づく（難易度2）", "check", "足跡に気づく", ""),
    ],
)
def test_a_pasted_check_keeps_what_it_is(line: str, kind: str, label: str, passive: str) -> None:
    [scene] = read(f"シーン1：港\n{line}").document.scenes
    [check] = scene.checks
    assert (check.kind, check.difficulty, check.passive) == (kind, 2, passive)
    assert check.label == label
    assert scene.notes == ""


def test_the_outcomes_of_a_pasted_chain_are_told_by_its_cards() -> None:
    text = "シーン1：崖\n連続判定「岩場を登る」（難易度2）\n3枚以上：楽に登れる。\n0〜1枚：手をすりむく。"
    text += "\n\n日が暮れる。"
    [scene] = read(text).document.scenes
    assert scene.checks[0].follows == "3枚以上：楽に登れる。\n0〜1枚：手をすりむく。"
    assert scene.notes == "日が暮れる。"


def test_a_label_of_checks_makes_those_below_it_secret_until_the_next_heading() -> None:
    text = "シーン1：港\n◆秘密判定\n足跡に気づく（難易度2）\n\n物音（難易度3）\n◆市場\n値切る（難易度1）"
    [scene] = read(text).document.scenes
    assert [(check.label, check.kind) for check in scene.checks] == [
        ("足跡に気づく", "secret"),
        ("物音", "secret"),
        ("値切る", "check"),
    ]


SECRET_CHECKS = """秘密判定|秘密 判定|秘・密・判・定|秘密の判定|秘匿判定|シークレットダイス|シークレット判定
|秘密ダイス|secret check|秘密の連続判定"""
BESIDE_A_CHECK = """{secret}「足跡」{difficulty}|{secret}：足跡{difficulty}|足跡の{secret}{difficulty}
|{secret}　足跡{difficulty}|{secret}で足跡に気づく{difficulty}
|{secret}{difficulty}|【{secret}】足跡{difficulty}
|{secret}_足跡に気づく{difficulty}|{secret}：_＿足跡に気づく{difficulty}
|GMは{secret}を求める。_〈観察〉の判定{difficulty}|足跡に気づく{difficulty}_※{secret}で行う。
|足跡に気づく{difficulty}_成功：見える_{secret}。"""
HEADS = "|■|【|・|◆ |1. |**|※|（"
PLACES = "シーン1：港\n|■港\n霧。\n|■港\n【描写】\n霧。\n|■港\nHO1：友人\n友だ。\n\n|概要：\n霧\n\n"
DIFFICULTIES = "（難易度2）|　難易度：2|[難易度=2]| DC 3|（能動者：PC、難易度2）|（難易度2）成功：見える"


@given(
    *(_one_of(choices) for choices in (SECRET_CHECKS, BESIDE_A_CHECK, HEADS, DIFFICULTIES)),
    some.sampled_from(PLACES.split("|")),
)
def test_no_pasted_secret_check_becomes_open(
    secret: str, form: str, head: str, difficulty: str, place: str
) -> None:
    lines = form.format(secret=secret, difficulty=difficulty).replace("_", "\n").replace("＿", "\n")
    document = read(f"{place}{head}{lines}").document
    checks = [thing for thing in documents.things(document) if isinstance(thing, ScenarioCheck)]
    assert {check.kind for check in checks} <= {"secret"}


@pytest.mark.parametrize("line", ["秘密の判定：村長は嘘をついている。", "秘密の判定で分かること：村長の嘘"])
def test_a_line_about_a_secret_check_in_a_handout_is_secret_with_all_below_it(line: str) -> None:
    [letter] = read(f"シーン1：港\n\nHO1：漁師\n島を守る。\n{line}\n公開。").document.scenes[0].letters
    assert letter.text == "島を守る。"
    assert letter.secret.splitlines() == [line, "公開。"]


def test_cut_ins_are_read_and_what_has_no_field_stays_a_note() -> None:
    text = (
        "シーン1：港\n描写：\n波の音がする。\nBGM：波の音\nカットイン「灯が消えた」\n【カットイン】月が出た\n"
    )
    text += "6区切りの時計「潮が満ちる」\n\n■経験点\n生還：3点"
    draft = read(text)
    [scene] = draft.document.scenes
    assert [cut_in.words for cut_in in scene.cut_ins] == ["灯が消えた", "月が出た"]
    assert scene.read == "波の音がする。"
    assert all(line in scene.notes for line in ("BGM：波の音", "6区切りの時計「潮が満ちる」", "生還：3点"))
    assert draft.left == [
        ImportDifference("aside_sound", "BGM：波の音", 1),
        ImportDifference("aside_clock", "6区切りの時計「潮が満ちる」", 1),
        ImportDifference("aside_experience", "経験点", 1),
    ]


@pytest.mark.parametrize(
    ("line", "name", "rank", "special"),
    [
        ("敵：灯台守　ランク3　HP3", "灯台守", 3, ""),
        ("敵：灯台守（ランク3、HP3）", "灯台守", 3, ""),
        ("敵：灯台守　HP3　ランク3", "灯台守", 3, ""),
        ("敵：灯台守　ランク3　HP9", "灯台守", 3, "HP9"),
        ("敵：番犬（ランク1、HP1、鼻がきく）", "番犬", 1, "鼻がきく"),
        ("敵：番犬（ランク1）鼻がきく（夜だけ）", "番犬", 1, "鼻がきく（夜だけ）"),
    ],
)
def test_the_special_ability_of_a_pasted_npc_lacks_its_rank_and_usual_hp(
    line: str, name: str, rank: int, special: str
) -> None:
    [npc] = read(f"シーン1：港\n{line}").document.scenes[0].npcs
    assert (npc.name, npc.rank, npc.special) == (name, rank, special)


MARKS = """|　|# | ## |### |■|◆|● |□|> |・|- |【|《|== |1. |シーン1：|第2幕 |Scene 2: |HO1：|HO2
|秘匿HO1：|ハンドアウト：|対象：|【秘密】|秘密：|裏：|Secret: |※このHOの人だけが読む |描写：
|**読み上げ** |GM：|敵：|NPC：|判定：|成功：|失敗→|特技：|秘密判定：
|連続判定「|対抗判定「|能動者：|受動者：|3枚以上：|カットイン：|BGM：|経験点：|人数：|時間：|タイトル：|概要：|背景：|注意："""
ENDS = "|。|！|（難易度3）|の判定（難易度9）|×3|（ランク2）、|】| ==|：|3〜4人|2時間| DC 7"


def _composed(text: str) -> str:
    """Return a text as it is stored: a compatibility ideograph such as U+F900 has become its usual form."""
    return normalize("NFC", text)


#: Not all digits: a number may be what it says, and stands nowhere as a word then.
WORDS = some.text(some.characters(categories=("L", "Nd")), min_size=1, max_size=30).map(
    lambda word: _composed(f"語{word}")
)
WRITTEN = some.tuples(_one_of(MARKS), WORDS, _one_of(ENDS))
LINES = some.lists(some.just(("", "", "")) | WRITTEN, max_size=30)


@given(LINES)
def test_every_word_ends_up_somewhere(lines: list[tuple[str, str, str]]) -> None:
    text = "\n".join("".join(line) for line in lines)
    if not text.strip():
        return
    draft = read(text)
    said = "".join("".join(iter_texts(draft.document)).split())
    for _, word, _ in lines:
        assert word in said, word


@given(some.text(max_size=400).map(_composed))
def test_garbage_is_a_scenario_too(text: str) -> None:
    if not without_controls(text).strip():
        return
    said = "".join(iter_texts(read(text).document))
    for word in re.findall(r"[^\W_]{3,}", text):
        assert word in said or classify_line(word).kind != "text"


NASTY = {
    "prose": lambda rng: "".join(rng.choices("霧の港に灯が。、ゆれる「」\n", k=100)),
    "brackets": lambda rng: "（【《〈「" * 20 + "\n",
    "blanks": lambda rng: " 　" * 40 + "x\n",
    "accents": lambda rng: "e" + "\u0301" * 98 + "\n",
    "half width": lambda rng: "ﾊﾞ" * 50 + "\n",
    "checks": lambda rng: "の判定（難易度3）" * 9 + "\n",
    "one line": lambda rng: "難易度" * 30,
    "rules": lambda rng: "-" * 98 + "x\n",
    "numbers": lambda rng: "1-" * 49 + "\n",
    "handouts": lambda rng: "HO1：秘密\n裏\n表\n",
}


@pytest.mark.parametrize("kind", NASTY)
def test_the_work_of_reading_grows_linearly_with_the_text(kind: str) -> None:
    """Calls are counted, which no busy machine changes; no pattern looks further than one short line."""
    rng = Random(kind)
    text = "".join(NASTY[kind](rng) for _ in range(400))
    small, large = calls(text[: len(text) // 4]), calls(text)
    assert large < small * 4.6 + 2_000


def calls(text: str) -> int:
    made = 0

    def note(frame: object, event: str, argument: object) -> None:
        nonlocal made
        made += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        text_import.read(text, iter(f"y{n}" for n in range(100_000)).__next__)
    finally:
        sys.setprofile(before)
    return made


def test_reading_a_scenario_stops_when_the_client_is_gone() -> None:
    def go_on() -> None:
        raise InterruptedError

    with pytest.raises(InterruptedError):
        text_import.read("■導入\n霧。", str, go_on)
