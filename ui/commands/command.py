"""The command as features know it; it is declared below Qt's small pieces, because places name their commands."""

from ui.qt.command import Command

__all__ = ["Command"]
