"""What Outlook's properties are called (MS-OXPROPS), for contacts, appointments and tasks."""

SUBJECT, BODY, HTML, RTF, HEADERS = 0x0037, 0x1000, 0x1013, 0x1009, 0x007D
MESSAGE_CLASS = 0x001A
SENDER_NAME, SENDER_ADDRESS, SENDER_SMTP = 0x0C1A, 0x0C1F, 0x5D01
REPRESENTED_NAME, REPRESENTED_ADDRESS, REPRESENTED_SMTP = 0x0042, 0x0065, 0x5D02
TO, CC, BCC, REPLY_TO = 0x0E04, 0x0E03, 0x0E02, 0x0050
SENT, DELIVERED = 0x0039, 0x0E06
CODEPAGE, BODY_CODEPAGE = 0x3FFD, 0x3FDE
NAME, ADDRESS, SMTP_ADDRESS = 0x3001, 0x3003, 0x39FE
LONG_FILE_NAME, FILE_NAME, ATTACHED, MIME_TYPE = 0x3707, 0x3704, 0x3701, 0x370E

# Of a person (contacts): tag to label.
PERSON = {
    NAME: "Name",
    0x3A45: "Title",
    0x3A06: "Given name",
    0x3A44: "Middle name",
    0x3A11: "Family name",
    0x3A05: "Suffix",
    0x3A4F: "Also called",
    0x3A16: "Organisation",
    0x3A18: "Department",
    0x3A17: "Position",
    0x3A19: "Office",
    0x3A08: "Telephone at work",
    0x3A1B: "Second telephone at work",
    0x3A09: "Telephone at home",
    0x3A2F: "Second telephone at home",
    0x3A1C: "Mobile",
    0x3A1A: "Main telephone",
    0x3A1F: "Other telephone",
    0x3A24: "Fax at work",
    0x3A25: "Fax at home",
    0x3A15: "Address",
    0x3A51: "Page",
    0x3A50: "Own page",
    0x3A4E: "Manager",
    0x3A30: "Assistant",
    0x3A48: "Married to",
    0x3A46: "Profession",
}
BORN, WEDDING = 0x3A42, 0x3A41

# Properties that have a number of their own in each file: (set, number) to label; "d" behind it marks a time.
_APPOINTMENT, _TASK, _ADDRESS = (f"0006200{number}-0000-0000-c000-000000000046" for number in (2, 3, 4))
NAMED = {
    (_APPOINTMENT, 0x820D): "Starts/d",
    (_APPOINTMENT, 0x820E): "Ends/d",
    (_APPOINTMENT, 0x8208): "Place",
    (_APPOINTMENT, 0x8232): "Repeats",
    (_APPOINTMENT, 0x8234): "Time zone",
    (_APPOINTMENT, 0x8238): "Invited",
    (_TASK, 0x8104): "Begins/d",
    (_TASK, 0x8105): "Due/d",
    (_TASK, 0x810F): "Done on/d",
    (_TASK, 0x811F): "Task of",
    (_TASK, 0x8121): "Given by",
    (_ADDRESS, 0x8083): "Mail",
    (_ADDRESS, 0x8093): "Second mail",
    (_ADDRESS, 0x80A3): "Third mail",
    (_ADDRESS, 0x801A): "Address at home",
    (_ADDRESS, 0x801B): "Address at work",
    (_ADDRESS, 0x801C): "Other address",
    (_ADDRESS, 0x8062): "Chat",
}
