"""Read a scenario from its author's plain text, without losing any of it.

All lines are classified first (``text_lines``), since all headings are needed to find those that are scenes.
Then each line is added to the field that the lines before it have opened. A line whose label keeps it from
the players (``secrecy``) ends the text for players, and goes to the GM's notes or to the secret of a handout.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import islice

from characters.exchange.wording import one_line, without_controls
from sessions.scenarios.document import (
    CheckKind,
    CutIn,
    Document,
    ScenarioCheck,
    ScenarioHandout,
    ScenarioScene,
    Unfit,
)
from sessions.scenarios.drafts import ImportDifference, NewId, ScenarioDraft, fit
from sessions.scenarios.folding import FoldedText, compose_accents
from sessions.scenarios.secrecy import is_of_a_handout, label_of, says_nothing
from sessions.scenarios.text_fields import (
    BETWEEN,
    TextFields,
    names_only_kind,
    read_check,
    read_minutes,
    read_npcs,
    read_players,
    read_sides,
    strip_quotation,
)
from sessions.scenarios.text_lines import (
    COUNTED,
    CUT_IN,
    DIFFICULTY,
    FOLLOWS,
    HANDOUT,
    LOOKED_AT,
    NPCS,
    OF_THE_WHOLE,
    SYMBOL,
    WHOM,
    TextLine,
    classify_line,
    classify_lines,
    end_of_scene_number,
    scene_styles,
    title_line,
)

CHARACTERS_AT_MOST = 200_000
TITLE, NAME, LABEL, LINE, IN_A_TITLE = 60, 40, 80, 120, 30
OF_A_SECRET = re.compile(r"\s*[:(「『【《\[<・の\-]*\s*(?:秘密|裏|秘匿)[)」』】》\]>]*\s*:?\s*")
FOR_ONE_ALONE = re.compile(r"※.{0,60}(?:だけ|のみ|only)|\(?(?:only|for the eyes of)\b", re.IGNORECASE)
NAMED = re.compile(
    r"(?:HO|(?i:ho)(?=\s*[0-9])|ハンドアウト|(?i:handout))\s*[#-]?\s*(?P<number>[0-9]{1,2}|[A-Z](?![A-Za-z]))"
    r"|(?P<whom>PC\s*[0-9]{1,2})"
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
    lines = classify_lines(compose_accents(without_controls(UNSEEN.sub("", text))), go_on)
    if all(line.kind == "blank" for line in lines):
        raise Unfit("empty")
    draft = _TextReader(lines, new_id).draft(go_on)
    fit(draft, new_id)
    return draft


class _TextReader:
    """Adds the lines to a document, one after the other."""

    def __init__(self, lines: list[TextLine], new_id: NewId) -> None:
        self._lines = lines
        self._new_id = new_id
        self._title = title_line(lines)
        self._styles = scene_styles(lines, self._title)
        self._document = Document()
        self._left: list[ImportDifference] = []
        #: Collects text and things that belong to no scene.
        self._beside = ScenarioScene(id=new_id())
        self._scene = self._beside
        self._scene_style = ""
        self._handout: ScenarioHandout | None = None
        self._handout_style = ""
        self._handouts: dict[str, ScenarioHandout] = {}
        self._among_handouts = False
        self._check: ScenarioCheck | None = None
        #: True while the newest check has no difficulty.
        self._lacks_difficulty = False
        #: The kind of the checks below a line that says only this kind.
        self._kind_below: CheckKind = "check"
        #: True if a line above, in the same paragraph, says that a check is secret.
        self._is_secret_above = False
        #: The lines that stay notes, by their code.
        self._asides: dict[str, list[str]] = {}
        self._fields = TextFields(self._beside, "notes")
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
                self._fields.blanks += 1
                continue
            self._fields.close_at_blank()
            if self._fields.blanks and self._kept_until_blank:
                self._keeper = None
            if line is self._title:
                self._document.title = one_line(strip_quotation(line.words.raw))[:TITLE]
                if len(line.words.raw) > TITLE:
                    self._fields.append_line(line.raw)
            else:
                self._note_check_kind(line)
                if not self._handle_line(line):
                    self._fields.append_line(line.raw)
            self._fields.blanks = 0
        self._fields.store(self._document, self._beside)
        self._place_loose_things()
        self._left += [ImportDifference(code, raws[0], len(raws)) for code, raws in self._asides.items()]
        return ScenarioDraft(self._document, self._left, said=self._known)

    def _note_check_kind(self, line: TextLine) -> None:
        """Apply a line that names a kind of check to the checks beside it.

        A label of checks gives its kind to all below it, until the next heading. Any other line says only
        that the checks of its paragraph are secret: in doubt they are.
        """
        is_secret = line.check_kind == "secret"
        is_heading = line.kind in ("scene", "handout") or (bool(line.style) and line.kind != "check")
        if self._fields.blanks or is_heading:
            self._is_secret_above = False
        if self._fields.current[1] in FOR_ALL and (line.labels_checks or is_secret):
            self._fields.reopen_base()
        if line.labels_checks:
            self._kind_below = line.check_kind
        elif is_heading:
            self._kind_below = "check"
        if is_secret and line.kind != "check":
            self._is_secret_above = True
            if self._check and not (self._fields.blanks or is_heading or line.words.flat.endswith(":")):
                self._check.kind = "secret"

    def _handle_line(self, line: TextLine) -> bool:
        """Handle a line by its label and kind; False if its text is still to be added to the open field."""
        if self._handout and not line.secret_label:
            line.secret_label = label_of(line.raw)  # a handout has no checks
        quoted = line.kind == "quote" and line.rest.strip()
        if quoted:
            # A quotation may begin a handout, or have one of these labels.
            inner = classify_line(line.rest)
            labels = {"read", "gm", "secret"} | ({"open", "whom"} if self._handout else set())
            line = inner if inner.kind == "handout" or inner.label in labels else line
        if self._is_secret(line):
            return self._keep_secret(line, is_quoted=bool(quoted))
        if self._is_below_a_label(line):
            return line.kind == "rule" or (_is_a_number(line) and self._read_fact(line))
        return self._handle_by_kind(line)

    def _handle_by_kind(self, line: TextLine) -> bool:
        """Handle a line by its kind; False if its text is still to be added to the open field."""
        handlers = {
            "rule": self._handle_rule,
            "quote": self._handle_quote,
            "scene": self._begin_scene,
            "handout": self._begin_handout,
            "check": self._begin_check,
            "follows": self._handle_follows,
            "npcs": self._add_npcs,
            "cut_in": self._add_cut_in,
            "label": self._handle_label,
        }
        return handlers.get(line.kind, self._handle_heading)(line)

    def _open_notes(self) -> None:
        """Close a handout or a text to read aloud, and open the notes of the scene."""
        self._handout = None
        self._fields.open_base(self._scene, "notes")

    def _handle_rule(self, line: TextLine) -> bool:
        edge = line.raw.strip()[0]
        if edge in LOWER_EDGE and self._keeper and self._keeper.kind == "quote":
            self._keeper = None
        if edge not in DIVIDER:
            self._open_notes()
        return True

    def _is_secret(self, line: TextLine) -> bool:
        """True if a line is secret, and its kind does not already give it a field of its own."""
        kept = line.secret_label
        if line.kind in ("scene", "npcs"):
            return False
        if not kept:
            for_all = line.kind == "quote" or self._fields.current[1] in FOR_ALL
            return for_all and not self._handout and line.kind != "handout" and is_of_a_handout(line.raw)
        match line.kind:
            case "handout":
                return kept.whose == "gm"
            case "label":
                return not (self._handout and line.label == "secret")
            case "follows":
                return self._check is None or self._handout is not None
        return True

    def _keep_secret(self, line: TextLine, *, is_quoted: bool) -> bool:
        """Open the secret of a handout, or else the GM's notes, for a secret line and those that follow."""
        label = line.secret_label
        handout = self._handout
        if label and (named := NAMED.search(label.before)):
            handout = self._handouts.get(named["number"] or named["whom"].replace(" ", ""))
        if label and label.whose == "one" and handout:
            self._handout = handout
            self._fields.open_base(handout, "secret")
            self._await_secret(label.is_alone)
            return False
        if line.style in self._styles:
            self._scene, self._scene_style = self._beside, ""
        self._among_handouts, self._check = False, None
        self._open_notes()
        self._keeper = TextLine(line.raw, "quote" if is_quoted else line.kind, line.style)
        self._await_secret(_covers_the_next(line))
        self._kept_until_blank = not (is_quoted or line.style or self._is_awaited)
        return False

    def _is_below_a_label(self, line: TextLine) -> bool:
        """True if a label without text above makes a line secret, and no other heading has ended that."""
        form = _form(line)
        if line.kind == "scene" or line.label == "read":
            self._await_secret(False)
        elif self._is_awaited and not (line.kind == "handout" and self._handout):
            if line.label == "gm":
                self._open_notes()
            elif not (_is_a_number(line) or says_nothing(line.raw) or _covers_the_next(line)):
                self._await_secret(False, form)
            return True
        elif form and form == self._kept_form:
            return True
        elif line.kind == "handout":
            self._await_secret(False)
        return False

    def _await_secret(self, is_awaited: bool, kept_form: str = "") -> None:
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

    def _ends_handout(self, style: str) -> bool:
        """True if a heading of this style ends the open handout."""
        if not style:
            return False
        is_above = style[0] == self._handout_style[:1] == "#" and len(style) <= len(self._handout_style)
        return is_above or style == self._handout_style or style in self._styles

    def _begin_scene(self, line: TextLine) -> bool:
        words, before = line.words, self._scene
        title, rest = words.raw, ""
        self._keeper = None
        self._await_secret(False)
        if line.secret_label and (end := end_of_scene_number(words.flat)):
            title, rest = words.part(0, end), words.since(end).strip(BETWEEN)
            self._keeper, self._kept_until_blank = line, False
            self._await_secret(line.secret_label.is_alone)
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
        self._open_notes()
        self._fields.append_text(self._scene, "notes", rest)
        return True

    def _is_empty(self, scene: ScenarioScene) -> bool:
        is_last = bool(self._document.scenes) and self._document.scenes[-1] is scene
        things = (part for name in scene.parts for part in getattr(scene, name))
        return is_last and not (self._fields.has_text(scene) or any(things))

    def _handle_heading(self, line: TextLine) -> bool:
        if self._among_handouts and (found := WHOM.match(line.words.flat)):
            end = found.end()
            after = line.words.flat[end:].strip()
            if line.style or not after or after[0] in ":(「『【":
                return self._new_handout(line, end, found[0], line.words.since(end))
        if not self._handout and self._belongs_to_check(line):
            return True
        if line.aside and not self._handout and self._keep_aside(line):
            return True
        if line.kind != "heading":
            if self._handout and FOR_ONE_ALONE.match(line.words.flat):
                self._fields.open_base(self._handout, "secret")
            return False
        if line.style in self._styles:
            return self._begin_scene(line)
        self._end_keeping(line.style)
        if self._handout and self._ends_handout(line.style):
            self._open_notes()
        self._check = None
        self._fields.reopen_base()
        return False

    def _handle_quote(self, line: TextLine) -> bool:
        if not line.rest.strip():
            return True
        if self._handout or self._keeper:
            return False
        self._fields.append_to(self._scene, "read", line.rest.rstrip())
        return True

    def _begin_handout(self, line: TextLine) -> bool:
        words = line.words
        self._end_keeping(line.style)
        found = HANDOUT.fullmatch(words.flat)
        if not found:
            whom = WHOM.match(words.flat)
            return self._new_handout(line, len(words.flat), whom[0].replace(" ", "") if whom else "", "")
        number, after = found["number"] or "", found.start("after")
        secret = OF_A_SECRET.match(words.flat, after)
        if not (secret or line.secret_label or found["kind"] == "秘匿"):
            return self._new_handout(line, after, number, words.since(after))
        known = self._handouts.get(number) if number else None
        if known:
            self._handout, self._handout_style = known, line.style
        handout = known or self._open_handout(line, words.part(0, after), number)
        text = words.since(secret.end() if secret else after).strip(" 　:：")
        self._fields.open_base(handout, "secret")
        self._fields.append_text(handout, "secret", text)
        self._await_secret(says_nothing(text) or _covers_the_next(line))
        return True

    def _new_handout(self, line: TextLine, end: int, number: str, after: str) -> bool:
        """Begin a handout. Text behind its number that is no name becomes its first line."""
        words = line.words
        title, text = words.raw, ""
        if len(title) > TITLE or (words.flat[end:].lstrip().startswith(":") and words.flat.endswith("。")):
            title, text = words.part(0, end), after.strip().lstrip(":：").strip()
        self._fields.append_text(self._open_handout(line, title, number), "text", text)
        return True

    def _open_handout(self, line: TextLine, title: str, number: str) -> ScenarioHandout:
        handout = ScenarioHandout(id=self._new_id(), title=one_line(title)[:TITLE])
        if whom := WHOM.search(line.words.flat):
            handout.whom = line.words.part(*whom.span())
        self._scene.letters.append(handout)
        self._handout, self._handout_style, self._check = handout, line.style, None
        if number:
            self._handouts[number] = handout
        self._fields.open_base(handout, "text")
        return handout

    def _begin_check(self, line: TextLine) -> bool:
        if self._handout and not line.style:
            return False
        words, flat = line.words, line.words.flat
        inline = FOLLOWS.search(flat) or (self._kind_of(line) == "chain" and COUNTED.search(flat))
        end = inline.start() if inline else len(flat)
        found = DIFFICULTY.search(flat, 0, end)
        alone = found and names_only_kind(flat[: found.start()] + flat[found.end() :])
        if found and alone and self._lacks_difficulty and self._check:
            self._set_difficulty(self._check, found, line)
            if self._check.kind != "secret" and line.check_kind != "check":
                self._check.kind = line.check_kind
            self._lacks_difficulty = False
            return True
        if self._handout:
            self._open_notes()
        check = read_check(words, end, found, self._kind_of(line), self._new_id)
        if len(check.label) > LABEL:
            check.label = check.label[:LABEL]
            self._fields.append_text(check, "follows", line.raw)
        self._scene.checks.append(check)
        self._check, self._lacks_difficulty = check, not found
        self._fields.reopen_base()
        if found:
            self._set_difficulty(check, found, line)
        if inline:
            self._fields.append_text(check, "follows", words.since(inline.start()))
            self._fields.open(check, "follows", until_blank=True)
        return True

    def _set_difficulty(self, check: ScenarioCheck, found: re.Match[str], line: TextLine) -> None:
        was = int(found[1])
        check.difficulty = min(was, 5)
        if was > 5:
            self._left.append(ImportDifference("difficulty", check.label, was))
            self._fields.append_text(check, "follows", line.raw)

    def _kind_of(self, line: TextLine) -> CheckKind:
        """Return the kind of a check: secret if anything says so, else that of its line or its label."""
        kinds = (line.check_kind, self._kind_below)
        if "secret" in kinds or self._is_secret_above:
            return "secret"
        return line.check_kind if line.check_kind != "check" else self._kind_below

    def _belongs_to_check(self, line: TextLine) -> bool:
        """True if a line says the sides of a contest. An outcome of a chain opens the text of the chain."""
        check = self._check
        if not check or line.style:
            return False
        if check.kind == "chain" and COUNTED.match(line.words.flat):
            self._handle_follows(line)
        return check.kind == "contest" and read_sides(line.words, check)

    def _keep_aside(self, line: TextLine) -> bool:
        """Report a line for which there is no field; keep it as a note unless it is a heading of notes."""
        self._asides.setdefault(line.aside, []).append(line.words.raw)
        if line.style and line.style not in self._styles:
            return False
        self._fields.append_to(self._scene, "notes", line.raw)
        if line.aside == "aside_experience":
            self._fields.reopen_base()
        return True

    def _add_cut_in(self, line: TextLine) -> bool:
        if self._handout and not line.style:
            return False
        words = line.words
        found = CUT_IN.match(words.flat)
        assert found
        said = one_line(strip_quotation(words.since(found.end()).strip()))
        if not 0 < len(said) <= NAME:
            return False
        if self._handout:
            self._open_notes()
        self._scene.cut_ins.append(CutIn(id=self._new_id(), words=said))
        return True

    def _handle_follows(self, line: TextLine) -> bool:
        if self._check and not self._handout:
            self._fields.open(self._check, "follows", until_blank=True)
            self._fields.blanks = 0
        return False

    def _add_npcs(self, line: TextLine) -> bool:
        if self._handout and not line.style:
            return False
        prefix = NPCS.match(line.words.flat)
        assert prefix
        found = read_npcs(line.words, prefix.end(), self._new_id)
        if not all(0 < len(npc.name) <= NAME and not label_of(npc.name) for npc, _ in found):
            return False
        if self._handout:
            self._open_notes()
        self._scene.npcs += [npc for npc, _ in found]
        self._left += [one for _, left in found for one in left]
        return True

    def _handle_label(self, line: TextLine) -> bool:
        label, handout, check = line.label, self._handout, self._check
        is_line = 0 < len(line.rest) <= LINE
        if label in OF_THE_WHOLE:
            return self._handle_fact(line)
        if handout and label in ("open", "secret"):
            self._fields.open_base(handout, "text" if label == "open" else "secret")
            self._fields.append_text(*self._fields.current, line.rest)
            self._await_secret(label == "secret" and says_nothing(line.rest))
            return True
        if handout and label == "whom" and is_line and not handout.whom:
            handout.whom = one_line(line.rest)
            return True
        if check and label == "skill" and is_line and not check.skill:
            check.skill = one_line(line.rest)
            return True
        if label in ("read", "gm"):
            self._keeper = None
            self._open_notes()
            if label == "read":
                self._fields.open(self._scene, "read", until_blank=bool(line.rest))
                self._fields.append_text(self._scene, "read", line.rest)
            return label == "read"
        return not (handout and label == "mission") and self._handle_unused_label(line)

    def _handle_unused_label(self, line: TextLine) -> bool:
        """Handle a line whose label does not apply here like a line without a label."""
        line.kind = "heading" if line.style else "text"
        return self._handle_heading(line)

    def _handle_fact(self, line: TextLine) -> bool:
        in_a_scene = self._scene is not self._beside and line.style not in self._styles
        if in_a_scene or (self._handout and not self._ends_handout(line.style)):
            return self._handle_unused_label(line)
        self._scene, self._scene_style, self._check = self._beside, "", None
        self._among_handouts = line.label == "handouts"
        self._end_keeping(line.style)
        self._open_notes()
        match line.label:
            case "title" if 0 < len(line.rest) <= TITLE:
                title = one_line(strip_quotation(line.rest))
                self._document.title = self._document.title or title
                return self._document.title == title
            case "players" | "minutes" if line.rest:
                return self._read_fact(line)
            case "warns" | "pitch":
                self._fields.open(self._document, line.label, until_blank=bool(line.rest))
                for part in re.split(r"[、,，]\s*", line.rest) if line.label == "warns" else [line.rest]:
                    self._fields.append_text(self._document, line.label, part)
                return True
            case "handouts":
                return not line.rest
            case "about":
                return bool(line.aside) and self._keep_aside(line)
        return False

    def _read_fact(self, line: TextLine) -> bool:
        """Read the number of players or the play time; False if the line must go to the notes, too."""
        document, rest = self._document, line.rest
        if line.label == "players" and (players := read_players(rest)):
            *bounds, is_whole = players
            fitting = [min(max(number, 1), 8) for number in bounds]
            document.players_from, document.players_to = sorted(fitting)
            left, number = fitting != bounds, bounds[1]
        elif line.label == "minutes" and (time := read_minutes(rest)):
            number, is_whole = time
            document.minutes = min(max(number, 10), 1440)
            left = document.minutes != number
        else:
            self._left.append(ImportDifference("not_understood", line.raw))
            return False
        self._known.add(line.label)
        if left:
            self._left.append(ImportDifference(line.label, rest, number))
        return is_whole and not left

    def _place_loose_things(self) -> None:
        """Give text and things of no scene to the document and its first scene, or a scene of their own."""
        document, beside = self._document, self._beside
        if not document.scenes or beside.checks or beside.npcs or beside.read:
            if any(getattr(beside, name) for name in ("notes", "read", *beside.parts)):
                document.scenes.insert(0, beside)
            return
        document.notes = beside.notes
        first = document.scenes[0]
        first.letters = [*beside.letters, *first.letters]
        first.cut_ins = [*beside.cut_ins, *first.cut_ins]


def _covers_the_next(line: TextLine) -> bool:
    """True if a line has nothing behind the label that makes it secret."""
    return bool(line.secret_label and line.secret_label.is_alone)


def _is_a_number(line: TextLine) -> bool:
    """True if a line gives the number of players or the play time."""
    return line.label in ("players", "minutes") and bool(line.rest)


def _form(line: TextLine) -> str:
    """Return the form that a line shares with headings of its rank; empty for plain text."""
    if line.style or line.kind not in ("text", "quote"):
        return "handout" if line.kind == "handout" else line.style or line.kind
    marked = SYMBOL.match(FoldedText(line.raw).flat) if len(line.raw) <= LOOKED_AT else None
    return marked[1] if marked else ""
