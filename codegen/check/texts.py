"""Rules about texts for readers, which become comments and strings of reflection."""

from __future__ import annotations

from collections.abc import Iterator

from model.named import declarations, with_fields
from parse import Parsed
from source.source import Report
from source.toml_places import Path

MAX_DOC_BYTES = 4_000  # of a `doc` or `unit`: compilers must accept strings of 4,095 bytes


def doc_length(parsed: Parsed, report: Report) -> None:
    for path, text in _texts(parsed):
        size = len(text.encode())
        if size > MAX_DOC_BYTES:
            message = f"this {path[-1]} has {size} bytes, more than {MAX_DOC_BYTES}"
            help = "move the rest to a comment in the schema, or to another document"
            report.error("doc-length", parsed.book.value(*path), message, help=help)


def _texts(parsed: Parsed) -> Iterator[tuple[Path, str]]:
    """Yields each text for readers and its path."""
    model = parsed.model
    yield ("world", "doc"), model.world.doc
    for named in declarations(model):
        yield (named.kind, named.name, "doc"), named.doc
    for enum in model.types.enums.values():
        for number, value in enumerate(enum.values):
            yield (enum.kind, enum.name, "values", number, "doc"), value.doc
    for kind, struct in with_fields(model):
        for field in struct.fields:
            path = (kind, struct.name, "fields", field.name)
            yield (*path, "doc"), field.doc
            yield (*path, "unit"), field.unit


RULES = (doc_length,)
