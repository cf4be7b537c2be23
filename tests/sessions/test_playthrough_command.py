"""``manage.py playthrough`` from outside: its output and its exit status."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sessions.engine import playthrough

ROOT = Path(__file__).parents[2]
CALL = {
    "type": "call",
    "seat": "p1",
    "npc": None,
    "difficulty": 1,
    "label": "",
    "skill": False,
    "q": 0,
    "tool_missing": False,
    "chain": False,
}
END = {"seat": "gm", "move": {"type": "end"}}


@pytest.fixture
def play(tmp_path: Path) -> Callable[..., tuple[int, list[Any], str]]:
    """Run a script given as fields or as raw bytes. Return status, lines and complaint."""

    def run(raw: bytes | None = None, /, **script: Any) -> tuple[int, list[Any], str]:
        path = tmp_path / "script.json"
        table = {"module": "uroboros", "seats": ["gm", "p1", "p2"], "secret": "any text"}
        path.write_bytes(json.dumps(table | script).encode() if raw is None else raw)
        printed: list[str] = []
        complaints: list[str] = []
        status = playthrough.main(str(path), printed.append, complaints.append)
        return status, [json.loads(line) for line in "".join(printed).splitlines()], "".join(complaints)

    return run


def test_a_playthrough_prints_one_line_a_step_and_the_outcome(play: Callable[..., Any]) -> None:
    steps = [
        {"seat": "gm", "move": {"type": "declare", "text": "dusk"}},
        {"seat": "p1", "move": {"type": "bogus"}, "refused": True},
        {"view": "p1"},
        {"view": None},
        {"legal": "p2"},
        END,
    ]
    status, lines, _ = play(steps=steps)
    assert status == 0
    event = {"kind": "declared", "data": {"seat": "gm", "text": "dusk"}, "to": None}
    assert lines[0] == {"step": 0, "accepted": True, "version": 1, "events": [event]}
    assert lines[1] == {"step": 1, "accepted": False, "code": "malformed_move"}
    assert set(lines[2]) == {"step", "view"}
    assert lines[3]["view"]["me"] is None
    assert lines[4] == {"step": 4, "legal": [{"type": "declare", "text": "…"}]}
    assert lines[5]["version"] == 2
    assert lines[6] == {"outcome": {"winners": [], "reason": "ended"}, "waiting_for": []}


def test_a_playthrough_exits_with_1_after_an_unexpected_answer_to_a_move(play: Callable[..., Any]) -> None:
    status, lines, _ = play(steps=[{"seat": "p1", "move": {"type": "flip"}}, END])
    assert (status, len(lines)) == (1, 3)
    status, lines, _ = play(steps=[{"seat": "gm", "move": {"type": "flip"}, "refused": True}, END])
    assert (status, len(lines)) == (1, 3)


def test_a_move_of_an_unknown_seat_or_after_the_end_is_refused(play: Callable[..., Any]) -> None:
    stranger = {"seat": "p3", "move": {"type": "declare", "text": "hello"}, "refused": True}
    late = {"seat": "p1", "move": {"type": "declare", "text": "hello"}, "refused": True}
    status, lines, _ = play(steps=[stranger, END, late])
    assert status == 0
    assert [line.get("code") for line in lines] == ["not_seated", None, "game_over", None]


@pytest.mark.parametrize("nested", [50, 900, 5000, 200_000])
def test_a_deeply_nested_move_is_refused(play: Callable[..., Any], nested: int) -> None:
    deep = b'{"type":"declare","text":"]\\"}",' + b'"x":' + b"[" * nested + b"]" * nested + b"}"
    raw = b'{"module":"uroboros","seats":["gm","p1"],"steps":[{"seat":"p1","move":' + deep
    status, lines, _ = play(raw + b',"refused":true},{"seat":"gm","move":{"type":"end"}}]}')
    assert status == 0
    assert lines[0] == {"step": 0, "accepted": False, "code": "malformed_move"}


@pytest.mark.parametrize("text", ["\ud800", "x\udfff", "\udc00\ud800", "\ud800\ud83d\ude00", "\\\ud800"])
def test_a_move_with_half_a_surrogate_pair_is_refused(play: Callable[..., Any], text: str) -> None:
    half = {"seat": "p1", "move": {"type": "declare", "text": text}, "refused": True}
    whole = {"seat": "p1", "move": {"type": "declare", "text": "\\ud800 😀"}}
    status, lines, _ = play(steps=[half, whole, {"view": "p1"}])
    assert (status, lines[0]["code"]) == (0, "malformed_move")
    assert lines[2]["view"]["declared"] == {"p1": "\\ud800 😀"}


def test_a_move_of_megabytes_is_refused(play: Callable[..., Any]) -> None:
    move = {"type": "declare", "text": "x" * 3_000_000}
    status, lines, _ = play(steps=[{"seat": "p1", "move": move, "refused": True}])
    assert (status, lines[0]["code"]) == (0, "malformed_move")


@pytest.mark.parametrize(
    "script",
    [
        *(b"", b"{", b"[]", b"null", b"\xff", b"[" * 100_000),
        *(b'{"module": "uroboros"}', b'{"module": "\\ud800"}'),
        {"module": "chess"},
        {"module": ""},
        {"seats": []},
        {"seats": ["gm"]},
        {"seats": ["p1", "gm"]},
        {"seats": ["gm", "p2", "p1"]},
        {"seats": ["gm", "p1", "p1"]},
        {"seats": ["gm", *(f"p{n}" for n in range(1, 10))]},
        {"seats": "gm"},
        {"options": {"jokers": 3}},
        {"options": {"surprise": 1}},
        {"options": []},
        {"fate": {"shuffles": {"seating": [["p1"]]}}},
        {"fate": {"shuffles": {"seating": [["p1", "p3"]]}}},
        {"fate": {"shuffles": {"deck": [["s01"]]}}},
        {"fate": {"rolls": {"green": ["8"]}}},
        {"steps": {}},
        {"steps": [{}]},
        {"steps": [{"seat": "gm"}]},
        {"steps": [{"view": "gm", "legal": "gm"}]},
        {"steps": [{"legal": None}]},
        {"steps": [{"view": 1}]},
    ],
)
def test_a_playthrough_exits_with_2_for_an_invalid_script(play: Callable[..., Any], script: Any) -> None:
    status, lines, complaint = play(script) if isinstance(script, bytes) else play(**script)
    assert (status, lines) == (2, [])
    assert complaint


@pytest.mark.parametrize("step", [{"view": "p3"}, {"legal": "p3"}])
def test_a_playthrough_exits_with_2_at_a_step_with_an_unknown_seat(
    play: Callable[..., Any], step: Any
) -> None:
    status, lines, _ = play(steps=[{"view": None}, step, END])
    assert (status, len(lines)) == (2, 1)


def test_a_playthrough_exits_with_2_at_a_shuffle_of_the_wrong_cards(play: Callable[..., Any]) -> None:
    """Flips use up the deck, and the reshuffle then takes an order of the wrong cards."""
    flips = [{"seat": "gm", "move": {"type": "flip"}}] * 54
    deck = [f"{suit}{rank:02}" for suit in "shdc" for rank in range(1, 14)] + ["x01", "x02"]
    status, lines, complaint = play(steps=flips, fate={"shuffles": {"deck": [deck, ["s01"]]}})
    assert status == 2
    assert 40 < len(lines) < 54
    assert "deck" in complaint


def test_a_playthrough_exits_with_2_for_a_missing_file(tmp_path: Path) -> None:
    assert playthrough.main(str(tmp_path / "none.json"), str, str) == 2


def manage(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run manage.py as a person would."""
    command = [sys.executable, "manage.py", "playthrough", *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=60)


def test_manage_py_playthrough_prints_lines_and_sets_the_exit_status(tmp_path: Path) -> None:
    path = tmp_path / "script.json"
    script = {"module": "uroboros", "seats": ["gm", "p1"], "steps": [{"seat": "gm", "move": CALL}, END]}
    path.write_text(json.dumps(script))
    done = manage(str(path))
    assert done.returncode == 0
    assert [json.loads(line).get("accepted") for line in done.stdout.splitlines()] == [True, True, None]
    path.write_text(json.dumps(script | {"steps": [{"seat": "p1", "move": CALL}]}))
    assert manage(str(path)).returncode == 1
    path.write_text("{")
    assert manage(str(path)).returncode == 2


def test_manage_py_playthrough_plays_random_games() -> None:
    done = manage("--random", "uroboros", "--seats", "3", "--games", "2", "--seed", "7")
    figures = json.loads(done.stdout.splitlines()[-1])
    assert set(figures) == {"module", "seats", "games", "finished", "moves", "moves_per_s"}
    assert (figures["module"], figures["seats"], figures["games"], figures["finished"]) == (
        "uroboros",
        3,
        2,
        2,
    )
    assert figures["moves"] > 0
    again = manage("--random", "uroboros", "--seats", "3", "--games", "2", "--seed", "7")
    assert json.loads(again.stdout.splitlines()[-1])["moves"] == figures["moves"]


@pytest.mark.parametrize(
    "arguments",
    [[], ["a.json", "--random", "uroboros"], ["--random", "uroboros", "--seats", "9"], ["--random", "chess"]],
)
def test_manage_py_playthrough_exits_with_2_for_invalid_arguments(arguments: list[str]) -> None:
    done = manage(*arguments)
    assert done.returncode == 2
    assert done.stderr
    assert "Traceback" not in done.stderr


SAY = {"seat": "p1", "move": {"type": "declare", "text": "up"}}
UNDO = {"seat": "p1", "move": {"type": "undo"}}


def test_a_script_can_undo_and_rewind_moves(play: Callable[..., Any]) -> None:
    add = {"seat": "gm", "move": {"type": "add_npc", "name": "wyrm", "rank": 6}}
    steps = [
        {"view": None},
        SAY,
        UNDO,
        {"view": None},
        {**UNDO, "refused": True},
        add,
        {"seat": "gm", "move": {"type": "undo"}, "refused": True},
        SAY,
        {"seat": "p1", "move": {"type": "rewind", "to": 0}, "refused": True},
        {"seat": "gm", "move": {"type": "rewind", "to": 2}, "refused": True},
        {"seat": "gm", "move": {"type": "rewind", "to": 0, "reason": "too much"}},
        {"view": None},
        END,
    ]
    status, lines, complaint = play(steps=steps)
    assert (status, complaint) == (0, "")
    assert lines[2]["events"] == [{"kind": "undone", "data": {"seat": "p1", "number": 1}, "to": None}]
    assert lines[0]["view"] == lines[3]["view"] == lines[11]["view"]
    codes = [line["code"] for line in lines if "code" in line]
    assert codes == ["cannot_undo", "cannot_undo", "gm_only", "cannot_rewind"]
    assert lines[10]["version"] == 5
    assert lines[10]["events"][0]["data"] == {"to": 0, "count": 2, "reason": "too much"}
    assert lines[-1]["outcome"]
