"""The bundled font: Inter, so that the window looks the same everywhere."""

from functools import cache
from importlib.resources import as_file, files

from PySide6.QtGui import QFont, QFontDatabase

FACES = ("Inter-Regular.ttf", "Inter-Medium.ttf", "Inter-SemiBold.ttf")


@cache
def load() -> str:
    """Register the faces with Qt, once. Answers the family's name; Qt adds the system's fonts for other scripts."""
    families: list[str] = []
    for face in FACES:
        with as_file(files("resources") / "fonts" / face) as path:
            families += QFontDatabase.applicationFontFamilies(QFontDatabase.addApplicationFont(str(path)))
    if not families:
        raise FileNotFoundError("the bundled font can't be loaded")
    return families[0]


def body(family: str, size: int) -> QFont:
    """The application's font. size: pixels."""
    font = QFont(family)
    font.setPixelSize(size)
    font.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
    font.setStyleStrategy(QFont.StyleStrategy.PreferAntialias)
    return font
