"""Expand URL globs: `{one,two}`, `[1-9]`, `[01-10:3]` and `[a-z]`."""

from __future__ import annotations

import re
from itertools import product

from keysh.tools.curl.failure import URL_MALFORMAT, TransferError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

MAX_EXPANDED_URLS = 100_000
# An IPv6 address, a list, a range, an escaped bracket. Any other bracket is an error.
GLOB_PATTERN = re.compile(
    r"(?P<host>\[[0-9a-fA-F:.%]*:[0-9a-fA-F:.%]*\](?=[:/?#]|$))"
    r"|\{(?P<list>[^{}\[\]]+)\}"
    r"|\[(?P<first>[0-9]{1,18}|[a-z]|[A-Z])-(?P<last>[0-9]{1,18}|[a-z]|[A-Z])(?::(?P<step>[0-9]{1,18}))?\]"
    r"|\\(?P<plain>[\[\]{}])|(?P<wrong>[\[\]{}])"
)
NESTED_BRACE_PATTERN = re.compile(r"\{[^{}]*\{")
NUMBER_MARK = re.compile(r"#([1-9][0-9]*)")


def expand_url(url: str) -> Iterator[tuple[str, Sequence[str]]]:
    """Yield the URLs of a glob, each with the parts chosen. Raise TransferError if it is bad."""
    texts, choices = [""], []
    position, count = 0, 1
    for match in GLOB_PATTERN.finditer(url):
        texts[-1] += url[position : match.start()]
        position = match.end()
        kind = match.lastgroup
        if kind == "wrong":
            raise glob_error(match)
        if kind in ("host", "plain"):
            texts[-1] += match["plain"] or match[0]
            continue
        alternatives = (
            match["list"].split(",") if match["list"] is not None else range_values(match)
        )
        count *= len(alternatives)
        if count > MAX_EXPANDED_URLS:
            raise TransferError(
                URL_MALFORMAT,
                f"a URL expands to more than {MAX_EXPANDED_URLS} in position {position}",
            )
        choices.append(alternatives)
        texts.append("")
    texts[-1] += url[position:]
    for chosen_parts in product(*choices):
        pairs = zip(texts, (*chosen_parts, ""), strict=True)
        yield "".join(part for pair in pairs for part in pair), chosen_parts


def range_values(match: re.Match[str]) -> list[str]:
    """Return the values of a range. Numbers are padded with zeros if the first one is."""
    first, last, step = match["first"], match["last"], int(match["step"] or 1)
    if first.isdigit() != last.isdigit() or not step:
        raise glob_error(match)
    if not first.isdigit():
        if last < first or first.isupper() != last.isupper():
            raise glob_error(match)
        return [chr(code) for code in range(ord(first), ord(last) + 1, step)]
    width = len(first) if first[0] == "0" else 0
    numbers = range(int(first), int(last) + 1, step)
    if not numbers or len(numbers) > MAX_EXPANDED_URLS:
        raise glob_error(match)
    return [str(number).zfill(width) for number in numbers]


def glob_error(match: re.Match[str]) -> TransferError:
    """Return the error for a bracket, with its position."""
    url, position = match.string, match.start()
    message, column = "unmatched close brace/bracket", position + 1
    if url[position] == "[":
        end = url.find("]", position)
        message, column = "bad range", len(url) + 1 if end < 0 else end + 2
    elif url[position] == "{":
        inner = NESTED_BRACE_PATTERN.match(url, position)
        message, column = (
            ("nested brace", inner.end()) if inner else ("unmatched brace", position + 1)
        )
        if url[position + 1 : position + 2] == "}":
            message, column = "empty string within braces", position + 2
    return TransferError(
        URL_MALFORMAT, f"{message} in URL position {column}:\n{url}\n{' ' * (column - 1)}^"
    )


def fill_file_name(name: str, chosen_parts: Sequence[str]) -> str:
    """Replace `#1` in a file name by the first part chosen, and so on."""

    def read(match: re.Match[str]) -> str:
        index = int(match[1][:9])
        return chosen_parts[index - 1] if index <= len(chosen_parts) else match[0]

    return NUMBER_MARK.sub(read, name)
