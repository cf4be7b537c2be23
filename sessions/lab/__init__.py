"""The designer's lab: bots play a game against each other, and one page shows the results."""
