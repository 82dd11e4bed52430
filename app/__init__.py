"""The program: its entry points, and the one place where its parts are put together."""

VERSION = "0.1.0"
