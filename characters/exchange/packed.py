"""Zips and XML from outside, read within limits of bytes, members and ratio."""

from __future__ import annotations

import io
import zipfile
import zlib
from xml.etree.ElementTree import Element, ParseError

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import fromstring

from characters.exchange.unreadable import Unreadable

ENTRIES_AT_MOST = 200
BYTES_AT_MOST = 256_000
#: Every tool writes these. The others are unpacked a whole block at a time, however little is asked for.
PACKED_BY = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)


def documents(packed: bytes) -> list[bytes]:
    """Return the XML files of a zip.

    :raises Unreadable: ``zip_broken``, ``zip_too_large``, ``zip_packed_otherwise``.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(packed)) as archive:
            entries = archive.infolist()
            if len(entries) > ENTRIES_AT_MOST:
                raise Unreadable("zip_too_large")
            return _unpacked(archive, [entry for entry in entries if entry.filename.lower().endswith(".xml")])
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


def _unpacked(archive: zipfile.ZipFile, entries: list[zipfile.ZipInfo]) -> list[bytes]:
    if any(entry.compress_type not in PACKED_BY for entry in entries):
        raise Unreadable("zip_packed_otherwise")
    left, found = BYTES_AT_MOST, []
    for entry in entries:
        # The size that an entry gives may be a lie.
        with archive.open(entry) as file:
            document = file.read(left + 1)
        left -= len(document)
        if left < 0:
            raise Unreadable("zip_too_large")
        found.append(document)
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
