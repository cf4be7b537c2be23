"""Fill the fields of a scenario: by values in one line, and by texts that are collected over many lines.

Such values are NPCs, a check, the number of players, and the play time.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable

from characters.exchange.wording import one_line
from sessions.scenarios.document import CheckKind, ScenarioCheck, ScenarioNpc, ScenarioPart, things
from sessions.scenarios.drafts import ImportDifference, NewId
from sessions.scenarios.folding import FoldedText
from sessions.scenarios.text_lines import ANY_CHECK, CHECK_HEADING

BETWEEN = " 　:：、,-"
SKILL = re.compile(r"[〈<《≪【]([^〈〉<>《》≪≫【】]{1,40})[〉>》≫】]|(?:特技|技能)「([^「」]{1,40})」")
NPC_COUNT = re.compile(
    r"\s*[×xX*]\s*([0-9]{1,3})(?:体|人|匹|名)?(?![0-9A-Za-z])|\s*([0-9]{1,3})(?:体|人|匹|名)"
)
NPC_RANK = re.compile(r"(?:ランク|rank|Rk)\s*[:=]?\s*([0-9]{1,3})", re.IGNORECASE)
NPC_HP = re.compile(r"(?<![A-Za-z])HP\s*[:=]?\s*([0-9]{1,3})(?![0-9])", re.IGNORECASE)
_EMPTY_BRACKETS = re.compile(rf"[(（][{BETWEEN}]*[)）]")
QUOTATION = {"「": "」", "『": "』", "“": "”"}
#: What a label need not say, as the phone adds that this is a check: 「足跡」の判定, 秘密判定「足跡」.
_CHECK_BEFORE = re.compile(rf"{ANY_CHECK}\s*:?\s*(?=\S)", re.IGNORECASE)
_CHECK_BEHIND = re.compile(rf"(?:の|で|に?よる|ための|する)?(?:{ANY_CHECK})\Z")
_OF_A_KIND = re.compile(rf"[のでは]?{ANY_CHECK}", re.IGNORECASE)
_SIDE = re.compile(
    r"(?:(能動者|能動側|active(?:\sside)?)|(?:受動者|受動側|相手|passive(?:\sside)?|against))\s*(?:は|[:=])\s*"
    r"([^\s、,/()\[\]「」:]{1,40})",
    re.IGNORECASE,
)
_AGAINST = re.compile(r"([^\s、,/()\[\]「」:]{1,20}?)との?対抗")
#: Such a side is chosen at the table.
_ANYONE = re.compile(
    r"(?:PC|PL|プレイヤー|探索者|players?)?(?:たち|側|[0-9])?(?:の?(?:だれか|誰か|任意|1人|一人))?",
    re.IGNORECASE,
)
PLAYERS = re.compile(
    r"([0-9]{1,3})\s*(?:人|名)?(?:\s*(?:[~〜\-–—]|から|to)\s*([0-9]{1,3})\s*(?:人|名)?)?(?:\s*players?)?"
)
MINUTES = re.compile(
    r"(?:([0-9]{1,3}(?:\.[0-9])?)\s*(?:時間|hours?|hrs?|h)(半)?)?"
    r"\s*(?:([0-9]{1,4})\s*(?:分|minutes?|mins?|min\.))?(?:程度|ほど|くらい|前後)?",
    re.IGNORECASE,
)
A_SPAN = re.compile(r"[0-9.]+\s*(?:時間|分|hours?|minutes?)?\s*(?:[~〜\-–—]|から|to)\s*(?=[0-9])")
ALONE = re.compile("(?:ひとり|ふたり)")
IN_KANJI = re.compile(
    r"(?<![一二三四五六七八九十])(?:[二三四五六七八九]?十[一二三四五六七八九]?|[一二三四五六七八九])"
    r"(?=\s*(?:人|名|時間|分|[~〜\-–—]|から))"
)
ENGLISH_NUMBERS = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
IN_ENGLISH = re.compile(
    rf"\b(?:{'|'.join(ENGLISH_NUMBERS)})\b(?=\s*(?:to|[~\-–—]|players?|hours?|minutes?|$))", re.IGNORECASE
)


class TextFields:
    """Collects the lines of texts by thing and field; one field is open for the next line.

    When a part of the text ends, the base field is opened again.
    """

    def __init__(self, thing: ScenarioPart, field: str) -> None:
        self._lines: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
        self._base = self.current = (thing, field)
        self._until_blank = False
        #: The number of blank lines since the last line of text.
        self.blanks = 0

    def open(self, thing: ScenarioPart, field: str, *, until_blank: bool = False) -> None:
        self.current, self._until_blank = (thing, field), until_blank

    def open_base(self, thing: ScenarioPart, field: str) -> None:
        self._base = (thing, field)
        self.reopen_base()

    def reopen_base(self) -> None:
        self.open(*self._base)

    def close_at_blank(self) -> None:
        """Close the open field if a blank line ends it; text to read aloud may have one between its lines."""
        if self.blanks and (self._until_blank or (self.current[1] == "read" and self.blanks > 1)):
            self.reopen_base()

    def append_line(self, raw: str) -> None:
        match self.current[1]:
            case "warns":
                raw = raw.strip(" 　・-*•")
            case "read":
                raw = raw.strip()
        self.append_to(*self.current, raw)

    def append_to(self, thing: ScenarioPart, field: str, raw: str) -> None:
        """Add a line to a field, below a blank line if the text has one here."""
        lines = self._lines[thing.id][field]
        if self.blanks and lines:
            lines.append("")
        lines.append(raw)

    def append_text(self, thing: ScenarioPart, field: str, text: str) -> None:
        """Add words of a line to a field, unless there are none."""
        if text.strip():
            self._lines[thing.id][field].append(text.strip())

    def has_text(self, thing: ScenarioPart) -> bool:
        return thing.id in self._lines

    def store(self, *wholes: ScenarioPart) -> None:
        """Write the texts to these things and their parts."""
        for thing in (part for whole in wholes for part in things(whole)):
            for field, lines in self._lines.get(thing.id, {}).items():
                if lines:
                    setattr(thing, field, "\n".join(lines))


def read_npcs(
    words: FoldedText, start: int, new_id: NewId
) -> list[tuple[ScenarioNpc, list[ImportDifference]]]:
    """Return the NPCs that a line lists from a place on, each with the numbers that were changed to fit."""
    return [_read_npc(FoldedText(part), new_id) for part in _split_at_commas(words, start)]


def _read_npc(words: FoldedText, new_id: NewId) -> tuple[ScenarioNpc, list[ImportDifference]]:
    flat, left = words.flat, []
    count, rank = NPC_COUNT.search(flat), NPC_RANK.search(flat)
    ends = [found.start() for found in (count, rank, NPC_HP.search(flat), re.search(r"\(", flat)) if found]
    end = min(ends, default=len(flat))
    npc = ScenarioNpc(id=new_id(), name=one_line(words.part(0, end)))
    for name, found, most in (("count", count, 8), ("rank", rank, 6)):
        if found:
            was = int(next(filter(None, found.groups())))
            setattr(npc, name, min(max(was, 1), most))
            if was != getattr(npc, name):
                left.append(ImportDifference(name, npc.name, was))
    hp = NPC_HP.search(flat, end)
    if hp and int(hp[1]) != npc.rank:  # without a word NPCs have as many HP as their rank [UC-10.4]
        hp = None
    npc.special = words.since(end).strip() if left else _cut_out(words, end, [count, rank, hp])
    return npc, left


def _cut_out(words: FoldedText, start: int, known: Iterable[re.Match[str] | None]) -> str:
    """Return the text from a place on without what is known, and without brackets and marks round it."""
    parts = []
    for found in sorted(filter(None, known), key=lambda one: one.start()):
        parts.append(words.part(start, found.start()))
        start = found.end()
    rest = _EMPTY_BRACKETS.sub("", "".join([*parts, words.since(start)])).strip(BETWEEN)
    if re.fullmatch(r"[(（][^()（）]*[)）]", rest):
        rest = rest[1:-1].strip(BETWEEN)
    return rest if re.search(r"\w", rest) else ""


def _split_at_commas(words: FoldedText, start: int) -> Iterable[str]:
    """Yield the parts between the commas that are outside brackets."""
    deep, begun = 0, start
    for place in range(start, len(words.flat)):
        char = words.flat[place]
        deep += (char == "(") - (char == ")")
        if char in "、,/" and deep <= 0:
            yield words.part(begun, place).strip()
            begun = place + 1
    yield words.since(begun).strip()


def read_check(
    words: FoldedText, end: int, difficulty: re.Match[str] | None, kind: CheckKind, new_id: NewId
) -> ScenarioCheck:
    """Return the check that a line says up to a place; its label may be too long for a check."""
    start = heading.end() if (heading := CHECK_HEADING.match(words.flat)) else 0
    skill = SKILL.search(words.flat, 0, end)
    label = _without_kind(one_line(_check_label(words, start, end, difficulty)))
    check = ScenarioCheck(id=new_id(), label=label, kind=kind)
    check.skill = words.part(*skill.span(1 if skill[1] else 2)) if skill else ""
    if kind == "contest":
        against = _AGAINST.match(words.flat, start, end)
        check.passive = words.part(*against.span(1)) if against else ""
        read_sides(words, check)
    return check


def read_sides(words: FoldedText, check: ScenarioCheck) -> bool:
    """Read the sides of a contest that a line names; True if it says nothing else and nothing twice."""
    for found in _SIDE.finditer(words.flat):
        side = "active" if found[1] else "passive"
        if getattr(check, side):
            return False
        if not _ANYONE.fullmatch(found[2]):
            setattr(check, side, words.part(*found.span(2)))
    return not re.search(r"\w", _SIDE.sub("", words.flat))


def strip_quotation(title: str) -> str:
    """Return a title without the quotation marks that enclose all of it."""
    closing = QUOTATION.get(title[:1])
    return title[1:-1] if closing and title.find(closing) == len(title) - 1 else title


def _without_kind(label: str) -> str:
    """Return a label without the words for its kind, unless they are all that it says or part of a phrase."""
    words = FoldedText(label)
    start = before.end() if (before := _CHECK_BEFORE.match(words.flat)) else 0
    behind = _CHECK_BEHIND.search(words.flat, start)
    rest = words.part(start, behind.start() if behind else len(words.flat)).strip(BETWEEN)
    return label if rest.endswith(("と", "との")) else strip_quotation(rest) or label


def _check_label(words: FoldedText, start: int, end: int, found: re.Match[str] | None) -> str:
    """Return the label of a check, without its difficulty (``found``) where that can be cut out."""
    if not found:
        return words.part(start, end).strip()
    first, last, flat = found.start(), found.end(), words.flat
    opens = max(flat.rfind("(", start, first), flat.rfind("[", start, first))
    closes = min((at for sign in ")]" if (at := flat.find(sign, last, end)) >= 0), default=0)
    if opens >= 0 and closes and names_only_kind(flat[opens + 1 : first] + flat[last:closes]):
        first, last = opens, closes + 1
    elif flat[last : last + 1] == "の" and first == start:
        last += 1
    elif first > start and last < end and flat[last:end].strip():
        return words.part(start, end).strip()
    around = (words.part(start, first).strip(BETWEEN), words.part(last, end).strip(BETWEEN))
    return " ".join(filter(None, around)) or words.part(start, end).strip()


def names_only_kind(text: str) -> bool:
    """True if a text says no more than the kind of a check and the sides of a contest."""
    return not re.search(r"\w", _OF_A_KIND.sub("", _SIDE.sub("", text)))


def read_players(text: str) -> tuple[int, int, bool] | None:
    """Return the least and the greatest number of players, and True if the text says nothing else."""
    flat = _in_digits(text)
    found = PLAYERS.match(flat)
    return (int(found[1]), int(found[2] or found[1]), found.end() == len(flat)) if found else None


def read_minutes(text: str) -> tuple[int, bool] | None:
    """Return the play time in minutes, and True if the text says nothing else.

    A time span counts as its longer time, so that the session is long enough.
    """
    flat = _in_digits(text)
    start = spans.end() if (spans := A_SPAN.match(flat)) else 0
    found = MINUTES.match(flat, start)
    if not found or not (found[1] or found[3]):
        return None
    minutes = round(float(found[1] or 0) * 60) + 30 * bool(found[2]) + int(found[3] or 0)
    return minutes, not start and found.end() == len(flat)


def _in_digits(text: str) -> str:
    """Return a folded text with its number words for people and times replaced by digits."""
    flat = ALONE.sub(lambda said: {"ひ": "1人", "ふ": "2人"}[said[0][0]], FoldedText(text).flat)
    flat = IN_KANJI.sub(_read_kanji, flat)
    return IN_ENGLISH.sub(lambda said: str(ENGLISH_NUMBERS.index(said[0].lower()) + 1), flat)


def _read_kanji(said: re.Match[str]) -> str:
    tens, is_over_ten, ones = said[0].rpartition("十")
    digits = "〇一二三四五六七八九"
    return str((digits.index(tens or "一") if is_over_ten else 0) * 10 + (digits.index(ones) if ones else 0))
