"""numfmt: calls against the real tool, from a table."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commands.comparison import assert_agreement

FILES = {
    "x": b"",
}  # fmt: skip


@pytest.mark.parametrize(
    "words",
    [
        "1000", "--to=si 1000 1500 999999 1e3 1000000", "--to=iec 1024 1500 1048576",
        "--to=iec-i 2048", "--from=si 1K 2M 1.5G", "--from=iec 1K", "--from=iec-i 1Ki",
        "--from=iec-i 5", "--from=auto 1K 1Ki", "1K", "--from=si x", "--suffix=B --to=si 5000",
        "--suffix=B --from=si 5KB", "--padding=10 5", "--padding=-10 5", "--grouping 10000",
        "--format=%10.2f 3.14159", "--format=<%-10f> 5", "--format=%06f 5", "--field=2 a",
        "--round=up --to=si 1001", "--round=down --to=si 1999",
        "--round=nearest --to=si 1450 1550", "--to-unit=1024 4096", "--from-unit=512 8",
        "--invalid=warn x 5", "--invalid=ignore x 5", "--invalid=fail x 5", "-- -1500",
        "--to=si -- -1500", "--to=iec 10240 102400 1023 1024000", "--to=si 9999 99999 9950 9949",
        "1.5", "1.23456", "--to=si 1.5", "--to=foo 1", "--to= 1", "--from=si 1Kx", "--format=%d 1",
        "--format=a 1", "--to=none 1000000000000", "0x10", "1e", "--header 5", "--from=iec 1Ki",
        "--from=iec-i 1K", "--to=si 999500", "--delimiter=, --field=1 1",
        "--round=zero --to=si 1999", "--padding=0 1", "--field=0 1",
        "--to=iec 1125899906842624 1152921504606846976", "--from=si 1.5K", "--to-unit=K 5000",
        "--to=si --to-unit=1000 5000000", "--format=%.1f --to=si 1234", "--format=%5f%% 7",
        "--field=2 --to=si", "--field=1,3 --to=iec", "--header --to=si", "-d, --field=2 --to=si",
        "--to=si", "--from=si 1k", "--from=si 1.", ".5", "--from=auto", "--to=iec --padding=8",
        "--to=si --format=%.3f 123456", "--from=iec --to=si 10G",
        "--round=towards-zero --to=si -- -1999", "--field=- --to=si --invalid=ignore",
        "--to-unit=0 1", "-d ab 1", "-z 5", "--suffix=x --padding=6 5",
        "--grouping --to=si 5", "--grouping --format=%f 5", "--format=%'f --to=si 5",
        "--header=x 5", "--header=0 5", "--padding=x --format=%d 5", "--format=%f%f 5",
        "--format=% 5", "--format=%5 5", "--format=%.f 5.5", "--format=%.-1f 5", "--format=%+5f 5",
        "--format=%+f 5", "--padding=8 --format=%5f 5",
        "--padding=-8 --format=%5f 5", "--padding=8 --format=%05f -- -5",
        "--format=%05f --to=si 5e",
        "--format=%07.1f --to=si --suffix=B -- -5000", "--to-unit=1K 5.25", "--to-unit=2 5.000",
        "1000000000000000000 10000000000000000000", "1234567890123456.789",
        "--format=%.9f 12345678901",
        "--to=si 999999999999999999999999999", "--from=si --to=si 999999Y", "-- 5 x 6",
        "--debug 5", "--debug --header 5", "--debug --header --to=si",
        "--debug --padding=8 --format=%5f 5",
        "--debug --grouping 5", "--debug --format=%'f 5", "--debug --invalid=warn x", "--debug x",
        "--debug --to=si 1234567890123456789 123456789012345678", "--debug --invalid=ignore x 5",
        "--deb 5", "--de 5",
    ],
)  # fmt: skip
def test_calls_match_gnu(tmp_path: Path, words: str) -> None:
    assert_agreement("numfmt", words.split(), tmp_path, FILES, b"  1000 2000 3000\n4,5000 x 77\n")


@pytest.mark.parametrize("scale", ["si", "iec", "iec-i"])
@pytest.mark.parametrize("rounding", ["up", "down", "nearest", "from-zero", "towards-zero"])
def test_rounding_matches_gnu(tmp_path: Path, scale: str, rounding: str) -> None:
    numbers = ["0", "5", "999", "1000", "1049", "1050", "9949", "10100", "99999", "1234567"]
    words = [f"--to={scale}", f"--round={rounding}", "--", *numbers, "-1049", "1.25", "0.078125"]
    assert_agreement("numfmt", words, tmp_path, {})


DIGITS = st.sampled_from(
    ["5", "1000", "999950", "-1049", "0.078125", "12345678901234567.5", "4K", "2Mi"]
)
WORDS = st.lists(
    st.sampled_from([
        "--from=auto", "--from=si", "--to=si", "--to=iec", "--round=up", "--padding=12",
        "--padding=-9",
        "--format=%08.1f", "--format=%-9f", "--format=%.3f", "--suffix=B", "--invalid=warn",
        "--debug",
        "--to-unit=1K", "--from-unit=3", "--field=1-",
    ]),
    # GNU's numfmt keeps the alignment of an earlier --padding.
    max_size=4, unique_by=lambda word: "--padding" if "--padding" in word else word,
)  # fmt: skip


@settings(max_examples=60)
@given(words=WORDS, numbers=st.lists(DIGITS, min_size=1, max_size=3))
def test_random_calls_match_gnu(
    tmp_path_factory: pytest.TempPathFactory, words: list[str], numbers: list[str]
) -> None:
    assert_agreement("numfmt", [*words, "--", *numbers], tmp_path_factory.mktemp("numfmt"), {})


@settings(max_examples=40)
@given(
    rows=st.lists(st.text("1 a\t", max_size=8), max_size=4),
    field=st.sampled_from(["1", "2", "3", "2-", "-", "1,3"]),
    words=st.sampled_from([["--invalid=ignore"], ["--invalid=ignore", "--padding=4"], ["-d", " "]]),
)
def test_field_positions_match_gnu(
    tmp_path_factory: pytest.TempPathFactory, rows: list[str], field: str, words: list[str]
) -> None:
    folder = tmp_path_factory.mktemp("numfmt")
    text = "".join(f"{row}\n" for row in rows).encode()
    assert_agreement("numfmt", [*words, f"--field={field}"], folder, {}, text)
