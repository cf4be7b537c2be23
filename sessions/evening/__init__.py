"""The evening round the tables: its seats, its people, what is handed out, and who hears of a change."""
