"""What belongs to the TRPG alone: hit points, NPCs, house rules, checklists."""
