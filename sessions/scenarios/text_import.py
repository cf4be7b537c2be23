"""Read a scenario from its author's plain text, without losing any of it.

Each line is first classified by itself (``lines``). All headings are needed to find those that are scenes;
then each line is added to the field that the lines before it have opened. A line whose label keeps it from
the players (``secrecy``) ends the text for players, and goes to the GM's notes or to the secret of a handout.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from itertools import islice, pairwise

from characters.exchange.wording import one_line, without_controls
from sessions.scenarios.document import (
    Document,
    ScenarioCheck,
    ScenarioHandout,
    ScenarioNpc,
    ScenarioPart,
    ScenarioScene,
    Unfit,
)
from sessions.scenarios.drafts import ImportDifference, NewId, ScenarioDraft, fit
from sessions.scenarios.folding import FoldedText, compose_accents
from sessions.scenarios.secrecy import is_of_a_handout, label_of, label_over, says_nothing
from sessions.scenarios.text_lines import (
    CHECK_HEADING,
    DIFFICULTY,
    FOLLOWS,
    LETTER,
    LOOKED_AT,
    NPCS,
    OF_THE_WHOLE,
    SYMBOL,
    TextLine,
    classify_line,
    is_numbered,
    number_of_a_scene,
)

CHARACTERS_AT_MOST = 200_000
BETWEEN = " 　:：、,-"
TITLE, NAME, LABEL, LINE, IN_A_TITLE = 60, 40, 80, 120, 30
#: Heading styles that do not make scenes by themselves: such brackets hold names of skills and things, too.
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
NAMED = re.compile(
    r"(?:HO|(?i:ho)(?=\s*[0-9])|ハンドアウト|(?i:handout))\s*[#-]?\s*(?P<number>[0-9]{1,2}|[A-Z](?![A-Za-z]))"
    r"|(?P<whom>PC\s*[0-9]{1,2})"
)
QUOTATION = {"「": "」", "『": "』", "“": "”"}
ALONE = re.compile("(?:ひとり|ふたり)")
IN_KANJI = re.compile(
    r"(?<![一二三四五六七八九十])(?:[二三四五六七八九]?十[一二三四五六七八九]?|[一二三四五六七八九])"
    r"(?=\s*(?:人|名|時間|分|[~〜\-–—]|から))"
)
ENGLISH_NUMBERS = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
IN_ENGLISH = re.compile(
    rf"\b(?:{'|'.join(ENGLISH_NUMBERS)})\b(?=\s*(?:to|[~\-–—]|players?|hours?|minutes?|$))", re.IGNORECASE
)
#: Invisible characters that come along when a page is copied.
UNSEEN = re.compile("[\u00ad\u200b\u2060\ufeff]")
WEB_PAGE = re.compile(
    r"\s*(?:<\?xml[^<>]*>\s*)?<(?:!doctype\s+html|html|head|body|meta)\b|From: <Saved by|MIME-Version:",
    re.IGNORECASE,
)
CLOSING_TAG = re.compile(r"</(?:p|div|h[1-6]|li|td|tr|body|html|script|style)\s*>", re.IGNORECASE)
#: Fields that all players read.
FOR_ALL = ("read", "pitch", "warns")
#: The first characters of a line that closes a box.
LOWER_EDGE = ("└", "┗", "╚")
DIVIDER = ("├", "┣", "╠")


def read(text: str, new_id: NewId, go_on: Callable[[], None] = lambda: None) -> ScenarioDraft:
    """Return the draft that was read from the text of a scenario.

    :param new_id: returns another id at each call.
    :param go_on: is called between the lines; an exception that it raises ends the work.
    :raises Unfit: ``empty``; ``too_large``; ``web_page``.
    """
    if len(text) > CHARACTERS_AT_MOST:
        raise Unfit("too_large")
    if WEB_PAGE.match(text) or sum(1 for _ in islice(CLOSING_TAG.finditer(text), 3)) == 3:
        raise Unfit("web_page")
    lines = [
        _classify(raw, go_on) for raw in compose_accents(without_controls(UNSEEN.sub("", text))).split("\n")
    ]
    if all(line.kind == "blank" for line in lines):
        raise Unfit("empty")
    _join_the_labels(lines)
    _mark_numbered_headings(lines)
    _mark_handouts(lines)
    draft = _TextReader(lines, new_id).draft(go_on)
    fit(draft, new_id)
    return draft


def _join_the_labels(lines: list[TextLine]) -> None:
    """Let a label that is split over two lines apply to the second one."""
    for before, line in pairwise(lines):
        if line.kind in ("text", "heading", "quote") and len(line.raw) <= LOOKED_AT and not line.secret_label:
            line.secret_label = label_over(before.raw, line.raw)


def _mark_numbered_headings(lines: list[TextLine]) -> None:
    """Make numbered lines headings if they are isolated, and if the text has no other headings."""
    if any(line.style or line.kind == "scene" for line in lines):
        return
    blank = TextLine("", "blank")
    for (before, line), after in zip(pairwise([blank, *lines]), [*lines[1:], blank], strict=True):
        alone = before.kind == "blank" and not is_numbered(after.raw)
        if line.kind == "text" and alone and is_numbered(line.raw):
            line.kind, line.style = "heading", "1."


def _classify(raw: str, go_on: Callable[[], None]) -> TextLine:
    go_on()
    return classify_line(raw.rstrip())


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
                person.kind, person = "letter", None
        elif line.kind in ("scene", "letter") or (line.style and person and line.style == person.style):
            person = None
        is_heading = line.kind == "heading" and line.style not in NO_SCENES and not line.secret_label
        if is_heading and (person is None or WHOM.match(line.words.flat)):
            person, said = line, set()


def _scene_styles(lines: list[TextLine], title: TextLine | None) -> set[str]:
    """Return the styles of the headings that are scenes."""
    said = {line.style for line in lines if line.kind == "scene"}
    if said:
        return said - {""}
    styles = [line.style for line in lines if line.kind == "heading" and line is not title]
    styles = [style for style in styles if style not in NO_SCENES]
    often = [style for style, count in Counter(styles).items() if count > 1]
    return set((often or styles)[:1])


def _title(lines: list[TextLine]) -> TextLine | None:
    """Return the first line if it is the title of the scenario."""
    first, *others = [line for line in lines if line.kind != "blank"]
    if first.secret_label:
        return None
    structured = any(line.kind == "scene" or line.style or _is_a_fact(line) for line in others)
    if first.kind == "heading":
        alone = all(line.style != first.style for line in others)
        follows = bool(others) and _is_a_fact(others[0])
        return first if structured and (alone or follows) else None
    short = len(first.raw) <= NAME and not first.words.flat.endswith(("。", "."))
    return first if first.kind == "text" and short and structured else None


def _is_a_fact(line: TextLine) -> bool:
    return line.label in ("players", "minutes", "warns", "title") and bool(line.rest)


class _TextReader:
    """Adds the lines to a document, one after the other."""

    def __init__(self, lines: list[TextLine], new_id: NewId) -> None:
        self._lines = lines
        self._new_id = new_id
        self._title = _title(lines)
        self._styles = _scene_styles(lines, self._title)
        self._document = Document()
        self._left: list[ImportDifference] = []
        #: Lines of text by the id of their thing and by field.
        self._texts: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
        #: Collects text and things that belong to no scene.
        self._beside = ScenarioScene(id=new_id())
        self._scene = self._beside
        self._scene_style = ""
        self._letter: ScenarioHandout | None = None
        self._letter_style = ""
        self._letters: dict[str, ScenarioHandout] = {}
        self._among_handouts = False
        self._check: ScenarioCheck | None = None
        #: True while the newest check has no difficulty.
        self._open = False
        self._base: tuple[ScenarioPart, str] = (self._beside, "notes")
        self._here: tuple[ScenarioPart, str] = self._base
        self._until_blank = False
        self._blanks = 0
        #: The line that makes the lines below it secret, even in boxes and quotations.
        self._keeper: TextLine | None = None
        #: True if a blank line ends the secret lines.
        self._kept_until_blank = False
        #: True after a label without text: the next line is secret, even if it looks like a heading.
        self._is_awaited = False
        #: The form of that next line if it looks like a heading: all lines of this form are secret.
        self._kept_form = ""
        self._known: set[str] = set()

    def draft(self, go_on: Callable[[], None]) -> ScenarioDraft:
        for line in self._lines:
            go_on()
            if line.kind == "blank":
                self._blanks += 1
                continue
            self._pause()
            if line is self._title:
                self._document.title = one_line(_out_of_brackets(line.words.raw))[:TITLE]
                if len(line.words.raw) > TITLE:
                    self._append_line(line.raw)
            elif not self._handle_line(line):
                self._append_line(line.raw)
            self._blanks = 0
        self._write_down()
        return ScenarioDraft(self._document, self._left, said=self._known)

    def _pause(self) -> None:
        """After a blank line, close the field and the secret lines that it ends."""
        is_read = self._here[1] == "read"
        if self._blanks and (self._until_blank or (is_read and self._blanks > 1)):
            self._go(*self._base)
        if self._blanks and self._kept_until_blank:
            self._keeper = None

    def _handle_line(self, line: TextLine) -> bool:
        """Handle a line by its label and kind; False if its text is still to be added to the open field."""
        quoted = line.kind == "quote" and line.rest.strip()
        if quoted and (inner := self._within_a_quote(line)):
            line = inner
        if self._is_kept(line):
            return self._keep(line, is_quoted=bool(quoted))
        if self._is_below_a_label(line):
            return line.kind == "rule" or (_is_a_number(line) and self._fact(line))
        return self._handle_by_kind(line)

    def _within_a_quote(self, line: TextLine) -> TextLine | None:
        """Return the line in a quotation if it begins a handout or has one of these labels, else None."""
        inner = classify_line(line.rest)
        labels = {"read", "gm", "secret"} | ({"open", "whom"} if self._letter else set())
        return inner if inner.kind == "letter" or inner.label in labels else None

    def _handle_by_kind(self, line: TextLine) -> bool:
        """Handle a line by its kind; False if its text is still to be added to the open field."""
        match line.kind:
            case "rule":
                return self._rule(line)
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
                return self._handle_label(line)
        return self._handle_heading(line)

    # --- places

    def _go(self, thing: ScenarioPart, field: str, *, until_blank: bool = False) -> None:
        self._here, self._until_blank = (thing, field), until_blank

    def _settle(self, thing: ScenarioPart, field: str) -> None:
        """Open a field, and return to it after each part of the text that ends."""
        self._base = (thing, field)
        self._go(thing, field)

    def _leave(self) -> None:
        """Close a handout or a text to read aloud, and open the notes of the scene."""
        self._letter = None
        self._settle(self._scene, "notes")

    def _rule(self, line: TextLine) -> bool:
        edge = line.raw.strip()[0]
        if edge in DIVIDER:
            return True
        if edge in LOWER_EDGE and self._keeper and self._keeper.kind == "quote":
            self._keeper = None
        self._leave()
        return True

    # --- secret lines

    def _is_kept(self, line: TextLine) -> bool:
        """True if a line is secret, and its kind does not already give it a field of its own."""
        kept = line.secret_label
        if line.kind in ("scene", "npcs"):
            return False
        if not kept:
            for_all = line.kind == "quote" or self._here[1] in FOR_ALL
            return for_all and not self._letter and line.kind != "letter" and is_of_a_handout(line.raw)
        match line.kind:
            case "letter":
                return kept.whose == "gm"
            case "label":
                return not (self._letter and line.label == "secret")
            case "follows":
                return self._check is None or self._letter is not None
        return True

    def _keep(self, line: TextLine, *, is_quoted: bool) -> bool:
        """Open the secret of a handout, or else the GM's notes, for a secret line and those that follow."""
        label = line.secret_label
        letter = self._letter
        if label and (named := NAMED.search(label.before)):
            letter = self._letters.get(named["number"] or named["whom"].replace(" ", ""))
        if label and label.whose == "one" and letter:
            self._letter = letter
            self._settle(letter, "secret")
            self._await(label.is_alone)
            return False
        if line.style in self._styles:
            self._scene, self._scene_style = self._beside, ""
        self._among_handouts, self._check = False, None
        self._leave()
        self._keeper = TextLine(line.raw, "quote" if is_quoted else line.kind, line.style)
        self._await(bool(label and label.is_alone))
        self._kept_until_blank = not (is_quoted or line.style or self._is_awaited)
        return False

    def _is_below_a_label(self, line: TextLine) -> bool:
        """True if a label without text above makes a line secret, and no other heading has ended that."""
        form = _form(line)
        if line.kind == "scene" or line.label == "read":
            self._await(False)
        elif self._is_awaited and not (line.kind == "letter" and self._letter):
            if line.label == "gm":
                self._leave()
            elif not (
                _is_a_number(line)
                or says_nothing(line.raw)
                or (line.secret_label and line.secret_label.is_alone)
            ):
                self._await(False, form)
            return True
        elif form and form == self._kept_form:
            return True
        elif line.kind == "letter":
            self._await(False)
        return False

    def _await(self, is_awaited: bool, kept_form: str = "") -> None:
        self._is_awaited, self._kept_form = is_awaited, kept_form

    def _end_keeping(self, style: str) -> None:
        """End the secret lines at a heading of this style, unless the heading is one of them."""
        keeper = self._keeper
        if keeper is None:
            return
        is_above = style[:1] == keeper.style[:1] == "#" and len(style) <= len(keeper.style)
        if not keeper.style or style in self._styles:
            self._keeper = None
        elif is_above or style == keeper.style:
            self._keeper, self._kept_form = None, ""

    def _append_line(self, raw: str) -> None:
        lines = self._texts[self._here[0].id][self._here[1]]
        if self._blanks and lines:
            lines.append("")
        match self._here[1]:
            case "warns":
                raw = raw.strip(" 　・-*•")
            case "read":
                raw = raw.strip()
        lines.append(raw)

    def _append_text(self, thing: ScenarioPart, field: str, text: str) -> None:
        if text.strip():
            self._texts[thing.id][field].append(text.strip())

    def _ends_letter(self, style: str) -> bool:
        """True if a heading of this style ends the open handout."""
        if not style:
            return False
        is_above = style[0] == self._letter_style[:1] == "#" and len(style) <= len(self._letter_style)
        return is_above or style == self._letter_style or style in self._styles

    # --- scenes

    def _begin_scene(self, line: TextLine) -> bool:
        words, before = line.words, self._scene
        title, rest = words.raw, ""
        self._keeper = None
        self._await(False)
        if line.secret_label and (end := number_of_a_scene(words.flat)):
            title, rest = words.part(0, end), words.since(end).strip(BETWEEN)
            self._keeper, self._kept_until_blank = line, False
            self._await(line.secret_label.is_alone)
        elif len(title) > TITLE or words.flat.endswith("。"):
            colon = words.flat.find(":", 0, IN_A_TITLE)
            if colon > 0:
                title, rest = words.part(0, colon), words.since(colon + 1)
            else:
                title, rest = title[:TITLE], title
        self._scene = ScenarioScene(id=self._new_id(), title=one_line(title))
        if self._scene_style not in ("", line.style) and self._is_empty(before):
            # The scene before was only the heading of a chapter: its title goes to the notes of this one.
            self._document.scenes.pop()
            rest = "\n".join(filter(None, [before.title, rest]))
        self._document.scenes.append(self._scene)
        self._scene_style, self._among_handouts, self._check = line.style, False, None
        self._leave()
        self._append_text(self._scene, "notes", rest)
        return True

    def _is_empty(self, scene: ScenarioScene) -> bool:
        is_last = bool(self._document.scenes) and self._document.scenes[-1] is scene
        return is_last and not (scene.id in self._texts or scene.checks or scene.npcs or scene.letters)

    def _handle_heading(self, line: TextLine) -> bool:
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
        self._end_keeping(line.style)
        if self._letter and self._ends_letter(line.style):
            self._leave()
        self._check = None
        self._go(*self._base)
        return False

    @staticmethod
    def _is_name(line: TextLine, end: int) -> bool:
        after = line.words.flat[end:].strip()
        return not after or after[0] in ":(「『【" or bool(line.style)

    def _quote(self, line: TextLine) -> bool:
        if not line.rest.strip():
            return True
        if self._letter or self._keeper:
            return False
        field = self._texts[self._scene.id]["read"]
        if field and self._blanks:
            field.append("")
        field.append(line.rest.rstrip())
        return True

    # --- handouts

    def _begin_letter(self, line: TextLine) -> bool:
        words = line.words
        self._end_keeping(line.style)
        found = LETTER.fullmatch(words.flat)
        if not found:
            whom = WHOM.match(words.flat)
            return self._new_letter(line, len(words.flat), whom[0].replace(" ", "") if whom else "", "")
        number, after = found["number"] or "", found.start("after")
        secret = OF_A_SECRET.match(words.flat, after)
        known = self._letters.get(number) if number else None
        is_secret = bool(secret or line.secret_label or found["kind"] == "秘匿")
        if not is_secret:
            return self._new_letter(line, after, number, words.since(after))
        if known:
            self._letter, self._letter_style = known, line.style
        letter = known or self._open_letter(line, words.part(0, after), number)
        text = words.since(secret.end() if secret else after).strip(" 　:：")
        self._settle(letter, "secret")
        self._append_text(letter, "secret", text)
        self._await(says_nothing(text) or bool(line.secret_label and line.secret_label.is_alone))
        return True

    def _new_letter(self, line: TextLine, end: int, number: str, after: str) -> bool:
        """Begin a handout. Text behind its number that is no name becomes its first line."""
        words = line.words
        title, text = words.raw, ""
        if len(title) > TITLE or (words.flat[end:].lstrip().startswith(":") and words.flat.endswith("。")):
            title, text = words.part(0, end), after.strip().lstrip(":：").strip()
        self._append_text(self._open_letter(line, title, number), "text", text)
        return True

    def _open_letter(self, line: TextLine, title: str, number: str) -> ScenarioHandout:
        letter = ScenarioHandout(id=self._new_id(), title=one_line(title)[:TITLE])
        if whom := WHOM.search(line.words.flat):
            letter.whom = line.words.part(*whom.span())
        self._scene.letters.append(letter)
        self._letter, self._letter_style, self._check = letter, line.style, None
        if number:
            self._letters[number] = letter
        self._settle(letter, "text")
        return letter

    # --- checks

    def _begin_check(self, line: TextLine) -> bool:
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
        check = ScenarioCheck(id=self._new_id(), label=label[:LABEL])
        if len(label) > LABEL:
            self._append_text(check, "follows", line.raw)
        if skill := SKILL.search(flat, 0, end):
            check.skill = words.part(*skill.span(1 if skill[1] else 2))
        self._scene.checks.append(check)
        self._check, self._open = check, not found
        self._go(*self._base)
        if found:
            self._set_difficulty(check, found, line)
        if inline:
            self._append_text(check, "follows", words.since(inline.start()))
            self._go(check, "follows", until_blank=True)
        return True

    def _set_difficulty(self, check: ScenarioCheck, found: re.Match[str], line: TextLine) -> None:
        was = int(found[1])
        check.difficulty = min(was, 5)
        if was > 5:
            self._left.append(ImportDifference("difficulty", check.label, was))
            self._append_text(check, "follows", line.raw)

    def _follow(self, line: TextLine) -> bool:
        if self._check and not self._letter:
            self._go(self._check, "follows", until_blank=True)
            self._blanks = 0
        return False

    # --- NPCs

    def _add_npcs(self, line: TextLine) -> bool:
        if self._letter and not line.style:
            return False
        words = line.words
        prefix = NPCS.match(words.flat)
        assert prefix
        found = [self._npc(FoldedText(part)) for part in _split_at_commas(words, prefix.end())]
        if not found or not all(_is_a_name(npc.name) for npc, _ in found):
            return False
        if self._letter:
            self._leave()
        for npc, left in found:
            self._scene.npcs.append(npc)
            self._left += left
        return True

    def _npc(self, words: FoldedText) -> tuple[ScenarioNpc, list[ImportDifference]]:
        flat, left = words.flat, []
        count, rank = NPC_COUNT.search(flat), NPC_RANK.search(flat)
        ends = [match.start() for match in (count, rank) if match] + [len(flat)]
        end = min(flat.find("("), *ends) if "(" in flat else min(ends)
        npc = ScenarioNpc(id=self._new_id(), name=one_line(words.part(0, end)))
        over = False
        for name, match, most in (("count", count, 8), ("rank", rank, 6)):
            if not match:
                continue
            was = int(match[1] or match[2]) if name == "count" else int(match[1])
            setattr(npc, name, min(max(was, 1), most))
            if was != getattr(npc, name):
                over = True
                left.append(ImportDifference(name, npc.name, was))
        rest = flat[end:]
        for match in (count, rank):
            rest = rest.replace(match[0], "", 1) if match else rest
        if over or re.search(r"\w", rest):
            npc.special = words.since(end).strip()
        return npc, left

    # --- labels

    def _handle_label(self, line: TextLine) -> bool:
        label, letter, check = line.label, self._letter, self._check
        is_line = 0 < len(line.rest) <= LINE
        if label in OF_THE_WHOLE:
            return self._of_the_whole(line)
        if letter and label in ("open", "secret"):
            self._settle(letter, "text" if label == "open" else "secret")
            self._append_text(*self._here, line.rest)
            self._await(label == "secret" and says_nothing(line.rest))
            return True
        if letter and label == "whom" and is_line and not letter.whom:
            letter.whom = one_line(line.rest)
            return True
        if check and label == "skill" and is_line and not check.skill:
            check.skill = one_line(line.rest)
            return True
        if letter and label == "mission":
            return False
        if label in ("read", "gm"):
            self._keeper = None
            self._leave()
            field = "read" if label == "read" else "notes"
            self._go(self._scene, field, until_blank=bool(line.rest) and field == "read")
            if field == "notes":
                return False
            self._append_text(self._scene, field, line.rest)
            return True
        return self._handle_unused_label(line)

    def _handle_unused_label(self, line: TextLine) -> bool:
        """Handle a line whose label does not apply here like a line without a label."""
        line.kind = "heading" if line.style else "text"
        return self._handle_heading(line)

    def _of_the_whole(self, line: TextLine) -> bool:
        in_a_scene = self._scene is not self._beside and line.style not in self._styles
        if in_a_scene or (self._letter and not self._ends_letter(line.style)):
            return self._handle_unused_label(line)
        self._scene, self._scene_style, self._check = self._beside, "", None
        self._among_handouts = line.label == "handouts"
        self._end_keeping(line.style)
        self._leave()
        match line.label:
            case "title" if 0 < len(line.rest) <= TITLE:
                title = one_line(_out_of_brackets(line.rest))
                self._document.title = self._document.title or title
                return self._document.title == title
            case "players" | "minutes" if line.rest:
                return self._fact(line)
            case "warns":
                self._go(self._document, "warns", until_blank=bool(line.rest))
                for part in re.split(r"[、,，]\s*", line.rest):
                    self._append_text(self._document, "warns", part)
                return True
            case "pitch":
                self._go(self._document, "pitch", until_blank=bool(line.rest))
                self._append_text(self._document, "pitch", line.rest)
                return True
            case "handouts":
                return not line.rest
        return False

    def _fact(self, line: TextLine) -> bool:
        """Read the number of players or the play time; False if the line must go to the notes, too."""
        flat = _in_digits(FoldedText(line.rest).flat)
        if line.label == "players":
            found = PLAYERS.match(flat)
            if not found:
                self._left.append(ImportDifference("not_understood", line.raw))
                return False
            self._known.add("players")
            least, most = int(found[1]), int(found[2] or found[1])
            bounds = [min(max(number, 1), 8) for number in (least, most)]
            self._document.players_from, self._document.players_to = sorted(bounds)
            if bounds != [least, most]:
                self._left.append(ImportDifference("players", line.rest, most))
                return False
            return found.end() == len(flat)
        # A time span counts as its longer time, so that the session is long enough.
        start = spans.end() if (spans := A_SPAN.match(flat)) else 0
        found = MINUTES.match(flat, start)
        if not found or not (found[1] or found[3]):
            self._left.append(ImportDifference("not_understood", line.raw))
            return False
        self._known.add("minutes")
        minutes = round(float(found[1] or 0) * 60) + 30 * bool(found[2]) + int(found[3] or 0)
        self._document.minutes = min(max(minutes, 10), 1440)
        if minutes != self._document.minutes:
            self._left.append(ImportDifference("minutes", line.rest, minutes))
            return False
        return not start and found.end() == len(flat)

    # --- the end

    def _write_down(self) -> None:
        document, beside = self._document, self._beside
        for thing in _things(document, beside):
            for field in ("read", "notes", "text", "secret", "follows", "pitch", "warns"):
                if written := self._texts.get(thing.id, {}).get(field):
                    setattr(thing, field, "\n".join(written))
        if not document.scenes or beside.checks or beside.npcs or beside.read:
            if beside.notes or beside.letters or beside.checks or beside.npcs or beside.read:
                document.scenes.insert(0, beside)
            return
        document.notes = beside.notes
        first = document.scenes[0]
        first.letters = [*beside.letters, *first.letters]


def _things(document: Document, beside: ScenarioScene) -> Iterable[ScenarioPart]:
    yield document
    for scene in (beside, *document.scenes):
        yield from (scene, *scene.checks, *scene.letters)


def _is_a_number(line: TextLine) -> bool:
    """True if a line gives the number of players or the play time."""
    return line.label in ("players", "minutes") and bool(line.rest)


def _form(line: TextLine) -> str:
    """Return the form that a line shares with headings of its rank; empty for plain text."""
    if line.style or line.kind not in ("text", "quote"):
        return "letter" if line.kind == "letter" else line.style or line.kind
    marked = SYMBOL.match(FoldedText(line.raw).flat) if len(line.raw) <= LOOKED_AT else None
    return marked[1] if marked else ""


def _is_a_name(name: str) -> bool:
    return 0 < len(name) <= NAME and not label_of(name)


def _out_of_brackets(title: str) -> str:
    """Return a title without the brackets that enclose all of it."""
    closing = QUOTATION.get(title[:1])
    return title[1:-1] if closing and title.find(closing) == len(title) - 1 else title


def _in_digits(flat: str) -> str:
    """Return a text with its number words for people and times replaced by digits."""
    flat = ALONE.sub(lambda said: {"ひ": "1人", "ふ": "2人"}[said[0][0]], flat)
    flat = IN_KANJI.sub(lambda said: str(_number(said[0])), flat)
    return IN_ENGLISH.sub(lambda said: str(ENGLISH_NUMBERS.index(said[0].lower()) + 1), flat)


def _number(kanji: str) -> int:
    tens, is_over_ten, ones = kanji.rpartition("十")
    digits = "〇一二三四五六七八九"
    return (digits.index(tens or "一") if is_over_ten else 0) * 10 + (digits.index(ones) if ones else 0)


def _label(words: FoldedText, start: int, end: int, found: re.Match[str] | None) -> str:
    """Return the label of a check, without the difficulty where that can be cut out."""
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
