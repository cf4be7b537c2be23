"""Zips and XML from outside, read within limits of bytes, members and ratio."""

from __future__ import annotations

import io
import zipfile
import zlib
from dataclasses import dataclass
from xml.etree.ElementTree import Element, ParseError

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import fromstring

from characters.exchange.unreadable import Unreadable

#: Every tool writes these. The others are unpacked a whole block at a time, however little is asked for.
PACKED_BY = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
#: Beyond the first million bytes, no honest text is packed to less than a hundredth.
RATIO, FREE = 100, 1_000_000


@dataclass(frozen=True)
class Bounds:
    """How many members a zip may have, and how many bytes they may be together."""

    members: int
    bytes: int


SHEETS = Bounds(members=200, bytes=256_000)


def documents(packed: bytes) -> list[bytes]:
    """Return the XML files of a zip.

    :raises Unreadable: those of ``members``.
    """
    return list(members(packed, ".xml", SHEETS).values())


def members(packed: bytes, ending: str, bounds: Bounds) -> dict[str, bytes]:
    """Return the files of a zip with this ending, by name.

    :raises Unreadable: ``zip_broken``, ``zip_too_large``, ``zip_packed_otherwise``.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(packed)) as archive:
            entries = archive.infolist()
            if len(entries) > bounds.members:
                raise Unreadable("zip_too_large")
            wanted = [entry for entry in entries if entry.filename.lower().endswith(ending)]
            return _unpacked(archive, wanted, min(bounds.bytes, FREE + RATIO * len(packed)))
    except (
        zipfile.BadZipFile,
        zlib.error,
        EOFError,
        NotImplementedError,
        RuntimeError,
        OSError,
        ValueError,
    ) as error:
        raise Unreadable("zip_broken") from error


def _unpacked(archive: zipfile.ZipFile, entries: list[zipfile.ZipInfo], left: int) -> dict[str, bytes]:
    if any(entry.compress_type not in PACKED_BY for entry in entries):
        raise Unreadable("zip_packed_otherwise")
    found = {}
    for entry in entries:
        # The size that an entry gives may be a lie.
        with archive.open(entry) as file:
            document = file.read(left + 1)
        left -= len(document)
        if left < 0:
            raise Unreadable("zip_too_large")
        found[entry.filename] = document
    return found


def root(document: bytes | str) -> Element:
    """Return the root of an XML document. Entities and document types are refused.

    :raises Unreadable: ``xml_broken``, ``xml_forbidden``.
    """
    try:
        found: Element = fromstring(document, forbid_dtd=True)
    except DefusedXmlException as error:
        raise Unreadable("xml_forbidden") from error
    except ParseError as error:
        line, column = error.position
        raise Unreadable("xml_broken", line=line, column=column + 1) from error
    except (ValueError, LookupError) as error:  # an encoding that there is not, or not for XML
        raise Unreadable("xml_broken", line=1, column=1) from error
    return found
