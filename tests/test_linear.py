"""Reading twice as much from a stranger takes about twice the time, with every parser.

A parser that takes the square needs four times as much. Processor time is measured, and measured
again if a busy machine spoiled it; a parser that is right passes at the first try.
"""

from __future__ import annotations

import gc
import io
import json
import struct
import time
import unicodedata
import zipfile
import zlib
from collections.abc import Callable
from contextlib import suppress
from itertools import count

import pytest
from PIL import Image

from characters.exchange import reader
from characters.exchange.parsing import UnreadableSheet
from characters.exchange.wording import JAPANESE
from companion import names
from companion.files import Unusable, pictures, sounds
from sessions.archive import campaign_file, scenario_file
from sessions.chat import commands
from sessions.scenarios import ccfolia_rooms, text_import
from sessions.scenarios.document import Unfit

GROWTH_AT_MOST, TRIES = 2.5, 24
#: Seconds. What reads the most that it may in less holds nobody up, and cannot be measured on a busy machine.
MEASURED_FROM = 0.02
REFUSALS = (Unfit, UnreadableSheet, Unusable, pictures.PictureRefused, sounds.SoundRefused)


def repeated(part: str, size: int) -> str:
    return part * (size // len(part))


def zipped(files: dict[str, str]) -> bytes:
    raw = io.BytesIO()
    with zipfile.ZipFile(raw, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return raw.getvalue()


def room(size: int, scene: str) -> bytes:
    scenes = {f"s{n}": {"name": scene, "text": scene * 3, "order": n} for n in range(size)}
    people = {f"c{n}": {"name": scene, "memo": scene * 9} for n in range(size)}
    entities = {"room": {}, "scenes": scenes, "characters": people, "notes": scenes, "effects": people}
    return zipped({"__data.json": json.dumps({"entities": entities})})


def scenario(size: int) -> bytes:
    scenes = [{"id": f"{n}", "leads": [f"{size - n}"]} for n in range(1, size)]
    whole = {"format": "takujo.scenario", "version": 1, "document": {"id": "0", "scenes": scenes}}
    return zipped({"scenario.json": json.dumps(whole)})


def campaign(size: int) -> bytes:
    return zipped(
        {"campaign.json": json.dumps({"format": "takujo.campaign", "version": 1, "x": ["y"] * size})}
    )


def piece(size: int, **data: object) -> str:
    params = [{"label": f"特技{n}", "value": "聞き耳、" * 3} for n in range(size)]
    status = [{"label": f"SAN{n}", "value": n, "max": n} for n in range(size)]
    told = {"name": "アユミ", "memo": "武器（2）\n" * size, "commands": "◆判定\n//a=1\n" * size}
    return json.dumps({"kind": "character", "data": told | {"params": params, "status": status} | data})


def udonarium(size: int) -> bytes:
    rows = "".join(f'<data name="特技{n}">聞き耳&amp;</data>' for n in range(size))
    return f'<character><data name="character"><data name="detail">{rows}</data></data></character>'.encode()


def jpeg(part: bytes, size: int) -> bytes:
    raw = io.BytesIO()
    Image.new("RGB", (8, 8)).save(raw, "JPEG")
    plain = raw.getvalue()
    segment = part[:2] + (len(part)).to_bytes(2, "big") + part[2:]
    return plain[:2] + segment * size + plain[2:]


def png(name: bytes, body: bytes, size: int) -> bytes:
    raw = io.BytesIO()
    Image.new("RGB", (8, 8)).save(raw, "PNG")
    plain = raw.getvalue()
    chunk = struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))
    return plain[:33] + chunk * size + plain[33:]


def wav(size: int) -> bytes:
    sound = b"fmt \x10\0\0\0\1\0\1\0\x40\x1f\0\0\x40\x1f\0\0\1\0\x08\0data\4\0\0\0abcd"
    return b"RIFF\0\0\0\0WAVE" + b"fact\0\0\0\0" * size + sound


def mp4(size: int) -> bytes:
    return b"\0\0\0\x0cftypM4A " + b"\0\0\0\x08free" * size


def as_pasted(text: str) -> None:
    numbers = count(1)
    text_import.read(text, lambda: f"x{next(numbers)}")


def as_room(content: bytes) -> None:
    numbers = count(1)
    ccfolia_rooms.read(content, lambda: f"x{next(numbers)}")


def as_name(text: str) -> None:
    names.clean_text(text)
    names.name_key(text)


def as_character(sent: str | bytes) -> None:
    if isinstance(sent, str):
        reader.read_text(sent, JAPANESE)
    else:
        reader.read_file(sent, JAPANESE)


PASTED = {
    "two styles": "■第1章\n◆第1話\n",
    "two levels": "#第1章\n##第1話\n",
    "acts": "# act 1\n◆act 2\n",
    "scenes in two marks": "■シーン1\n◆シーン1\n",
    "handouts": "■HO1：医師\n秘密：殺した\n",
    "one handout again and again": "HO1：医師\nHO1の秘密：x\n",
    "people": "○PC1\n【使命】\nx\n【秘密】\ny\n",
    "NPCs": "敵：雑魚×20、竜（ランク9）\n",
    "NPCs with much to say": f"敵：雑魚（{'z' * 250}）\n",
    "checks": "判定：登る（難易度9）\n成功：見える\n",
    "labels": "KP情報：x\n描写：y\n",
    "boxes": "┌─┐\n│【秘密】│\n└─┘\n",
    "quotations": "> 霧\n\n",
    "blank lines": "\n",
    "warnings": "注意：a、b、c\n",
    "numbers": "1. x\n\n",
    "one long line": "の秘密：HO1",
    "one sign": "■",
    "brackets": "（【《「",
    "tags": "<b>",
    "accents": "e\u0301\u0315\u0300",
    "jamo": "\u1100\u1161",
    "blanks": "　 ",
    "half width": "ﾊﾞ",
    "sonant marks": "か\u3099",
    "numbers before no label": "PC1の人(第一",
}
#: What is made of a number, the number, and what reads it.
READERS: dict[str, tuple[Callable[[int], str | bytes], int, Callable[..., object]]] = {
    **{
        f"pasted: {name}": ((lambda size, part=part: f"題\n\n{repeated(part, size)}x"), 20_000, as_pasted)
        for name, part in PASTED.items()
    },
    "room": (lambda size: room(size, "KP情報：霧"), 150, as_room),
    "scenario file": (lambda size: scenario(size), 15_000, scenario_file.read),
    "campaign file": (lambda size: campaign(size), 200_000, campaign_file.read),
    "piece": (lambda size: piece(size), 900, as_character),
    "piece in a text": (lambda size: "x{" * size + piece(size), 400, as_character),
    "palette": (lambda size: repeated("◆判定\n2d6>={a}\n", size * 10), 10_000, as_character),
    "braces": (lambda size: "{" * size, 100_000, as_character),
    "quotes in braces": (lambda size: '{"' * size, 60_000, as_character),
    "call": (lambda size: "a({" + "} " * size, 100_000, as_character),
    "Udonarium": (lambda size: udonarium(size), 1_500, as_character),
    "less than": (lambda size: ("<character>" + "<&" * size).encode(), 100_000, as_character),
    "chat": (
        lambda size: " @a :HP-1 {HP}" * size,
        1_500,
        lambda text: commands.fill_references(text, {}) and commands.edits(text),
    ),
    **{
        f"name: {unicodedata.name(sign)}": ((lambda size, sign=sign: sign * size), 15_000, as_name)
        for sign in "\ufe0f\u034f\u200c\u200d\u064e\u0301"
    },
    "chat, one address": (lambda size: "@" + " " * size + ":", 60_000, commands.edits),
    "chat, braces": (lambda size: "{" * size, 100_000, lambda text: commands.fill_references(text, {})),
    "JPEG: Exif": (
        lambda size: jpeg(b"\xff\xe1Exif\0\0x", size),
        200_000,
        lambda sent: pictures.rewritten(sent, pictures.FACE),
    ),
    "JPEG: words": (
        lambda size: jpeg(b"\xff\xfex", size),
        30_000,
        lambda sent: pictures.rewritten(sent, pictures.FACE),
    ),
    "PNG: words": (
        lambda size: png(b"tEXt", b"a\0b", size),
        10_000,
        lambda sent: pictures.rewritten(sent, pictures.FACE),
    ),
    "WAV": (lambda size: wav(size), 40_000, sounds.check_sound),
    "M4A": (lambda size: mp4(size), 40_000, sounds.check_sound),
}


@pytest.mark.parametrize("name", READERS)
def test_parsing_time_grows_linearly_with_the_input(name: str) -> None:
    make, size, read = READERS[name]
    once, twice = make(size), make(2 * size)
    least = [float("inf"), float("inf")]
    for _ in range(TRIES):
        least = [min(before, taken(read, sent)) for before, sent in zip(least, (once, twice), strict=True)]
        if least[1] < GROWTH_AT_MOST * max(least[0], MEASURED_FROM):
            return
    pytest.fail(f"{least[0]:.3f} s for so much, and {least[1]:.3f} s for twice as much")


def taken(read: Callable[..., object], sent: str | bytes) -> float:
    """Return the seconds of processor time that a reader takes, without those of the garbage collector.

    It collects after a number of new objects, so that it might be at work for the larger text alone.
    """
    gc.collect()
    gc.disable()
    begun = time.process_time()
    try:
        with suppress(*REFUSALS):
            read(sent)
        return time.process_time() - begun
    finally:
        gc.enable()


def test_quadratic_parsing_time_is_detected() -> None:
    def square(text: str) -> None:
        for place in range(0, len(text), 50):
            text[:place].count("b")

    least = [min(taken(square, "a" * size) for _ in range(3)) for size in (50_000, 100_000)]
    assert least[1] > GROWTH_AT_MOST * least[0]
