"""Dialogs that are opened and awaited. Nothing here calls exec(): a nested event loop would stop other tasks for
good.
"""

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QStandardPaths, Qt
from PySide6.QtWidgets import QDialog, QFileDialog, QHBoxLayout, QLabel, QLineEdit, QPushButton, QVBoxLayout, QWidget

Check = Callable[[str], str | None]
"""Looks at what was typed; answers a sentence that says what is wrong, or None. ValueError-like errors are not
needed.
"""


async def shown(dialog: QDialog) -> int:
    """Open a dialog and wait for its end; answers its result code. A cancelled caller closes it."""
    ended: asyncio.Future[int] = asyncio.get_running_loop().create_future()

    def finish(result: int) -> None:
        if not ended.done():
            ended.set_result(result)

    dialog.finished.connect(finish)
    dialog.open()
    try:
        return await ended
    finally:
        dialog.finished.disconnect(finish)
        dialog.hide()
        dialog.deleteLater()


class Sheet(QDialog):
    """A dialog of ours: sentence, whatever is added to `body`, buttons. The first button is the one that acts."""

    def __init__(self, parent: QWidget | None, title: str, sentence: str, detail: str = "") -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        unit = self.fontMetrics().height() // 2
        box = QVBoxLayout(self)
        box.setContentsMargins(3 * unit, 3 * unit, 3 * unit, 2 * unit)
        box.setSpacing(unit)
        for text, role in ((title, "heading"), (sentence, ""), (detail, "muted")):
            if text:
                line = QLabel(text)
                line.setTextFormat(Qt.TextFormat.PlainText)
                line.setProperty("role", role)
                line.setWordWrap(True)
                box.addWidget(line)
        self.body = QVBoxLayout()
        self.body.setSpacing(unit)
        box.addLayout(self.body)
        box.addSpacing(unit)
        self._buttons = QHBoxLayout()
        self._buttons.setSpacing(unit)
        self._buttons.addStretch(1)
        box.addLayout(self._buttons)
        self.setMinimumWidth(56 * unit)

    def add_button(self, text: str, result: int, kind: str = "", *, default: bool = False) -> QPushButton:
        """Buttons stand in the order in which they are added, the one that acts last, at the right."""
        button = QPushButton(text)
        button.setProperty("kind", kind)
        button.setMinimumHeight(2 * self.fontMetrics().height())
        button.setAutoDefault(default)
        button.setDefault(default)
        button.clicked.connect(lambda: self.done(result))
        self._buttons.addWidget(button)
        return button


async def message(parent: QWidget | None, title: str, sentence: str, detail: str = "") -> None:
    """Say something that the person has to have seen."""
    sheet = Sheet(parent, title, sentence, detail)
    sheet.add_button("Close", 0, default=True).setFocus()
    await shown(sheet)


async def choose(
    parent: QWidget | None, title: str, sentence: str, answers: Sequence[tuple[str, str]], detail: str = ""
) -> str | None:
    """Ask for one of several ways on. answers: (value, words), the likely one first. None when put away."""
    sheet = Sheet(parent, title, sentence, detail)
    sheet.add_button("Cancel", 0)
    for number, (_, words) in reversed(list(enumerate(answers, 1))):
        sheet.add_button(words, number, "primary" if number == 1 else "", default=number == 1)
    result = await shown(sheet)
    return answers[result - 1][0] if result > 0 else None


async def confirm(parent: QWidget | None, title: str, sentence: str, act: str, *, danger: bool = False) -> bool:
    """Ask before something that can't be undone. act: the word on the button ("Erase")."""
    sheet = Sheet(parent, title, sentence)
    cancel = sheet.add_button("Cancel", 0, default=danger)
    sheet.add_button(act, 1, "danger" if danger else "primary", default=not danger)
    if danger:
        cancel.setFocus()
    return await shown(sheet) == 1


class _TextSheet(Sheet):
    """A line to type, checked as one types."""

    def __init__(self, parent: QWidget | None, title: str, sentence: str, field: str, act: str, check: Check) -> None:
        super().__init__(parent, title, sentence)
        self._check = check
        self.line = QLineEdit()
        self.line.setAccessibleName(field)
        self.line.setMinimumHeight(2 * self.fontMetrics().height())
        name = QLabel(field)
        name.setProperty("role", "section")
        name.setBuddy(self.line)
        self.wrong = QLabel(" ")
        self.wrong.setTextFormat(Qt.TextFormat.PlainText)
        self.wrong.setProperty("role", "danger")
        self.wrong.setWordWrap(True)
        self.body.addWidget(name)
        self.body.addWidget(self.line)
        self.body.addWidget(self.wrong)
        self.add_button("Cancel", 0)
        self.act = self.add_button(act, 1, "primary", default=True)
        self.line.textChanged.connect(self._look)
        self.line.setFocus()

    def start(self, text: str) -> None:
        self.line.setText(text)
        self.line.selectAll()
        self._look(text)
        if not text:
            self.wrong.setText(" ")

    def _look(self, text: str) -> None:
        wrong = self._check(text)
        self.act.setEnabled(wrong is None)
        self.wrong.setText(wrong or " ")


async def ask_text(
    parent: QWidget | None,
    title: str,
    sentence: str,
    *,
    field: str,
    act: str,
    text: str = "",
    check: Check = lambda text: None if text.strip() else " ",
    secret: bool = False,
) -> str | None:
    """One line of text, or None when put away. secret: a password, shown as dots."""
    sheet = _TextSheet(parent, title, sentence, field, act, check)
    if secret:
        sheet.line.setEchoMode(QLineEdit.EchoMode.Password)
    sheet.start(text)
    return sheet.line.text() if await shown(sheet) == 1 else None


async def type_name(parent: QWidget | None, title: str, sentence: str, name: str, act: str) -> str | None:
    """Ask to type a name before something that takes a whole thing away. Answers what was typed, or None."""
    wanted = " ".join(name.split())
    sheet = _TextSheet(
        parent, title, sentence, f"Type “{name}”", act, lambda text: None if " ".join(text.split()) == wanted else " "
    )
    sheet.act.setProperty("kind", "danger")
    sheet.start("")
    return sheet.line.text() if await shown(sheet) == 1 else None


# ---- files and folders -----------------------------------------------------------------------------------------------


def _files(parent: QWidget | None, title: str, start: Path | None) -> QFileDialog:
    home = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation)
    return QFileDialog(parent, title, str(start) if start is not None and start.is_dir() else home)


async def choose_files(parent: QWidget | None, title: str) -> list[Path]:
    """Files to take in; empty when put away."""
    dialog = _files(parent, title, None)
    dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
    return [Path(name) for name in dialog.selectedFiles()] if await shown(dialog) else []


async def choose_folder(parent: QWidget | None, title: str, start: Path | None = None) -> Path | None:
    dialog = _files(parent, title, start)
    dialog.setFileMode(QFileDialog.FileMode.Directory)
    dialog.setOption(QFileDialog.Option.ShowDirsOnly)
    return Path(dialog.selectedFiles()[0]) if await shown(dialog) else None


async def choose_target(parent: QWidget | None, title: str, name: str) -> Path | None:
    """Where to write a file; the system asks before it writes over another."""
    dialog = _files(parent, title, None)
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.selectFile(name)
    return Path(dialog.selectedFiles()[0]) if await shown(dialog) else None
