"""The formats that papers have, in the groups in which people look for them."""

GROUPS: dict[str, tuple[str, ...]] = {
    "pdf": ("pdf",),
    "text": ("docx", "doc", "odt", "rtf", "txt", "md"),
    "table": ("xlsx", "xls", "xlsb", "ods", "csv"),
    "slides": ("pptx", "ppt", "odp"),
    "mail": ("eml", "msg", "mbox", "tnef"),
    "picture": ("png", "jpeg", "gif", "tiff", "webp", "bmp", "heic", "ico"),
    "clinical": ("fhir", "ccda", "hl7", "dicom"),
    "calendar": ("ics", "vcf"),
    "chat": ("chats",),
    "web": ("html", "mhtml"),
    "archive": ("zip", "gz"),
    "data": ("json", "jsonl", "xml"),
}
"""Name of the group to the short names of its formats, as the readers give them."""

OTHER = "other"
"""The group of what was not read yet, or can't be."""


def group_of(format: str) -> str:
    return next((name for name, formats in GROUPS.items() if format in formats), OTHER)
