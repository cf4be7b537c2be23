"""A live table of any module: its opening, moves, seat views, log and bots."""
