"""How formats of papers are called, and their icons."""

FORMATS: dict[str, tuple[str, str]] = {
    "pdf": ("PDF", "file-text"),
    "docx": ("Word document", "file-type"),
    "doc": ("Word document", "file-type"),
    "odt": ("Text document", "file-type"),
    "rtf": ("Text document", "file-type"),
    "txt": ("Text", "file-text"),
    "md": ("Text (Markdown)", "notebook-text"),
    "xlsx": ("Spreadsheet", "file-spreadsheet"),
    "xls": ("Spreadsheet", "file-spreadsheet"),
    "xlsb": ("Spreadsheet", "file-spreadsheet"),
    "ods": ("Spreadsheet", "file-spreadsheet"),
    "csv": ("Table (CSV)", "table"),
    "pptx": ("Presentation", "monitor"),
    "ppt": ("Presentation", "monitor"),
    "odp": ("Presentation", "monitor"),
    "eml": ("E-mail", "mail"),
    "msg": ("E-mail", "mail"),
    "mbox": ("Mailbox", "inbox"),
    "tnef": ("Outlook attachment", "mail"),
    "fhir": ("Health record", "stethoscope"),
    "ccda": ("Clinical document", "stethoscope"),
    "hl7": ("Clinical message", "stethoscope"),
    "dicom": ("Examination image", "stethoscope"),
    "ics": ("Appointments", "calendar"),
    "vcf": ("Contacts", "users"),
    "chats": ("Exported chats", "message-square"),
    "html": ("Web page", "globe"),
    "mhtml": ("Web page", "globe"),
    "zip": ("Archive", "file-archive"),
    "gz": ("Archive", "file-archive"),
    "json": ("Data (JSON)", "file"),
    "jsonl": ("Data (JSON)", "file"),
    "xml": ("Data (XML)", "file"),
    **dict.fromkeys(("png", "jpeg", "gif", "tiff", "webp", "bmp", "heic", "ico"), ("Picture", "file-image")),
}
"""Reader's format to words and icon."""

GROUPS: dict[str, str] = {
    "pdf": "PDF",
    "text": "Text",
    "table": "Tables",
    "slides": "Presentations",
    "mail": "E-mail",
    "picture": "Pictures",
    "clinical": "Clinical files",
    "calendar": "Calendar and contacts",
    "chat": "Exported chats",
    "web": "Web pages",
    "archive": "Archives",
    "data": "Data",
    "other": "Other",
}
"""Group of `core.domain.formats.GROUPS` to words."""

ENDINGS = {
    "jpg": "jpeg", "jpe": "jpeg", "tif": "tiff", "heif": "heic", "dcm": "dicom", "htm": "html", "mht": "mhtml",
    "markdown": "md", "text": "txt", "log": "txt", "tsv": "csv", "vcard": "vcf", "ical": "ics",
}  # fmt: skip
"""Endings of file names that are not a format's own name."""


def of_name(ending: str) -> tuple[str, str] | None:
    """Words and icon of what a file's ending (without the dot) promises."""
    return FORMATS.get(ENDINGS.get(ending.lower(), ending.lower()))
