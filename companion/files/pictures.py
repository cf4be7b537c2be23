"""Uploaded pictures: validate, decode, crop and re-encode them.

An uploaded file is never stored or sent to others. It is decoded to pixels, and a new WebP is written from
those, so metadata (such as the locations of photographs), attachments and scripts are dropped.
"""

from __future__ import annotations

import io
from dataclasses import dataclass
from threading import Lock
from typing import NamedTuple

from PIL import Image, ImageCms, ImageOps

MEDIA_TYPE = "image/webp"
#: The only decoders that run on uploads. SVG can contain scripts, and animations have no use here.
FORMATS = ("JPEG", "PNG", "WEBP")
BYTES_AT_MOST = 5_000_000
#: As many as the camera of a good phone has. Decoding needs 100 MB; one picture is decoded at a time.
PIXELS_AT_MOST = 25_000_000
SIDE_AT_MOST = 10_000
#: A photograph has about ten. Decoding each scan passes over all pixels, and a small file can hold thousands.
JPEG_SCANS_AT_MOST = 100
START_OF_SCAN = b"\xff\xda"
JPEG_BEGINS = b"\xff\xd8"
EXIF, NO_EXIF = b"Exif\0\0", b"none\0\0"
#: The size of a JPEG segment. Pillow copies the data that each of the many Exif entries points to.
EXIF_BYTES_AT_MOST = 65_536
PNG_BEGINS = b"\x89PNG\r\n\x1a\n"
#: Text chunks, for example with settings of paint programs. Pillow decompresses them and refuses a megabyte.
PNG_TEXTS = (b"tEXt", b"zTXt", b"iTXt")
#: The offset of the bit depth in a PNG.
PNG_BITS = 24
#: The gamma of a PNG that declares none and has no profile. Differences within the tolerance are invisible.
USUAL_GAMMA, GAMMA_TOLERANCE = 1 / 2.2, 0.02
QUALITIES = (82, 70, 55, 40, 25, 10)
SRGB = ImageCms.createProfile("sRGB")
PROFILES_FOR = {"L": "GRAY", "RGB": "RGB", "CMYK": "CMYK"}
_one_at_a_time = Lock()


class Shape(NamedTuple):
    """The target size of pictures for one purpose, in pixels, and the maximum size of the file in bytes.

    With ``fills`` a picture is cropped to the shape around its centre; else it is scaled down to fit into it.
    """

    width: int
    height: int
    fills: bool
    bytes: int


PORTRAIT = Shape(480, 640, fills=True, bytes=100_000)
#: A character has up to twelve faces, and its exported file contains all of them.
FACE = Shape(480, 640, fills=True, bytes=60_000)
#: For a screen on the wall, and for a handout on a phone.
SCENE = Shape(1600, 1200, fills=False, bytes=400_000)


class PictureRefused(Exception):
    """An upload is refused as a picture. ``code`` is a key of ``companion.files.gallery.SENTENCES``."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@dataclass(frozen=True)
class EncodedPicture:
    """A picture encoded by this module: a WebP without metadata."""

    content: bytes
    width: int
    height: int


def rewritten(sent: bytes, shape: Shape) -> EncodedPicture:
    """Return a new picture with the pixels of an uploaded one.

    A picture is rotated by its Exif orientation and never enlarged. An animation becomes its first frame.

    :param sent: untrusted bytes; a JPEG, PNG or WebP file is accepted.
    :raises PictureRefused: with one of the codes of ``companion.files.gallery.SENTENCES``.
    """
    if not sent:
        raise PictureRefused("picture_empty")
    if len(sent) > BYTES_AT_MOST:
        raise PictureRefused("picture_too_heavy")
    with _one_at_a_time:
        try:
            return _encode_webp(_in_srgb(_in_shape(_decode(sent), shape)), shape.bytes)
        except (Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
            raise PictureRefused("picture_too_wide") from error
        except PictureRefused:
            raise
        except Exception as error:  # decoders may raise anything on broken files
            raise PictureRefused("picture_unreadable") from error


def written_before(content: bytes) -> EncodedPicture:
    """Restore an ``EncodedPicture`` from its bytes."""
    with Image.open(io.BytesIO(content), formats=("WEBP",)) as image:
        return EncodedPicture(content, image.width, image.height)


def _decode(sent: bytes) -> Image.Image:
    # Opening reads only the header, so the size is checked before anything is decoded.
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
    """Remove the text chunks of a PNG, and hide all Exif segments of a JPEG but the first from Pillow."""
    if sent.startswith(JPEG_BEGINS):
        # Pillow joins all segments. The first one has the orientation; later ones hold previews.
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
    """Convert a picture to eight bits per channel.

    Pillow would turn 16-bit grey nearly white. It also keeps a PNG's transparent colour in the bit depth of
    the file, so that is scaled, too.
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
    """Return the closest mode in which a picture can be resized."""
    if image.mode == "CMYK":
        return "CMYK"
    colours = "L" if image.mode in ("1", "L", "LA") else "RGB"
    return colours + ("A" if image.has_transparency_data else "")


def _as(image: Image.Image, mode: str) -> Image.Image:
    return image if image.mode == mode else image.convert(mode)


def _in_srgb(image: Image.Image) -> Image.Image:
    """Convert a picture to sRGB, as browsers show it."""
    colours = _by_profile(image) or _with_usual_gamma(_as(image, "RGB"), image)
    if image.mode.endswith("A"):
        colours.putalpha(image.getchannel("A"))
    return colours


def _by_profile(image: Image.Image) -> Image.Image | None:
    """Convert a picture by its ICC profile; None if it has none, or one that is broken or of another mode."""
    written = image.info.get("icc_profile")
    plain = _as(image, image.mode.removesuffix("A"))
    try:
        source = ImageCms.ImageCmsProfile(io.BytesIO(written or b""))
        if source.profile.xcolor_space.strip() != PROFILES_FOR[plain.mode]:
            return None
        return ImageCms.profileToProfile(plain, source, SRGB, outputMode="RGB")
    except (OSError, ImageCms.PyCMSError):  # broken profiles are ignored, as browsers do
        return None


def _with_usual_gamma(colours: Image.Image, image: Image.Image) -> Image.Image:
    """Apply the gamma that a PNG declares, unless it is the usual one or the PNG is marked as sRGB."""
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


def _encode_webp(image: Image.Image, bytes_at_most: int) -> EncodedPicture:
    pixels = Image.frombytes(image.mode, image.size, image.tobytes())  # drops all metadata
    for quality in QUALITIES:
        written = io.BytesIO()
        pixels.save(written, "WEBP", quality=quality, alpha_quality=quality, method=4)
        if written.tell() <= bytes_at_most:
            return EncodedPicture(written.getvalue(), pixels.width, pixels.height)
    return _encode_webp(pixels.reduce(2), bytes_at_most)  # for pure noise: try at half the size
