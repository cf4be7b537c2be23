"""The ASGI application of a bench."""

from concurrent.futures import ThreadPoolExecutor

from sessions.bench import watch

watch.begin_watching()

from companion.asgi import application  # noqa: E402
from sessions.bench import tables  # noqa: E402

__all__ = ["application"]

# In a thread, because Django refuses database queries in an event loop; and before the first request.
with ThreadPoolExecutor(1) as thread:
    thread.submit(tables.reopen_table).result()
