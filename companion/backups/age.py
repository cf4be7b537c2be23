"""Passphrase-encrypted files in the format of age (age-encryption.org/v1), which any age tool reads.

The format is specified at https://c2sp.org/age. All its primitives come from ``cryptography``, which has
wheels for every platform. Files are written and read in chunks, however long they are.
"""

from __future__ import annotations

import binascii
import hmac
import os
import re
from base64 import b64decode, b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

FIRST_LINE = b"age-encryption.org/v1\n"
HEADER = re.compile(
    rb"(age-encryption\.org/v1\n-> scrypt ([\w+/]{22}) ([1-9]\d?)\n([\w+/]{43})\n---) ([\w+/]{43})\n"
)
HEADER_AT_MOST = 200
#: log2 of scrypt's cost: 17 takes 128 MB and some tenths of a second per guess. age itself reads no file that
#: asks for more than 22 (4 GB).
WORK, WORK_AT_MOST = 17, 22
CHUNK, TAG, NONCE = 64 * 1024, 16, 16


class WrongPassphrase(Exception):
    """The file was encrypted with another passphrase."""


class EncryptingWriter:
    """An append-only file object that encrypts what is written to it."""

    def __init__(self, raw: IO[bytes], key: bytes) -> None:
        self._raw, self._cipher = raw, ChaCha20Poly1305(key)
        self._waiting, self._number = bytearray(), 0

    def write(self, data: bytes) -> int:
        self._waiting += data
        while len(self._waiting) > CHUNK:
            self._write_chunk(CHUNK, last=False)
        return len(data)

    def flush(self) -> None:
        """Do nothing: a chunk is written when it is full."""

    def end(self) -> None:
        """Write the last chunk; without it the file counts as truncated."""
        self._write_chunk(CHUNK, last=True)

    def _write_chunk(self, size: int, *, last: bool) -> None:
        piece = bytes(self._waiting[:size])
        del self._waiting[:size]
        self._raw.write(self._cipher.encrypt(_nonce(self._number, last=last), piece, None))
        self._number += 1


@contextmanager
def encrypting(raw: IO[bytes], passphrase: str) -> Iterator[EncryptingWriter]:
    file_key, salt, nonce = os.urandom(16), os.urandom(16), os.urandom(NONCE)
    wrapped = ChaCha20Poly1305(_stretch_passphrase(passphrase, salt, WORK)).encrypt(bytes(12), file_key, None)
    said = FIRST_LINE + b"-> scrypt %s %d\n%s\n---" % (_encode(salt), WORK, _encode(wrapped))
    raw.write(said + b" " + _encode(_mac(file_key, said)) + b"\n" + nonce)
    writer = EncryptingWriter(raw, _key(file_key, nonce, b"payload"))
    yield writer
    writer.end()


def decrypt(raw: IO[bytes], plain: IO[bytes], passphrase: str) -> None:
    """Decrypt ``raw`` into ``plain``, or raise ``WrongPassphrase``, or ValueError for a damaged file."""
    start = raw.read(HEADER_AT_MOST)
    if not (found := HEADER.match(start)):
        raise ValueError("no header of age with a passphrase")
    said, salt, work, wrapped, mac = found.groups()
    if int(work) > WORK_AT_MOST:
        raise ValueError("too much work")
    key = _stretch_passphrase(passphrase, _decode(salt), int(work))
    try:
        file_key = ChaCha20Poly1305(key).decrypt(bytes(12), _decode(wrapped), None)
    except InvalidTag as error:
        raise WrongPassphrase from error
    if not hmac.compare_digest(_mac(file_key, said), _decode(mac)):
        raise ValueError("another header")
    raw.seek(found.end())
    cipher = ChaCha20Poly1305(_key(file_key, raw.read(NONCE), b"payload"))
    try:
        for number, (piece, last) in enumerate(_read_chunks(raw)):
            plain.write(cipher.decrypt(_nonce(number, last=last), piece, None))
    except InvalidTag as error:
        raise ValueError("other bytes") from error


def _read_chunks(raw: IO[bytes]) -> Iterator[tuple[bytes, bool]]:
    """Yield each encrypted chunk, and whether it is the last one."""
    piece = raw.read(CHUNK + TAG)
    while after := raw.read(CHUNK + TAG):
        yield piece, False
        piece = after
    yield piece, True


def _nonce(number: int, *, last: bool) -> bytes:
    return number.to_bytes(11, "big") + bytes([last])


def _stretch_passphrase(passphrase: str, salt: bytes, work: int) -> bytes:
    kdf = Scrypt(salt=b"age-encryption.org/v1/scrypt" + salt, length=32, n=1 << work, r=8, p=1)
    return kdf.derive(passphrase.encode())


def _key(file_key: bytes, salt: bytes | None, info: bytes) -> bytes:
    return HKDF(algorithm=SHA256(), length=32, salt=salt, info=info).derive(file_key)


def _mac(file_key: bytes, header: bytes) -> bytes:
    return hmac.digest(_key(file_key, None, b"header"), header, "sha256")


def _encode(data: bytes) -> bytes:
    return b64encode(data).rstrip(b"=")


def _decode(text: bytes) -> bytes:
    try:
        return b64decode(text + b"=" * (-len(text) % 4), validate=True)
    except binascii.Error as error:
        raise ValueError("no base64") from error
