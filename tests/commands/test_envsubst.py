"""envsubst against the real tool."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commands.command_runner import run_gnu, run_keysh

ENV = {"X": "1", "Y_2": "two $X", "_z": ""}


@pytest.mark.parametrize(
    "words", [[], ["$X"], ["-v", "$X ${Y_2} $X ${a-b}"], ["a", "b"], ["-v"], ["--nonsense"], [""]]
)
def test_calls_match_gettext(tmp_path: Path, words: list[str]) -> None:
    stdin = b"a $X ${Y_2}$_z, $X1 ${X $${X}} \xff$X\0$Y_2"
    assert run_keysh("envsubst", *words, stdin=stdin, env=ENV) == run_gnu(
        "envsubst", *words, cwd=tmp_path, stdin=stdin, **ENV
    )


PIECES = st.sampled_from(["$", "{", "}", "X", "Y_2", "_z", "1", " ", "-", "é", "\n", "\\"])


@settings(max_examples=80, derandomize=True)
@given(st.lists(PIECES, max_size=12).map("".join), st.sampled_from([[], ["$X ${_z}"]]))
def test_random_input_matches_gettext(
    tmp_path_factory: pytest.TempPathFactory, text: str, words: list[str]
) -> None:
    folder = tmp_path_factory.mktemp("envsubst")
    assert run_keysh("envsubst", *words, stdin=text.encode(), env=ENV) == run_gnu(
        "envsubst", *words, cwd=folder, stdin=text.encode(), **ENV
    )
