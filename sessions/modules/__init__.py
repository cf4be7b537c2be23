"""The games: one package each, discovered in this folder. No game imports another."""
