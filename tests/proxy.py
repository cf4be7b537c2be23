"""Caddy as deploy/ has it, before workers of a test."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from tests.servers import PATIENCE, ROOT, Addresses, answers, free_port, program, wait_until

CADDYFILE = ROOT / "deploy" / "Caddyfile"
#: For Caddy in a test: no socket but the one on loopback.
ALONE = "\n{\n\tadmin off\n\tauto_https off\n\tdefault_bind 127.0.0.1\n"


@contextmanager
def before(ports: Sequence[int], folder: Path, patience: str = "10s") -> Iterator[Addresses]:
    """Run Caddy with our Caddyfile before workers on these ports.

    :param patience: how long a request waits for a worker.
    """
    front = Addresses()
    front.port = free_port()
    config = folder / "Caddyfile"
    words = CADDYFILE.read_text().replace("\n{\n", ALONE, 1)
    config.write_text(words.replace("lb_try_duration 10s", f"lb_try_duration {patience}"))
    caddy = subprocess.Popen(
        [program("caddy"), "run", "--config", config, "--adapter", "caddyfile"],
        env={
            "PATH": os.environ["PATH"],
            "HOME": str(folder),
            "TAKUJO_HOST": f"http://127.0.0.1:{front.port}",
            "TAKUJO_WORKERS": " ".join(f"127.0.0.1:{port}" for port in ports),
        },
        stderr=subprocess.DEVNULL,
    )
    try:
        wait_until(lambda: answers(front.port), what="Caddy")
        yield front
    finally:
        caddy.terminate()
        caddy.wait(PATIENCE)
