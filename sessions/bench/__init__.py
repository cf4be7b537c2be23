"""The bench: all seats of one game side by side, for its author. No server but ``play --game`` has it."""
