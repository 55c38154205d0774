"""Fields: random words, values, IFS and files give the arguments that real bash makes of them."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from dialect.dialect_oracle import ARGV, bash_answer, dialect_answer
from real_tools import needs

pytestmark = needs("bash")

FILES = ("a", "ab", "a b", "b1", "b2", ".hidden", "x*y")
VALUES = st.text(alphabet="ab12 :,*?[]\\\t\n-", max_size=8)
SEPARATORS = st.sampled_from([None, "", " ", ":", ": ", ",", " \t\n", "1", "\t:", "b"])
PIECES = st.sampled_from([
    "$v", "$w", '"$v"', '"$w"', "${v}", "${v:-x y}", '${u:-"p q" r}', "${u:-$w}", "${v:+$w z}",
    '"${u:-$w}"', "${v%b*}", "${v/a/ }", "$@", '"$@"', "$*", '"$*"', "${l[@]}", '"${l[@]}"',
    "${l[*]}", '"${l[*]}"', "${l[@]:1}", "${#v}", "$(printf '%s' \"$w\")", '"$(echo "$v")"',
    "$((1+1))", "a", "b*", "'* '", '""', "[ab]", "?", "x\\*y", "~", "${v^^}", "${v@Q}", "{a,b}",
    "${l[0]}", "${u}", "$u", "$#", "${@:2}", '"${@:1:1}"', "a\\ b", "*",
])  # fmt: skip
WORDS = st.lists(st.lists(PIECES, min_size=1, max_size=3).map("".join), min_size=1, max_size=3)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place: Path = tmp_path_factory.mktemp("fields")
    for name in FILES:
        (place / name).touch()
    return place


def quoted(text: str) -> str:
    """Return a text in single quotes; none of the values holds one."""
    return f"'{text}'"


def is_mixed(separators: str) -> bool:
    """Whether IFS begins with a blank and has other characters, too."""
    return separators[:1].isspace() and not separators.isspace()


@given(WORDS, VALUES, VALUES, st.lists(VALUES, max_size=3), SEPARATORS)
@settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
def test_fields_are_those_of_bash(
    folder: Path, words: list[str], v: str, w: str, elements: list[str], separators: str | None
) -> None:
    # Where `IFS` begins with a blank and holds more, bash loses an empty field behind an empty
    # argument of `$@`, though not behind the same text in a variable.
    assume(not ("" in elements and separators is not None and is_mixed(separators)))
    listed = " ".join(map(quoted, elements))
    ifs = "unset IFS" if separators is None else f"IFS={quoted(separators)}"
    script = (
        f"{ARGV}v={quoted(v)} w={quoted(w)}; l=({listed}); set -- {listed}\n{ifs}\n"
        f'argv {" ".join(words)}\nfor i in {" ".join(words)}; do argv "$i"; done\n'
        f'k=({" ".join(words)}); argv "${{k[@]}}"\n'
    )
    assert dialect_answer(script, folder) == bash_answer(script, folder)
