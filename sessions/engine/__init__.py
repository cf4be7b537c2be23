"""What every table runs on: the contract, one step, the shelf of modules, playthroughs. Pure Python."""
