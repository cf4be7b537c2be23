"""What people write to each other during an evening."""
