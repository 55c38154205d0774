"""Time hostile texts of a megabyte, and of half of it, to show that the time is linear.

    python benchmarks/hostile.py [--size N]

Each is parsed to a tree or to diagnostics; the last column says which.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Iterator

from keysh.diagnostics.exceptions import ScriptError
from keysh.diagnostics.source import Source
from keysh.syntax.parser import parse

# Text that is repeated; in WRAPPED with a beginning and an end.
PIECES = (
    "(", "$(", '"', "cat <<E ", "cat <<E\n", "\0", "\udc80", "echo a\r\n", "{", "{ ", "[", "${",
    "${x:-", "$((", "((", "if ", "! ", "`", "a&&", "a|", "{a,", "@(", "a;", "\n", "#\n", " ", "\\",
    "\\\n", "'", "$'", "<", ">", "&", ";;", "case x in ", "f()", "f() { ", "f(", "x=(", "a=", "~",
    "{1..2}", "a", "$x", "a[", "a[b]=", '"$(', "time ", "for x in ", "fi\n", "k a=[", "2>", "{a",
)  # fmt: skip
WRAPPED = (
    ("echo $((", "-", "1))"),
    ("echo $((", "1+", "1))"),
    ("((", "1?", ""),
    ("[[ ", "! ", "a ]]"),
    ("[[ ", "( ", ""),
    ("[[ a =~ ", "(", ""),
    ("echo {", ",", "}"),
    ("x=[", "a ", "]"),
    ("x=", "{a:", ""),
    ("if a; then b; ", "elif c; then d; ", "fi"),
    ("a ", "...$x ", ""),
)


def texts(size: int) -> Iterator[tuple[str, str]]:
    """Yield a name and a text of about `size` characters for each kind."""
    for piece in PIECES:
        yield repr(piece), piece * (size // len(piece))
    for before, piece, after in WRAPPED:
        yield repr(before + piece), before + piece * (size // len(piece)) + after
    noise = random.Random(1).randbytes(size)
    yield "random bytes", noise.decode("utf-8", "surrogateescape")
    yield "random text", noise.replace(b"\0", b" ").decode("latin-1")


def read(text: str) -> tuple[float, str]:
    """Return the seconds, and the result."""
    start = time.perf_counter()
    try:
        parse(Source(text))
        answer = "a tree"
    except ScriptError as error:
        answer = error.diagnostics[0].code
    return time.perf_counter() - start, answer


def main() -> None:
    """Print the measurements."""
    options = argparse.ArgumentParser()
    options.add_argument("--size", type=int, default=1_000_000)
    size = options.parse_args().size
    slowest = 0.0
    for (name, half), (_, whole) in zip(texts(size // 2), texts(size), strict=True):
        first, _ = read(half)
        second, answer = read(whole)
        slowest = max(slowest, second)
        print(f"{name:28} {first:6.2f} s  {second:6.2f} s  {answer}")
    print(f"slowest: {slowest:.2f} s")


if __name__ == "__main__":
    main()
