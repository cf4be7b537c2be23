"""Classify the lines of a scenario as people write it: first each by itself, then by the lines around it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Literal

from sessions.scenarios.document import CheckKind
from sessions.scenarios.folding import FoldedText
from sessions.scenarios.secrecy import Label, label_of, label_over

Kind = Literal[
    "blank",
    "rule",
    "quote",
    "scene",
    "handout",
    "check",
    "follows",
    "npcs",
    "cut_in",
    "label",
    "heading",
    "text",
]
#: A line with more characters is always plain text.
LOOKED_AT = 300
#: A line with more characters is no heading, except in Markdown; the second limit is that of a title.
HEADING, TITLE_LINE = 60, 40
MARKDOWN = re.compile(r" {0,3}(#{1,6})\s*(?=\S)")
SYMBOL = re.compile(r"\s*([■□◆●▼◇▽★☆▲△◎○§])+\s*(?=\S)")
BULLET = re.compile(r"\s*[・*•\-–→⇒]+\s*(?=\S)")
NUMBER = re.compile(r"\s*\(?[0-9]{1,2}(?:[.\-][0-9]{1,2})*[.)、]?\s+(?=\S)|\s*[0-9]{1,2}[.)、](?=\S)")
#: Heading styles that do not make scenes by themselves: such brackets hold names of skills and things, too.
NO_SCENES = set("《≪<〈[")
WHOM = re.compile(r"PC\s*[0-9]{1,2}")
PAIRS = {"【": "】", "《": "》", "≪": "≫", "〔": "〕", "[": "]", "<": ">", "〈": "〉"}
DECORATION = "=-―─━~〜*_ \t"
RULE = re.compile(r"[\s=\-―─━~〜*_…・─┌┐└┘├┤┏┓┗┛╔╗╚╝═┬┴]{3,}")
#: A □ before a whole sentence marks text to read aloud; before anything else it is a heading mark like ■.
QUOTE = re.compile(r"(?:\s*[>│┃║])+\s?|\s*□\s?(?=.*[。.!?]\s*\Z)")
ENDS_A_SENTENCE = ("。", ".", "!", "?")
_NUMBER = r"(?:[0-9]{1,3}|[一二三四五六七八九十]{1,3})"
_AFTER = r"(?=$|[\s:.\-―─—–「『【《(/])"
SCENE = re.compile(
    r"(?:(?:マスター|トリガー|メイン|サブ|イベント)?シーン|scene|act|chapter)\s*"
    rf"(?:(?:[0-9]{{1,3}}(?:-[0-9]{{1,2}})?|[a-z]|[ivx]{{2,4}}|one|two|three|four|five|six){_AFTER}|(?=:))"
    rf"|第\s*{_NUMBER}\s*(?:幕|章|場|話|シーン|節|部){_AFTER}",
    re.IGNORECASE,
)
PHASE = re.compile(
    r"(?:導入|オープニング|ミドル|クライマックス|エンディング|プロローグ|エピローグ|幕間|終幕|序章|終章"
    r"|opening|climax|ending|prologue|epilogue|introduction|interlude|finale|conclusion)"
    rf"(?:フェイズ|フェーズ|シーン|パート| phase| scene)?\s*[0-9]{{0,2}}{_AFTER}",
    re.IGNORECASE,
)
HANDOUT = re.compile(
    r"(?P<kind>秘匿|公開|個別|共通)?\s*(?:HO|(?i:ho)(?=\s*[0-9])|ハンドアウト|(?i:handout))\s*[#-]?\s*"
    r"(?:(?P<number>[0-9]{1,2}|[A-Z])(?![0-9A-Za-z]))?(?P<after>.*)"
)
WITHIN_A_HANDOUTS_NAME = re.compile(r"$|[\s:.(/「『【《\[<・\-―—–]|PC|の?(?:秘密|裏|秘匿)")
DIFFICULTY = re.compile(
    r"(?:難易度|難度|目標値|difficulty|(?<![a-z])DC)\s*(?:は|が|of|[=:])?\s*([0-9]{1,3})(?:以上)?",
    re.IGNORECASE,
)
CHECK = re.compile(r"判定|チェック|ロール|(?<![a-z])(?:check|test|roll|DC)(?![a-z])", re.IGNORECASE)
_APART = r"[\W_]{0,2}"


def _check_words(words: str) -> str:
    """Return a pattern of words before 判定; their characters may be apart (秘密 判定, 秘・密判定)."""
    said = "|".join(_APART.join(word) for word in words.split())
    return rf"(?:{said}){_APART}(?:の{_APART})?(?:連続|対抗)?(?:判{_APART}定|ダイス|ロール|チェック)"


#: The words for the kinds of checks. A check that is called by several is secret first of all.
CHECK_KINDS: dict[CheckKind, str] = {
    "secret": _check_words("秘密 祕密 秘匿 非公開 シークレット ブラインド クローズド クローズ 隠し")
    + r"|(?<![a-z])(?:secret|hidden|blind)[\s-]{1,2}(?:check|roll|test)",
    "chain": _check_words("連続") + r"|(?<![a-z])chain\s(?:check|roll|test)",
    "contest": _check_words("対抗")
    + r"|(?<![a-z])(?:(?:opposed|contested)\s(?:check|roll|test)|contest(?![a-z]))",
}
ANY_CHECK = f"(?:{'|'.join(CHECK_KINDS.values())}|判定|(?<![a-z])checks?(?![a-z]))"
_KINDS = {kind: re.compile(words, re.IGNORECASE) for kind, words in CHECK_KINDS.items()}
CHECK_HEADING = re.compile(
    rf"(?:{ANY_CHECK}\s*[0-9]{{0,2}}\s*(?::|(?=[「『]))|[【\[]\s*{ANY_CHECK}\s*[】\]])\s*(?=\S)",
    re.IGNORECASE,
)
#: A line that says nothing but a kind of check is the label of the checks below it.
_CHECKS_BELOW = re.compile(rf"[\W\d_]*{ANY_CHECK}(?:一覧)?\W*\Z", re.IGNORECASE)
#: An outcome of a chain: how many cards, and what follows.
COUNTED = re.compile(
    r"(?:成功(?:数|枚数)?)?\s*[0-9]{1,2}(?:\s*[~〜\-–—]\s*[0-9]{1,2})?\s*枚"
    r"(?:以上|以下|以内|未満)?(?:の?成功)?(?:の場合|なら|だと|で)?\s*[:→]"
)
CUT_IN = re.compile(
    r"(?:[【\[]\s*(?:カットイン|cut-?in)\s*[】\]]|(?:カットイン|cut-?in)\s*[0-9]{0,2}\s*(?::|(?=[「『“\"])))"
    r"\s*(?=\S.{0,45}\Z)",
    re.IGNORECASE,
)
#: Lines for which a scenario has no field, so that they stay notes.
ASIDES = {
    "aside_sound": re.compile(
        r"[【\[]?\s*(?:BGM|SE|音楽|効果音|環境音|サウンド|music|sound)\s*[0-9]{0,2}\s*"
        r"(?:[】\]]|:|(?=[「『]))",
        re.IGNORECASE,
    ),
    "aside_clock": re.compile(
        r".{0,40}?[0-9]{1,2}\s*(?:区切り|セグメント|segments?(?![a-z]))", re.IGNORECASE
    ),
    "aside_experience": re.compile(
        r"[【\[]?\s*(?:獲得)?(?:経験点|経験値|experience|EXP|XP)\s*(?:[】\]:]|\Z)", re.IGNORECASE
    ),
}
NPCS = re.compile(r"(?:敵|エネミー|NPC|(?i:enem(?:y|ies)|foes?|monsters?|npcs?))\s*[0-9]{0,2}\s*:\s*(?=\S)")
FOLLOWS = re.compile(
    r"[【\[]?(?:大成功|成功|失敗|大失敗|クリティカル|ファンブル|結果"
    r"|(?:on )?(?:an? )?(?:critical )?(?:success|failure)|fumble)"
    r"(?:した場合|の場合|時|なら|すると|したら)?[】\]]?\s*(?:[:→】\]\-―—]|(?<=[】\]]))",
    re.IGNORECASE,
)
LABELS = {
    "read": r"(?:情景)?描写(?:文)?|読み?上げ(?:文)?|朗読|ナレーション|read[- ]?aloud|boxed text|narration",
    "gm": r"解説|進行|補足",
    "open": r"表|公開(?:情報)?|open|public",
    "secret": r"裏|秘密|秘匿(?:情報)?|シークレット|secret|hidden",
    "whom": r"対象|宛先|for|to",
    "skill": r"(?:推奨)?(?:特技|技能)|skill",
    "title": r"(?:シナリオ)?タイトル|シナリオ名|(?:scenario )?title",
    "players": r"(?:推奨|想定)?(?:プレイ|プレイヤー|PL|PC)?人数|(?:プレイヤー|PC|PL)数"
    r"|(?:number of )?players",
    "minutes": r"(?:推奨|想定|予想)?(?:プレイ|所要)?時間|(?:play(?:ing)? ?)?time|duration|length",
    "warns": r"(?:ご?注意(?:事項|点)?|含まれる要素|トリガー・?ワーニング|センシティブな?(?:要素|表現)|地雷)"
    r"|(?:(?:content|trigger) )?warnings?|contains|content notes?",
    "pitch": r"(?:シナリオ)?(?:概要|紹介)|あらすじ|トレーラー|予告(?:文)?"
    r"|pitch|summary|synopsis|overview|teaser",
    "mission": r"使命|mission",
    "handouts": r"(?:HO|ハンドアウト|handouts?)(?:一覧)?",
    "about": r"(?:シナリオ)?(?:背景|真相)|(?:基本|シナリオ|セッション|事前)情報|はじめに|前書き|あとがき"
    r"|(?:事前)?準備"
    r"|(?:獲得)?(?:経験点|経験値)|レギュレーション|利用規約|クレジット|登場人物(?:一覧)?|(?:主要)?(?:NPC|エネミー|敵)(?:一覧|データ|紹介)?"
    r"|experience|background|(?:the )?truth|preparation|credits|licen[cs]e|cast|characters|NPCs",
}
_LABEL = re.compile("|".join(f"(?P<{name}>{said})" for name, said in LABELS.items()), re.IGNORECASE)
#: Labels of facts about the whole scenario.
OF_THE_WHOLE = {"title", "players", "minutes", "warns", "pitch", "handouts", "about"}
LABEL_AT_MOST = 30


@dataclass
class TextLine:
    """A line: its kind, the style of its heading (empty for none), and its words without marks."""

    raw: str
    kind: Kind
    style: str = ""
    #: The name of a label, as in ``LABELS``.
    label: str = ""
    #: The text behind the label or the mark of a quotation.
    rest: str = ""

    @cached_property
    def words(self) -> FoldedText:
        return FoldedText(without_marks(self.raw)[1])

    @cached_property
    def secret_label(self) -> Label | None:
        """The label that keeps the line from the players; a line that begins secret checks has none."""
        label = label_of(self.raw)
        begins_checks = self.kind == "check" or self.labels_checks
        if not (label and begins_checks and self.check_kind == "secret"):
            return label
        return label_of(_KINDS["secret"].sub("", self.words.flat)) and label

    @cached_property
    def check_kind(self) -> CheckKind:
        """The kind of check that the line names, ``check`` if it names none."""
        is_long = len(self.raw) > LOOKED_AT
        named = (kind for kind, words in _KINDS.items() if not is_long and words.search(self.words.flat))
        return next(named, "check")

    @property
    def labels_checks(self) -> bool:
        """True if the line says nothing but a kind of check, or that there are checks below."""
        return len(self.raw) <= LABEL_AT_MOST and bool(_CHECKS_BELOW.match(self.words.flat))

    @property
    def aside(self) -> str:
        """The code in ``ASIDES`` of a line that stays a note, empty for any other."""
        if len(self.raw) > LOOKED_AT:
            return ""
        return next((code for code, said in ASIDES.items() if said.match(self.words.flat)), "")


def classify_lines(text: str, go_on: Callable[[], None]) -> list[TextLine]:
    """Classify the lines of a text.

    :param go_on: is called between the lines; an exception that it raises ends the work.
    """
    lines = []
    for raw in text.split("\n"):
        go_on()
        lines.append(classify_line(raw.rstrip()))
    # A label that is split over two lines applies to the second one.
    for before, line in pairwise(lines):
        if line.kind in ("text", "heading", "quote") and len(line.raw) <= LOOKED_AT and not line.secret_label:
            line.secret_label = label_over(before.raw, line.raw)
    _mark_numbered_headings(lines)
    _mark_handouts(lines)
    return lines


def _mark_numbered_headings(lines: list[TextLine]) -> None:
    """Make numbered lines headings if they are isolated, and if the text has no other headings."""
    if any(line.style or line.kind == "scene" for line in lines):
        return
    blank = TextLine("", "blank")
    for (before, line), after in zip(pairwise([blank, *lines]), [*lines[1:], blank], strict=True):
        alone = before.kind == "blank" and not _is_numbered(after.raw)
        if line.kind == "text" and alone and _is_numbered(line.raw):
            line.kind, line.style = "heading", "1."


def _mark_handouts(lines: list[TextLine]) -> None:
    """Make the heading of a person a handout if a mission or a secret follows (○PC1, 【使命】, 【秘密】).

    A person that is not called PC and a number needs both.
    """
    person: TextLine | None = None
    said: set[str] = set()
    for line in lines:
        if line.kind == "label" and line.label in ("mission", "secret"):
            said.add(line.label)
            if person and (WHOM.match(person.words.flat) or len(said) == 2):
                person.kind, person = "handout", None
        elif line.kind in ("scene", "handout") or (line.style and person and line.style == person.style):
            person = None
        is_heading = line.kind == "heading" and line.style not in NO_SCENES and not line.secret_label
        if is_heading and (person is None or WHOM.match(line.words.flat)):
            person, said = line, set()


def _is_numbered(raw: str) -> bool:
    """True if a line could be a numbered heading."""
    return len(raw) <= LOOKED_AT and bool(NUMBER.match(FoldedText(raw).flat)) and _is_short(raw)


def scene_styles(lines: list[TextLine], title: TextLine | None) -> set[str]:
    """Return the styles of the headings that are scenes."""
    said = {line.style for line in lines if line.kind == "scene"}
    if said:
        return said - {""}
    styles = [line.style for line in lines if line.kind == "heading" and line is not title]
    styles = [style for style in styles if style not in NO_SCENES]
    often = [style for style, count in Counter(styles).items() if count > 1]
    return set((often or styles)[:1])


def title_line(lines: list[TextLine]) -> TextLine | None:
    """Return the first line if it is the title of the scenario."""
    first, *others = [line for line in lines if line.kind != "blank"]
    if first.secret_label:
        return None
    structured = any(line.kind == "scene" or line.style or _is_a_fact(line) for line in others)
    if first.kind == "heading":
        alone = all(line.style != first.style for line in others)
        follows = bool(others) and _is_a_fact(others[0])
        return first if structured and (alone or follows) else None
    short = len(first.raw) <= TITLE_LINE and not first.words.flat.endswith(("。", "."))
    return first if first.kind == "text" and short and structured else None


def _is_a_fact(line: TextLine) -> bool:
    return line.label in ("players", "minutes", "warns", "title") and bool(line.rest)


def classify_line(raw: str) -> TextLine:
    if not raw.strip():
        return TextLine(raw, "blank")
    if len(raw) > LOOKED_AT:
        return TextLine(raw, "text")
    whole = FoldedText(raw)
    if RULE.fullmatch(whole.flat):
        return TextLine(raw, "rule")
    if quoted := QUOTE.match(whole.flat):
        return TextLine(raw, "quote", rest=whole.since(quoted.end()).rstrip("│┃║ 　"))
    style, text = without_marks(raw)
    line = TextLine(raw, "text", style)
    words = line.words = FoldedText(text)
    if _is_scene(words.flat, style):
        line.kind = "scene"
    elif is_handout(words.flat, style):
        line.kind = "handout"
    elif _is_check(words.flat):
        line.kind = "check"
    elif FOLLOWS.match(words.flat):
        line.kind = "follows"
    elif NPCS.match(words.flat) and not words.flat.endswith(ENDS_A_SENTENCE):
        line.kind = "npcs"
    elif CUT_IN.match(words.flat):
        line.kind = "cut_in"
    elif label := _label(words):
        line.kind = "label"
        line.label, line.rest = label
    elif style:
        line.kind = "heading"
    return line


def without_marks(raw: str) -> tuple[str, str]:
    """Return the style of a heading, empty if the line is none, and the line's words without marks."""
    whole = FoldedText(raw.replace("**", "").strip() or raw.strip())
    if marked := MARKDOWN.match(whole.flat):
        return marked[1], _strip_brackets(whole.since(marked.end()).rstrip("#").strip())
    if marked := SYMBOL.match(whole.flat):
        text = whole.since(marked.end()).strip()
        return (marked[1] if _is_short(text) else ""), _strip_brackets(text)
    text = whole.raw
    if text[0] in DECORATION and text[:2] == text[0] * 2 and _is_short(inner := text.strip(DECORATION)):
        return text[0], _strip_brackets(inner)
    if bullet := BULLET.match(whole.flat):
        text = whole.since(bullet.end()).strip()
    if (unwrapped := _strip_brackets(text)) != text and _is_short(text):
        return FoldedText(text).flat[0], unwrapped
    return "", text


def end_of_scene_number(flat: str) -> int:
    """Return the end of the number or phase at the head of a scene (シーン3：…, 導入：…), 0 without one."""
    found = PHASE.match(flat) or SCENE.match(flat)
    return found.end() if found else 0


def is_handout(flat: str, style: str) -> bool:
    """True if a line begins a handout: it has a number, a kind, or text behind a colon."""
    found = HANDOUT.fullmatch(flat)
    if not found or not WITHIN_A_HANDOUTS_NAME.match(found["after"]):
        return False
    after = found["after"].strip()
    if not (found["number"] or found["kind"] or (after.startswith(":") and after != ":")):
        return False
    return bool(style) or not after or after[0] in ":(「『【《[<" or not after.endswith(ENDS_A_SENTENCE)


def _is_scene(flat: str, style: str) -> bool:
    if phase := PHASE.match(flat):
        # Without a mark, a sentence may begin with such a word.
        after = flat[phase.end() :]
        return bool(style) or ((not after or after[0] in ":「『【《(") and _is_short(flat))
    return bool(SCENE.match(flat)) and (bool(style) or ":" in flat[:LABEL_AT_MOST] or _is_short(flat))


def _is_check(flat: str) -> bool:
    if CHECK_HEADING.match(flat) and _is_short(flat):
        return True
    return bool(DIFFICULTY.search(flat)) and (len(flat) <= HEADING or bool(CHECK.search(flat)))


def _label(words: FoldedText) -> tuple[str, str] | None:
    """Return the label of a line and the text behind it: ``label: rest``, ``【label】rest``, ``label``."""
    flat = words.flat
    closing = PAIRS.get(flat[:1])
    if closing and 0 < (end := flat.find(closing)) <= LABEL_AT_MOST:
        said, after = flat[1:end], end + 1
        after += flat[after : after + 1] == ":"
    elif (end := flat.find(":", 0, LABEL_AT_MOST)) >= 0:
        said, after = flat[:end], end + 1
    elif len(flat) <= LABEL_AT_MOST:
        said, after = flat, len(flat)
    else:
        return None
    found = _LABEL.fullmatch(said.strip())
    return (found.lastgroup or "", words.since(after).strip()) if found else None


def _strip_brackets(text: str) -> str:
    """Return a text without the brackets that enclose all of it."""
    flat = FoldedText(text).flat
    closing = PAIRS.get(flat[:1])
    if closing and len(flat) > 2 and flat.find(closing) == len(flat) - 1:
        return text[1:-1].strip()
    return text


def _is_short(text: str) -> bool:
    return 0 < len(text) <= HEADING and not FoldedText(text).flat.endswith(ENDS_A_SENTENCE)
