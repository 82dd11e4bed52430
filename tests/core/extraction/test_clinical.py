"""Clinical files, chats and pictures."""

import base64
import io
import json
import re

import pydicom
import pytest
from PIL import Image
from pydicom.dataset import Dataset, FileMetaDataset
from pydicom.uid import UID, ExplicitVRLittleEndian

from core.domain.extraction import RefusalCode
from tests.core.extraction.making import pdf
from tests.core.extraction.reading import read, refuse, text

pytestmark = pytest.mark.filterwarnings("ignore")
MESSAGES = [
    r"MSH|^~\&|LAB|A|EHR|B|20260417093000+0200||ORU^R01|1|P|2.5",
    "PID|1||100^^^A^MR||Kowalski^Maria||19610615|F",
    r"OBX|1|NM|718-7^Hemoglobin^LN||13.5|g/dL\T\more|12-16|N|||F|||202604170815",
    r"MSH|^~\&|LAB|A|EHR|B|20260418||ADT^A01|2|P|2.5",
    "PID|1||200^^^A^MR||Duck^Donald||19241010|M",
]


@pytest.mark.parametrize("end", ["\r", "\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff", "\x0b"])
def test_hl7_segments_with_any_line_end_patients_apart(end: str, mark: str) -> None:
    result = read((mark + end.join(MESSAGES)).encode(), "lab.hl7")
    assert (result.format, result.title) == ("hl7", "HL7 Results (ORU R01)")
    assert result.written_on == "2026-04-17T09:30:00+02:00"
    for words in ("Name: Kowalski Maria\nBorn: 1961-06-15\nSex: F", "Name: Duck Donald\nBorn: 1924-10-10"):
        assert words in text(result)
    value = "Hemoglobin (718-7 LN): 13.5 g/dL&more (usual 12-16, marked N, status F, 2026-04-17 08:15:00)"
    assert value in text(result)
    assert not any("Kowalski" in passage.text and "Duck" in passage.text for passage in result.passages)
    assert "|" not in text(result)


def test_hl7_every_result_stands_under_its_patient() -> None:
    """Two patients in one message, and more results than a passage holds."""
    one, two = ([f"OBX|{n}|NM|{n}-7^Value {n}^LN||{n}|mmol/l" for n in range(40)] for _patient in range(2))
    lines = [MESSAGES[0], MESSAGES[1], "OBR|1|||57021-8^CBC^LN", *one, MESSAGES[4], "OBR|1|||57021-8^CBC^LN", *two]
    result = read("\r".join(lines).encode(), "lab.hl7")
    about = [passage.heading[1] for passage in result.passages if "mmol/l" in passage.text]
    assert set(about) == {"Kowalski Maria, 1961-06-15", "Duck Donald, 1924-10-10"}
    assert about == sorted(about, reverse=True)


def test_hl7_escapes_repetitions_batches_and_own_signs() -> None:
    lines = [
        r"FHS|^~\&|LAB||||20260417|||file one",
        r"BHS|^~\&|LAB",
        r"MSH|^~\&|LAB||||||ORU^R01|1|P|2.5||||||8859/1",
        "PID|1||100||Müller^Eva||20010203|F|||||tel 1~tel 2",
        r"OBX|1|FT|8251-1^Comment^LN||first line\.br\second\F\line \H\bold\N\ 5\X20\C",
        "and what goes on",
        "NTE|1||fasting",
        "ZZ1|own|words",
        "BTS|1",
    ]
    result = read("\r".join(lines).encode("latin-1"), "batch.hl7")
    found = text(result)
    assert "Name: Müller Eva" in found
    assert "Telephone: tel 1, tel 2" in found
    assert "Comment (8251-1 LN): first line\nsecond|line bold 5 C\nand what goes on" in found
    assert "Note: fasting" in found
    assert "Also: own; words" in found
    assert "Comment: file one" in found
    other = "MSH#*+!%#LAB#####20260417##ADT*A01#1#P#2.5\rPID#1##100##Ng*Li##19800101#F"
    assert "Name: Ng Li" in text(read(other.encode(), "own.hl7"))


def test_a_file_inside_an_hl7_message_is_a_part() -> None:
    data = base64.b64encode(pdf("The scan is normal")).decode()
    lines = [MESSAGES[0], MESSAGES[1], f"OBX|1|ED|18748-4^Report^LN||^application^pdf^Base64^{data}"]
    result = read("\r".join(lines).encode(), "lab.hl7")
    parts = {passage.part: passage.text for passage in result.passages}
    assert parts["Report (18748-4 LN).pdf"] == "The scan is normal"
    assert data[:40] not in text(result)


def test_fhir_is_readable_and_keeps_patients_apart() -> None:
    patient = {
        "resourceType": "Patient",
        "birthDate": "1961-06-15",
        "name": [{"given": ["Maria"], "family": "Kowalski"}],
    }
    other = {"resourceType": "Patient", "name": [{"given": ["Kenzi"]}], "active": False}
    result_ = {
        "resourceType": "Observation",
        "code": {"coding": [{"system": "http://loinc.org", "code": "718-7", "display": "Hemoglobin"}]},
        "valueQuantity": {"value": 13.5, "unit": "g/dL"},
        "text": {"div": "<div><p>Within range</p><script>no()</script></div>"},
    }
    bundle = {"resourceType": "Bundle", "entry": [{"resource": each} for each in (patient, result_, other)]}
    result = read(json.dumps(bundle).encode(), "export.json")
    found = text(result)
    assert result.format == "fhir"
    for words in ("Name: Maria Kowalski", "Birth date: 1961-06-15", "Hemoglobin (718-7)", "13.5 g/dL", "Within range"):
        assert words in found
    assert "no()" not in found
    assert not any("Kowalski" in passage.text and "Kenzi" in passage.text for passage in result.passages)


@pytest.mark.parametrize(
    "odd",
    [
        {"name": "x"},
        {"name": [None]},
        {"entry": [None, 3]},
        {"contained": [1]},
        {"code": []},
        {"text": "x"},
        {"name": {"given": 3}},
    ],
)
def test_fhir_of_odd_shapes_is_read(odd: dict[str, object]) -> None:
    assert read(json.dumps({"resourceType": "Patient", "id": "p1", **odd}).encode(), "odd.json").format == "fhir"


def patient(number: str, family: str, **more: object) -> dict[str, object]:
    name = [{"given": ["Ann"], "family": family}]
    return {"resourceType": "Patient", "id": number, "name": name, "birthDate": "1961-06-15", **more}


def observation(number: int, subject: str, **more: object) -> dict[str, object]:
    coding = [{"system": "http://loinc.org", "code": f"{number}-7", "display": f"Value {number}"}]
    value = {"value": number, "unit": "mmol/l"}
    held = {"resourceType": "Observation", "status": "final", "subject": {"reference": subject}}
    return {**held, "code": {"coding": coding}, "valueQuantity": value, "effectiveDateTime": "2026-04-17", **more}


def entries(*resources: dict[str, object]) -> list[dict[str, object]]:
    return [{"fullUrl": f"urn:uuid:{one.get('id')}", "resource": one} for one in resources]


def test_fhir_records_are_grouped_by_patient_whatever_their_order() -> None:
    mixed = [observation(n, f"urn:uuid:{'ab'[n % 2]}") for n in range(60)]
    bundle = {"resourceType": "Bundle", "entry": entries(*mixed, patient("a", "Even"), patient("b", "Odd"))}
    result = read(json.dumps(bundle).encode(), "ward.json")
    for passage in result.passages:
        numbers = {int(found) % 2 for found in re.findall(r"Value (\d+)", passage.text)}
        assert len(numbers) <= 1
        assert passage.heading[0] == f"Patient Ann {'Odd' if numbers == {1} else 'Even'}, 1961-06-15" or not numbers
    assert "Value 7 (7-7): 7 mmol/l, final, 2026-04-17" in text(result)
    assert len(result.passages) < 20


def test_fhir_patients_of_the_same_number_or_unknown_are_not_mixed() -> None:
    inside = [observation(n, "#p", contained=[patient("p", name)]) for n, name in enumerate(("First", "Second"))]
    lost = [observation(7, "#gone"), observation(8, "#gone")]
    result = read(json.dumps({"resourceType": "Bundle", "entry": entries(*inside, *lost)}).encode(), "a.json")
    assert not any("First" in passage.text and "Second" in passage.text for passage in result.passages)
    assert not any("Value 7" in passage.text and "Value 8" in passage.text for passage in result.passages)


def test_fhir_references_doses_components_and_extensions_are_said() -> None:
    doctor = {"resourceType": "Practitioner", "id": "d", "name": [{"family": "Ng", "prefix": ["Dr"]}]}
    medicine = {"resourceType": "Medication", "id": "m", "code": {"text": "Simvastatin 20 mg"}}
    order = {
        "resourceType": "MedicationRequest",
        "status": "active",
        "subject": {"reference": "Patient/a"},
        "medicationReference": {"reference": "Medication/m"},
        "requester": {"reference": "Practitioner/d"},
        "dosageInstruction": [
            {"text": "one at night", "doseAndRate": [{"doseQuantity": {"value": 1, "unit": "tablet"}}]}
        ],
        "extension": [{"url": "http://example.org/fhir/delivery-note", "valueString": "by post"}],
    }
    parts = [
        {"code": {"text": "Systolic"}, "valueQuantity": {"value": 120, "unit": "mmHg"}},
        {"code": {"text": "Diastolic"}, "valueQuantity": {"value": 80, "unit": "mmHg"}},
    ]
    pressure = observation(5, "Patient/a", component=parts)
    bundle = {"resourceType": "Bundle", "entry": entries(patient("a", "Muster"), order, pressure, doctor, medicine)}
    found = text(read(json.dumps(bundle).encode(), "a.json"))
    assert "Simvastatin 20 mg (Medication/m): active, one at night, 1 tablet" in found
    assert "Requester: Dr Ng (Practitioner/d)" in found
    assert "Delivery note: by post" in found
    assert "Systolic: 120 mmHg, Diastolic: 80 mmHg" in found


def test_fhir_documents_keep_the_narrative_of_each_section() -> None:
    inner = {"title": "Reactions", "text": {"div": "<div><p>Hives after eggs</p></div>"}}
    section = {"title": "Allergies", "text": {"div": "<div><p>Penicillin</p></div>"}, "section": [inner]}
    document = {"resourceType": "Composition", "title": "Summary", "section": [section]}
    listed = {"resourceType": "List", "title": "Problems", "entry": [{"item": {"reference": "Patient/a"}}]}
    noted = {"resourceType": "Goal", "note": [{"text": "walk daily"}], "odd": {"text": "kept", "more": "x"}}
    bundle = {"resourceType": "Bundle", "entry": entries(document, listed, noted, patient("a", "Muster"))}
    found = text(read(json.dumps(bundle).encode(), "summary.json"))
    for words in (
        "Allergies\n\nPenicillin",
        "Reactions\n\nHives after eggs",
        "Entry item: Ann Muster",
        "walk daily",
        "kept",
    ):
        assert words in found


def test_fhir_says_whom_a_result_is_about_where_no_record_does() -> None:
    alone = {**observation(3, ""), "subject": {"identifier": {"value": "4711"}, "display": "Bob Ray"}}
    newest = {
        "resourceType": "MedicationStatement",
        "medication": {"concept": {"text": "Ibuprofen"}},
        "status": "active",
    }
    found = text(read(json.dumps([alone, newest]).encode(), "a.json"))
    assert "Bob Ray" in found
    assert "Ibuprofen: active" in found


def test_fhir_letters_inside_are_parts() -> None:
    packed = base64.b64encode(pdf("The scan is normal")).decode()
    attachment = {"contentType": "application/pdf", "title": "scan.pdf", "data": packed}
    letter = {"resourceType": "DocumentReference", "content": [{"attachment": attachment}], "status": "current"}
    result = read(json.dumps(letter).encode(), "letter.json")
    assert {passage.part: passage.text for passage in result.passages}["scan.pdf"] == "The scan is normal"
    assert packed[:40] not in text(result)


def test_fhir_by_lines_and_as_xml() -> None:
    lines = "\n".join(json.dumps(one) for one in (patient("a", "Muster"), observation(3, "Patient/a")))
    result = read(f"{lines}\n{{broken\n".encode(), "Observation.ndjson")
    assert (result.format, result.title) == ("fhir", "Patient Ann Muster, 1961-06-15")
    assert "Value 3 (3-7): 3 mmol/l" in text(result)
    assert [note.code for note in result.notes] == ["damaged"]
    xml = """<?xml version="1.0"?><Bundle xmlns="http://hl7.org/fhir"><entry><resource><Patient><id value="a"/>
    <text><div xmlns="http://www.w3.org/1999/xhtml"><p>Seen in May</p></div></text>
    <name><family value="Muster"/><given value="Ann"/><given value="Bea"/></name></Patient></resource></entry>
    <entry><resource><Condition><code><text value="Asthma"/></code><subject><reference value="Patient/a"/></subject>
    <clinicalStatus value="active"/></Condition></resource></entry></Bundle>"""
    result = read(xml.encode(), "export.xml")
    assert (result.format, result.title) == ("fhir", "Patient Ann Bea Muster")
    assert "Seen in May" in text(result)
    assert "Asthma: active" in text(result)


CLINICAL = """<ClinicalDocument xmlns="urn:hl7-org:v3"><title>Discharge</title><effectiveTime value="20260417"/>
<recordTarget><patientRole><id extension="4711"/><patient><name><given>Eve</given><family>Betterhalf</family></name>
<administrativeGenderCode displayName="Female"/><birthTime value="19750501"/></patient></patientRole></recordTarget>
<component><structuredBody><component><section><title>ALLERGIES</title><text><table><thead><tr><th>To</th><th>Kind</th></tr>
</thead><tbody><tr><td>Penicillin</td><td>severe</td></tr></tbody></table></text></section></component>
<component><section><title>PROBLEMS</title><text><paragraph>No known problems.</paragraph></text>
<entry><observation negationInd="true"><value displayName="Problem"/></observation></entry></section></component>
</structuredBody></component></ClinicalDocument>"""


def test_clinical_documents_read_as_they_were_signed() -> None:
    result = read(CLINICAL.encode(), "discharge.XML")
    found = text(result)
    assert (result.format, result.title, result.written_on) == ("ccda", "Discharge", "2026-04-17")
    assert "Patient: Eve Betterhalf, born 1975-05-01, sex Female, id 4711" in found
    assert "To | Kind\nPenicillin | severe" in found
    assert "No known problems." in found


ENTRIES = """<entry><substanceAdministration negationInd="true">
<effectiveTime><low value="20260301"/><high value="20260310"/></effectiveTime>
<consumable><manufacturedProduct><manufacturedMaterial><code code="197806" codeSystemName="RxNorm">
<originalText><reference value="#m1"/></originalText></code></manufacturedMaterial></manufacturedProduct></consumable>
</substanceAdministration></entry>
<entry><observation><code code="718-7" displayName="Hemoglobin"/><effectiveTime value="202604170815"/>
<value value="13.5" unit="g/dL"/></observation></entry>"""


def test_clinical_entries_keep_their_codes_and_dates_under_the_patient() -> None:
    told = CLINICAL.replace("Penicillin", "Penicillin, as was told at length " * 60)
    told = told.replace("No known problems.", 'No known problems.<br/><content ID="m1">Ibuprofen 600</content>')
    result = read(told.replace("<entry>", f"{ENTRIES}<entry>", 1).encode(), "discharge.xml")
    found = text(result)
    assert "No known problems.\nIbuprofen 600" in found
    assert "Not: Ibuprofen 600 (197806 RxNorm), from 2026-03-01 to 2026-03-10" in found
    assert "Hemoglobin (718-7), 13.5 g/dL, 2026-04-17 08:15:00" in found
    assert result.passages[-1].heading[:2] == ("Discharge", "Eve Betterhalf, born 1975-05-01")


def test_a_clinical_document_may_enclose_a_file() -> None:
    packed = base64.b64encode(pdf("The scan is normal")).decode()
    body = f'<nonXMLBody><text mediaType="application/pdf" representation="B64">{packed}</text></nonXMLBody>'
    start, end = CLINICAL.index("<structuredBody>"), CLINICAL.index("</structuredBody>") + 17
    result = read((CLINICAL[:start] + body + CLINICAL[end:]).encode(), "letter.xml")
    assert {passage.part: passage.text for passage in result.passages}["document.pdf"] == "The scan is normal"


def dicom(name: str, charset: str, more: dict[str, object] | None = None) -> bytes:
    dataset = Dataset()
    for keyword, value in (more or {}).items():
        setattr(dataset, keyword, value)
    dataset.file_meta = FileMetaDataset()
    dataset.file_meta.TransferSyntaxUID = ExplicitVRLittleEndian
    dataset.file_meta.MediaStorageSOPClassUID = UID("1.2.840.10008.5.1.4.1.1.7")
    dataset.file_meta.MediaStorageSOPInstanceUID = UID("1.2.3")
    dataset.SpecificCharacterSet = charset
    dataset.PatientName = name
    dataset.StudyDate = "20260417"
    dataset.Modality = "CR"
    dataset.BitsAllocated = 8
    dataset.PixelData = b"\0" * 64
    buffer = io.BytesIO()
    pydicom.dcmwrite(buffer, dataset, enforce_file_format=True)
    return buffer.getvalue()


@pytest.mark.parametrize(("name", "charset"), [("Müller^Eva", "ISO_IR 100"), ("Wang^XiaoDong=王^小东", "GB18030")])
def test_dicom_headers_in_words(name: str, charset: str) -> None:
    result = read(dicom(name, charset), "scan.dcm")
    assert f"Patient's Name: {name.replace('^', ' ').replace('=', ' = ')}" in text(result)
    assert "Study Date: 2026-04-17" in text(result)
    assert "Pixel" not in text(result)
    posing = b"II*\0" + dicom(name, charset)[4:]
    assert read(posing, "scan").format == "dicom"


def coded(words: str, code: str = "1") -> list[Dataset]:
    dataset = Dataset()
    dataset.CodeMeaning, dataset.CodeValue, dataset.CodingSchemeDesignator = words, code, "99X"
    return [dataset]


def content(kind: str, name: str, **values: object) -> Dataset:
    item = Dataset()
    item.ValueType, item.ConceptNameCodeSequence = kind, coded(name)
    for keyword, value in values.items():
        setattr(item, keyword, value)
    return item


def test_structured_reports_read_as_their_content() -> None:
    measured = Dataset()
    measured.NumericValue, measured.MeasurementUnitsCodeSequence = "3", coded("centimetre", "cm")
    items = [
        content("TEXT", "Finding", TextValue="No fracture"),
        content("NUM", "Diameter", MeasuredValueSequence=[measured]),
        content("CODE", "Side", ConceptCodeSequence=coded("Left", "7771000")),
        content("CONTAINER", "History", ContentSequence=[content("DATE", "Seen on", Date="20260417")]),
    ]
    report = {
        "ConceptNameCodeSequence": coded("Chest report"),
        "ContentSequence": items,
        "PatientBirthDate": "19610615",
    }
    result = read(dicom("Kowalski^Maria", "ISO_IR 192", report), "report.dcm")
    told = "Chest report\n\nFinding: No fracture\nDiameter: 3 cm\nSide: Left (7771000)\nHistory:\nSeen on: 2026-04-17"
    assert told in text(result)
    assert text(result).startswith("Kowalski Maria, 1961-06-15")
    assert "Code Meaning" not in text(result)


def test_documents_wrapped_in_dicom_are_parts() -> None:
    wrapped = {"EncapsulatedDocument": pdf("The scan is normal"), "MIMETypeOfEncapsulatedDocument": "application/pdf"}
    result = read(dicom("Kowalski^Maria", "ISO_IR 100", {**wrapped, "DocumentTitle": "Letter"}), "letter.dcm")
    assert {passage.part: passage.text for passage in result.passages}["Letter.pdf"] == "The scan is normal"


def turn(role: str, words: str, **message: object) -> dict[str, object]:
    return {"author": {"role": role}, "content": {"content_type": "text", "parts": [words]}, **message}


def test_chats_arrive_whole_without_hidden_context() -> None:
    mapping = {
        "a": {"parent": None, "children": ["b"], "message": turn("system", "secret rules")},
        "b": {"parent": "a", "children": ["c", "a"], "message": turn("user", "Which room has a ramp?")},
        "c": {"parent": "b", "children": [], "message": turn("assistant", "The north room.")},
        "d": {
            "parent": "x",
            "children": [],
            "message": turn("user", "hidden", metadata={"is_visually_hidden_from_conversation": True}),
        },
    }
    export = [
        {"title": "Room plan", "create_time": 1767000000.0, "mapping": mapping},
        {"title": "Broken", "mapping": [1, 2]},
        {"name": "Claude", "chat_messages": [{"sender": "human", "text": "Hello there"}, None]},
    ]
    result = read(json.dumps(export).encode(), "conversations.json")
    found = text(result)
    assert "Person: Which room has a ramp?\n\nAssistant: The north room." in found
    assert "Person: Hello there" in found
    assert "secret" not in found
    assert "hidden" not in found
    assert ["Broken" in note.sentence for note in result.notes] == [True]
    assert {passage.part for passage in result.passages} == {"", "Room plan", "Claude"}


def picture(kind: str, size: tuple[int, int] = (40, 30)) -> bytes:
    buffer = io.BytesIO()
    Image.new("RGB", size, "white").save(buffer, kind)
    return buffer.getvalue()


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "GIF", "TIFF", "BMP", "WEBP"])
def test_pictures_wait_until_their_text_is_recognised(kind: str) -> None:
    assert refuse(picture(kind), f"scan.{kind.lower()}").code is RefusalCode.SCAN


def test_damaged_and_oversized_pictures() -> None:
    assert refuse(picture("PNG", (400, 300))[:150], "half.png").code is RefusalCode.DAMAGED
    huge = bytearray(picture("PNG"))
    huge[16:24] = (60_000).to_bytes(4, "big") * 2
    assert refuse(bytes(huge), "huge.png").code in (RefusalCode.TOO_LARGE, RefusalCode.DAMAGED)
    bomb = bytearray(picture("GIF"))
    bomb[6:10] = b"\xff\xff\xff\xff"
    assert refuse(bytes(bomb), "bomb.gif").code is RefusalCode.TOO_LARGE


@pytest.mark.parametrize(
    ("data", "name", "words"),
    [
        (b"!BDN" + b"\0" * 600, "mail.pst", "Outlook"),
        (b"7z\xbc\xaf\x27\x1c" + b"\0" * 100, "a.7z", "Unpack"),
        (b"MZ" + b"\0" * 100, "setup.exe", "program"),
        (b"-----BEGIN PGP MESSAGE-----\n\nabc", "mail.asc", "Decrypt"),
    ],
)
def test_what_no_reader_exists_for_is_named_with_what_helps(data: bytes, name: str, words: str) -> None:
    refusal = refuse(data, name)
    assert refusal.code is RefusalCode.UNSUPPORTED
    assert words in refusal.sentence
