"""Office packages (OOXML): parts, their relations and properties, over a bounded ZIP."""

import posixpath

from core.adapters.extraction import dates
from core.adapters.extraction.markup import Element, children, local, parse
from core.adapters.extraction.source import Source
from core.adapters.extraction.transcript import Unreadable
from core.adapters.extraction.unpacking import Container
from core.domain.extraction import RefusalCode


class Package:
    """The parts of a DOCX or PPTX. Raises Unreadable for a damaged or expanding one."""

    def __init__(self, source: Source) -> None:
        self._name = source.name
        self._transcript = source.transcript
        self._container = Container(source.data, source.name)
        self._names = {name.replace("\\", "/").lstrip("/").lower(): name for name in self._container.names()}

    def bytes_of(self, part: str) -> bytes | None:
        """Bytes of a part, as far as they go; None when it is missing or nothing of it can be read."""
        name = self._names.get(part.lstrip("/").lower())
        if name is None:
            return None
        data, whole = self._container.read_whats_left(name)
        if not whole:
            self._note_damage()
        return data or None

    def xml(self, part: str) -> Element | None:
        """Root of an XML part; None when it is missing or no XML. Damage in it is noted."""
        data = self.bytes_of(part)
        return None if not data else parse(data, on_fault=self._note_damage)

    def _note_damage(self) -> None:
        self._transcript.note("damaged", f"{self._name} is damaged. What could be read is kept; ask for it again.")

    def main_part(self, kind: str, usual: str) -> Element:
        """Root of the part that the package's own relations name as its document."""
        target = next((target for name, target in self.relations("").values() if name == kind), usual)
        root = self.xml(target)
        if root is None and target != usual:
            target, root = usual, self.xml(usual)
        if root is None:
            raise Unreadable(
                RefusalCode.DAMAGED,
                f"{self._name} is damaged: its text can't be found. Ask for it again, or repair it in Office.",
            )
        self.main_name = target
        return root

    def relations(self, part: str) -> dict[str, tuple[str, str]]:
        """Relations of a part inside the package: id to (last word of its type, name of the target)."""
        folder, _slash, name = part.rpartition("/")
        root = self.xml(posixpath.join(folder, "_rels", f"{name}.rels"))
        found: dict[str, tuple[str, str]] = {}
        for relation in children(root):
            if local(relation) == "Relationship" and relation.get("TargetMode") != "External":
                target = str(relation.get("Target") or "")
                resolved = target if target.startswith("/") else posixpath.join(folder, target)
                kind = str(relation.get("Type") or "").rpartition("/")[2]
                found[str(relation.get("Id"))] = (kind, posixpath.normpath(resolved).lstrip("/"))
        return found

    def related(self, part: str, kind: str) -> list[str]:
        """Names of the parts that this part refers to by this kind of relation."""
        return [target for name, target in self.relations(part).values() if name == kind]

    def describe(self, source: Source) -> None:
        """Title, author and date out of the core properties."""
        root = self.xml("docProps/core.xml")
        values = {} if root is None else {local(child): (child.text or "").strip() for child in root}
        written = dates.from_digits(values.get("created", "")) or dates.from_digits(values.get("modified", ""))
        source.transcript.describe(title=values.get("title"), author=values.get("creator"), written_on=written)
