"""The ground of every table: the contract, one step, the shelf of modules, playthroughs. Pure Python."""
