"""Real servers for tests: the web server in a thread or in a process, Redis, PostgreSQL."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from contextlib import nullcontext
from pathlib import Path

from sessions.game_tests.serving import (
    LAN_NAME,
    PATIENCE,
    Addresses,
    ThreadServer,
    listen,
    missing,
    program,
    wait_until,
)

__all__ = ["LAN_NAME", "PATIENCE", "Addresses", "ThreadServer", "listen", "missing", "program", "wait_until"]

ROOT = Path(__file__).resolve().parent.parent


def free_port() -> int:
    """Return a port that was free a moment ago, and that no other process of this run is given."""
    with listen() as sock:
        return int(sock.getsockname()[1])


def answers(port: int, address: str = "127.0.0.1") -> bool:
    """True if a process listens on this port."""
    with socket.socket() as sock:
        sock.settimeout(0.2)
        return sock.connect_ex((address, port)) == 0


#: Moves with these words hang in tests.hanging_app.
IN_THE_GAME, IN_A_THREAD, IN_THE_LOOP = "hang in the game", "hang in a thread", "hang in the event loop"
#: What this process has set for itself: the settings, and with companion.asgi the patience of pages.
OWN = {"DJANGO_SETTINGS_MODULE", "PGOPTIONS"}


class ProcessServer(Addresses):
    """The same in a process of its own, which can be killed like a real one and started again on its port."""

    def __init__(
        self,
        env: dict[str, str],
        app: str = "companion.asgi:application",
        log: Path | None = None,
        folder: Path = ROOT,
        *,
        is_watched: bool = False,
    ) -> None:
        #: The folder of its code.
        self.folder = folder
        #: The file that its log goes to; None: the terminal of the test run.
        self.log = log
        self.env = {
            **{key: value for key, value in os.environ.items() if key not in OWN},
            "DJANGO_SETTINGS_MODULE": "tests.settings",
            **env,
        }
        self.app = app
        #: The command that begins with this one runs the server elsewhere, as in another network.
        self.within: list[str] = []
        #: True if it ends itself when it hangs, as ``serve`` does.
        self.is_watched = is_watched
        self.port = free_port()
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Serve, on the same port as before."""
        command = [
            *self.within,
            sys.executable,
            "-m",
            "tests.serve",
            self.app,
            self.address,
            str(self.port),
            *(["watched"] if self.is_watched else []),
        ]
        with self.log.open("a") if self.log else nullcontext() as log:
            self.process = subprocess.Popen(command, cwd=self.folder, env=self.env, stdout=log, stderr=log)
        process = self.process

        def up() -> bool:
            if process.poll() is not None:
                raise RuntimeError(f"the server ended with {process.returncode}")
            return answers(self.port, self.address)

        wait_until(up)

    def stop(self, with_signal: int = signal.SIGTERM) -> None:
        """End the server and wait until it has gone."""
        if self.process:
            self.process.send_signal(with_signal)
            self.process.wait(PATIENCE)
            self.process = None

    def kill(self) -> None:
        """Pull the plug: no goodbye to anybody."""
        self.stop(signal.SIGKILL)

    def freeze(self) -> None:
        """Leave connections open and unanswered, as a dead network does."""
        assert self.process
        self.process.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        """Go on after ``freeze``."""
        assert self.process
        self.process.send_signal(signal.SIGCONT)

    def manage(self, *arguments: str) -> str:
        """Run a management command on this server's database, and return its output."""
        done = subprocess.run(
            [sys.executable, "manage.py", *arguments],
            cwd=self.folder,
            env=self.env,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout


class RedisServer:
    """A redis-server that keeps nothing on disk: ``stop()``, then ``start()`` again, empty, on its port."""

    def __init__(self) -> None:
        self.port = free_port()
        self.url = f"redis://127.0.0.1:{self.port}/0"
        self.start()

    def start(self) -> None:
        listens = ["--port", str(self.port), "--bind", "127.0.0.1"]
        self.process = subprocess.Popen(
            [program("redis-server"), *listens, "--save", "", "--appendonly", "no"],
            stdout=subprocess.DEVNULL,
            cwd=tempfile.gettempdir(),
        )
        wait_until(lambda: answers(self.port), what="Redis")

    def stop(self, with_signal: int = signal.SIGTERM) -> None:
        self.process.send_signal(with_signal)
        self.process.wait(PATIENCE)


class PostgresServer:
    """A PostgreSQL cluster of its own in a temporary folder."""

    def __init__(self) -> None:
        found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
        initdb = str(found[-1]) if found else program("initdb")
        self.bin = Path(initdb).parent
        # Short: the path of its socket may not be longer than 107 bytes.
        self.folder = Path(tempfile.mkdtemp(prefix="takujo-pg-", dir="/tmp"))
        self.port = free_port()
        self.has_template = False
        self.url = f"postgres://postgres@127.0.0.1:{self.port}/postgres"
        data = self.data = self.folder / "data"
        if os.geteuid() == 0:  # PostgreSQL refuses to run as root.
            shutil.chown(self.folder, "postgres")
        self._run([initdb, "-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-sync"])
        self.start()

    def start(self) -> None:
        """Serve; after ``halt`` again, on the same port."""
        options = f"-p {self.port} -k {self.folder} -c listen_addresses=127.0.0.1 -c fsync=off"
        log = self.folder / "log"
        self._run([self.bin / "pg_ctl", "-D", self.data, "-o", options, "-l", log, "-w", "start"])

    def halt(self) -> None:
        """End at once, as for a restart; the data stay."""
        self._run([self.bin / "pg_ctl", "-D", self.data, "-m", "fast", "-w", "stop"])

    def _run(self, command: Iterable[str | Path]) -> None:
        words = [str(word) for word in command]
        if os.geteuid() == 0:
            words = ["setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups", *words]
        # Output to a file: a server that inherits a pipe would hold it open for ever.
        with tempfile.TemporaryFile("w+") as out:
            done = subprocess.run(
                words,
                cwd=self.folder,
                stdout=out,
                stderr=out,
                env={"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"},
            )
            out.seek(0)
            assert done.returncode == 0, out.read()

    def database(self, name: str, template: str = "template1") -> str:
        """Make an empty database and return its address; one of that name, of a test asked again, goes.

        :param template: a database to be copied instead.
        """
        here = ["-h", "127.0.0.1", "-p", str(self.port), "-U", "postgres"]
        self._run([self.bin / "dropdb", "--if-exists", "--force", *here, name])
        self._run([self.bin / "createdb", "--template", template, *here, name])
        return f"postgres://postgres@127.0.0.1:{self.port}/{name}"

    def migrated(self, name: str) -> str:
        """Make a database after all migrations, which run once: others are copies of the first one."""
        if not self.has_template:
            settings = {
                "DATABASE_URL": self.database("migrated"),
                "SECRET_KEY": "a template has one, too " * 3,
            }
            ProcessServer(settings).manage("migrate", "--verbosity", "0")
            self.has_template = True
        return self.database(name, template="migrated")

    def stop(self) -> None:
        self._run([self.bin / "pg_ctl", "-D", self.data, "-m", "immediate", "-w", "stop"])
        shutil.rmtree(self.folder, ignore_errors=True)
