"""A table as one JSON object, formatted as libsmartcols does."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from keysh.tools.column.layout import TableColumn
    from keysh.tools.column.tree import Forest

INDENT = "   "
ASCII_LOWER = {ord(letter): letter.lower() for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"}
JSON_ESCAPES = {
    **{code: f"\\u{code:04x}" for code in range(0x20)},
    ord("\b"): "\\b", ord("\t"): "\\t", ord("\n"): "\\n", ord("\f"): "\\f", ord("\r"): "\\r",
    ord('"'): '\\"', ord("\\"): "\\\\",
}  # fmt: skip


def json_chunks(
    rows: Sequence[Sequence[str]], columns: Sequence[TableColumn], name: str, forest: Forest | None
) -> Iterator[str]:
    """Yield the object in chunks: a list of rows, each with its child rows."""
    visible = [column for column in columns if not column.is_hidden]
    keys = [json_string(column.name.translate(ASCII_LOWER)) for column in visible]
    yield f"{{\n{INDENT}{json_string(name)}: [\n"
    children = forest.children if forest is not None else {}
    # One iterator for each level of the tree that is open.
    lists = [iter(forest.roots if forest is not None else range(len(rows)))]
    opening = INDENT * 2
    while lists:
        number = next(lists[-1], None)
        margin = INDENT * (2 * len(lists))
        if number is None:
            lists.pop()
            closing = margin.removesuffix(INDENT)
            yield f"\n{closing}]\n" + (f"{closing.removesuffix(INDENT)}}}" if lists else "}\n")
            opening = ","
            continue
        row, child_rows = rows[number], children.get(number)
        fields = [
            f"{key}: {json_field(row, column.index)}"
            for key, column in zip(keys, visible, strict=True)
        ]
        inner = margin + INDENT
        yield f"{opening}{{\n{inner}" + f",\n{inner}".join(fields)
        opening = ","
        if child_rows:
            yield f',\n{inner}"children": [\n'
            lists.append(iter(child_rows))
            opening = inner + INDENT
        else:
            yield f"\n{margin}}}"


def json_field(row: Sequence[str], index: int) -> str:
    """Return a field as JSON; an empty one is null."""
    return json_string(row[index]) if index < len(row) and row[index] else "null"


def json_string(text: str) -> str:
    return f'"{text.translate(JSON_ESCAPES)}"'
