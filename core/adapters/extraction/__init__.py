"""Reading papers of every kind, in a worker process, within limits."""
