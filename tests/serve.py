"""``python -m tests.serve APP ADDRESS PORT [watched]``: the server of a test in a process of its own."""

import sys

import uvicorn

from companion.server import serving

if __name__ == "__main__":
    app, address, port, *watched = sys.argv[1:]
    sock = serving.listen(address, int(port))
    server = serving.Server if watched else uvicorn.Server
    server(serving.config(app)).run(sockets=[sock])
