"""``takujo doctor`` where something is wrong, and on real networks with a phone in one of them."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

from django.db.migrations.recorder import MigrationRecorder
from django.test import Client
from django.utils import timezone

from companion import doctor
from companion.backups import retention
from companion.doctor import Severity
from companion.pages import reach
from tests.home import apart, run, surroundings
from tests.servers import ROOT, ThreadServer, free_port, listen, missing


def lines(said: str, mark: Severity) -> list[str]:
    """Return the findings with this mark."""
    return [line[2:] for line in said.splitlines() if line.startswith(mark.value)]


def test_doctor_reports_a_new_machine_as_well_in_its_language(tmp_path: Path) -> None:
    for lang, words in {
        "C.UTF-8": "設定に問題はありません。",
        "en_US.UTF-8": "The settings are in order.",
    }.items():
        ended = run(
            "doctor", "--port", str(free_port()), var=tmp_path, lang=lang, PUBLIC_URL="http://10.0.0.2"
        )
        assert ended.returncode == 0, ended.stdout
        assert words in lines(ended.stdout, Severity.GOOD)
        assert not ended.stderr


def test_doctor_names_a_remedy_for_each_wrong_setting(tmp_path: Path) -> None:
    with listen() as taken:
        port, nobody = taken.getsockname()[1], free_port()
        ended = run(
            "doctor",
            *("--port", str(port)),
            var=tmp_path,
            DATABASE_URL=f"postgres://takujo:canary@127.0.0.1:{nobody}/takujo",
            REDIS_URL=f"redis://127.0.0.1:{nobody}/0",
            EMAIL_URL="smtp://mail.example",
        )
    assert ended.returncode == 1
    wrong = "\n".join(lines(ended.stdout, Severity.BAD))
    assert f"PostgreSQL at 127.0.0.1:{nobody}" in wrong
    assert "Redis does not answer" in wrong
    assert f"Port {port} is not free" in wrong
    assert "EMAIL_URL is set without PUBLIC_URL" in wrong
    assert ended.stdout.count("    → ") >= len(lines(ended.stdout, Severity.BAD)) - 1, (
        "PostgreSQL's says it itself"
    )
    assert "canary" not in ended.stdout
    assert not ended.stderr


def test_doctor_reports_a_full_disk(tmp_path: Path) -> None:
    ended = run("doctor", var=tmp_path, before=apart(f"mount -t tmpfs -o size=64k tmpfs {tmp_path}"))
    assert ended.returncode == 1
    assert any("is full" in line for line in lines(ended.stdout, Severity.BAD)), ended.stdout


def test_doctor_reports_databases_of_other_versions(db: None) -> None:
    assert [finding.mark for finding in doctor.database()] == [Severity.GOOD, Severity.GOOD]
    recorder = MigrationRecorder.Migration
    recorder.objects.filter(app="companion").latest("pk").delete()
    assert [finding.mark for finding in doctor.database()] == [Severity.GOOD, Severity.LOOK]
    recorder.objects.create(app="companion", name="0999_tomorrow")
    assert [finding.mark for finding in doctor.database()] == [Severity.GOOD, Severity.BAD]


def test_doctor_warns_if_the_newest_backup_is_old(tmp_path: Path, settings) -> None:
    settings.BACKUP_DIR = tmp_path
    (nothing,) = doctor.backup()
    assert nothing.mark is Severity.LOOK
    (tmp_path / f"{timezone.now() - timedelta(days=3):{retention.NAME}}.backup").touch()
    (old,) = doctor.backup()
    assert old.mark is Severity.LOOK
    (tmp_path / f"{timezone.now():{retention.NAME}}.backup").touch()
    (new,) = doctor.backup()
    assert new.mark is Severity.GOOD


def test_doctor_finds_a_running_server_on_its_port(server: ThreadServer, settings) -> None:
    assert doctor.find_port(server.port).state is doctor.PortState.OURS
    assert doctor.is_ready(server.port)
    with listen() as other:
        assert doctor.find_port(other.getsockname()[1]).state is doctor.PortState.TAKEN
    assert doctor.find_port(free_port()).state is doctor.PortState.FREE


def test_the_reachability_page_counts_visits_of_phones_only() -> None:
    page = f"/reach/{reach.token()}/"
    assert Client().get("/reach/canary/").status_code == 404
    own, phone = Client(REMOTE_ADDR="127.0.0.1"), Client(REMOTE_ADDR="192.168.7.9")
    assert b"http-equiv" in own.get(page).content
    assert own.get(f"{page}seen/").json() == {}
    assert b'class="well"' in phone.get(page).content
    assert own.get(f"{page}seen/").json() == {"phone": "192.168.7.9", "host": "testserver"}
    assert b'class="well"' in own.get(page).content, "it turns green there, too"


#: A machine with Wi-Fi, cable, Docker and a VPN, and a phone (process $PHONE) in the Wi-Fi.
NETWORKS = """
ip link set lo up
unshare --net sleep 60 & PHONE=$!
until [ "$(readlink /proc/$PHONE/ns/net)" != "$(readlink /proc/$$/ns/net)" ]; do sleep 0.05; done
card() {
    ip link add "$1" type veth peer name "other-$1" && ip addr add "$2" dev "$1" && ip link set "$1" up
    ip link set "other-$1" netns $PHONE && nsenter --net --target $PHONE ip link set "other-$1" up
}
card wlan0 192.168.77.5/24 && card eth1 10.20.0.5/24 && card docker0 172.17.0.1/16 && card tun0 10.8.0.2/24
nsenter --net --target $PHONE ip addr add 192.168.77.9/24 dev other-wlan0 || exit 99
"$@" > doctor.txt & DOCTOR=$!
until grep -q Ctrl-C doctor.txt || ! kill -0 $DOCTOR; do sleep 0.05; done
nsenter --net --target $PHONE "$ASKS" -c "$ASK" "$(grep -o 'http://192.168.77.5:[^ ]*/reach/.*' doctor.txt)"
wait $DOCTOR; CODE=$?
kill $PHONE
exit $CODE
"""
ASK = "import sys, urllib.request; print(urllib.request.urlopen(sys.argv[1]).read().decode())"


def test_doctor_finds_the_network_in_which_a_phone_gets_through(tmp_path: Path) -> None:
    alone = ["unshare", "--map-root-user", "--net"]
    if not shutil.which("ip") or subprocess.run([*alone, "ip", "link", "add", "type", "veth"]).returncode:
        missing("networks of one's own")
    ended = subprocess.run(
        [*alone, "sh", "-c", NETWORKS, "sh", sys.executable, str(ROOT / "manage.py"), "doctor", "--phone"],
        cwd=tmp_path,
        env=surroundings("en_US.UTF-8", TAKUJO_VAR=str(tmp_path / "var"), ASKS=sys.executable, ASK=ASK),
        capture_output=True,
        text=True,
        timeout=60,
    )
    said = (tmp_path / "doctor.txt").read_text()
    assert ended.returncode == 0, ended.stderr + said
    assert 'class="well"' in ended.stdout
    assert "A phone (192.168.77.9) got through to 192.168.77.5:8000." in lines(said, Severity.GOOD)
    for url in re.findall(r"open (http://\S+)", said):
        assert url in ("http://192.168.77.5:8000/", "http://10.20.0.5:8000/")
    looked_at = "\n".join(lines(said, Severity.LOOK))
    assert "several networks" in looked_at
    assert "A VPN is on (tun0, 10.8.0.2)" in looked_at
    assert any("172.17.0.1" in line for line in lines(said, Severity.GOOD))
