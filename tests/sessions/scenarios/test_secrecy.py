"""No line that its author keeps from the players ends up in what they read."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from itertools import count, product
from random import Random

import pytest

from sessions.scenarios import ccfolia_rooms, text_import
from sessions.scenarios.document import Document
from sessions.scenarios.drafts import ScenarioDraft, iter_texts
from sessions.scenarios.secrecy import is_of_a_handout, label_of
from tests.sessions.scenarios.rooms import room

#: It stands nowhere else, and is one word in every form of Unicode.
SECRET = "密語甲乙丙"
GMS = "GM|KP|ST|DL|DM|マスター|キーパー|ゲームマスター|ＧＭ|ｋｐ|ﾏｽﾀｰ|K.P.|G M"
FOR_GM = "：|情報：|用：|向け：|メモ：|のみ：|専用：|以外閲覧禁止：|情報「|への情報：|=|→| only: |'s notes: "
KEPT = (
    "秘密：|秘密　|【秘密】|（秘密）|裏：|秘匿：|秘匿情報：|真相：|真　相：|「真相」："
    "|事件の真相：|真相その1：|黒幕：|黒幕は|犯人：|真犯人は|駅員の正体：|ネタバレ："
    "|シークレット：|㊙|裏設定：|Secret: |The truth: |Culprit: |Spoilers: |HO1の秘密："
    "|HO2の秘密：|ハンドアウト1（裏）：|PC1の秘密：|PC②の秘密：|医師の秘密：|秘匿HO1：|※HO1のみ："
    "|※PC2だけ：|プレイヤーには見せない：|<b>KP</b>情報：|**KP情報**：|__KP情報__：|秘\u200b密："
    "|[GM only] |〔KP〕|霧が深い。（KP：|霧が深い。【真相】|霧。真相：|霧　※KP情報："
)
LABELS = [f"{name}{what}" for name in GMS.split("|") for what in FOR_GM.split("|")]
LABELS += KEPT.split("|")
#: How else authors write that a line is a secret, by kind. A line has one place for what it keeps.
WAYS = {
    "a dash": (
        "秘密ー {}|真相ー {}|ー秘密ー{}|ー真相ー{}|ーKPー{}|犯人ー　{}|マスターーー{}"
        "|ネタバレー {}|ㅡ秘密ㅡ{}"
    ),
    "a number before": (
        "その1秘密　{}|その一秘密　{}|No.1 秘密　{}|A-1 秘密　{}|Ⅳ 秘密　{}|第一秘密│{}|㈠1-1秘密　{}"
        "|【A 秘密】{}"
        "|No.1秘密★│{}|資料1 秘密　{}|Case #2 Secret: {}|ア 秘密　{}|甲 真相　{}"
    ),
    "a number behind": (
        "秘密A {}|Secret1: {}|Secret 1: {}|Secrets A: {}|Truth 2: {}|秘密Ⅱ　{}|秘密その一　{}|秘密①　{}"
    ),
    "other letters": (
        "祕密：{}|眞相：{}|黑幕：{}|真實：{}|裡：{}|ウラ：{}|うら：{}|うらの情報：{}|しんそう：{}|ねたばれ：{}"
        "|K-P：{}|K/P：{}|K_P：{}|K。P：{}|真/相：{}|「秘」「密」：{}|КР：{}|ΚΡ：{}|GМ：{}|ho1秘密：{}|Ho1の裏：{}"
    ),
    "English": (
        "Secret {}|SECRET {}|SECRET he did it {}|TOP SECRET {}|CONFIDENTIAL {}|Secret The butler {}"
        "|Hidden from players: {}"
    ),
    "not for players": (
        "PLには伏せる{}|PLには伏せておく：{}|PCには見えない：{}|プレイヤーには明かさない：{}|PLには言わない：{}"
        "|PL未開示：{}|PL立入禁止：{}|PL厳禁：{}|未開示情報：{}|非開示：{}|隠匿情報：{}|他言無用：{}|隠し情報：{}"
        "|【隠し情報】{}|隠された真実　{}|隠れた目的：{}|隠し事：{}|真の使命：{}|【真の使命】{}"
        "|本当の狙い：{}"
        "|以下はネタバレを含みます。{}|以下はネタバレを含みます。\n{}|▼以下KP▼ {}|以下、真相。\n{}"
        "|この先ネタバレ　{}|裏で起きていること：{}|【ここだけの話】{}|オフレコ：{}"
    ),
    "for one": (
        "PC1へ：{}|PC1さんへ：{}|PC1（医師）へ：{}|PC1にだけ：{}|For PC1: {}|To PC1: {}|Only PC1: {}"
        "|For PC1's eyes only: {}|Private to PC1: {}|Player 1 only: {}|Player A only: {}"
    ),
    "other names of a GM": (
        "守密人：{}|说书人：{}|隐藏：{}|키퍼링: {}|숨겨진 진실: {}|SM：{}|シナリオマスター：{}"
        "|サブマスター：{}"
        "|レフェリー：{}|卓主用：{}|主催者向け情報：{}|司会用：{}"
    ),
    "marks of other sites": (
        "\\|\\|{}\\|\\||犯人は\\|\\|{}\\|\\||\\|\\|\n{}\n\\|\\||>!{}!<|[spoiler]{}[/spoiler]|[hide]{}[/hide]"
        '|[details="x"]{}[/details]|<spoiler>{}|<details><summary>{}|<details>\n<summary>{}'
        '|<span class="spoiler">{}</span>|<span style="color:white">{}</span>|[color=#fff]{}[/color]'
        "|<!-- {} -->|<!--\n{}\n-->|%%{}%%|// {}|//{}|/* {} */|:::secret {}|:::spoiler\n{}\n:::"
        "|[!secret]- {}|#spoiler {}"
    ),
    "what only the GM knows": (
        "シナリオの背景：{}|全貌：{}|事件の全貌：{}|カラクリ：{}|仕掛け：{}|オチ：{}|（オチ）{}|凶器：{}|【凶器】\n{}"
        "|凶器は：{}|内通者：{}|本性：{}|【狂気】{}|解決方法：{}"
    ),
}
#: Labels for all that stands below them.
HEADS = (
    "KP情報|GM向け|秘密|真相|【秘密】|「黒幕」|《KP情報》|―――真相―――|== KP情報 ==|★秘密★"
    "|HO1の秘密|マスター情報"
)
#: Lines that hold a label and nothing that it keeps.
ALONE = (
    "◆◇秘密◇◆ ┃|**秘密**|<b>KP情報</b>|村長（GM用）：|村長（ＧＭ用）|｜真《しん》相《そう》|秘密《ひみつ》"
    "|GM only|For the keeper|GM Secret|Secret...|HO1 secret|Keeper's notes:|Behind the scenes|__Spoilers__"
    "|●キーパー●|A. 事件の真相|KP情報（村長について）：|KP用メモ ◆裏設定|K.P.用|DM's eyes only|秘匿HO1 ―"
    "|KP\n情報|■秘\n■密|ネタ\nバレ|真相\n【秘密】|黒幕↓|[b]裏事情[/b] ┃|非公開：\n※\n|秘密\n────|GM\n<hr>\n"
    "|シーン3（GM用）|■エンディング：真相|\\| 村長 \\| 秘密 \\|\n\\|---\\|---\\|"
)
#: What a line without a label would be.
FORMS = (
    "■{}|◆{}|【{}】|# {}|### {}|── {} ──|□{}。|> {}|│{}│|**{}**|1. {}|概要：{}|注意：{}|タイトル：{}"
    "|公開：{}|対象：{}|技能：{}|敵：{}×2|NPC：{}|〈{}〉で判定 難易度3|{}：難易度3|成功：{}|使命：{}"
    "|あらすじ：{}|\\| {} \\| x \\|"
)
MARKS = (
    "|□|■|◆|○|● |▼|〇|▢|> |＞|│|┃ |║|・|※|- |* |1. |①|(2)|# |## |▌|→|「|『|【|（|≪|<p>"
    '|<div class="x">|&gt; |\u200b|\u3164|　|\t'
)
BEFORE = (
    "|描写：\n|□描写\n|> 霧が深い。\n|HO1：医師\nあなたは医師だ。\n|■HO1：医師\n□公開\n"
    "|概要：\n紹介文。\n|注意：\n流血\n|┌──┐\n|読み上げ\n霧。\n\n|シーン2：駅\n|【描写】\n霧。\n"
)
AFTER = "|。|！| ┃|】|」|）|*|</p>"


def read(text: str) -> ScenarioDraft:
    numbers = count(1)
    return text_import.read(text, lambda: f"x{next(numbers)}")


def for_players(document: Document) -> Iterator[str]:
    """Yield all that a player may read before the night is over, secrets of handouts excepted."""
    yield from (document.title, document.pitch, document.warns)
    for scene in document.scenes:
        yield from (scene.title, scene.read, scene.caption)
        for letter in scene.letters:
            yield from (letter.title, letter.whom, letter.text)
        for check in scene.checks:
            yield from (check.label, check.skill)
        yield from (npc.name for npc in scene.npcs)
        yield from (cut_in.words for cut_in in scene.cut_ins)


def assert_kept(lines: str) -> None:
    document = read(SCENARIO.format(lines)).document
    assert SECRET not in "\n".join(for_players(document)), lines
    assert SECRET in "\n".join(iter_texts(document)), lines


SCENARIO = "雨の駅\nプレイ人数：3人\n■導入\n{}\n■終わり\n朝。"


def some_of(choices: str) -> list[str]:
    """Return what stands between bars; a bar behind a backslash is one itself."""
    return [choice.replace("\\|", "|") for choice in re.split(r"(?<!\\)\|", choices)]


@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_a_line_with_a_secrecy_label_is_kept_from_players(form: str) -> None:
    chance = Random(form)
    for label in LABELS * 5:
        marks = "".join(chance.choices(some_of(MARKS), k=chance.randint(0, 3)))
        before, after = chance.choice(some_of(BEFORE)), chance.choice(some_of(AFTER))
        assert_kept(unicodedata.normalize(form, f"{before}{marks}{label}{SECRET}{after}"))


@pytest.mark.parametrize("ways", WAYS)
def test_every_usual_phrase_for_a_secret_keeps_its_line_from_players(ways: str) -> None:
    for way in some_of(WAYS[ways]):
        line = way.format(SECRET)
        assert_kept(f"> {line}")
        assert_kept(f"> 霧が深い。\n> {line}")
        assert_kept(f"□{line}。")
        assert_kept(f"描写：\n{line}")
        assert_kept(f"HO1：医師\nあなたは医師だ。\n{line}")


def test_lines_below_a_secrecy_label_are_kept_from_players() -> None:
    for mark, head, between in product(some_of(MARKS), some_of(HEADS), ("", "\n", "├──┤\n")):
        before = Random(mark + head).choice(some_of(BEFORE))
        assert_kept(f"{before}{mark}{head}\n{between}{SECRET}。")
        assert_kept(f"{before}{mark}{head}\n{between}{mark}{SECRET}。")


@pytest.mark.parametrize("alone", some_of(ALONE))
def test_a_line_of_any_form_below_a_lone_label_is_kept_from_players(alone: str) -> None:
    for form in some_of(FORMS):
        chance = Random(alone + form)
        before, between = chance.choice(some_of(BEFORE)), chance.choice(("\n", "\n\n"))
        assert_kept(f"{before}{alone}{between}{form.format(SECRET)}")
        assert_kept(f"{before}{alone}\n{form.format('駅員')}{between}{form.format(SECRET)}")


@pytest.mark.parametrize(
    "lines", ["シーン2：駅", "■第2章「駅」", "クライマックス：駅", "描写：\n駅", "◇秘密\n犯人の話。\n■駅"]
)
def test_a_clear_heading_ends_a_secret_part(lines: str) -> None:
    document = read(SCENARIO.format(f"◇KP情報\n◇{SECRET}\n◇犯人の過去\n{lines}")).document
    shown = "\n".join(for_players(document))
    assert "駅" in shown.removeprefix(document.title)
    assert SECRET not in shown
    assert "過去" not in shown


@pytest.mark.parametrize(
    "line",
    [
        "□KP情報：{}",
        "> □KP情報：{}",
        "│【秘密】{}",
        "┃GM向け：{}",
        "「真相」：{}",
        "[GM only] {}",
        "<b>KP</b>：{}",
        "□HO1の秘密：{}",
    ],
)
def test_secrecy_marks_of_real_scenarios_keep_their_lines_for_the_gm(line: str) -> None:
    assert_kept(line.format(SECRET))


def test_the_end_of_a_box_or_a_heading_ends_a_secret_part() -> None:
    text = "┌──┐\n│KP情報│\n├──┤\n│犯人は駅員。│\n└──┘\n┌──┐\n│雨が降る。│\n└──┘\n■駅\n> 霧が深い。"
    draft = read(SCENARIO.format(text))
    assert [scene.read for scene in draft.document.scenes] == ["雨が降る。", "霧が深い。", ""]


@pytest.mark.parametrize(
    "words",
    [
        "彼女は秘密を抱えている。",
        "秘密の部屋に入る。",
        "真相を知る者は少ない。",
        "マスターはカウンターの奥で微笑む。",
        "マスター！",
        "For the keeping of the light",
        "Secret of the lake",
        "駅員《えきいん》がいる。",
        "「マスター、いつもの」",
        "家の裏には井戸がある。",
        "裏口から出る。",
        "裏切り者がいる。",
        "彼は「秘密」と言った。",
        "正体不明の影。",
        "犯人を探せ。",
        "GMに質問してよい。",
        "黒幕の館",
        "Secret passages lead down.",
        "The keeper of the light waves.",
        "Truth be told, he is late.",
        "St. Mary's church stands there.",
        "参加動機：借金",
        "PL情報：駅は古い",
        "秘密の部屋があった。",
        "彼は真相を知りたがっている。",
        "ウラジオストク：港町",
        "うららかな春：桜",
        "コーヒーの香り。",
        "第一章 駅",
        "No.1 駅",
        "一人の男がいる。",
        "凶器を探せ。",
        "仕掛け時計が鳴る。",
        "オチのない話。",
        "全貌は霧に包まれている。",
        "内通者がいるという噂だ。",
        "【狂気山脈】",
        "隠された扉がある。",
        "見えない壁がある。",
        "この先はGMが語ります。",
        "主催者の挨拶が始まる。",
        "レフェリーが笛を吹く。",
        "PC1へ手を振る老人がいる。",
        "To the north lies a lake.",
        "For players: welcome",
        "SECRET OF THE LAKE",
        "Top secret files lie on the desk.",
        "https://example.com/：地図",
        "成功率は50%%。",
        "わ～！　すご～い！",
        "<b>危険</b>！　霧が来る。",
        "はい／／／",
        "| 駅 | 朝 |",
    ],
)
def test_words_that_resemble_a_secrecy_label_are_no_label(words: str) -> None:
    assert label_of(words) is None
    assert not is_of_a_handout(words)


@pytest.mark.parametrize("handout", ["HO1", "ho1", "Ho1"])
def test_a_handout_in_a_quoted_box_is_read_as_a_handout(handout: str) -> None:
    text = f"■導入\n> {handout}：医師\n> あなたは医師だ。\n> {handout}の秘密：あなたは患者を殺した\n■終わり"
    (letter,) = read(text).document.scenes[0].letters
    assert (letter.title, letter.secret) == (f"{handout}：医師", "あなたは患者を殺した")
    assert "あなたは医師だ。" in letter.text


def test_secrecy_labels_in_a_ccfolia_room_keep_texts_from_players() -> None:
    entities = {
        "room": {"name": f"KP用：{SECRET}"},
        "scenes": {
            "s1": {"name": f"【KP用】{SECRET}", "text": f"霧が深い。\nKP情報：\n{SECRET}", "order": 1},
            "s2": {"name": "真相", "text": SECRET, "order": 2},
        },
        "characters": {"c1": {"name": f"GM用：{SECRET}"}},
        "effects": {"e1": {"name": f"@真相：{SECRET}", "imageUrl": "a.png"}},
    }
    numbers = count(1)
    draft = ccfolia_rooms.read(room(entities), lambda: f"x{next(numbers)}")
    assert SECRET not in "\n".join(for_players(draft.document))
    assert "\n".join(iter_texts(draft.document)).count(SECRET) == 6
    scene, truth = draft.document.scenes
    assert (scene.read, len(scene.npcs), len(scene.cut_ins)) == ("霧が深い。", 1, 1)
    assert truth.notes == f"真相\n{SECRET}"
