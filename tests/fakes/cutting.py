"""A cutter that needs no model: each text is one passage."""

from core.domain.extraction import PassageDraft


class OnePassage:
    """CutterPort."""

    def cut(self, text: str) -> list[PassageDraft]:
        return [PassageDraft(text, end=len(text))] if text.strip() else []
