"""``python -m tests.serve APP PORT [watched]``: the server of a test in a process of its own."""

import sys

import uvicorn

from companion.server import serving

if __name__ == "__main__":
    app, port, *watched = sys.argv[1:]
    sock = serving.listen("127.0.0.1", int(port))
    server = serving.Server if watched else uvicorn.Server
    server(serving.config(app)).run(sockets=[sock])
