"""How `Extracted` and `Refusal` travel over the pipe: small frames, so that neither side stalls over a large one."""

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from core.domain.extraction import Extracted, Note, PassageDraft, Refusal, RefusalCode
from core.domain.recognition import RecognisedPage, word_rows, words_from

FRAME_CHARACTERS = 40_000


def passage_batches(passages: list[PassageDraft]) -> Iterator[list[list[Any]]]:
    """The passages as rows, in batches of about FRAME_CHARACTERS."""
    batch: list[list[Any]] = []
    size = 0
    for draft in passages:
        batch.append([draft.text, draft.page, list(draft.heading), draft.part, draft.start, draft.end])
        size += len(draft.text) + 100
        if size >= FRAME_CHARACTERS:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def passages_from(rows: list[list[Any]]) -> list[PassageDraft]:
    """The passages of one batch."""
    return [
        PassageDraft(text, page, tuple(heading), part, start, end) for text, page, heading, part, start, end in rows
    ]


def page_parts(pages: list[RecognisedPage]) -> Iterator[list[Any]]:
    """Each page as rows; places in parts of 10,000."""
    for page in pages:
        yield [page.page, page.part, page.turn, word_rows(page.words)]


def page_from(rows: list[Any]) -> RecognisedPage:
    """The page behind `page_parts`."""
    page, part, turn, words = rows
    return RecognisedPage(page, part, turn, words_from(words))


def to_header(result: Extracted | Refusal) -> dict[str, Any]:
    """Everything but the passages, as JSON data."""
    if isinstance(result, Refusal):
        return {"refusal": [result.code.value, result.sentence]}
    data = asdict(result)
    del data["passages"]
    del data["recognised"]
    return data


def from_header(
    header: dict[str, Any], passages: list[PassageDraft], recognised: list[RecognisedPage]
) -> Extracted | Refusal:
    """The result behind `to_header`. Raises KeyError, TypeError or ValueError on data that is none."""
    if "refusal" in header:
        code, sentence = header["refusal"]
        return Refusal(RefusalCode(code), str(sentence))
    return Extracted(
        media_type=header["media_type"],
        format=header["format"],
        passages=passages,
        title=header["title"],
        written_on=header["written_on"],
        author=header["author"],
        pages=header["pages"],
        notes=[Note(**note) for note in header["notes"]],
        scans=header["scans"],
        recognised=recognised,
    )
