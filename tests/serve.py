"""``python -m tests.serve APP PORT``: the server of a test in a process of its own."""

import sys

import uvicorn

from companion.server import serving

if __name__ == "__main__":
    app, port = sys.argv[1:]
    sock = serving.listen("127.0.0.1", int(port))
    uvicorn.Server(serving.config(app)).run(sockets=[sock])
