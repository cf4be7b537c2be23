"""Every rule id that heads a rule in a game's RULES.md is claimed by a test: ``@rule("UC-4.2")``."""

import re

from companion.games import folder_of
from sessions.game import AnyModule

HEADING = re.compile(r"^- \**([A-Z]{2}-\d+\.\d+)\b", re.MULTILINE)
CLAIM = re.compile(r"@rule\(([^)]*)\)")
ID = re.compile(r"[A-Z]{2}-\d+\.\d+")


def test_every_rule_is_claimed(module: AnyModule) -> None:
    folder = folder_of(module.key)
    assert folder
    page = (folder / "RULES.md").read_text("utf-8")
    headed = HEADING.findall(page)
    assert headed, "no rule ids found: this test could not have failed"
    assert len(headed) == len(set(headed))
    tests = "\n".join(path.read_text("utf-8") for path in (folder / "tests").glob("test_*.py"))
    claimed = {rule_id for claim in CLAIM.findall(tests) for rule_id in ID.findall(claim)}
    unclaimed = [rule_id for rule_id in headed if rule_id not in claimed]
    assert unclaimed == []
    assert claimed <= set(headed), "tests claim rules the page does not have"
