"""A push service and a browser for tests: it hears what our server sends, and opens it as a browser does."""

from __future__ import annotations

import json
from base64 import urlsafe_b64decode
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from companion.push.encryption import _point, decode_base64url, encode_base64url


@dataclass
class Heard:
    """One request to the push service."""

    path: str
    headers: dict[str, str]
    body: bytes


class Browser:
    """A browser's own keys; the other half is what it tells our server."""

    def __init__(self) -> None:
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._secret = b"sixteen bytes it"

    @property
    def keys(self) -> dict[str, str]:
        return {
            "p256dh": encode_base64url(_point(self._key.public_key())),
            "auth": encode_base64url(self._secret),
        }

    def opened(self, body: bytes) -> Any:
        """Return what a letter says, by the way back of RFC 8291."""
        salt, record, length = body[:16], int.from_bytes(body[16:20], "big"), body[20]
        theirs, content = body[21 : 21 + length], body[21 + length :]
        assert len(content) <= record
        shared = self._key.exchange(
            ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), theirs)
        )
        info = b"WebPush: info\0" + _point(self._key.public_key()) + theirs
        key = HKDF(SHA256(), 32, self._secret, info).derive(shared)
        content_key = HKDF(SHA256(), 16, salt, b"Content-Encoding: aes128gcm\0").derive(key)
        nonce = HKDF(SHA256(), 12, salt, b"Content-Encoding: nonce\0").derive(key)
        plain = AESGCM(content_key).decrypt(nonce, content, None).rstrip(b"\0")
        assert plain[-1:] == b"\x02", "the last record"
        return json.loads(plain[:-1])


@dataclass
class PushService:
    """The service of those browsers, on this machine."""

    port: int
    heard: list[Heard] = field(default_factory=list)
    #: What it answers next.
    status: int = 201
    browser: Browser = field(default_factory=Browser)

    def device(self, name: str = "a") -> dict[str, str]:
        """Return what a browser tells our server to be told something."""
        return {"endpoint": f"http://127.0.0.1:{self.port}/{name}", **self.browser.keys}

    def letters(self) -> list[Any]:
        """Return the decrypted messages to the browsers, and begin an empty list."""
        found = [self.browser.opened(each.body) for each in self.heard]
        self.heard.clear()
        return found


def verified(heard: Heard) -> dict[str, Any]:
    """Return what the sender says of itself, if its signature is good."""
    scheme, _, rest = heard.headers["Authorization"].partition(" ")
    assert scheme == "vapid"
    parts = dict(part.strip().split("=", 1) for part in rest.split(","))
    said, _, signature = parts["t"].rpartition(".")
    raw = decode_base64url(signature)
    signed = encode_dss_signature(int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big"))
    key = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), decode_base64url(parts["k"]))
    key.verify(signed, said.encode(), ec.ECDSA(SHA256()))
    claims: dict[str, Any] = json.loads(urlsafe_b64decode(said.split(".")[1] + "=="))
    return claims | {"k": parts["k"]}


@contextmanager
def push_service() -> Iterator[PushService]:
    """Serve while the block lasts."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            service.heard.append(Heard(self.path, dict(self.headers), body))
            self.send_response(service.status)
            self.send_header("Location", f"http://127.0.0.1:{service.port}/elsewhere")
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *args: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    service = PushService(server.server_address[1])
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        yield service
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
