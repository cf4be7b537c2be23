"""Docstrings, comments and documents are plain English: subject, verb, object.

Readers understand a sentence that hangs on "whoever …" or "what is …" at the second reading only. The rule
stands in CONTRIBUTING.md.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

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


@pytest.mark.parametrize("app", APPS)
def test_docstrings_and_comments_have_a_subject(app: str) -> None:
    found = [
        sentence
        for path in python_files(app)
        for sentence in headless(str(path.relative_to(ROOT)), sentences_of(path.read_text("utf-8")))
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
