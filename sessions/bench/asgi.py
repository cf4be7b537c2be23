"""The entry of a bench's server."""

from concurrent.futures import ThreadPoolExecutor

from sessions.bench import watching

watching.begin()

from companion.asgi import application  # noqa: E402
from sessions.bench import tables  # noqa: E402

__all__ = ["application"]

# In a thread, as databases are asked outside of loops alone; and before anybody is served.
with ThreadPoolExecutor(1) as thread:
    thread.submit(tables.take_up).result()
