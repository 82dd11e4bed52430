"""FHIR resources, bundles and bulk exports (JSON, NDJSON, XML), any version: each patient's record in sections.

What belongs to one patient stands under that patient's name; nothing of two patients ever shares a passage.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from core.adapters.extraction import base64_text, dates, html
from core.adapters.extraction.fhir_values import lines, person, said, words
from core.adapters.extraction.fhir_xml import resource_of
from core.adapters.extraction.loose import items, mapping, word
from core.adapters.extraction.markup import damaged_xml, parse
from core.adapters.extraction.source import Source

DATES = ("effectiveDateTime", "date", "issued", "authoredOn", "recordedDate", "created", "birthDate", "dateTime")
SUBJECTS = ("patient", "subject", "beneficiary", "individual", "for")
MAX_RESOURCES = 100_000
MAX_DEPTH = 50  # of bundles in bundles
# Sections in the order in which a record is read, and the kinds of resources in each.
SECTIONS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("Patient", ("Patient", "RelatedPerson", "Coverage", "Consent")),
    ("Documents", ("Composition", "DocumentReference", "DiagnosticReport", "ClinicalImpression", "Binary", "Media")),
    ("Allergies", ("AllergyIntolerance",)),
    ("Problems", ("Condition", "Problem", "FamilyMemberHistory", "RiskAssessment", "DetectedIssue")),
    (
        "Medication",
        (
            *("MedicationRequest", "MedicationStatement", "MedicationOrder", "MedicationPrescription", "Medication"),
            *("MedicationAdministration", "MedicationDispense", "MedicationUsage"),
        ),
    ),
    ("Vaccinations", ("Immunization", "ImmunizationRecommendation", "ImmunizationEvaluation")),
    ("Results", ("Observation", "Specimen", "ImagingStudy")),
    ("Procedures", ("Procedure", "ServiceRequest", "ProcedureRequest", "DiagnosticOrder", "DeviceRequest")),
    ("Visits", ("Encounter", "Appointment", "EpisodeOfCare", "Flag")),
    ("Plans", ("CarePlan", "CareTeam", "Goal", "NutritionOrder", "Task")),
)
SECTION_OF = {kind: number for number, (_title, kinds) in enumerate(SECTIONS) for kind in kinds}
# What a resource is about, and what is said of it in its first line, in this order.
ABOUT = (
    "code",
    "medicationCodeableConcept",
    "medicationReference",
    "medication",
    "vaccineCode",
    "substance",
    "type",
    "title",
)
STATED = (
    *("valueQuantity", "valueCodeableConcept", "valueString", "valueBoolean", "valueInteger", "valueDateTime"),
    *("valueDate", "valueRange", "valueRatio", "valuePeriod", "valueTime", "interpretation", "clinicalStatus"),
    *("verificationStatus", "criticality", "status", "onsetDateTime", "effectiveDateTime", "occurrenceDateTime"),
    *("performedDateTime", "authoredOn", "dateWritten", "period", "effectivePeriod", "performedPeriod", "date"),
)
IN_ONE_LINE = (
    *("Observation", "Condition", "AllergyIntolerance", "Immunization", "Procedure", "MedicationRequest"),
    *("MedicationStatement", "MedicationOrder", "MedicationAdministration", "MedicationDispense"),
)
OF_NO_INTEREST = ("id", "subject", "patient", "resourceType", "category", "dosage", "dosageInstruction")


@dataclass(slots=True)
class _Group:
    """Resources of one patient, by sections; or one resource that is nobody's."""

    name: str
    resources: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])


def read(source: Source) -> None:
    """Narrative and values of every resource, codes kept behind their words, references by the names behind them."""
    found = list(_resources(_content(source)))
    if len(found) > MAX_RESOURCES:
        source.transcript.note("text_cut", f"Only the first {MAX_RESOURCES} records of {source.name} were read.")
    _Record(source, found[:MAX_RESOURCES]).read()


def _content(source: Source) -> list[Any]:
    """The resources at the top: one, or one a line."""
    text = source.text()
    if text.lstrip().startswith("<"):
        data = source.data if b"\0" not in source.data[:200] else text.encode()
        root = parse(data, on_fault=lambda: damaged_xml(source))
        return [] if root is None else [resource_of(root)]
    try:
        return [json.loads(text)]
    except ValueError:
        return list(_by_lines(source, text))


def _by_lines(source: Source, text: str) -> Iterator[Any]:
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        try:
            yield json.loads(line)
        except (ValueError, RecursionError):
            sentence = f"Line {number} of {source.name} is damaged and was left out."
            source.transcript.note("damaged", sentence)


def _resources(top: list[Any]) -> Iterator[tuple[dict[str, Any], str]]:
    """Every resource with its full address, those in bundles (and bundles in bundles) too."""
    stack: list[tuple[Any, str, int]] = [(content, "", 0) for content in reversed(top)]
    while stack:
        content, address, depth = stack.pop()
        if isinstance(content, list):
            inner = items(content)  # pyright: ignore[reportUnknownArgumentType]
            stack.extend((one, "", depth + 1) for one in reversed(inner) if depth < MAX_DEPTH)
            continue
        resource = mapping(content)
        entries = [mapping(entry) for entry in items(resource.get("entry"))]
        inside = [
            (entry["resource"], word(entry.get("fullUrl")), depth + 1) for entry in entries if "resource" in entry
        ]
        parameters = [mapping(parameter) for parameter in items(resource.get("parameter"))]
        inside += [(entry["resource"], "", depth + 1) for entry in parameters if "resource" in entry]
        if resource and (resource.get("resourceType") not in ("Bundle", "Parameters") or not inside):
            yield resource, address
        stack.extend(reversed(inside if depth < MAX_DEPTH else []))


class _Record:
    """The resources of a paper, their addresses, and whom each of them is about."""

    def __init__(self, source: Source, found: list[tuple[dict[str, Any], str]]) -> None:
        self._source = source
        self._transcript = source.transcript
        self._resources = [resource for resource, _address in found]
        self._by_address: dict[str, dict[str, Any]] = {}
        for resource, address in found:
            kind, id = word(resource.get("resourceType")), word(resource.get("id"))
            for key in (address, f"{kind}/{id}" if id else ""):
                if key:
                    self._by_address.setdefault(key, resource)
        self._by_key: dict[str, dict[str, Any]] = {}
        self._contained: dict[str, dict[str, Any]] = {}  # of the resource at hand

    def read(self) -> None:
        for group in self._grouped():
            self._transcript.boundary()
            first = group.resources[0]
            title = group.name or self._title(first)
            self._transcript.describe(title=title, written_on=_date(first))
            self._transcript.heading(title, 1)
            section = -1
            for resource in sorted(group.resources, key=lambda one: _section(one)):
                if group.name and (number := _section(resource)) != section:
                    section = number
                    self._transcript.heading(SECTIONS[number][0] if number < len(SECTIONS) else "More", 2)
                self._read(resource, apart=not group.name)
        self._transcript.boundary()

    def _grouped(self) -> list[_Group]:
        groups: list[_Group] = []
        of_patients: dict[str, _Group] = {}
        for resource in self._resources:
            self._contained = _contained(resource)
            key = self._patient(resource)
            if not key:
                groups.append(_Group("", [resource]))
                continue
            if key not in of_patients:
                of_patients[key] = _Group(self._patient_name(key, resource))
                groups.append(of_patients[key])
            of_patients[key].resources.append(resource)
        return groups

    def _patient(self, resource: dict[str, Any]) -> str:
        """What tells the patient of a resource from others; "" for a resource of nobody's or of several people."""
        if resource.get("resourceType") == "Patient":
            return self._key(resource)
        references = {
            str(value["reference"])
            for key in SUBJECTS
            for one in items(resource.get(key))
            if isinstance((value := mapping(one)).get("reference"), str)
        }
        found = {reference: self._found(reference) for reference in references}
        keys = {reference if patient is None else self._key(patient) for reference, patient in found.items()}
        about = [key for key in keys if key.startswith(("Patient", "urn:")) or "/Patient/" in key]
        return about[0] if len(about) == 1 else ""

    def _key(self, resource: dict[str, Any]) -> str:
        """By the resource itself: two systems may have given the same number to two people."""
        key = f"{word(resource.get('resourceType'))} {id(resource):x}"
        self._by_key[key] = resource
        return key

    def _found(self, reference: str) -> dict[str, Any] | None:
        if reference.startswith("#"):
            return self._contained.get(reference[1:])
        reference = reference.split("/_history/")[0]
        return self._by_address.get(reference) or self._by_address.get("/".join(reference.split("/")[-2:]))

    def _patient_name(self, key: str, resource: dict[str, Any]) -> str:
        patient = self._by_key.get(key)
        if patient is None:
            shown = (word(mapping(resource.get(name)).get("display")) for name in SUBJECTS)
            return f"Patient {next(filter(None, shown), '') or key.rpartition('/')[2]}"
        return ", ".join(filter(None, (f"Patient {_name(patient)}".strip(), word(patient.get("birthDate")))))

    def _named(self, reference: str) -> str:
        found = self._found(reference)
        return "" if found is None else self._about(found)[0] or _name(found)

    def _title(self, resource: dict[str, Any]) -> str:
        kind = words(word(resource.get("resourceType")) or "Record")
        return f"{kind} {self._about(resource)[0] or _name(resource)}".strip()

    def _about(self, resource: dict[str, Any]) -> tuple[str, str]:
        """What the resource is about, and the field that says it."""
        for key in ABOUT:
            if key in resource and (text := said(resource[key], lambda reference: self._contained_name(reference))):
                return text, key
        return "", ""

    def _contained_name(self, reference: str) -> str:
        found = self._found(reference)
        return "" if found is None else said(found.get("code"), lambda _reference: "") or _name(found)

    def _read(self, resource: dict[str, Any], *, apart: bool) -> None:
        self._contained = _contained(resource)
        if narrative := word(mapping(resource.get("text")).get("div")):
            html.read_markup(self._transcript, narrative)
        self._narratives(resource, 0)
        kind = word(resource.get("resourceType"))
        used: set[str] = set() if apart else {"resourceType", "id"}
        first = ""
        if kind in IN_ONE_LINE:
            first = self._first_line(resource, used)
            used -= {"subject", "patient"} if apart else set()  # no heading says whom it is about
        elif not apart and kind != "Patient":
            first = self._title(resource)
        rest = {key: value for key, value in resource.items() if key not in used}
        self._transcript.paragraph("\n".join([first, *lines(rest, "", self._named)]))
        self._attachments(resource, 0)
        for inner in self._contained.values():
            self._transcript.paragraph("\n".join([self._title(inner), *lines(inner, "", self._named)]))
            self._attachments(inner, 0)

    def _narratives(self, holder: dict[str, Any], depth: int) -> None:
        """The sections of a document (Composition), each under its title."""
        for section in map(mapping, items(holder.get("section"))):
            self._transcript.heading(word(section.get("title")), min(3 + depth, 6))
            if narrative := word(mapping(section.get("text")).get("div")):
                html.read_markup(self._transcript, narrative)
            if depth < MAX_DEPTH:
                self._narratives(section, depth + 1)

    def _first_line(self, resource: dict[str, Any], used: set[str]) -> str:
        about, key = self._about(resource)
        dosage = resource.get("dosageInstruction") or resource.get("dosage")
        stated = {name: text for name in STATED if name in resource and (text := said(resource[name], self._named))}
        components = [self._first_line(mapping(one), set()) for one in items(resource.get("component"))]
        instruction = said(dosage, self._named)
        used.update((key, "component", *stated, *(OF_NO_INTEREST if instruction or not dosage else OF_NO_INTEREST[:5])))
        return f"{about or words(word(resource.get('resourceType')))}: " + ", ".join(
            filter(None, (*stated.values(), instruction, *components))
        )

    def _attachments(self, value: Any, depth: int) -> None:
        """Files inside resources (letters as PDF, mostly) become parts."""
        if isinstance(value, list):
            for inner in items(value):  # pyright: ignore[reportUnknownArgumentType]
                self._attachments(inner, depth + 1)
            return
        held = mapping(value)
        kind = word(held.get("contentType"))
        if kind and (packed := word(held.get("data")) or word(held.get("content"))):
            name = word(held.get("title")) or f"attachment.{kind.split(';')[0].rpartition('/')[2]}"
            if data := base64_text.unpacked(packed):
                self._source.part(name, data)
        for key, inner in held.items() if depth < MAX_DEPTH else ():
            if key not in ("contained", "entry"):
                self._attachments(inner, depth + 1)


def _contained(resource: dict[str, Any]) -> dict[str, dict[str, Any]]:
    inside = [mapping(one) for one in items(resource.get("contained"))]
    return {word(one.get("id")).removeprefix("#") or f"{number}": one for number, one in enumerate(inside) if one}


def _section(resource: dict[str, Any]) -> int:
    return SECTION_OF.get(word(resource.get("resourceType")), len(SECTIONS))


def _date(resource: dict[str, Any]) -> str | None:
    return next((dates.from_digits(str(resource[key])) for key in DATES if resource.get(key)), None)


def _name(resource: dict[str, Any]) -> str:
    name = next(iter(items(resource.get("name"))), None)
    return name if isinstance(name, str) else person(mapping(name))
