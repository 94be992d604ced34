"""What a worker does with a piece of work that it has claimed. Calls are made outside of any transaction."""
