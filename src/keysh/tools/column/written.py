"""A table as one JSON object, in the form that libsmartcols writes."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from keysh.tools.column.layout import Column
    from keysh.tools.column.tree import Forest

STEP = "   "
LOWERED = {ord(letter): letter.lower() for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"}
ESCAPES = {
    **{code: f"\\u{code:04x}" for code in range(0x20)},
    ord("\b"): "\\b", ord("\t"): "\\t", ord("\n"): "\\n", ord("\f"): "\\f", ord("\r"): "\\r",
    ord('"'): '\\"', ord("\\"): "\\\\",
}  # fmt: skip


def as_json(
    rows: Sequence[Sequence[str]], columns: Sequence[Column], name: str, forest: Forest | None
) -> Iterator[str]:
    """The object, in pieces: a list of rows, and in each the rows below it."""
    shown = [column for column in columns if not column.is_hidden]
    keys = [quoted(column.name.translate(LOWERED)) for column in shown]
    yield f"{{\n{STEP}{quoted(name)}: [\n"
    children = forest.children if forest is not None else {}
    # Rows that are open, each with what is left of its list.
    lists = [iter(forest.roots if forest is not None else range(len(rows)))]
    opening = STEP * 2
    while lists:
        number = next(lists[-1], None)
        margin = STEP * (2 * len(lists))
        if number is None:
            lists.pop()
            closing = margin.removesuffix(STEP)
            yield f"\n{closing}]\n" + (f"{closing.removesuffix(STEP)}}}" if lists else "}\n")
            opening = ","
            continue
        row, below = rows[number], children.get(number)
        fields = [
            f"{key}: {value_of(row, column.at)}" for key, column in zip(keys, shown, strict=True)
        ]
        inner = margin + STEP
        yield f"{opening}{{\n{inner}" + f",\n{inner}".join(fields)
        opening = ","
        if below:
            yield f',\n{inner}"children": [\n'
            lists.append(iter(below))
            opening = inner + STEP
        else:
            yield f"\n{margin}}}"


def value_of(row: Sequence[str], at: int) -> str:
    """A field's value; nothing is null."""
    return quoted(row[at]) if at < len(row) and row[at] else "null"


def quoted(text: str) -> str:
    """A text in JSON."""
    return f'"{text.translate(ESCAPES)}"'
