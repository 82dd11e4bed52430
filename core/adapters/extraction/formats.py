"""The formats: which module reads each, under which name, and what is said of those that none reads."""

from core.domain.extraction import Refusal, RefusalCode

# What `detect` found: the module that reads it, and the format's short name as people meet it.
READERS: dict[str, tuple[str, str]] = {
    "text": ("plain", "txt"),
    "broken-json": ("plain", "txt"),
    "jsonl": ("plain", "jsonl"),
    "json": ("structured", "json"),
    "xml": ("structured", "xml"),
    "md": ("markdown", "md"),
    "html": ("html", "html"),
    "csv": ("tables", "csv"),
    "pdf": ("pdf", "pdf"),
    "docx": ("docx", "docx"),
    "pptx": ("pptx", "pptx"),
    "doc": ("doc", "doc"),
    "ppt": ("ppt", "ppt"),
    "locked-office": ("locked", "docx"),
    "xlsx": ("sheets", "xlsx"),
    "xlsb": ("sheets", "xlsb"),
    "xls": ("sheets", "xls"),
    "ods": ("sheets", "ods"),
    "xmlss": ("structured", "xml"),
    "odt": ("opendocument", "odt"),
    "odp": ("opendocument", "odp"),
    "fodf": ("opendocument", "odt"),
    "rtf": ("rtf", "rtf"),
    "eml": ("mail", "eml"),
    "mbox": ("mailbox", "mbox"),
    "msg": ("outlook", "msg"),
    "tnef": ("tnef", "tnef"),
    "cms": ("signed", "eml"),
    "ics": ("cards", "ics"),
    "vcf": ("cards", "vcf"),
    "hl7": ("hl7", "hl7"),
    "fhir": ("fhir", "fhir"),
    "ccda": ("ccda", "ccda"),
    "dicom": ("dicom", "dicom"),
    "chats": ("chats", "chats"),
    "zip": ("archive", "zip"),
    "gzip": ("archive", "gz"),
    **{kind: ("images", kind) for kind in ("png", "jpeg", "gif", "tiff", "webp", "bmp", "heic", "ico")},
}

MEDIA_TYPES = {
    "txt": "text/plain",
    "json": "application/json",
    "jsonl": "application/jsonl",
    "xml": "application/xml",
    "md": "text/markdown",
    "html": "text/html",
    "csv": "text/csv",
    "pdf": "application/pdf",
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    "doc": "application/msword",
    "ppt": "application/vnd.ms-powerpoint",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "xlsb": "application/vnd.ms-excel.sheet.binary.macroEnabled.12",
    "xls": "application/vnd.ms-excel",
    "ods": "application/vnd.oasis.opendocument.spreadsheet",
    "odt": "application/vnd.oasis.opendocument.text",
    "odp": "application/vnd.oasis.opendocument.presentation",
    "rtf": "application/rtf",
    "eml": "message/rfc822",
    "mhtml": "multipart/related",
    "mbox": "application/mbox",
    "msg": "application/vnd.ms-outlook",
    "tnef": "application/vnd.ms-tnef",
    "ics": "text/calendar",
    "vcf": "text/vcard",
    "hl7": "x-application/hl7-v2+er7",
    "fhir": "application/fhir+json",
    "ccda": "application/cda+xml",
    "dicom": "application/dicom",
    "chats": "application/json",
    "zip": "application/zip",
    "gz": "application/gzip",
    **{kind: f"image/{kind}" for kind in ("png", "jpeg", "gif", "tiff", "webp", "bmp", "heic")},
}

# Formats that no reader exists for: what they are, and what helps.
UNSUPPORTED = {
    "pst": ("a whole Outlook mailbox (.pst)", "In Outlook, save the mails you need as MSG, or drag them out."),
    "epub": ("an e-book (EPUB)", "Save it as PDF or HTML."),
    "7z": ("a 7z archive", "Unpack it and add the files in it."),
    "rar": ("a RAR archive", "Unpack it and add the files in it."),
    "bzip2": ("a compressed file (bzip2)", "Unpack it and add the files in it."),
    "xz": ("a compressed file (xz)", "Unpack it and add the files in it."),
    "tar": ("a tar archive", "Unpack it and add the files in it."),
    "sqlite": ("a database of another program", "Export what you need from that program as CSV."),
    "audio": ("a sound recording", "Add a written copy of what is said."),
    "video": ("a film", "Add a written copy of what is said."),
    "program": ("a program", "Only papers can be read."),
    "owner": ("a lock file that Word leaves while a document is open", "It holds no text; add the document itself."),
    "encrypted": ("encrypted for its receiver", "Decrypt it in your mail program and save it from there."),
    "ole": ("a file of an old office program", "Open it in its program and save it in a current format."),
    "binary": ("a kind of file that isn't known", "Open it in its program and save it as PDF."),
}


def refusal(found: str, name: str) -> Refusal | None:
    """The refusal of a format that isn't read; None when there is a reader."""
    if found in READERS:
        return None
    if found.startswith("not-"):
        kind = found.removeprefix("not-").upper()
        return Refusal(
            RefusalCode.DAMAGED, f"There is plain text under the name {name}, and no {kind} file. Ask for it again."
        )
    what, helps = UNSUPPORTED.get(found, UNSUPPORTED["binary"])
    return Refusal(RefusalCode.UNSUPPORTED, f"{name} is {what} and can't be read here. {helps}")
