"""Conversations of other programs: their exports are read in a worker process, a few conversations at a time."""
