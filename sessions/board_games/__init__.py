"""What belongs to the board games alone: opening, seats, best scores, rewards."""
