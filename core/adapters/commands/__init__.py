"""Commands of this computer, run as the work of a job."""
