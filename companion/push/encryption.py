"""Encrypt a notification for one browser (RFC 8291), and sign the request to its push service (RFC 8292).

``pywebpush`` would add aiohttp, requests and a dozen other dependencies for this.
"""

from __future__ import annotations

import json
import secrets
import time
from base64 import urlsafe_b64decode, urlsafe_b64encode
from functools import cache
from urllib.parse import urlsplit

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.conf import settings

#: The order of P-256: its private keys are the positive numbers below it.
ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
#: All messages are padded to this length, so that a push service cannot distinguish them.
LENGTH = 1024
#: The record size in the header of RFC 8188; none of our messages is longer.
RECORD = 4096
#: Seconds for which a signature is valid; push services allow a day.
GOOD_FOR = 12 * 60 * 60


def encode_base64url(raw: bytes) -> str:
    """Encode without padding, as the standards require."""
    return urlsafe_b64encode(raw).rstrip(b"=").decode()


def decode_base64url(text: str) -> bytes:
    """Decode without padding, or raise ValueError."""
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


def is_key(p256dh: str, auth: str) -> bool:
    try:
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), decode_base64url(p256dh))
        return len(decode_base64url(auth)) == 16
    except ValueError:
        return False


def encrypt_message(letter: bytes, p256dh: str, auth: str) -> bytes:
    """Encrypt a message for the browser with these keys; raise ValueError if it is too long."""
    if len(letter) >= LENGTH:
        raise ValueError("a letter has less than 1,024 bytes")
    theirs = decode_base64url(p256dh)
    own = ec.generate_private_key(ec.SECP256R1())
    ours = _point(own.public_key())
    shared = own.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), theirs))
    key = _derive_key(shared, decode_base64url(auth), b"WebPush: info\0" + theirs + ours, 32)
    salt = secrets.token_bytes(16)
    content_key = _derive_key(key, salt, b"Content-Encoding: aes128gcm\0", 16)
    nonce = _derive_key(key, salt, b"Content-Encoding: nonce\0", 12)
    # The delimiter of the last record (RFC 8188), then zeros up to the common length.
    plain = (letter + b"\x02").ljust(LENGTH, b"\0")
    header = salt + RECORD.to_bytes(4, "big") + bytes([len(ours)]) + ours
    return header + AESGCM(content_key).encrypt(nonce, plain, None)


@cache
def _own_key() -> ec.EllipticCurvePrivateKey:
    """Return the private key of this server for VAPID (RFC 8292).

    It is derived from ``SECRET_KEY``, so it needs no storage and is the same in all processes.
    """
    number = int.from_bytes(_derive_key(settings.SECRET_KEY.encode(), b"", b"takujo web push", 48), "big")
    return ec.derive_private_key(number % (ORDER - 1) + 1, ec.SECP256R1())


def public_key() -> str:
    return encode_base64url(_point(_own_key().public_key()))


def vapid_header(endpoint: str) -> str:
    """Return the ``Authorization`` header that identifies this server to a push service."""
    parts = urlsplit(endpoint)
    claims: dict[str, object] = {
        "aud": f"{parts.scheme}://{parts.netloc}",
        "exp": int(time.time()) + GOOD_FOR,
    }
    if settings.PUBLIC_URL.startswith("https:"):
        claims["sub"] = settings.PUBLIC_URL  # Apple's push service requires a contact
    said = [{"typ": "JWT", "alg": "ES256"}, claims]
    token = ".".join(encode_base64url(json.dumps(part, separators=(",", ":")).encode()) for part in said)
    r, s = decode_dss_signature(_own_key().sign(token.encode(), ec.ECDSA(SHA256())))
    signature = encode_base64url(r.to_bytes(32, "big") + s.to_bytes(32, "big"))
    return f"vapid t={token}.{signature}, k={public_key()}"


def _derive_key(secret: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    return HKDF(SHA256(), length, salt, info).derive(secret)


def _point(key: ec.EllipticCurvePublicKey) -> bytes:
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
