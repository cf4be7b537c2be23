"""The engine below every table: steps, undo, bots, playthroughs and the registry of games. Pure Python."""
