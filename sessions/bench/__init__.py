"""The bench: all seats of one game side by side, for its author. Only ``play --game`` serves it."""
