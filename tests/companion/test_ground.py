"""The test ground itself: signed-in people, and a killed server that comes back as it was."""

from __future__ import annotations

import urllib.request

from tests.conftest import Somebody
from tests.servers import ProcessServer, answers


def test_each_test_person_has_a_client_of_their_own(
    gm: Somebody, ayumi: Somebody, bo: Somebody, kei: Somebody
) -> None:
    for who in (gm, ayumi, bo, kei):
        assert who.client.get("/").wsgi_request.person == who.person


def test_a_killed_server_comes_back_on_its_port_with_its_data(
    server_process: ProcessServer, gm: Somebody
) -> None:
    server_process.kill()
    assert not answers(server_process.port)
    server_process.start()
    with urllib.request.urlopen(
        urllib.request.Request(server_process.url + "/admin/", headers=gm.headers)
    ) as answer:
        assert answer.url.endswith("/admin/"), (
            "a server that forgot its key or its data sends the GM to sign in"
        )
