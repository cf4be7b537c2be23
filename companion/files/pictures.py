"""Pictures from outside: checked, decoded, cut and written anew; nothing of the file that came is kept.

What a stranger sends is never stored and never sent on. A picture is decoded to pixels, and a new WebP is
written from those. Metadata (places of photographs too), attachments and scripts have nowhere to stay.
"""

from __future__ import annotations

import io
from dataclasses import dataclass
from threading import Lock
from typing import NamedTuple

from PIL import Image, ImageCms, ImageOps

MEDIA_TYPE = "image/webp"
#: The decoders that a stranger reaches. SVG is a program, and animations have no use here.
FORMATS = ("JPEG", "PNG", "WEBP")
BYTES_AT_MOST = 5_000_000
#: What a good telephone takes. Decoded it needs 100 MB for a moment, and one is decoded at a time.
PIXELS_AT_MOST = 25_000_000
SIDE_AT_MOST = 10_000
#: A photograph has some ten. Each scan goes over all pixels, and thousands fit into a small file.
JPEG_SCANS_AT_MOST = 100
START_OF_SCAN = b"\xff\xda"
JPEG_BEGINS = b"\xff\xd8"
EXIF, NO_EXIF = b"Exif\0\0", b"none\0\0"
#: As much as a JPEG's segment holds. Pillow copies what each of its many entries points at.
EXIF_BYTES_AT_MOST = 65_536
PNG_BEGINS = b"\x89PNG\r\n\x1a\n"
#: Recipes of programs that paint, among others. Pillow unpacks them, and refuses one of a megabyte.
PNG_TEXTS = (b"tEXt", b"zTXt", b"iTXt")
#: Where a PNG says how many bits a channel has.
PNG_BITS = 24
#: What a PNG without a gamma or a profile has; nobody sees a difference as small as the tolerance.
USUAL_GAMMA, GAMMA_TOLERANCE = 1 / 2.2, 0.02
QUALITIES = (82, 70, 55, 40, 25, 10)

SRGB = ImageCms.createProfile("sRGB")
PROFILES_FOR = {"L": "GRAY", "RGB": "RGB", "CMYK": "CMYK"}

_one_at_a_time = Lock()


class Shape(NamedTuple):
    """The size of pictures for one purpose, and the bytes that one may have.

    With ``fills`` a picture is cut to the shape around its middle; else it keeps its form and fits into it.
    """

    width: int
    height: int
    fills: bool
    bytes: int


PORTRAIT = Shape(480, 640, fills=True, bytes=100_000)
#: Of these a character has twelve, and a file of one brings them all.
FACE = Shape(480, 640, fills=True, bytes=60_000)
#: For a screen at the wall, and for a phone that holds a letter.
SCENE = Shape(1600, 1200, fills=False, bytes=400_000)


class PictureRefused(Exception):
    """This is not taken as a picture. ``code`` says why; ``companion.files.gallery`` has the words."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@dataclass(frozen=True)
class Picture:
    """A picture that was written here: a WebP without metadata."""

    content: bytes
    width: int
    height: int


def rewritten(sent: bytes, shape: Shape) -> Picture:
    """Return a new picture with the pixels of the one that was sent.

    A picture is turned as its camera was held and never made larger. An animation becomes its first frame.

    :param sent: a JPEG, PNG or WebP file, or anything else that a stranger says is one.
    :raises PictureRefused: with one of the codes of ``companion.files.gallery.SENTENCES``.
    """
    if not sent:
        raise PictureRefused("picture_empty")
    if len(sent) > BYTES_AT_MOST:
        raise PictureRefused("picture_too_heavy")
    with _one_at_a_time:
        try:
            return _written(_in_srgb(_in_shape(_decoded(sent), shape)), shape.bytes)
        except (Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
            raise PictureRefused("picture_too_wide") from error
        except PictureRefused:
            raise
        except Exception as error:  # decoders of broken files fail in every way there is
            raise PictureRefused("picture_unreadable") from error


def written_before(content: bytes) -> Picture:
    """Return a picture that ``rewritten`` made once, from its bytes alone."""
    with Image.open(io.BytesIO(content), formats=("WEBP",)) as image:
        return Picture(content, image.width, image.height)


def _decoded(sent: bytes) -> Image.Image:
    # Opening reads the header alone; nothing is decoded before the size is known.
    with Image.open(io.BytesIO(_without_words(sent)), formats=FORMATS) as opened:
        width, height = opened.size
        if width * height > PIXELS_AT_MOST or max(width, height) > SIDE_AT_MOST:
            raise PictureRefused("picture_too_wide")
        if opened.format == "JPEG" and sent.count(START_OF_SCAN) > JPEG_SCANS_AT_MOST:
            raise PictureRefused("picture_unreadable")
        opened.load()
        if len(opened.info.get("exif", b"")) > EXIF_BYTES_AT_MOST:
            del opened.info["exif"]
        upright = ImageOps.exif_transpose(_eight_bits(opened, sent))
        return _as(upright, _mode_for(upright))


def _without_words(sent: bytes) -> bytes:
    """Return a PNG without its texts, a JPEG with one segment of Exif, any other file as it is."""
    if sent.startswith(JPEG_BEGINS):
        # Pillow joins all segments. The first tells how the camera was held; those behind it are of previews.
        behind = sent.find(EXIF) + len(EXIF)
        return sent[:behind] + sent[behind:].replace(EXIF, NO_EXIF)
    if not sent.startswith(PNG_BEGINS):
        return sent
    kept, place = [PNG_BEGINS], len(PNG_BEGINS)
    while place < len(sent):
        end = place + 12 + int.from_bytes(sent[place : place + 4])
        if sent[place + 4 : place + 8] not in PNG_TEXTS:
            kept.append(sent[place:end])
        place = end
    return b"".join(kept)


def _eight_bits(image: Image.Image, sent: bytes) -> Image.Image:
    """Return a picture with eight bits a channel.

    Pillow makes sixteen bits of grey nearly white. The colour that is seen through it keeps as a PNG
    has it, in as many bits as that has.
    """
    eight = image
    if image.mode == "I;16":
        eight = Image.frombytes("L", image.size, image.tobytes()[1::2])
        eight.info = image.info
    bits = sent[PNG_BITS] if image.format == "PNG" else 8
    match image.info.get("transparency"):
        case int(grey) if bits == 16:
            eight.info["transparency"] = grey >> 8
        case int(grey) if image.mode == "L":
            eight.info["transparency"] = grey * 255 // (2**bits - 1)
        case tuple(colour) if bits == 16:
            eight.info["transparency"] = tuple(channel >> 8 for channel in colour)
    return eight


def _mode_for(image: Image.Image) -> str:
    """Return the mode in which a picture can be made smaller, as near to its own as there is one."""
    if image.mode == "CMYK":
        return "CMYK"
    colours = "L" if image.mode in ("1", "L", "LA") else "RGB"
    return colours + ("A" if image.has_transparency_data else "")


def _as(image: Image.Image, mode: str) -> Image.Image:
    return image if image.mode == mode else image.convert(mode)


def _in_srgb(image: Image.Image) -> Image.Image:
    """Return a picture in the colours that screens expect, as browsers show it."""
    colours = _by_profile(image) or _with_usual_gamma(_as(image, "RGB"), image)
    if image.mode.endswith("A"):
        colours.putalpha(image.getchannel("A"))
    return colours


def _by_profile(image: Image.Image) -> Image.Image | None:
    """Return the colours that a picture's profile tells; None without one, or if it fits no such picture."""
    written = image.info.get("icc_profile")
    plain = _as(image, image.mode.removesuffix("A"))
    try:
        source = ImageCms.ImageCmsProfile(io.BytesIO(written or b""))
        if source.profile.xcolor_space.strip() != PROFILES_FOR[plain.mode]:
            return None
        return ImageCms.profileToProfile(plain, source, SRGB, outputMode="RGB")
    except (OSError, ImageCms.PyCMSError):  # a broken one, which browsers do not mind
        return None


def _with_usual_gamma(colours: Image.Image, image: Image.Image) -> Image.Image:
    """Return a PNG that names its gamma as it is meant."""
    gamma = image.info.get("gamma")
    if not gamma or "srgb" in image.info or abs(gamma - USUAL_GAMMA) < GAMMA_TOLERANCE:
        return colours
    curve = [round(255 * (value / 255) ** (USUAL_GAMMA / gamma)) for value in range(256)]
    return colours.point(curve * 3)


def _in_shape(image: Image.Image, shape: Shape) -> Image.Image:
    if not shape.fills:
        image.thumbnail((shape.width, shape.height), Image.Resampling.LANCZOS)
        return image
    smaller = min(1.0, image.width / shape.width, image.height / shape.height)
    size = max(round(shape.width * smaller), 1), max(round(shape.height * smaller), 1)
    return ImageOps.fit(image, size, Image.Resampling.LANCZOS)


def _written(image: Image.Image, bytes_at_most: int) -> Picture:
    pixels = Image.frombytes(image.mode, image.size, image.tobytes())  # and nothing that was beside them
    for quality in QUALITIES:
        written = io.BytesIO()
        pixels.save(written, "WEBP", quality=quality, alpha_quality=quality, method=4)
        if written.tell() <= bytes_at_most:
            return Picture(written.getvalue(), pixels.width, pixels.height)
    return _written(pixels.reduce(2), bytes_at_most)  # pure noise, at half the size
