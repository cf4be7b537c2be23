"""The parts that only the TRPG has: hit points, NPCs, house rules, checklists."""
