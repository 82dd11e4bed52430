"""A small PDF writer for the sample papers: text in the base fonts, pictures, text that lies unseen under a picture.

Follows ISO 32000-1; writes the same bytes each time, so that the committed files change only when their text does.
"""

import io
import textwrap
from dataclasses import dataclass, field

from PIL import Image

WIDTH, HEIGHT = 595, 842  # A4 in points
MARGIN = 64
FONTS = {"regular": "Helvetica", "bold": "Helvetica-Bold"}


@dataclass
class Page:
    """The drawing operators of one page, and the picture that fills it, if any."""

    operators: list[str] = field(default_factory=list)
    picture: Image.Image | None = None


class Pdf:
    """A document under construction. Characters outside Windows-1252 get codes of their own in the fonts' encoding."""

    def __init__(self, title: str = "") -> None:
        self.title = title
        self.pages: list[Page] = []
        self._extra: dict[str, int] = {}

    def page(self) -> Page:
        self.pages.append(Page())
        return self.pages[-1]

    def text(
        self, page: Page, x: float, y: float, size: float, text: str, font: str = "regular", mode: int = 0
    ) -> None:
        """Write one line with its base line at (x, y), from the lower left corner. mode 3: unseen."""
        page.operators.append(f"BT /{font} {size} Tf {mode} Tr {x:g} {y:g} Td {self._string(text)} Tj ET")

    def paragraph(self, page: Page, y: float, text: str, size: float = 10.5, font: str = "regular") -> float:
        """Write wrapped text below `y`; answer the y below it."""
        leading = size * 1.45
        for line in textwrap.wrap(text, int((WIDTH - 2 * MARGIN) / (size * 0.49))):
            y -= leading
            self.text(page, MARGIN, y, size, line, font)
        return y

    def _string(self, text: str) -> str:
        codes = bytearray()
        for character in text:
            try:
                codes += character.encode("cp1252")
            except UnicodeEncodeError:
                codes.append(self._extra.setdefault(character, 1 + len(self._extra)))
        return f"<{codes.hex()}>"

    def _encoding(self) -> bytes:
        names = " ".join(f"/uni{ord(character):04X}" for character in self._extra)
        differences = f"/Differences [1 {names}] " if names else ""
        return f"<< /Type /Encoding /BaseEncoding /WinAnsiEncoding {differences}>>".encode()

    def save(self) -> bytes:
        """The whole document as bytes."""
        objects: list[bytes] = [b"", b"", self._encoding()]  # 1 catalog, 2 pages, 3 encoding
        fonts = ""
        for name, base in FONTS.items():
            objects.append(f"<< /Type /Font /Subtype /Type1 /BaseFont /{base} /Encoding 3 0 R >>".encode())
            fonts += f"/{name} {len(objects)} 0 R "
        kids: list[int] = []
        for page in self.pages:
            resources = f"/Font << {fonts}>>"
            content = "\n".join(page.operators)
            if page.picture is not None:
                objects.append(_picture(page.picture))
                resources += f" /XObject << /scan {len(objects)} 0 R >>"
                content = f"q {WIDTH} 0 0 {HEIGHT} 0 0 cm /scan Do Q\n{content}"
            objects.append(_stream("", content.encode("ascii")))
            objects.append(
                f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {WIDTH} {HEIGHT}] "
                f"/Contents {len(objects)} 0 R /Resources << {resources} >> >>".encode()
            )
            kids.append(len(objects))
        objects[0] = b"<< /Type /Catalog /Pages 2 0 R >>"
        listed = " ".join(f"{kid} 0 R" for kid in kids)
        objects[1] = f"<< /Type /Pages /Count {len(kids)} /Kids [{listed}] >>".encode()
        objects.append(f"<< /Title ({self.title}) >>".encode("cp1252") if self.title else b"<< >>")
        return _file(objects)


def _stream(entries: str, body: bytes) -> bytes:
    return f"<< {entries}/Length {len(body)} >>\nstream\n".encode() + body + b"\nendstream"


def _picture(picture: Image.Image) -> bytes:
    encoded = io.BytesIO()
    picture.convert("L").save(encoded, "JPEG", quality=38)
    entries = (
        f"/Type /XObject /Subtype /Image /Width {picture.width} /Height {picture.height} "
        "/ColorSpace /DeviceGray /BitsPerComponent 8 /Filter /DCTDecode "
    )
    return _stream(entries, encoded.getvalue())


def _file(objects: list[bytes]) -> bytes:
    """Number the objects, write the table of where each stands; the last object is the document's information."""
    out = bytearray(b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n")
    places: list[int] = []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += f"{number} 0 obj\n".encode() + body + b"\nendobj\n"
    table = len(out)
    out += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n".encode()
    out += "".join(f"{place:010d} 00000 n \n" for place in places).encode()
    trailer = f"<< /Size {len(objects) + 1} /Root 1 0 R /Info {len(objects)} 0 R >>"
    out += f"trailer\n{trailer}\nstartxref\n{table}\n%%EOF\n".encode()
    return bytes(out)
