"""The moods of scenes: each has a picture, a light one, on which words can be read."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

from django.conf import settings

from sessions.scenarios.document import Mood

STATIC = Path(settings.STATICFILES_DIRS[0])
PICTURES = sorted((STATIC / "img" / "moods").glob("*.svg"))
SHEET = (STATIC / "css" / "moods.css").read_text()
#: The palest words that stand on a mood: the ink of dark pages.
WORDS = "#f0eadb"


def luminance(colour: str) -> float:
    parts = (int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5))
    red, green, blue = (part / 12.92 if part <= 0.04 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_every_mood_has_its_picture() -> None:
    drawn = set(re.findall(r'\[data-mood="(\w+)"\] \{ background-image: url\("../img/moods/\1.svg"\)', SHEET))
    assert drawn == set(get_args(Mood)) - {""} <= {picture.stem for picture in PICTURES}
    assert set(re.findall(r"moods/([\w-]+)\.svg", SHEET)) == {picture.stem for picture in PICTURES}


def test_text_has_enough_contrast_on_every_colour_of_every_mood() -> None:
    for picture in PICTURES:
        drawing = picture.read_text()
        assert len(drawing) < 8_000
        tones = set(re.findall(r'(?:fill|stroke)="(?!none)([^"]*)"', drawing))
        assert tones
        for tone in tones:
            contrast = (luminance(WORDS) + 0.05) / (luminance(tone) + 0.05)
            assert contrast >= 4.5, f"{picture.name}: {tone} {contrast:.2f}"


def test_animations_of_moods_change_only_transform_and_opacity() -> None:
    for frames in re.findall(r"@keyframes [\w-]+ \{((?:[^{}]|\{[^{}]*\})*)\}", SHEET):
        assert set(re.findall(r"([\w-]+):", frames)) <= {"transform", "opacity"}
