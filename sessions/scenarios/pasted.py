"""A scenario out of text, as its author wrote it: read as far as it goes, and nothing of it lost.

Lines are looked at one by one (``lines``). Which headings are scenes is only known when all of them have been
seen; then each line goes to the place that the lines before it have opened.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from itertools import pairwise
from typing import TypeVar

from characters.exchange.wording import one_line, without_controls
from sessions.scenarios.document import Check, Document, Letter, Npc, Scene, Thing, Unfit
from sessions.scenarios.drafts import Draft, Left, NewId, fit
from sessions.scenarios.lines import (
    CHECK_HEADING,
    DIFFICULTY,
    FOLLOWS,
    LETTER,
    NPCS,
    OF_THE_WHOLE,
    Line,
    Written,
    is_numbered,
    look_at,
)

CHARACTERS_AT_MOST = 200_000
BETWEEN = " 　:：、,-"
TITLE, NAME, LABEL, LINE, IN_A_TITLE = 60, 40, 80, 120, 30
#: Brackets hold names of skills and of things, too; such a style alone makes no scenes.
NO_SCENES = set("《≪<〈[")
SKILL = re.compile(r"[〈<《≪【]([^〈〉<>《》≪≫【】]{1,40})[〉>》≫】]|(?:特技|技能)「([^「」]{1,40})」")
OF_A_SECRET = re.compile(r"\s*[:(「『【《\[<・の\-]*\s*(?:秘密|裏|秘匿)[)」』】》\]>]*\s*:?\s*")
WHOM = re.compile(r"PC\s*[0-9]{1,2}")
FOR_ONE_ALONE = re.compile(r"※.{0,60}(?:だけ|のみ|only)|\(?(?:only|for the eyes of)\b", re.IGNORECASE)
NPC_COUNT = re.compile(
    r"\s*[×xX*]\s*([0-9]{1,3})(?:体|人|匹|名)?(?![0-9A-Za-z])|\s*([0-9]{1,3})(?:体|人|匹|名)"
)
NPC_RANK = re.compile(r"(?:ランク|rank|Rk)\s*[:=]?\s*([0-9]{1,3})", re.IGNORECASE)
PLAYERS = re.compile(
    r"([0-9]{1,3})\s*(?:人|名)?(?:\s*(?:[~〜\-–—]|から|to)\s*([0-9]{1,3})\s*(?:人|名)?)?(?:\s*players?)?"
)
MINUTES = re.compile(
    r"(?:([0-9]{1,3}(?:\.[0-9])?)\s*(?:時間|hours?|hrs?|h)(半)?)?"
    r"\s*(?:([0-9]{1,4})\s*(?:分|minutes?|mins?|min\.))?(?:程度|ほど|くらい|前後)?",
    re.IGNORECASE,
)
A_SPAN = re.compile(r"[0-9.]+\s*(?:時間|分|hours?|minutes?)?\s*(?:[~〜\-–—]|から|to)\s*(?=[0-9])")

T = TypeVar("T")


def read(text: str, new_id: NewId) -> Draft:
    """Return what was understood of a scenario.

    :param new_id: makes an id that no other call has made.
    :raises Unfit: ``empty``; ``too_large``.
    """
    if len(text) > CHARACTERS_AT_MOST:
        raise Unfit("too_large")
    lines = [look_at(raw.rstrip()) for raw in without_controls(text.removeprefix("\ufeff")).split("\n")]
    if all(line.kind == "blank" for line in lines):
        raise Unfit("empty")
    _name_the_numbered(lines)
    draft = _Reader(lines, new_id).draft()
    fit(draft, new_id)
    return draft


def _name_the_numbered(lines: list[Line]) -> None:
    """Let lines with numbers be headings, if there are no others and they stand by themselves."""
    if any(line.style or line.kind == "scene" for line in lines):
        return
    blank = Line("", "blank")
    for (before, line), after in zip(pairwise([blank, *lines]), [*lines[1:], blank], strict=True):
        alone = before.kind == "blank" and not is_numbered(after.raw)
        if line.kind == "text" and alone and is_numbered(line.raw):
            line.kind, line.style = "heading", "1."


def _scene_styles(lines: list[Line], title: Line | None) -> set[str]:
    """Return the styles of the headings that are scenes."""
    said = {line.style for line in lines if line.kind == "scene"}
    if said:
        return said - {""}
    styles = [line.style for line in lines if line.kind == "heading" and line is not title]
    styles = [style for style in styles if style not in NO_SCENES]
    often = [style for style, count in Counter(styles).items() if count > 1]
    return set((often or styles)[:1])


def _title(lines: list[Line]) -> Line | None:
    """Return the line above all the others that names the scenario."""
    first, *others = [line for line in lines if line.kind != "blank"]
    structured = any(line.kind == "scene" or line.style or _is_a_fact(line) for line in others)
    if first.kind == "heading":
        alone = all(line.style != first.style for line in others)
        follows = bool(others) and _is_a_fact(others[0])
        return first if structured and (alone or follows) else None
    short = len(first.raw) <= NAME and not first.words.flat.endswith(("。", "."))
    return first if first.kind == "text" and short and structured else None


def _is_a_fact(line: Line) -> bool:
    return line.label in ("players", "minutes", "warns", "title") and bool(line.rest)


class _Reader:
    """Puts line after line where it belongs."""

    def __init__(self, lines: list[Line], new_id: NewId) -> None:
        self._lines = lines
        self._new_id = new_id
        self._title = _title(lines)
        self._styles = _scene_styles(lines, self._title)
        self._document = Document()
        self._left: list[Left] = []
        self._texts: dict[tuple[str, str], list[str]] = defaultdict(list)
        #: What stands before and beside all scenes.
        self._beside = Scene(id=new_id())
        self._scene = self._beside
        self._scene_style = ""
        self._letter: Letter | None = None
        self._letter_style = ""
        self._letters: dict[str, Letter] = {}
        self._among_handouts = False
        self._check: Check | None = None
        #: True if a check waits for its difficulty.
        self._open = False
        self._base: tuple[Thing, str] = (self._beside, "notes")
        self._here: tuple[Thing, str] = self._base
        self._until_blank = False
        self._blanks = 0

    def draft(self) -> Draft:
        for line in self._lines:
            if line.kind == "blank":
                self._blanks += 1
                continue
            self._pause()
            if line is self._title:
                self._document.title = one_line(line.words.raw.strip("『』「」"))[:TITLE]
                if len(line.words.raw) > TITLE:
                    self._say(line.raw)
            elif not self._placed(line):
                self._say(line.raw)
            self._blanks = 0
        self._write_down()
        return Draft(self._document, self._left)

    def _pause(self) -> None:
        """What a blank line ends."""
        is_read = self._here[1] == "read"
        if self._blanks and (self._until_blank or (is_read and self._blanks > 1)):
            self._go(*self._base)

    def _placed(self, line: Line) -> bool:
        """Do with a line what it asks for; False if it is text."""
        match line.kind:
            case "rule":
                self._leave()
                return True
            case "quote":
                return self._quote(line)
            case "scene":
                return self._begin_scene(line)
            case "letter":
                return self._begin_letter(line)
            case "check":
                return self._begin_check(line)
            case "follows":
                return self._follow(line)
            case "npcs":
                return self._add_npcs(line)
            case "label":
                return self._labelled(line)
        return self._headed(line)

    # --- places

    def _go(self, thing: Thing, field: str, *, until_blank: bool = False) -> None:
        self._here, self._until_blank = (thing, field), until_blank

    def _settle(self, thing: Thing, field: str) -> None:
        """Come back to this place from now on."""
        self._base = (thing, field)
        self._go(thing, field)

    def _leave(self) -> None:
        """Leave a letter, or what is read aloud."""
        self._letter = None
        self._settle(self._scene, "notes")

    def _say(self, raw: str) -> None:
        lines = self._texts[self._here[0].id, self._here[1]]
        if self._blanks and lines:
            lines.append("")
        match self._here[1]:
            case "warns":
                raw = raw.strip(" 　・-*•")
            case "read":
                raw = raw.strip()
        lines.append(raw)

    def _said(self, thing: Thing, field: str, text: str) -> None:
        if text.strip():
            self._texts[thing.id, field].append(text.strip())

    def _ends_letter(self, style: str) -> bool:
        """True if a heading of this style stands no longer within the open letter."""
        if not style:
            return False
        is_above = style[0] == self._letter_style[:1] == "#" and len(style) <= len(self._letter_style)
        return is_above or style == self._letter_style or style in self._styles

    # --- scenes

    def _begin_scene(self, line: Line) -> bool:
        words, before = line.words, self._scene
        title, rest = words.raw, ""
        if len(title) > TITLE or words.flat.endswith("。"):
            colon = words.flat.find(":", 0, IN_A_TITLE)
            if colon > 0:
                title, rest = words.part(0, colon), words.since(colon + 1)
            else:
                title, rest = title[:TITLE], title
        self._scene = Scene(id=self._new_id(), title=one_line(title))
        if self._scene_style not in ("", line.style) and self._is_empty(before):
            # A chapter that holds scenes, and nothing besides.
            self._document.scenes.remove(before)
            rest = "\n".join(filter(None, [before.title, rest]))
        self._document.scenes.append(self._scene)
        self._scene_style, self._among_handouts, self._check = line.style, False, None
        self._leave()
        self._said(self._scene, "notes", rest)
        return True

    def _is_empty(self, scene: Scene) -> bool:
        return not (
            any(key[0] == scene.id for key in self._texts) or scene.checks or scene.npcs or scene.letters
        )

    def _headed(self, line: Line) -> bool:
        if self._among_handouts and (found := WHOM.match(line.words.flat)):
            end = found.end()
            if self._is_name(line, end):
                return self._new_letter(line, end, found[0], line.words.since(end))
        if line.kind != "heading":
            if self._letter and FOR_ONE_ALONE.match(line.words.flat):
                self._settle(self._letter, "secret")
            return False
        if line.style in self._styles:
            return self._begin_scene(line)
        if self._letter and self._ends_letter(line.style):
            self._leave()
        self._check = None
        self._go(*self._base)
        return False

    @staticmethod
    def _is_name(line: Line, end: int) -> bool:
        after = line.words.flat[end:].strip()
        return not after or after[0] in ":(「『【" or bool(line.style)

    def _quote(self, line: Line) -> bool:
        if self._letter or not line.rest.strip():
            return not line.rest.strip()
        field = self._texts[self._scene.id, "read"]
        if field and self._blanks:
            field.append("")
        field.append(line.rest.rstrip())
        return True

    # --- handouts

    def _begin_letter(self, line: Line) -> bool:
        words = line.words
        found = LETTER.fullmatch(words.flat)
        assert found
        number, after = found["number"] or "", found.start("after")
        secret = OF_A_SECRET.match(words.flat, after)
        known = self._letters.get(number) if number else None
        if known and (secret or found["kind"] == "秘匿"):
            self._letter, self._letter_style = known, line.style
            self._settle(known, "secret")
            self._said(known, "secret", words.since(secret.end() if secret else after).strip(" 　:："))
            return True
        self._new_letter(line, after, number, words.since(after))
        if self._letter and (secret or found["kind"] == "秘匿"):
            self._texts[self._letter.id, "secret"] = self._texts.pop((self._letter.id, "text"), [])
            self._settle(self._letter, "secret")
        return True

    def _new_letter(self, line: Line, end: int, number: str, after: str) -> bool:
        """Begin a handout. What is no name behind its number is its first line."""
        words = line.words
        title, text = words.raw, ""
        if len(title) > TITLE or (words.flat[end:].lstrip().startswith(":") and words.flat.endswith("。")):
            title, text = words.part(0, end), after.strip().lstrip(":：").strip()
        letter = Letter(id=self._new_id(), title=one_line(title)[:TITLE])
        if whom := WHOM.search(words.flat):
            letter.whom = words.part(*whom.span())
        self._scene.letters.append(letter)
        self._letter, self._letter_style, self._check = letter, line.style, None
        if number:
            self._letters[number] = letter
        self._settle(letter, "text")
        self._said(letter, "text", text)
        return True

    # --- checks

    def _begin_check(self, line: Line) -> bool:
        if self._letter and not line.style:
            return False
        words, flat = line.words, line.words.flat
        inline = FOLLOWS.search(flat)
        end = inline.start() if inline else len(flat)
        found = DIFFICULTY.search(flat, 0, end)
        alone = found and not re.search(r"\w", flat[: found.start()] + flat[found.end() :])
        if found and alone and self._open and self._check:
            self._set_difficulty(self._check, found, line)
            self._open = False
            return True
        if self._letter:
            self._leave()
        start = heading.end() if (heading := CHECK_HEADING.match(flat)) else 0
        label = one_line(_label(words, start, end, found))
        check = Check(id=self._new_id(), label=label[:LABEL])
        if len(label) > LABEL:
            self._said(check, "follows", line.raw)
        if skill := SKILL.search(flat, 0, end):
            check.skill = words.part(*skill.span(1 if skill[1] else 2))
        self._scene.checks.append(check)
        self._check, self._open = check, not found
        self._go(*self._base)
        if found:
            self._set_difficulty(check, found, line)
        if inline:
            self._said(check, "follows", words.since(inline.start()))
            self._go(check, "follows", until_blank=True)
        return True

    def _set_difficulty(self, check: Check, found: re.Match[str], line: Line) -> None:
        was = int(found[1])
        check.difficulty = min(was, 5)
        if was > 5:
            self._left.append(Left("difficulty", check.label, was))
            self._said(check, "follows", line.raw)

    def _follow(self, line: Line) -> bool:
        if self._check and not self._letter:
            self._go(self._check, "follows", until_blank=True)
            self._blanks = 0
        return False

    # --- NPCs

    def _add_npcs(self, line: Line) -> bool:
        if self._letter and not line.style:
            return False
        words = line.words
        prefix = NPCS.match(words.flat)
        assert prefix
        found = [self._npc(Written(part)) for part in _parted(words, prefix.end())]
        if not found or not all(npc.name and len(npc.name) <= NAME for npc, _ in found):
            return False
        if self._letter:
            self._leave()
        for npc, left in found:
            self._scene.npcs.append(npc)
            self._left += left
        return True

    def _npc(self, words: Written) -> tuple[Npc, list[Left]]:
        flat, left = words.flat, []
        count, rank = NPC_COUNT.search(flat), NPC_RANK.search(flat)
        ends = [match.start() for match in (count, rank) if match] + [len(flat)]
        end = min(flat.find("("), *ends) if "(" in flat else min(ends)
        npc = Npc(id=self._new_id(), name=one_line(words.part(0, end)))
        over = False
        for name, match, most in (("count", count, 8), ("rank", rank, 6)):
            if not match:
                continue
            was = int(match[1] or match[2]) if name == "count" else int(match[1])
            setattr(npc, name, min(max(was, 1), most))
            if was != getattr(npc, name):
                over = True
                left.append(Left(name, npc.name, was))
        rest = flat[end:]
        for match in (count, rank):
            rest = rest.replace(match[0], "", 1) if match else rest
        if over or re.search(r"\w", rest):
            npc.special = words.since(end).strip()
        return npc, left

    # --- labels

    def _labelled(self, line: Line) -> bool:
        label, letter, check = line.label, self._letter, self._check
        is_line = 0 < len(line.rest) <= LINE
        if label in OF_THE_WHOLE:
            return self._of_the_whole(line)
        if letter and label in ("open", "secret"):
            self._settle(letter, "text" if label == "open" else "secret")
            self._said(*self._here, line.rest)
            return True
        if letter and label == "whom" and is_line and not letter.whom:
            letter.whom = one_line(line.rest)
            return True
        if check and label == "skill" and is_line and not check.skill:
            check.skill = one_line(line.rest)
            return True
        if label in ("read", "gm"):
            self._leave()
            field = "read" if label == "read" else "notes"
            self._go(self._scene, field, until_blank=bool(line.rest) and field == "read")
            if field == "notes":
                return False
            self._said(self._scene, field, line.rest)
            return True
        return self._headed_by_label(line)

    def _headed_by_label(self, line: Line) -> bool:
        """Take a label that means nothing here as any other line."""
        line.kind = "heading" if line.style else "text"
        return self._headed(line)

    def _of_the_whole(self, line: Line) -> bool:
        in_a_scene = self._scene is not self._beside and line.style not in self._styles
        if in_a_scene or (self._letter and not self._ends_letter(line.style)):
            return self._headed_by_label(line)
        self._scene, self._scene_style, self._check = self._beside, "", None
        self._among_handouts = line.label == "handouts"
        self._leave()
        match line.label:
            case "title" if 0 < len(line.rest) <= TITLE:
                title = one_line(line.rest.strip("『』「」"))
                self._document.title = self._document.title or title
                return self._document.title == title
            case "players" | "minutes" if line.rest:
                return self._fact(line)
            case "warns":
                self._go(self._document, "warns", until_blank=bool(line.rest))
                for part in re.split(r"[、,，]\s*", line.rest):
                    self._said(self._document, "warns", part)
                return True
            case "pitch":
                self._go(self._document, "pitch", until_blank=bool(line.rest))
                self._said(self._document, "pitch", line.rest)
                return True
            case "handouts":
                return not line.rest
        return False

    def _fact(self, line: Line) -> bool:
        """Read how many play, or how long; what is said besides stays in the notes."""
        flat = Written(line.rest).flat
        if line.label == "players":
            found = PLAYERS.match(flat)
            if not found:
                self._left.append(Left("not_understood", line.raw))
                return False
            least, most = int(found[1]), int(found[2] or found[1])
            bounds = [min(max(number, 1), 8) for number in (least, most)]
            self._document.players_from, self._document.players_to = sorted(bounds)
            if bounds != [least, most]:
                self._left.append(Left("players", line.rest, most))
                return False
            return found.end() == len(flat)
        # Of a span the longer one: an evening has to be long enough.
        start = spans.end() if (spans := A_SPAN.match(flat)) else 0
        found = MINUTES.match(flat, start)
        if not found or not (found[1] or found[3]):
            self._left.append(Left("not_understood", line.raw))
            return False
        minutes = round(float(found[1] or 0) * 60) + 30 * bool(found[2]) + int(found[3] or 0)
        self._document.minutes = min(max(minutes, 10), 1440)
        if minutes != self._document.minutes:
            self._left.append(Left("minutes", line.rest, minutes))
            return False
        return not start and found.end() == len(flat)

    # --- the end

    def _write_down(self) -> None:
        document, beside = self._document, self._beside
        for thing in _things(document, beside):
            for field in ("read", "notes", "text", "secret", "follows", "pitch", "warns"):
                if written := self._texts.get((thing.id, field)):
                    setattr(thing, field, "\n".join(written))
        if not document.scenes or beside.checks or beside.npcs or beside.read:
            if beside.notes or beside.letters or beside.checks or beside.npcs or beside.read:
                document.scenes.insert(0, beside)
            return
        document.notes = beside.notes
        first = document.scenes[0]
        first.letters = [*beside.letters, *first.letters]


def _things(document: Document, beside: Scene) -> Iterable[Thing]:
    yield document
    for scene in (beside, *document.scenes):
        yield from (scene, *scene.checks, *scene.letters)


def _label(words: Written, start: int, end: int, found: re.Match[str] | None) -> str:
    """Return a check in words, without its difficulty where that stands by itself."""
    if not found:
        return words.part(start, end).strip()
    first, last, flat = found.start(), found.end(), words.flat
    if flat[first - 1 : first] in ("(", "[") and flat[last : last + 1] in (")", "]"):
        first, last = first - 1, last + 1
    elif flat[last : last + 1] == "の" and first == start:
        last += 1
    elif first > start and last < end and flat[last:end].strip():
        return words.part(start, end).strip()
    around = (words.part(start, first).strip(BETWEEN), words.part(last, end).strip(BETWEEN))
    return " ".join(filter(None, around)) or words.part(start, end).strip()


def _parted(words: Written, start: int) -> Iterable[str]:
    """Yield what stands between commas that are in no brackets."""
    deep, begun = 0, start
    for place in range(start, len(words.flat)):
        char = words.flat[place]
        deep += (char == "(") - (char == ")")
        if char in "、,/" and deep <= 0:
            yield words.part(begun, place).strip()
            begun = place + 1
    yield words.since(begun).strip()
