"""Sentences are plain English: subject, verb, object. Functions are verbs, and a class name means one thing.

Readers understand a sentence that hangs on "whoever …" or "what is …" at the second reading only. The rules
stand in CONTRIBUTING.md, the words in docs/glossary.md.
"""

from __future__ import annotations

import ast
import builtins
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import django.db
import pytest

from tests.servers import ROOT

APPS = ("companion", "characters", "sessions")
#: Folders of the apps that are not the product, or whose sentences their history fixes.
LEFT_OUT = {"tests", "game_tests", "migrations"}
DOCUMENTS = [
    "README.md",
    "SECURITY.md",
    "CONTRIBUTING.md",
    *(f"docs/{page.name}" for page in ROOT.glob("docs/*.md")),
]

#: Folders with scripts, stylesheets and templates, and their comments.
PAGES = (*APPS, "static", "templates")
COMMENTS = {
    ".js": re.compile(r"/\*.*?\*/|(?:(?:^|\s)\s*//[^\n]*)+", re.DOTALL),
    ".css": re.compile(r"/\*.*?\*/", re.DOTALL),
    ".html": re.compile(r"\{#.*?#\}|\{% comment.*?endcomment %\}", re.DOTALL),
    ".jinja": re.compile(r"\{#.*?#\}", re.DOTALL),
}
#: The marks of a comment, which are no part of its sentences.
MARKS = re.compile(r"/\*+|\*+/|//|\{#-?|-?#\}|\{% \w*comment[^%]*%\}|---+")

VERBS = (
    "is has had was were are may can could comes? came stands? lies lay sits? asks? asked shows? goes went "
    "draws? plays? wants? reads? said says happened follows"
).replace(" ", "|")
HEADLESS = re.compile(
    rf"\b(whoever|whatever|whichever)\b|(^|[.:;,(] )(who|what) ({VERBS})\b"
    r"|\b(somebody|nobody|anew|of before|of now|by now|so many|a walk)\b",
    re.IGNORECASE,
)
#: Sentences with one of these words that are right: (file, a piece of the sentence).
RIGHT = [
    ("CONTRIBUTING.md", 'never "whoever", "what is" or "somebody"'),
]

#: Names of functions that are a participle or a preposition alone.
BARE = re.compile(
    r"_*([a-z]+ed|of|given|made|told|kept|taken|seen|drawn|shown|said|known|found|written|begun|lent|odd|other|rest|one"
    r"|all|here|away|beyond|beside|within|around|whole|own|alone|held|put|thrown|fresh|newest|stale|like|lies|lying"
    r"|brought|left|sent|spoken|worn|gone|met|born|due)"
)
#: Those that are right: a template's filter reads like a word of its sentence (``{{ cost|signed }}``).
RIGHT_FUNCTIONS = {"drawn", "seen", "signed", "told"}
#: Class names that two files of the core have: a model and the contract of games.
RIGHT_CLASSES = {"Move"}
#: Each game has a State, a View and moves of its own.
IN_GAMES = ("sessions/modules/", "sessions/management/starter")


def sentences_of(source: str) -> Iterator[tuple[int, str]]:
    """Return the docstrings and comments of a file, each with its line."""
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        if docstring := ast.get_docstring(node):
            yield node.body[0].lineno, docstring
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT and not token.string.startswith(("# type", "# noqa", "# fmt")):
            yield token.start[0], token.string.lstrip("#: ")


def comments_of(path: Path) -> Iterator[tuple[int, str]]:
    """Return the comments of a script, stylesheet or template, each with its line."""
    source = path.read_text("utf-8")
    for found in COMMENTS[path.suffix].finditer(source):
        yield source.count("\n", 0, found.start()) + 1, MARKS.sub(" ", found[0])


def headless(name: str, texts: Iterator[tuple[int, str]]) -> Iterator[str]:
    for line, text in texts:
        plain = re.sub(r"`+[^`]*`+", "code", " ".join(text.split()))
        if HEADLESS.search(plain) and not any(name == file and piece in plain for file, piece in RIGHT):
            yield f"{name}:{line} {plain[:120]}"


def python_files(app: str) -> list[Path]:
    return [
        path
        for path in sorted((ROOT / app).rglob("*.py"))
        if not LEFT_OUT & set(path.relative_to(ROOT).parts)
    ]


def page_files(folder: str) -> list[Path]:
    return [
        path
        for path in sorted((ROOT / folder).rglob("*"))
        if path.suffix in COMMENTS and not {*LEFT_OUT, "vendor"} & set(path.relative_to(ROOT).parts)
    ]


def all_sentences() -> Iterator[tuple[str, str]]:
    """Return the docstrings and comments of the product, each with its file and line."""
    for folder in PAGES:
        for path in page_files(folder):
            for line, text in comments_of(path):
                yield f"{path.relative_to(ROOT)}:{line}", text
    for app in APPS:
        for path in python_files(app):
            for line, text in sentences_of(path.read_text("utf-8")):
                yield f"{path.relative_to(ROOT)}:{line}", text


@pytest.mark.parametrize("app", APPS)
def test_docstrings_and_comments_have_a_subject(app: str) -> None:
    found = [
        sentence
        for path in python_files(app)
        for sentence in headless(str(path.relative_to(ROOT)), sentences_of(path.read_text("utf-8")))
    ]
    assert found == []


@pytest.mark.parametrize("folder", PAGES)
def test_comments_of_scripts_styles_and_templates_have_a_subject(folder: str) -> None:
    found = [
        sentence
        for path in page_files(folder)
        for sentence in headless(path.relative_to(ROOT).as_posix(), comments_of(path))
    ]
    assert found == []


@pytest.mark.parametrize("name", DOCUMENTS)
def test_sentences_of_documents_have_a_subject(name: str) -> None:
    words = " ".join((ROOT / name).read_text("utf-8").split())
    sentences = enumerate(re.split(r"(?<=[.:!?])\s+", words), 1)
    assert list(headless(name, sentences)) == []


def test_a_headless_sentence_is_found() -> None:
    source = '"""Whoever goes on begins another version."""\n# What is given comes back.\n'
    assert len(list(headless("one.py", sentences_of(source)))) == 2
    assert not list(headless("one.py", sentences_of('"""Return the seats that the table waits for."""\n')))


@pytest.mark.parametrize(
    ("name", "source"),
    [
        (
            "one.js",
            "go(); // Whoever goes on begins another.\n  // What is given\n  // comes back.\n/* Anew. */",
        ),
        ("one.css", "/* --- what is asked --- */ a { color: red; } /* Of now. */"),
        ("one.html", "{# What is given. #}<p>{% comment %}Nobody waits.{% endcomment %}"),
        ("one.jinja", "{#- What is given. -#}<p>{# Somebody waits. #}"),
    ],
)
def test_a_headless_comment_of_a_page_is_found(name: str, source: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(source, "utf-8")
    assert len(list(headless(name, comments_of(tmp_path / name)))) == 2


def definitions(*kinds: type[ast.AST]) -> Iterator[tuple[str, str]]:
    """Return the definitions of these kinds in the product, each name with its file and line."""
    for app in APPS:
        for path in python_files(app):
            name = path.relative_to(ROOT).as_posix()
            for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                if isinstance(node, kinds):
                    yield node.name, f"{name}:{node.lineno}"


def test_a_function_is_a_verb_with_its_object() -> None:
    functions = definitions(ast.FunctionDef, ast.AsyncFunctionDef)
    bare = {name: place for name, place in functions if BARE.fullmatch(name)}
    assert {name: place for name, place in bare.items() if name not in RIGHT_FUNCTIONS} == {}
    assert bare.keys() == RIGHT_FUNCTIONS, "an exception that nothing needs"


#: Tests by Hypothesis, whose examples depend on their names.
RIGHT_TESTS = {
    "test_whatever_was_taken_back_unseen_is_known_to_nobody",
    "test_whatever_was_taken_back_is_known_to_nobody_in_many_scripts",
}


def test_the_name_of_a_test_has_a_subject() -> None:
    headless = re.compile(
        r"def (test_(?:what|who|whom|whoever|whatever|somebody)_\w+|test_\w*_(?:whoever|somebody|anew)_\w+)"
    )
    files = [path for folder in ("tests", "sessions") for path in (ROOT / folder).rglob("test_*.py")]
    found = {name for path in files for name in headless.findall(path.read_text("utf-8"))}
    assert found == RIGHT_TESTS


def test_a_class_name_means_one_thing() -> None:
    places: dict[str, list[str]] = {}
    for name, place in definitions(ast.ClassDef):
        if name not in {"Meta", "Command"} and not place.startswith(IN_GAMES):
            places.setdefault(name, []).append(place)
    shared = {name: found for name, found in places.items() if len(found) > 1}
    assert {name: found for name, found in shared.items() if name not in RIGHT_CLASSES} == {}
    assert shared.keys() == RIGHT_CLASSES, "an exception that nothing needs"


def test_a_docstring_names_errors_that_exist() -> None:
    """They are defined or imported in the product, or they are errors of Python or of its database."""
    sources = {path: path.read_text("utf-8") for app in APPS for path in python_files(app)}
    known = vars(builtins).keys() | vars(django.db).keys()
    for source in sources.values():
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.ClassDef):
                known.add(node.name)
            elif isinstance(node, ast.ImportFrom):
                known |= {alias.asname or alias.name for alias in node.names}
    unknown = [
        f"{path.relative_to(ROOT)}: {error}"
        for path, source in sources.items()
        for error in re.findall(r":raises (\w+):", source)
        if error not in known
    ]
    assert unknown == []


def test_a_sentence_names_files_that_exist() -> None:
    folders = (*PAGES, "tests", "docs", "deploy")
    files = [path for folder in folders for path in (ROOT / folder).rglob("*.*")] + [*ROOT.glob("*.*")]
    known = {f"/{path.relative_to(ROOT).as_posix()}" for path in files}
    unknown = [
        f"{place} {name}"
        for place, text in all_sentences()
        for name in re.findall(r"[\w/-]+\.(?:py|js|css|html|jinja)\b", text)
        if not any(path.endswith(f"/{name.lstrip('/')}") for path in known)
    ]
    assert unknown == []


def test_a_sentence_names_what_its_module_defines() -> None:
    """``module.name`` is looked up in all our files of that name, if there is one."""
    defined: dict[str, set[str]] = {}
    for app in APPS:
        for path in python_files(app):
            names = defined.setdefault(path.parent.name if path.stem == "__init__" else path.stem, set())
            for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                    names.add(node.name)
                elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                    names.add(node.id)
                elif isinstance(node, ast.alias) and path.stem == "__init__":
                    names.add(node.asname or node.name)
    unknown = [
        f"{place} {module}.{name}"
        for place, text in all_sentences()
        for module, name in re.findall(r"``(?:\w+\.)*(\w+)\.(\w+)(?:\([^`]*\))?``", text)
        if module in defined and name not in {*defined[module], *defined, "py", "js", "css", "json"}
    ]
    assert unknown == []
