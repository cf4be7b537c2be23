"""Nothing but pixels gets in, and no file however odd is kept as it came."""

from __future__ import annotations

import io
import struct
import time
import tracemalloc
import zipfile
import zlib
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageStat

from companion.files import gallery, pictures
from companion.files.pictures import PORTRAIT, SCENE, PictureRefused, rewritten
from companion.models import Picture
from tests.conftest import Somebody

SECRET = b"35.6586N 139.7454E"
SVG = b'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>'


def painted(width: int = 60, height: int = 40, mode: str = "RGB") -> Image.Image:
    """Return a picture whose left half is red and right half blue."""
    image = Image.new(mode, (width, height), "blue")
    image.paste("red", (0, 0, width // 2, height))
    return image


def saved(image: Image.Image, kind: str, **how: Any) -> bytes:
    written = io.BytesIO()
    image.save(written, kind, **how)
    return written.getvalue()


def png(
    width: int, height: int, data: bytes, *more: tuple[bytes, bytes], bits: int = 8, kind: int = 0
) -> bytes:
    """Return a PNG whose header may promise anything; one grey channel of eight bits without other words."""
    chunks = [
        (b"IHDR", struct.pack(">IIBBBBB", width, height, bits, kind, 0, 0, 0)),
        *more,
        (b"IDAT", data),
        (b"IEND", b""),
    ]
    parts = [struct.pack(">I", len(d)) + n + d + struct.pack(">I", zlib.crc32(n + d)) for n, d in chunks]
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


def opened(content: bytes) -> Image.Image:
    return Image.open(io.BytesIO(content))


def code(sent: bytes) -> str:
    with pytest.raises(PictureRefused) as refused:
        rewritten(sent, PORTRAIT)
    assert str(gallery.SENTENCES[refused.value.code])
    return refused.value.code


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_an_uploaded_picture_is_rewritten_as_webp(kind: str) -> None:
    picture = rewritten(saved(painted(), kind), SCENE)
    image = opened(picture.content)
    assert (image.format, image.size) == ("WEBP", (picture.width, picture.height)) == ("WEBP", (60, 40))
    red, blue = (image.convert("RGB").getpixel(place) for place in [(10, 20), (50, 20)])
    assert isinstance(red, tuple)
    assert isinstance(blue, tuple)
    assert red[0] > 200 > 60 > red[2]
    assert blue[2] > 200 > 60 > blue[0]


def test_a_portrait_is_cropped_to_three_by_four_and_never_enlarged() -> None:
    small, large = (rewritten(saved(painted(*size), "PNG"), PORTRAIT) for size in [(90, 40), (3000, 1000)])
    assert (small.width, small.height) == (30, 40)
    assert (large.width, large.height) == (480, 640)


def test_a_scene_picture_keeps_its_aspect_ratio() -> None:
    scene = rewritten(saved(painted(3200, 800), "JPEG"), SCENE)
    assert (scene.width, scene.height) == (1600, 400)


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGBA", "CMYK", "I;16"])
def test_pictures_of_every_colour_mode_are_accepted(mode: str) -> None:
    kind = "JPEG" if mode == "CMYK" else "PNG"
    assert rewritten(saved(Image.new(mode, (8, 8)), kind), PORTRAIT).content


GREY, RGB, PALETTE, GREY_A, RGBA = 0, 2, 3, 4, 6


def rows(pixels: bytes) -> bytes:
    """Return eight rows of a PNG with these pixels."""
    return zlib.compress((b"\0" + pixels) * 8)


@pytest.mark.parametrize(
    ("kind", "bits", "pixels", "more", "mean"),
    [
        (GREY, 16, [struct.pack(">H", 9000 * x) for x in range(8)], [], (123, 123, 123, 255)),
        (GREY, 16, [b"\x80\xff"] * 8, [(b"tRNS", b"\x80\xff")], (128, 128, 128, 0)),
        (GREY_A, 16, [b"\x80\xff\x40\0"] * 8, [], (128, 128, 128, 64)),
        (RGB, 16, [b"\x80\xff\x40\0\x80\0"] * 8, [], (128, 64, 128, 255)),
        (RGB, 16, [b"\x80\xff\x40\0\x80\0"] * 8, [(b"tRNS", b"\x80\xff\x40\0\x80\0")], (128, 64, 128, 0)),
        (RGBA, 16, [b"\x80\xff\x40\0\x80\0\x80\0"] * 8, [], (128, 64, 128, 128)),
        (GREY, 1, [b"\xaa"], [], (128, 128, 128, 255)),
        (GREY, 2, [b"\x55\x55"], [(b"tRNS", b"\0\1")], (85, 85, 85, 0)),
        (GREY, 4, [b"\x88"] * 4, [], (136, 136, 136, 255)),
        (
            PALETTE,
            8,
            [b"\1"] * 8,
            [(b"PLTE", b"\0\0\0\x80\x40\x80"), (b"tRNS", b"\xff\x60")],
            (128, 64, 128, 96),
        ),
        (GREY, 8, [b"\x37"] * 8, [(b"gAMA", struct.pack(">I", 100_000))], (127, 127, 127, 255)),
        (GREY, 8, [b"\x37"] * 8, [(b"gAMA", struct.pack(">I", 45_455))], (55, 55, 55, 255)),
    ],
)
def test_a_rewritten_png_has_the_colours_that_browsers_show(
    kind: int, bits: int, pixels: list[bytes], more: list[tuple[bytes, bytes]], mean: tuple[int, ...]
) -> None:
    assert shown(png(8, 8, rows(b"".join(pixels)), *more, bits=bits, kind=kind)) == pytest.approx(mean, abs=3)


def shown(sent: bytes) -> list[float]:
    """Return the mean of red, green, blue and opacity of what a picture becomes."""
    return ImageStat.Stat(opened(rewritten(sent, SCENE).content).convert("RGBA")).mean


WIDE = (Path(__file__).parent / "files/display_p3.jpg").read_bytes()


def test_wide_gamut_colours_become_srgb() -> None:
    assert shown(WIDE) == pytest.approx((115, 111, 15, 255), abs=3)
    profile = opened(WIDE).info["icc_profile"]
    olive = Image.new("RGB", (8, 8), (120, 115, 39))
    for image, opacity in [
        (olive, 255),
        (olive.quantize(2), 255),
        (Image.new("RGBA", (8, 8), (120, 115, 39, 99)), 99),
    ]:
        sent = saved(image, "PNG", icc_profile=profile)
        assert shown(sent) == pytest.approx((122, 115, 17, opacity), abs=3)


def test_a_broken_or_unfit_colour_profile_is_ignored() -> None:
    profile = opened(WIDE).info["icc_profile"]
    for image, written in [
        (Image.new("L", (8, 8), 100), profile),
        (Image.new("CMYK", (8, 8), (155, 155, 155, 0)), profile),
        (Image.new("RGB", (8, 8), (100, 100, 100)), profile[:200]),
        (Image.new("RGB", (8, 8), (100, 100, 100)), profile[:128] + bytes(len(profile) - 128)),
    ]:
        assert shown(saved(image, "JPEG", icc_profile=written)) == pytest.approx((100, 100, 100, 255), abs=3)


def test_text_chunks_of_a_png_are_not_unpacked() -> None:
    packed = zlib.compress(b"x" * 9_000_000)
    words = [(b"zTXt", b"prompt\0\0" + packed), (b"iTXt", b"prompt\0\1\0\0\0" + packed)]
    words += [(b"tEXt", b"workflow\0" + b"x" * 30_000)] * 99
    assert shown(png(8, 8, rows(b"\x37" * 8), *words)) == pytest.approx((55, 55, 55, 255), abs=3)
    assert code(png(8, 8, b"", *words)) == "picture_unreadable"


def test_a_transparent_picture_stays_transparent() -> None:
    assert opened(rewritten(saved(Image.new("RGBA", (8, 8)), "PNG"), SCENE).content).mode == "RGBA"


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_location_and_other_metadata_of_a_photograph_are_removed(kind: str) -> None:
    exif = Image.Exif()
    exif[0x010E] = SECRET.decode()
    exif.get_ifd(0x8825)[1] = "N"
    exif.get_ifd(0x8825)[29] = SECRET.decode()
    how: dict[str, Any] = {"exif": exif, "icc_profile": SECRET, "xmp": SECRET, "comment": SECRET}
    if kind == "PNG":
        from PIL.PngImagePlugin import PngInfo

        how["pnginfo"] = PngInfo()
        how["pnginfo"].add_text("Comment", SECRET.decode())
    sent = saved(painted(), kind, **how)
    assert SECRET in sent
    content = rewritten(sent, PORTRAIT).content
    assert SECRET not in content
    image = opened(content)
    assert not image.getexif()
    assert not {"exif", "icc_profile", "xmp", "comment"} & image.info.keys()


def test_a_photograph_is_turned_upright_by_its_exif() -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    turned = rewritten(saved(painted(), "JPEG", exif=exif), SCENE)
    assert (turned.width, turned.height) == (40, 60)


NO_PICTURES = {
    "svg": SVG,
    "svg-xml": b"<?xml version='1.0'?>" + SVG,
    "gif": saved(painted(), "GIF"),
    "gif-film": saved(painted(), "GIF", save_all=True, append_images=[painted()] * 50),
    **{kind: saved(painted(), kind) for kind in ("TIFF", "BMP", "PDF", "ICO")},
    "eps": b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n",
    "html": b"<!doctype html><script>alert(1)</script>",
    "png-head": b"\x89PNG\r\n\x1a\n",
    "zeros": b"\0" * 1000,
}


@pytest.mark.parametrize("sent", NO_PICTURES.values(), ids=NO_PICTURES)
def test_a_file_that_is_no_jpeg_png_or_webp_is_refused(sent: bytes) -> None:
    assert code(sent) == "picture_unreadable"


def test_empty_and_oversized_picture_files_are_refused() -> None:
    assert code(b"") == "picture_empty"
    assert code(saved(painted(), "PNG") + b"\0" * pictures.BYTES_AT_MOST) == "picture_too_heavy"


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_a_truncated_picture_file_is_refused(kind: str) -> None:
    whole = saved(Image.effect_noise((200, 200), 90).convert("RGB"), kind)
    assert code(whole[: len(whole) // 2]) == "picture_unreadable"


@pytest.mark.parametrize(
    "size", [(65_535, 65_535), (5_001, 5_000), (10_001, 2), (2, 10_001), (2**31 - 1, 9), (12_000, 9_000)]
)
def test_a_decompression_bomb_is_refused_by_its_header(size: tuple[int, int]) -> None:
    sent = png(*size, zlib.compress(b"\0" * 1_000_000))
    before = time.process_time()
    assert code(sent) == "picture_too_wide"
    assert time.process_time() - before < 0.5


def test_png_data_beyond_the_picture_is_not_unpacked() -> None:
    sent = png(8, 8, zlib.compress(b"\0" * 300_000_000, 1))
    before = time.process_time()
    rewritten(sent, PORTRAIT)
    assert time.process_time() - before < 0.2


def test_a_jpeg_of_thousands_of_scans_is_refused() -> None:
    sent = saved(painted(), "JPEG", progressive=True)
    first = sent.index(pictures.START_OF_SCAN)
    length = 2 + struct.unpack(">H", sent[first + 2 : first + 4])[0]
    scan = sent[first : sent.index(b"\xff", first + length)]
    assert code(sent[:first] + scan * 5_000 + sent[first:]) == "picture_unreadable"


def test_a_picture_that_is_also_a_zip_loses_the_zip() -> None:
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as packed:
        packed.writestr("index.html", SVG)
    for kind in ("JPEG", "PNG", "WEBP"):
        sent = saved(painted(), kind) + SVG + archive.getvalue()
        assert zipfile.is_zipfile(io.BytesIO(sent))
        content = rewritten(sent, PORTRAIT).content
        assert not zipfile.is_zipfile(io.BytesIO(content))
        assert b"<script" not in content


def test_a_rewritten_picture_stays_within_its_size_in_bytes() -> None:
    noise = Image.merge("RGBA", [Image.effect_noise((1600, 1200), 250) for _ in range(4)])
    sent = saved(noise.resize((480, 640)), "PNG")
    assert len(rewritten(sent, PORTRAIT).content) <= PORTRAIT.bytes


WHOLE = [saved(painted(), kind) for kind in ("JPEG", "PNG", "WEBP")]


@settings(deadline=None)
@given(st.sampled_from(WHOLE), st.lists(st.tuples(st.integers(0, 10_000), st.integers(0, 255)), min_size=1))
def test_a_damaged_file_is_a_picture_or_is_refused(whole: bytes, damage: list[tuple[int, int]]) -> None:
    """Every error of a decoder comes out as ``PictureRefused``."""
    sent = bytearray(whole)
    for place, value in damage:
        sent[place % len(sent)] = value
    with suppress(PictureRefused):
        assert opened(rewritten(bytes(sent), PORTRAIT).content).format == "WEBP"


@pytest.mark.django_db
def test_a_stored_picture_is_served_with_a_sandboxing_policy(ayumi: Somebody, bo: Somebody) -> None:
    kept = gallery.store_picture(ayumi.person, rewritten(saved(painted(), "PNG"), PORTRAIT))
    answer = bo.client.get(kept.get_absolute_url())
    assert opened(answer.content).size == (kept.width, kept.height)
    assert answer["Content-Type"] == "image/webp"
    assert answer["Content-Security-Policy"] == "default-src 'none'; sandbox"
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert "immutable" in answer["Cache-Control"]
    assert not answer.cookies
    assert bo.client.get("/pictures/1.webp").status_code == 404


@pytest.mark.django_db
def test_addresses_of_pictures_are_unique_and_not_guessable(ayumi: Somebody) -> None:
    picture = rewritten(saved(painted(), "PNG"), PORTRAIT)
    keys = {gallery.store_picture(ayumi.person, picture).key for _ in range(20)}
    assert len(keys) == 20
    assert all(len(key) >= 32 for key in keys)


@pytest.mark.django_db
def test_pictures_are_handed_over_and_erased_with_their_person(ayumi: Somebody, bo: Somebody) -> None:
    gallery.store_picture(ayumi.person, rewritten(saved(painted(), "PNG"), PORTRAIT))
    gallery.provider.hand_over(ayumi.person, bo.person)
    assert Picture.objects.get().owner == bo.person
    gallery.provider.clear(bo.person)
    assert not Picture.objects.exists()


@pytest.mark.parametrize("kind", ["PNG", "WEBP"])
def test_exif_whose_entries_all_point_at_one_megabyte_is_not_read(kind: str) -> None:
    entries, body = 200, 1_000_000
    head = b"II*\0" + struct.pack("<IH", 8, entries)
    at = len(head) + 12 * entries + 4
    listed = b"".join(struct.pack("<HHII", 0x9000 + entry, 7, body, at) for entry in range(entries))
    sent = saved(painted(), kind, exif=head + listed + bytes(4) + bytes(body))
    tracemalloc.start()
    rewritten(sent, SCENE)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 20 * body
