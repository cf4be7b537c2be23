"""The tests that hold for every game, for the author of one: ``pip install 'takujo[game-tests]'``.

A game's package names itself in its pytest settings, ``takujo_games = ["sumo"]``; ``pytest`` then runs these
beside its own tests. Without that setting they run for all games on the shelf.
"""
