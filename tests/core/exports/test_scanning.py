"""Finding the objects of a large JSON text by its brackets and strings alone."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.adapters.exports.scanning import BrokenOff, objects

scalars = st.none() | st.booleans() | st.integers() | st.text(max_size=20)
values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
)
mappings = st.dictionaries(st.text(max_size=5), values, max_size=3)


def found(text: bytes) -> list[Any]:
    return [json.loads(text[start:end]) for start, end in objects(text)]


@given(st.lists(mappings | scalars, max_size=6), st.sampled_from([None, 1]), st.booleans())
def test_every_object_of_a_list_is_found(items: list[Any], indent: int | None, ascii: bool) -> None:
    text = json.dumps(items, indent=indent, ensure_ascii=ascii).encode("utf-8", "surrogatepass")
    assert found(text) == [item for item in items if isinstance(item, dict)]


@given(mappings)
def test_a_single_object_is_a_list_of_one(item: dict[str, Any]) -> None:
    assert found(b"\xef\xbb\xbf \n" + json.dumps(item).encode()) == [item]


@given(st.lists(mappings, min_size=1, max_size=4), st.data())
def test_a_text_that_breaks_off_is_refused(items: list[Any], data: st.DataObject) -> None:
    text = json.dumps(items).encode()
    cut = data.draw(st.integers(1, len(text) - 1))
    with pytest.raises(BrokenOff):
        objects(text[:cut])


@pytest.mark.parametrize("text", [b"", b" ", b"{}}", b"[{}]]", b"[{}", b'["a', b'{"a": "b}', b"[] x", b"{} {}", b"]["])
def test_what_is_not_whole_is_refused(text: bytes) -> None:
    with pytest.raises(BrokenOff):
        objects(text)


def test_brackets_in_strings_and_deep_nesting_are_no_trouble() -> None:
    assert found(b'[{"a": "]}\\\\\\"{["}, {"b": 1}]') == [{"a": ']}\\"{['}, {"b": 1}]
    deep = b'{"a":' * 100_000 + b"1" + b"}" * 100_000
    assert objects(b"[" + deep + b"]") == [(1, len(deep) + 1)]
