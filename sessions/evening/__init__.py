"""The evening round the tables: its seats, its people, its handouts, and the pages that hear of a change."""
