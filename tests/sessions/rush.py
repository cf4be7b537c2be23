"""Many threads use all modules at once, in a process of their own: ``python -m tests.sessions.rush``.

With ``--cold`` they are the first ever to; most such processes die (docs/msgspec-threads.md).
"""

from __future__ import annotations

import sys
from threading import Barrier, Thread

import msgspec

from companion.fate import Fate
from sessions.engine.registry import preload_types, registry
from sessions.engine.step import encode, start
from sessions.engine.undo import decode_table_move

THREADS = 12


def main(*, cold: bool) -> int:
    """Return how many of the threads came through."""
    sys.setswitchinterval(1e-6)
    if not cold:
        preload_types()
    tables = {
        module.key: start(module, module.seat_list(module.seats.stop - 1), {}, Fate("rush", 0))
        for module in registry().values()
    }
    together, through = Barrier(THREADS), list[int]()

    def play() -> None:
        together.wait()
        for key, snapshot in tables.items():
            module = registry()[key]
            # Not by the decoder that the module keeps: that one is made under a lock on some Pythons.
            state = msgspec.json.decode(snapshot, type=module.state)
            for seat in state.seats:
                for move in module.legal_moves(state, seat):
                    decode_table_move(module, encode(move))
                encode(module.view(state, seat))
        through.append(1)

    threads = [Thread(target=play) for _ in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return len(through)


if __name__ == "__main__":
    sys.exit(main(cold="--cold" in sys.argv) != THREADS)
