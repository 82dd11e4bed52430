"""Paints one row of a list: icon, title, detail, date, and a status or a bar."""

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen, QTextCharFormat, QTextLayout, QTextOption
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from ui.qt.line import Line, Marks
from ui.qt.paged import LineRole
from ui.widgets import icons
from ui.widgets.basics import paint_placeholder
from ui.widgets.theme import Tokens, px, text_font, tokens

ROW_HEIGHT = 58  # px at 100 %, with the gap between rows
GAP = 2
SIDE = 12


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
        rect = QRectF(option.rect).adjusted(1, px(GAP), -1, -px(GAP))
        _ground(painter, rect, option, chosen)
        line = index.data(LineRole)
        if isinstance(line, Line):
            paint_line(painter, rect, line, chosen)
        else:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(chosen.color("hover"))
            paint_placeholder(painter, int(rect.left()), int(rect.top()), int(rect.width()), index.row())
        painter.restore()


def _ground(painter: QPainter, rect: QRectF, option: QStyleOptionViewItem, chosen: Tokens) -> None:
    selected = bool(option.state & QStyle.StateFlag.State_Selected)
    focused = bool(option.state & QStyle.StateFlag.State_HasFocus)
    hovered = bool(option.state & QStyle.StateFlag.State_MouseOver)
    if not (selected or focused or hovered):
        return
    painter.setBrush(chosen.color("surface" if selected else "hover") if selected or hovered else Qt.BrushStyle.NoBrush)
    width = 2.0 if focused else 1.0
    painter.setPen(QPen(chosen.color("accent"), width) if selected or focused else Qt.PenStyle.NoPen)
    inset = width / 2
    painter.drawRoundedRect(rect.adjusted(inset, inset, -inset, -inset), px(8), px(8))


def paint_line(painter: QPainter, rect: QRectF, line: Line, chosen: Tokens, *, strong: bool = True) -> None:
    """Paint a Line into a row's rectangle. strong: the title stands out."""
    inner = rect.adjusted(px(SIDE), 0, -px(SIDE), 0)
    left = inner.left()
    title_font, detail_font = text_font("body", strong=strong), text_font("secondary")
    title_height, detail_height = QFontMetricsF(title_font).height(), QFontMetricsF(detail_font).height()
    block = title_height + (px(2) + detail_height if line.detail else 0)
    top = inner.center().y() - block / 2
    if line.icon:
        size = px(18)
        icons.paint(painter, line.icon, QRectF(left, top - px(1), size, size), chosen.muted)
        left += size + px(12)
    right = inner.right() - _paint_side(painter, inner, top, title_height, line, chosen)
    if line.pinned:
        size = px(14)
        icons.paint(painter, "pin", QRectF(right - size, top + px(1), size, size), chosen.accent)
        right -= size + px(8)
    width = max(0.0, right - left)
    title = QRectF(left, top, width, title_height)
    paint_text(painter, title, line.title, title_font, chosen.color("text"), chosen, line.title_marks)
    if line.tags:
        taken = QFontMetricsF(title_font).horizontalAdvance(line.title) + px(8)
        _paint_tags(painter, title.adjusted(taken, 0, 0, 0), line.tags, chosen)
    if line.detail:
        detail = QRectF(left, top + title_height + px(2), width, detail_height)
        paint_text(painter, detail, line.detail, detail_font, chosen.color("muted"), chosen, line.detail_marks)


def _paint_side(painter: QPainter, inner: QRectF, top: float, height: float, line: Line, chosen: Tokens) -> float:
    """Date above status or bar, at the right. Answers the width that it took, with its gap."""
    font = text_font("caption")
    metrics = QFontMetricsF(font)
    width = max(
        metrics.horizontalAdvance(line.when) if line.when else 0.0,
        metrics.horizontalAdvance(line.status) if line.status else 0.0,
        float(px(64)) if line.bar is not None else 0.0,
    )
    if width == 0:
        return 0.0
    painter.setFont(font)
    left, second = inner.right() - width, top + height + px(2)
    align = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
    if line.when:
        painter.setPen(chosen.color("muted"))
        painter.drawText(QRectF(left, top, width, height), align, line.when)
    if line.status:
        painter.setPen(chosen.color(line.tone))
        where = QRectF(left, second if line.when or line.detail else top, width, metrics.height())
        painter.drawText(where, align, line.status)
    elif line.bar is not None:
        _paint_bar(
            painter, QRectF(inner.right() - px(64), second + metrics.height() / 2 - px(2), px(64), px(4)), line, chosen
        )
    return width + px(16)


def _paint_tags(painter: QPainter, rect: QRectF, tags: Sequence[str], chosen: Tokens) -> None:
    """Small words on a soft ground, as many as there is room for."""
    font = text_font("caption")
    painter.setFont(font)
    left = rect.left()
    for tag in tags:
        width = QFontMetricsF(font).horizontalAdvance(tag) + px(12)
        if left + width > rect.right():
            return
        ground = QRectF(left, rect.top(), width, rect.height())
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(chosen.color("soft"))
        painter.drawRoundedRect(ground, px(8), px(8))
        painter.setPen(chosen.color("muted"))
        painter.drawText(ground, Qt.AlignmentFlag.AlignCenter, tag)
        left += width + px(4)


def _paint_bar(painter: QPainter, rect: QRectF, line: Line, chosen: Tokens) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(chosen.color("border"))
    painter.drawRoundedRect(rect, px(2), px(2))
    painter.setBrush(chosen.color("accent"))
    filled = QRectF(rect)
    filled.setWidth(rect.width() * max(0.0, min(1.0, line.bar or 0.0)))
    painter.drawRoundedRect(filled, px(2), px(2))


def paint_text(
    painter: QPainter, rect: QRectF, text: str, font: QFont, colour: QColor, chosen: Tokens, marks: Marks = ()
) -> None:
    """One line of text, cut with “…”, with marked parts on the colour of what was found; any script and direction."""
    flat = text.replace("\n", " ").replace("\r", " ").replace("\t", " ")
    shown = QFontMetricsF(font).elidedText(flat, Qt.TextElideMode.ElideRight, rect.width())
    if not marks:
        painter.setFont(font)
        painter.setPen(colour)
        painter.drawText(rect, Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine, shown)
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
