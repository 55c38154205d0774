"""Small sample files for tables of calls, and random texts."""

from __future__ import annotations

from hypothesis import strategies as st

FILES = {
    "f": b"one two\nb\tc\n\nlast",  # its last line has no end
    "g": b"x:y:z\n1:2\nplain\n",  # fields
    "n": b"10\n9\n-1\n2.5\n 3\n1K\n2M\n",  # numbers
    "e": b"",
    "z": b"b\x00a\x00c",  # lines that end with NUL
    "u": "größe €\nä\n".encode(),
    "v": b"a10\na9\na1.2\n.b\na~\n",  # versions
    "m": b"mar\nJAN\nx\nfeb 2\n",  # months
    "k": b"b 2 x\na 2 y\nc 10 x\na 1 z\n",  # keys
}
PIECES = [
    b"\n", b"\n", b"a", b"b", b" ", b"\t", b"1", b"2", b"10", "é".encode(), b"\xff", b"A", b"foo",
    b",", b":", b"\x00", b"\r",
]  # fmt: skip


def texts(*more: bytes) -> st.SearchStrategy[bytes]:
    """Generate texts of these pieces and of more that matter to a command."""
    return st.lists(st.sampled_from([*PIECES, *more]), max_size=30).map(b"".join)
