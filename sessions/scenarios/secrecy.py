"""Find the lines of an imported text that its author keeps from the players, in many notations.

Such a line belongs to the GM, or to the player of one handout. In doubt a line counts as secret: the GM can
show a line to the players with one gesture, but nothing undoes what the players have read.
"""

from __future__ import annotations

import html
import re
import unicodedata
from dataclasses import dataclass
from typing import Literal

from sessions.scenarios.folding import fold

#: The reader of a secret line: the GM alone, or perhaps the player of a handout.
For = Literal["gm", "one"]

_TAGS = re.compile(
    r"</?(?:a|b|big|blockquote|br|center|code|dd|details|div|dl|dt|em|font|h[1-6]|hr|i|li|mark|ol|p|pre|s|section"
    r"|small|span|strong|sub|summary|sup|table|tbody|td|th|thead|tr|u|ul)(?:\s[^<>]{0,200})?/?>"
    r"|\[/?(?:b|i|u|s|size|color|spoiler|quote)(?:=[^\[\]]{0,20})?\]",
    re.IGNORECASE,
)
#: The character ㊙ is a label by itself, and authors write the kanji zero for a circle.
_SIGNS = str.maketrans({"㊙": "秘:", "〇": "○", "︰": ":"})
#: Markup with which other sites hide a text is a label by itself.
_HIDES = re.compile(
    r"\|\||(?<![a-z0-9\"'/])>!|<!--|(?<!\d)%%|(?<![:/\w])//(?!/)|/\*|<summary"
    r"|(?:[<#&]|:::\s?|[\[{]{1,2}[!%]?\s?)(?:spoilers?|secret|hidden|hide|fold|collapse|details)(?![a-z])"
    r"|<[a-z]{1,10}\s[^<>]{0,100}(?:spoiler|secret|hidden|display:\s?none|color[:=]\s?[\"']?(?:white|#fff))"
    r"|\[color=[\"']?(?:white|#fff)",
    re.IGNORECASE,
)
#: Older and Chinese forms of characters; letters of Greek and Cyrillic, and strokes, that look like others.
_TWINS = str.maketrans(
    "祕眞實实黑體隱隐專专讀读臺裡КМНОРСТЅΗΚΜΟΡΤкморсο\u1173\u1175丨",
    "秘真実実黒体隠隠専専読読台裏KMHOPCTSHKMOPTkmopco-||",
)
#: A sign for a long vowel is a dash behind all but kana.
_DASH = re.compile(r"(?<![ぁ-ゖァ-ヺ])ー")
#: The reading of a word in kana behind it (秘密《ひみつ》).
_READING = r"[《(][ぁ-ゖァ-ヺー・]{1,20}[》)]"
_RUBY = re.compile(rf"(?:\|([^|《》]{{1,20}})|([一-龥々]{{1,20}})){_READING}")
#: A letter or digit of any script; an underscore is a mark.
_W = r"[^\W_]"
_OPENS, _CLOSES = r"【\[〔(<《≪〈{", r"】\]〕)>》≫〉}」』”\""
_COLON = r"[:∶꞉ː˸;=→⇒]"
#: A number, or the word before its digits.
_NUMBER = (
    rf"(?:{_W}{{1,6}}?(?=[\W_]{{0,2}}[0-9])|(?:[そ其]の|第)?[一二三四五六七八九十甲乙丙丁]{{1,3}}|[ァ-ヺ](?=[\W_])"
    rf"|(?:[ivx]{{1,4}}|[a-z])(?![a-z])|{_W}{{1,4}}[).:、])"
)
#: The place where a label may begin: after marks and numbers at the head of a line, or after a later mark.
_HEAD = rf"(?:\A[\W\d_]*+(?:{_NUMBER}[\W\d_]*+){{0,2}}|(?<=[^\w\s、,「『“\"'‘])\s{{0,3}})"
#: Marks around a label.
_MARKS = r"(?:[^\w\s,!?、。「『]|_){0,4}"
_SPACED = r"[\W_]{0,2}"


def _any(words: str) -> str:
    """Return a pattern of words whose characters may be separated (真　相, K/P)."""
    return "|".join(_SPACED.join(map(re.escape, word)) for word in words.split())


_FOR_ONE = _any(
    "秘密 秘匿 シークレット 非公開 未公開 非開示 未開示 内密 極秘 機密 ひみつ ヒミツ 伏せ情報 隠匿 "
    "隠藏 他言無用 口外無用 門外不出 숨겨진 비밀 秘"
)
_FOR_ONE += (
    r"|隠(?:し|された|れた)(?:情報|設定|真実|事実|目的|使命|動機|過去|正体|真相|要素|事|HO|ハンドアウト)"
)
_BACK = _any("裏情報 裏設定 裏事情 裏話 裏面 裏の使命 裏の目的 裏の顔 裏")
_BACK += r"|(?<![ァ-ヶー])ウラ(?![ァ-ヶー])|(?<![ぁ-ん])うら(?!(?!の)[ぁ-ん])"
_TRUTH = _any(
    "真相 黒幕 真犯人 犯人 正体 真実 ネタバレ ネタばれ ねたばれ 種明かし タネ明かし 舞台裏 真意 "
    "しんそう くろまく はんにん 凶手 真凶 스포일러 진상 흑막 범인 정체 幕后"
)
_TRUTH += r"|(?:真|本当|真実)の(?:目的|使命|動機|狙い|姿|敵|正体)"
#: Labels before a colon and in brackets only: many sentences contain these words.
_WITH_A_MARK = _any(
    "全貌 タネ カラクリ からくり 仕掛け オチ 凶器 内通者 裏切り者 首謀者 共犯者 本性 狂気 解決法 "
    "解決方法 攻略法 シナリオの背景 シナリオ背景 事件の背景 ここだけの話 オフレコ 内緒"
)
#: Labels at the head of a line only: many other lines contain these words.
_AT_THE_HEAD = _any("犯行動機 動機 手口 トリック 答え 解答 正解 伏線")
_ENGLISH_ONE = (
    r"(?:hidden|(?:top\s)?secrets?|confidential)"
    r"(?:\s(?:info(?:rmation)?|notes?|goals?|motives?|roles?|back(?:ground|story)|agendas?))?"
)
_ENGLISH_TRUTH = (
    r"(?:the\s)?(?:(?:real\s|hidden\s|whole\s)?truth|culprit|murderer|killer|mastermind|villain|solution|twist"
    r"|spoilers?(?:\s(?:ahead|warning|alert))?|behind\sthe\sscenes|answer)"
)
_MORE = (
    r"(?:の?(?:情報|設定|事項|内容|メモ|欄|部分|パート|解説|一覧|動機|正体|使命|目的|注意|カード|シート|公開|開示|配布|真相)"
    r"|について|とは|あり|含む|有り|ハンドアウト|HO|文|編|側|用|정보|信息|その"
    r"|[0-9]{1,2}|[一二三四五六七八九十]|(?:[ivx]{1,4}|[a-z])(?![a-z])){0,3}ー?"
)
_GM = rf"(?<![A-Za-z])(?:G{_SPACED}M|K{_SPACED}P)(?![A-Za-z0-9])"
_NAMES = (
    r"(?<![A-Za-z])(?:ST|DL|DM|RL|SM|MC|NC|SGM|SKP)(?![A-Za-z0-9])|(?<![ァ-ヶー])(?:"
    + _any(
        "ゲームマスター シナリオマスター サブマスター ダンジョンマスター マスター キーパー "
        "ストーリーテラー レフェリー レフリー 進行役 語り手 司会者 司会 主催者 卓主"
    )
    + r"|ディーラー|ルーラー)(?!(?!メモ|ノート|シート|シークレット)[ァ-ヶー])"
    r"|마스터링?|키퍼링?|守[秘密]人|主持人|说书人"
    r"|(?<![a-z])(?:(?:game|dungeon)\s?master|keeper|storyteller|referee|facilitator)(?:['’]?s)?(?![a-z])"
)
_FOR_THE_GM = (
    r"(?:情報|用|専用|限定|向け|むけ|宛|あて|メモ|ノート|のみ|だけ|以外|側|視点|資料|解説|補足|注|備考|秘|シート|欄"
    r"|処理|裁定|進行|必読|裏|へ(?!と)|정보|용|전용|메모|信息|专用"
    r"|(?:['’]s)?\s?(?:only|notes?|memo|info(?:rmation)?|secrets?|eyes|section|data|tips?|guide|background))"
)
_NOT_FOR_PLAYERS = (
    r"(?:PL|PC|プレイヤー|探索者|参加者)(?:たち|側|全員)?(?:には?|へは?|は)?\W{0,2}"
    r"(?:[非未](?:公開|開示)|秘密|内緒|厳禁|伏せ|隠[しす]|立ち?入り?禁止|閲覧(?:不可|禁止)|見ないこと|見るな"
    r"|(?:見せ|見え|教え|知らせ|伝え|話さ|明かさ|知らさ|言わ|読ま[せさ]?)(?:ない|ず|るな))"
    r"|(?:ネタバレ|ネタばれ|ねたばれ)[をが]含"
    r"|閲覧(?:禁止|厳禁)|読み?上げ(?:ない|ず|るな|禁止|不可)|(?:公開|開示)(?:しない|禁止|不可)"
    r"|(?:見|読ま)ないで(?:ください|下さい|$)"
    r"|(?:not\sfor|hidden\sfrom|kept\sfrom)\s(?:the\s)?(?:players|PCs)"
    r"|do(?:\snot|n't)\s(?:read|tell|show|reveal)|players\s(?:must|should|may|do)(?:\snot|n't)"
    r"|(?:GM|KP|keeper)s?['’]?s?\s(?:eyes\s)?only"
)
_ENDS = rf"(?=\s*(?:[^\w!?]*$|{_COLON}|[|/\-―—–─│┃║{_CLOSES}]))"
#: An English label without a mark behind it is recognised by its capitals.
_ENGLISH_CAPITALS = (
    r"(?-i:TOP\sSECRET|CONFIDENTIAL)(?![a-z])|(?-i:SECRETS?|SPOILERS?|TRUTH|CULPRIT)(?=\s+(?-i:[A-Z]?[a-z]|[AI]\s))"
    r"|(?-i:Secrets?|Truth|Culprit)(?=\s+(?-i:(?:The|He|She|It|You|Your|They|His|Her|An?|I|There|This)\s))"
)
#: The number of one label among several (Secret 1).
_WHICH = r"(?:\s?(?:no\.?|#)?\s?[0-9]{1,3}|\s[a-z](?![a-z]))?"
_ENGLISH_ENDS = _WHICH + r"(?=\s*(?:\.{2,}\s*(?:$|[^\w\s])|$|_|[^\w\s,.!?'’])|\t|\s+[ぁ-ゖァ-ヺ一-龥])"


def _pattern(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns), re.IGNORECASE)


def _labels(words: str) -> tuple[str, ...]:
    """Return the patterns of a Japanese label: at the head, in brackets, and before a colon."""
    return (
        rf"{_HEAD}(?:{words}){_MORE}(?!{_W})",
        rf"[{_OPENS}][\w\s.・#-]{{0,20}}(?:{words}){_MORE}(?=\s*[{_CLOSES}])",
        rf"(?:{words}){_MORE}\s*{_MARKS}\s*{_COLON}",
        rf"{_HEAD}(?:{words})(?!の|判定){_W}{{0,10}}\s*{_COLON}",
    )


def _of_something(words: str) -> str:
    return rf"{_HEAD}[\w・]{{0,12}}の(?:{words}){_MORE}(?!{_W})"


_OF_THE_GM = _pattern(
    rf"{_HEAD}{_GM}(?!\s*[にと](?!は))",
    rf"{_GM}(?:{_FOR_THE_GM}|\s*(?:$|{_COLON}|[|/―—–─{_CLOSES}])|[一-龥ァ-ヶ])",
    rf"{_HEAD}(?:{_NAMES}){_ENDS}",
    rf"{_HEAD}for\s(?:the\s)?(?:{_GM}|{_NAMES})",
    rf"\A[\W\d_]*(?:{_NAMES})(?=\s+\S)(?!\s[a-z])",
    rf"(?:{_NAMES})(?:\s?{_FOR_THE_GM}|\s*{_MARKS}\s*{_COLON})",
    r"(?:以下|以降|ここから|この先|これより)先?(?:は|、)?\s?"
    rf"(?:{_GM}|{_NAMES}|{_TRUTH}|秘密|秘匿|非公開|極秘)(?![がをにと])",
    *_labels(_TRUTH),
    rf"(?<!\w)[【\[〔(]\s?(?:{_WITH_A_MARK}){_MORE}\s?[】\]〕)]",
    rf"{_HEAD}(?:{_W}{{0,12}}の)?(?:{_WITH_A_MARK}){_MORE}は?\s*{_MARKS}\s*{_COLON}",
    _of_something(f"{_TRUTH}|{_AT_THE_HEAD}"),
    rf"\A[\W\d_]*(?:{_TRUTH})は",
    rf"{_HEAD}(?:{_AT_THE_HEAD}){_MORE}(?!{_W})",
    rf"{_HEAD}(?:{_ENGLISH_TRUTH}){_ENGLISH_ENDS}",
    rf"{_HEAD}(?:{_ENGLISH_CAPITALS})",
    rf"(?<![a-z])(?:{_ENGLISH_TRUTH}){_WHICH}\s*{_MARKS}\s*{_COLON}",
    _NOT_FOR_PLAYERS,
)
_ALONE = (
    r"(?:さん|様|の(?:PL|プレイヤー|人|方))?(?:\s?\([^()]{1,12}\))?"
    r"\s?(?:に?(?:のみ|だけ)|へ(?=\s*:)|専用|限定|用|向け|宛|あて|秘匿|個別|の?秘密|の?裏(?![^\W_])|only"
    r"|(?:['’]s)?\ssecrets?(?![a-z]))"
)
_HANDOUT = r"(?<![A-Za-z])(?:HO|ハンドアウト|handout|핸드아웃)\s?[0-9A-Z]{0,2}"
_PLAYER = r"(?<![A-Za-z])(?:PC|PL|探索者|プレイヤー|player(?!s))\s?(?:[0-9]{1,2}|[A-Z](?![A-Za-z]))"
_OF_ONE = _pattern(
    *_labels(f"{_FOR_ONE}|{_BACK}"),
    _of_something(_FOR_ONE),
    rf"{_HEAD}(?:{_ENGLISH_ONE}){_ENGLISH_ENDS}",
    rf"(?<![a-z])(?:{_ENGLISH_ONE}){_WHICH}\s*{_MARKS}\s*{_COLON}",
    rf"(?:{_HANDOUT}|{_PLAYER}){_ALONE}",
    rf"{_HEAD}(?:for|to|only|private)(?:\s(?:for|to))?\s(?:{_HANDOUT}|{_PLAYER})"
    rf"(?:['’]s)?(?:\seyes)?(?:\sonly)?\s*{_MARKS}\s*{_COLON}",
)
_OF_A_HANDOUT = re.compile(
    rf"{_HEAD}(?:秘匿|公開|個別|共通)?\s?(?:H{_SPACED}O(?![A-Za-z])|(?i:ho)\s?[0-9]|ハンドアウト|(?i:handout)|핸드아웃)"
    rf"|{_HANDOUT}\s*[{_CLOSES}]{{0,2}}\s*{_COLON}"
)


#: Text that may follow a label without content: the end of its word, and marks.
_NOTHING_MORE = re.compile(
    rf"(?<!は)(?:['’]s|\.)?{_W}{{0,8}}(?:\s[a-z]{{2,12}}){{0,2}}(?:{_READING})?[\W_]*\Z", re.IGNORECASE
)
_ENDS_WITH_A_COLON = re.compile(rf"{_COLON}[\W_]{{0,20}}\Z")
#: A second label is looked for if at most this many characters follow the first one.
_ANOTHER_LABEL = 40
#: A line with more characters is not taken for the first half of a label.
_HALF_A_LABEL = 20
_SECOND_HALF = re.compile(rf"{_FOR_THE_GM}{{1,3}}[\W_]*\Z", re.IGNORECASE)
_MARKS_BEFORE, _MARKS_BEHIND = re.compile(r"\A[\W_]+"), re.compile(r"[\W_]+\Z")


@dataclass(frozen=True)
class Label:
    """A label that keeps a line from the players.

    :param before: the line up to and with the label.
    :param is_alone: True if the line has no text behind the label, so that the label covers the lines below.
    """

    whose: For
    before: str
    is_alone: bool


def label_of(raw: str) -> Label | None:
    """Return the label that keeps a line from the players, None if they may read it."""
    flat = _plain(raw)
    label = _label_in(flat)
    return _label_in(_RUBY.sub(r"\1\2", flat)) if label is None and "《" in flat else label


def _label_in(flat: str) -> Label | None:
    whose: For = "gm"
    found = _OF_THE_GM.search(flat)
    if not found:
        whose, found = "one", _OF_ONE.search(flat)
    if not found:
        return None
    return Label(whose, flat[: found.end()], _is_announcing(flat, found.end()))


def _is_announcing(flat: str, end: int) -> bool:
    """True if a line has no text behind its label, or ends with a colon or with a second such label."""
    if _NOTHING_MORE.match(flat, end) or _ENDS_WITH_A_COLON.search(flat[-20:]):
        return True
    another = label_of(flat[end:]) if len(flat) - end <= _ANOTHER_LABEL else None
    return bool(another and another.is_alone)


def label_over(before: str, line: str) -> Label | None:
    """Return the label that begins on a short line and ends on the next; None if there is none."""
    half = "" if len(before) > _HALF_A_LABEL else _MARKS_BEHIND.sub("", _MARKS_BEFORE.sub("", _plain(before)))
    rest = _MARKS_BEFORE.sub("", _plain(line))
    label = label_of(half + rest) if half else None
    return label if label and (len(label.before) > len(half) or _SECOND_HALF.match(rest)) else None


def says_nothing(raw: str) -> bool:
    """True if a line consists of marks and tags only."""
    return not re.search(_W, _plain(raw))


def is_of_a_handout(raw: str) -> bool:
    """True if a line names the handout that it belongs to, or the one player that it is for."""
    return bool(_OF_A_HANDOUT.search(_plain(raw)))


def split_secret(text: str) -> tuple[str, str]:
    """Split a text before the first line that some players may not read: the public part, and the rest."""
    lines = text.split("\n")
    for place, line in enumerate(lines):
        before = lines[place - 1] if place else ""
        if label_of(line) or is_of_a_handout(line) or label_over(before, line):
            return "\n".join(lines[:place]).rstrip(), "\n".join(lines[place:])
    return text, ""


def _plain(raw: str) -> str:
    """Return a line folded, without tags, and without accents, which could disguise a label."""
    flat = _TAGS.sub("", _HIDES.sub("秘: ", html.unescape(fold(raw.translate(_SIGNS))[0])))
    if flat.isascii():
        return flat
    bare = "".join(char for char in flat if unicodedata.category(char) != "Mn")
    return _DASH.sub("-", bare.translate(_TWINS))
