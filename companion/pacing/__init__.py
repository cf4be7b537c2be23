"""Request queues: requests wait for a thread in queues that are fair between visitors."""
