"""sort --debug: what it tells of keys, and how it marks them, against the real tool."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commands.running import gnu, on_disk, ours

LINES = (
    b"b 10\na  9x\n\n1.5e3 2\n\tz\n 3K q\n-5\nJan 2\nm\xc3\xa4rz\n\xff\x00 1\n5. feb\n0x1f\n-.5G\n"
)
KEYS = ["-k1", "-k2", "-k1,1", "-k2,2n", "-k1.2,1.4", "-k2.2", "-k1,2h", "-k3,1", "-k2g", "-k1M",
        "-k1,1r", "-k2,3d", "-k1,1.2"]  # fmt: skip


@pytest.mark.parametrize(
    "words",
    ["-c", "-C", "-o x", "-c -n", "-m -n", "-z -k2", "-u -r -k1n", "-t . -k1n", "-t - -k1n",
     "-t + -k1g", "-k2b", "-k2b -b -s", "-k2.2b -h -b", "-b -k2,2", "-b -k1b,1 -k2"],
)  # fmt: skip
def test_keys_are_told_of_and_marked(tmp_path: Path, words: str) -> None:
    agree_on("--debug", *words.split(), folder=tmp_path)


def agree_on(*words: str, folder: Path) -> None:
    """Run both in a locale whose order is that of the bytes."""
    (folder / "f").write_bytes(LINES)
    expected = gnu("sort", *words, "f", cwd=folder)
    with on_disk(folder) as fs:
        assert ours("sort", *words, "f", fs=fs, env={"LC_ALL": "C.UTF-8"}) == expected, words


@settings(max_examples=60)
@given(
    keys=st.lists(st.sampled_from(KEYS), max_size=2),
    options=st.lists(
        st.sampled_from(["-b", "-n", "-r", "-s", "-u", "-f", "-d", "-h", "-M", "-g", "-t :"]),
        max_size=3,
    ),
)
def test_random_keys_are_marked_as_gnu_marks_them(
    tmp_path_factory: pytest.TempPathFactory, keys: list[str], options: list[str]
) -> None:
    words = [part for word in (*keys, *options) for part in word.split(" ")]
    agree_on("--debug", *words, folder=tmp_path_factory.mktemp("debug"))
