"""A live table of any module: opening, moves, looks, its log and its bots."""
