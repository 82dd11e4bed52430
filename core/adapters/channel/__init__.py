"""A private local channel through which a worker in another process reports to the owner of a workspace."""
