"""The parts that only board games have: opening, seats, best scores, rewards."""
