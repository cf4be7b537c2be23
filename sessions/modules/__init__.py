"""The games: one folder each, found by being there. No game imports another."""
