"""URLs: one that stands for many, with `{one,two}` and `[1-9]`, `[01-10:3]`, `[a-z]` in it."""

from __future__ import annotations

import re
from itertools import product

from keysh.tools.curl.failure import URL_MALFORMAT, TransferError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

MAX_EXPANDED_URLS = 100_000  # URLs that one may stand for
# A numeric host of IPv6, a list, a range; any other bracket means nothing.
GLOB_PATTERN = re.compile(
    r"(?P<host>\[[0-9a-fA-F:.%]*:[0-9a-fA-F:.%]*\](?=[:/?#]|$))"
    r"|\{(?P<list>[^{}\[\]]+)\}"
    r"|\[(?P<first>[0-9]{1,18}|[a-z]|[A-Z])-(?P<last>[0-9]{1,18}|[a-z]|[A-Z])(?::(?P<step>[0-9]{1,18}))?\]"
    r"|\\(?P<plain>[\[\]{}])|(?P<wrong>[\[\]{}])"
)
NESTED_BRACE_PATTERN = re.compile(r"\{[^{}]*\{")
NUMBER_MARK = re.compile(r"#([1-9][0-9]*)")


def expand_url(url: str) -> Iterator[tuple[str, Sequence[str]]]:
    """The URLs that one stands for, each with what was put in; TransferError."""
    texts, choices = [""], []
    at, count = 0, 1
    for found in GLOB_PATTERN.finditer(url):
        texts[-1] += url[at : found.start()]
        at = found.end()
        kind = found.lastgroup
        if kind == "wrong":
            raise glob_error(found)
        if kind in ("host", "plain"):
            texts[-1] += found["plain"] or found[0]
            continue
        chosen = found["list"].split(",") if found["list"] is not None else range_values(found)
        count *= len(chosen)
        if count > MAX_EXPANDED_URLS:
            raise TransferError(
                URL_MALFORMAT, f"a URL stands for more than {MAX_EXPANDED_URLS} in position {at}"
            )
        choices.append(chosen)
        texts.append("")
    texts[-1] += url[at:]
    for chosen_ones in product(*choices):
        pairs = zip(texts, (*chosen_ones, ""), strict=True)
        yield "".join(part for pair in pairs for part in pair), chosen_ones


def range_values(found: re.Match[str]) -> list[str]:
    """What a range stands for; numbers are filled up with zeros as the first is."""
    first, last, step = found["first"], found["last"], int(found["step"] or 1)
    if first.isdigit() != last.isdigit() or not step:
        raise glob_error(found)
    if not first.isdigit():
        if last < first or first.isupper() != last.isupper():
            raise glob_error(found)
        return [chr(code) for code in range(ord(first), ord(last) + 1, step)]
    width = len(first) if first[0] == "0" else 0
    numbers = range(int(first), int(last) + 1, step)
    if not numbers or len(numbers) > MAX_EXPANDED_URLS:
        raise glob_error(found)
    return [str(number).zfill(width) for number in numbers]


def glob_error(found: re.Match[str]) -> TransferError:
    """What is wrong with a bracket, and where."""
    url, at = found.string, found.start()
    says, column = "unmatched close brace/bracket", at + 1
    if url[at] == "[":
        end = url.find("]", at)
        says, column = "bad range", len(url) + 1 if end < 0 else end + 2
    elif url[at] == "{":
        inner = NESTED_BRACE_PATTERN.match(url, at)
        says, column = ("nested brace", inner.end()) if inner else ("unmatched brace", at + 1)
        if url[at + 1 : at + 2] == "}":
            says, column = "empty string within braces", at + 2
    return TransferError(
        URL_MALFORMAT, f"{says} in URL position {column}:\n{url}\n{' ' * (column - 1)}^"
    )


def fill_file_name(name: str, chosen: Sequence[str]) -> str:
    """The name of a file, with `#1` for what was put in at the first place."""

    def read(match: re.Match[str]) -> str:
        index = int(match[1][:9])
        return chosen[index - 1] if index <= len(chosen) else match[0]

    return NUMBER_MARK.sub(read, name)
