"""Another program that files are dragged from: drag_source.py FILE…  Its window is titled "Drag source"."""

import sys

from PySide6.QtCore import QMimeData, QPoint, Qt, QUrl
from PySide6.QtGui import QDrag, QMouseEvent
from PySide6.QtWidgets import QApplication, QLabel


class DragSource(QLabel):
    """A label that offers the files as soon as it is dragged."""

    def __init__(self, files: list[str]) -> None:
        super().__init__("Drag me")
        self._files = files
        self._pressed = QPoint()
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.setWindowTitle("Drag source")

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._pressed = event.position().toPoint()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if (event.position().toPoint() - self._pressed).manhattanLength() < QApplication.startDragDistance():
            return
        files = QMimeData()
        files.setUrls([QUrl.fromLocalFile(file) for file in self._files])
        drag = QDrag(self)
        drag.setMimeData(files)
        print(drag.exec(Qt.DropAction.CopyAction).name, flush=True)


def main(files: list[str]) -> int:
    """Show the window at the right edge of the screen."""
    application = QApplication(["drag-source"])
    source = DragSource(files)
    source.setGeometry(1230, 40, 150, 90)
    source.show()
    return application.exec()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
