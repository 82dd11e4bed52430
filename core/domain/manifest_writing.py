"""Files of manifests: their own, verbatim, where they were read from files; otherwise made of their fields."""

import json
import posixpath
import re
from collections.abc import Mapping
from typing import Any, cast

import yaml

from core.domain.catalog import Entry
from core.domain.manifests import AgentManifest, Manifest, SkillManifest

_LINE_ENDS = re.compile("[\x85\u2028\u2029\ufeff]")  # YAML folds or drops these unless they are escaped


def files_of_manifest(manifest: Manifest) -> dict[str, bytes]:
    """agent.yaml, persona.md and starters.json, or SKILL.md, by name; fields that say nothing are left out."""
    held = {"id": manifest.id, "title": manifest.title, **manifest.model_dump(mode="json", exclude_defaults=True)}
    return _agent_files(held) if isinstance(manifest, AgentManifest) else _skill_files(manifest, held)


def _agent_files(held: dict[str, Any]) -> dict[str, bytes]:
    files: dict[str, bytes] = {}
    persona: dict[str, str] = held.get("persona", {})
    if _stands_alone(persona.get("instructions", "")):
        files["persona.md"] = f"{persona.pop('instructions')}\n".encode()
        if not persona:
            held.pop("persona")
    suggestions = held.pop("suggestions", None)
    if suggestions:
        files["starters.json"] = (json.dumps(suggestions, ensure_ascii=False, indent=2) + "\n").encode()
    return {"agent.yaml": _yaml(held).encode(), **files}


def _skill_files(manifest: SkillManifest, held: dict[str, Any]) -> dict[str, bytes]:
    body = ""
    if _stands_alone(manifest.instructions):
        body = f"\n{held.pop('instructions')}\n"
    return {"SKILL.md": f"---\n{_yaml(held)}---\n{body}".encode()}


def _stands_alone(text: str) -> bool:
    """Whether reading a text of its own gives it back: blanks around it and other line ends would be lost."""
    return bool(text) and text == text.strip() and "\r" not in text and not text.startswith("\ufeff")


def _yaml(fields: Mapping[str, Any]) -> str:
    dump = cast(Any, yaml).safe_dump
    plain = _LINE_ENDS.search(json.dumps(fields, ensure_ascii=False)) is None
    return str(dump(dict(fields), sort_keys=False, allow_unicode=plain, width=100))


def exported_files(entry: Entry, taken: Mapping[str, bytes]) -> dict[str, bytes]:
    """The files of an entry by their paths in an export, at the place they came from unless that is `taken`."""
    manifest, source = entry.manifest, entry.source
    files = source.files or files_of_manifest(manifest)
    folder = source.place
    if folder.lower().endswith(".json") and list(source.files) == [posixpath.basename(folder)]:
        folder = posixpath.dirname(folder)
    own = f"{manifest.kind}s/{manifest.id}"
    placed = {posixpath.join(folder or own, name): data for name, data in files.items()}
    if any(taken.get(path, data) != data for path, data in placed.items()):
        placed = {f"{own}/{name}": data for name, data in files.items()}
    return placed
