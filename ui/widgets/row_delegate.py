"""Paints one row of a list: icon, title, detail, date, and a status or a bar."""

from collections.abc import Sequence
from dataclasses import fields
from functools import lru_cache

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen, QTextCharFormat, QTextLayout, QTextOption
from PySide6.QtWidgets import QApplication, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from ui.qt.line import Line, Marks
from ui.qt.paged import LineRole
from ui.widgets import icons
from ui.widgets.basics import paint_placeholder
from ui.widgets.theme import Tokens, px, text_font, tokens

ROW_HEIGHT = 58  # px at 100 %, with the gap between rows
GAP = 2
SIDE = 12
AT_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
ONE_LINE = Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine


class RowDelegate(QStyledItemDelegate):
    """Rows of a PagedModel; a row that isn't there yet is two grey bars."""

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(px(200), px(ROW_HEIGHT))

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        chosen = tokens()
        look = _look(QApplication.font().pixelSize(), chosen)
        rect = QRectF(option.rect).adjusted(1, look.p2, -1, -look.p2)
        _ground(painter, rect, option, look)
        line = index.data(LineRole)
        if isinstance(line, Line):
            _paint(painter, rect, line, look, strong=True)
        else:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(look.colors["hover"])
            paint_placeholder(painter, int(rect.left()), int(rect.top()), int(rect.width()), index.row())
        painter.restore()


class _Look:
    """Fonts, measures and colours for one text size and one set of tokens, made once rather than for each row."""

    def __init__(self, chosen: Tokens) -> None:
        self.strong, self.body = text_font("body", strong=True), text_font("body")
        self.secondary, self.caption = text_font("secondary"), text_font("caption")
        self.strong_metrics, self.body_metrics = QFontMetricsF(self.strong), QFontMetricsF(self.body)
        self.secondary_height = QFontMetricsF(self.secondary).height()
        self.caption_metrics = QFontMetricsF(self.caption)
        self.side, self.bar_width = px(SIDE), px(64)
        self.chosen = chosen
        self.p1, self.p2, self.p4, self.p8, self.p12, self.p14, self.p16, self.p18 = map(
            px, (1, 2, 4, 8, 12, 14, 16, 18)
        )
        self.colors = {field.name: chosen.color(field.name) for field in fields(chosen)}


@lru_cache(maxsize=16)
def _look(_text_size: int, chosen: Tokens) -> _Look:
    return _Look(chosen)


def _ground(painter: QPainter, rect: QRectF, option: QStyleOptionViewItem, look: _Look) -> None:
    selected = bool(option.state & QStyle.StateFlag.State_Selected)
    focused = bool(option.state & QStyle.StateFlag.State_HasFocus)
    hovered = bool(option.state & QStyle.StateFlag.State_MouseOver)
    if not (selected or focused or hovered):
        return
    filled = look.colors["surface" if selected else "hover"]
    painter.setBrush(filled if selected or hovered else Qt.BrushStyle.NoBrush)
    width = 2.0 if focused else 1.0
    painter.setPen(QPen(look.colors["accent"], width) if selected or focused else Qt.PenStyle.NoPen)
    inset = width / 2
    painter.drawRoundedRect(rect.adjusted(inset, inset, -inset, -inset), look.p8, look.p8)


def paint_line(painter: QPainter, rect: QRectF, line: Line, chosen: Tokens, *, strong: bool = True) -> None:
    """Paint a Line into a row's rectangle. strong: the title stands out."""
    _paint(painter, rect, line, _look(QApplication.font().pixelSize(), chosen), strong=strong)


def _paint(painter: QPainter, rect: QRectF, line: Line, look: _Look, *, strong: bool) -> None:
    inner = rect.adjusted(look.side, 0, -look.side, 0)
    left = inner.left()
    title_font, metrics = (look.strong, look.strong_metrics) if strong else (look.body, look.body_metrics)
    title_height = metrics.height()
    block = title_height + (look.p2 + look.secondary_height if line.detail else 0)
    top = inner.center().y() - block / 2
    if line.icon:
        icons.paint(painter, line.icon, QRectF(left, top - look.p1, look.p18, look.p18), look.colors["muted"])
        left += look.p18 + look.p12
    right = inner.right() - _paint_side(painter, inner, top, title_height, line, look)
    if line.pinned:
        where = QRectF(right - look.p14, top + look.p1, look.p14, look.p14)
        icons.paint(painter, "pin", where, look.colors["accent"])
        right -= look.p14 + look.p8
    width = max(0.0, right - left)
    title = QRectF(left, top, width, title_height)
    paint_text(painter, title, line.title, title_font, look.colors["text"], look.chosen, line.title_marks)
    if line.tags:
        taken = metrics.horizontalAdvance(line.title) + look.p8
        _paint_tags(painter, title.adjusted(taken, 0, 0, 0), line.tags, look)
    if line.detail:
        detail = QRectF(left, top + title_height + look.p2, width, look.secondary_height)
        paint_text(painter, detail, line.detail, look.secondary, look.colors["muted"], look.chosen, line.detail_marks)


def _paint_side(painter: QPainter, inner: QRectF, top: float, height: float, line: Line, look: _Look) -> float:
    """Date above status or bar, at the right. Answers the width that it took, with its gap."""
    metrics = look.caption_metrics
    width = max(
        metrics.horizontalAdvance(line.when) if line.when else 0.0,
        metrics.horizontalAdvance(line.status) if line.status else 0.0,
        float(look.bar_width) if line.bar is not None else 0.0,
    )
    if width == 0:
        return 0.0
    painter.setFont(look.caption)
    left, second = inner.right() - width, top + height + look.p2
    if line.when:
        painter.setPen(look.colors["muted"])
        painter.drawText(QRectF(left, top, width, height), AT_RIGHT, line.when)
    if line.status:
        painter.setPen(look.colors[line.tone])
        where = QRectF(left, second if line.when or line.detail else top, width, metrics.height())
        painter.drawText(where, AT_RIGHT, line.status)
    elif line.bar is not None:
        middle = second + metrics.height() / 2
        where = QRectF(inner.right() - look.bar_width, middle - look.p2, look.bar_width, look.p4)
        _paint_bar(painter, where, line.bar, look)
    return width + look.p16


def _paint_tags(painter: QPainter, rect: QRectF, tags: Sequence[str], look: _Look) -> None:
    """Small words on a soft ground, as many as there is room for."""
    painter.setFont(look.caption)
    left = rect.left()
    for tag in tags:
        width = look.caption_metrics.horizontalAdvance(tag) + look.p12
        if left + width > rect.right():
            return
        ground = QRectF(left, rect.top(), width, rect.height())
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(look.colors["soft"])
        painter.drawRoundedRect(ground, look.p8, look.p8)
        painter.setPen(look.colors["muted"])
        painter.drawText(ground, Qt.AlignmentFlag.AlignCenter, tag)
        left += width + look.p4


def _paint_bar(painter: QPainter, rect: QRectF, share: float, look: _Look) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(look.colors["border"])
    painter.drawRoundedRect(rect, look.p2, look.p2)
    painter.setBrush(look.colors["accent"])
    filled = QRectF(rect)
    filled.setWidth(rect.width() * max(0.0, min(1.0, share)))
    painter.drawRoundedRect(filled, look.p2, look.p2)


def paint_text(
    painter: QPainter, rect: QRectF, text: str, font: QFont, colour: QColor, chosen: Tokens, marks: Marks = ()
) -> None:
    """One line of text, cut with “…”, with marked parts on the colour of what was found; any script and direction."""
    flat = text.replace("\n", " ").replace("\r", " ").replace("\t", " ")
    shown = QFontMetricsF(font).elidedText(flat, Qt.TextElideMode.ElideRight, rect.width())
    if not marks:
        painter.setFont(font)
        painter.setPen(colour)
        painter.drawText(rect, ONE_LINE, shown)
        return
    kept = len(shown) if shown == flat else max(0, len(shown) - 1)
    layout = QTextLayout(shown, font)
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.NoWrap)
    layout.setTextOption(option)
    layout.setFormats([_found(start, min(end, kept), chosen) for start, end in _in_utf16(flat, marks) if start < kept])
    layout.beginLayout()
    first = layout.createLine()
    first.setLineWidth(rect.width())
    layout.endLayout()
    painter.setPen(colour)
    layout.draw(painter, QPointF(rect.left(), rect.top() + (rect.height() - first.height()) / 2))


def _found(start: int, end: int, chosen: Tokens) -> QTextLayout.FormatRange:
    found = QTextLayout.FormatRange()
    found.start, found.length = start, end - start
    look = QTextCharFormat()
    look.setBackground(chosen.color("mark"))
    look.setForeground(chosen.color("text"))
    found.format = look
    return found


def _in_utf16(text: str, marks: Marks) -> list[tuple[int, int]]:
    """Offsets as Qt counts them: characters beyond the basic plane are two."""
    if text.isascii() or all(ord(c) < 0x10000 for c in text):
        return list(marks)

    def units(end: int) -> int:
        return len(text[:end].encode("utf-16-le", "surrogatepass")) // 2

    return [(units(start), units(end)) for start, end in marks]
