r"""A `\` before a newline joins lines; where sh reads it differently, keysh refuses it."""

from __future__ import annotations

import pytest

from keysh.diagnostics.exceptions import ScriptError
from keysh.diagnostics.source import Source
from keysh.syntax.parser import parse

pytestmark = pytest.mark.quick


@pytest.mark.parametrize(
    ("broken", "joined"),
    [
        ("ec\\\nho hi", "echo hi"),
        ("echo a\\\nb", "echo ab"),
        ("echo a \\\n  b", "echo a b"),
        ('echo "a\\\nb"', 'echo "ab"'),
        ("i\\\nf a; then b; fi", "if a; then b; fi"),
        ("echo $na\\\nme", "echo $name"),
        ("echo $\\\n b", "echo $ b"),
        ("echo $\\\n\\\nname", "echo $name"),
        ("echo $\\\n{x}", "echo ${x}"),
        ('echo "$\\\n{x:-"a"}"', 'echo "${x:-"a"}"'),
        ("echo $\\\n(ls) $\\\n((1 + 2))", "echo $(ls) $((1 + 2))"),
        ("cat <<E\n$\\\n{x}\nE", "cat <<E\n${x}\nE"),
        ("cat <<\\\nE\\\nND\\\n; ls\nx\nEND", "cat <<END; ls\nx\nEND"),
        ("a \\\n && b", "a && b"),
        ("x=1\\\n2", "x=12"),
        ("echo $((1 \\\n + 2))", "echo $((1 + 2))"),
    ],
)
def test_lines_are_joined(broken: str, joined: str) -> None:
    assert parse(Source(broken)) == parse(Source(joined))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x\\\n=v", "a broken line inside a name"),
        ("echo st\\\natus=1", "a broken line inside a name"),
    ],
)
def test_refused(text: str, message: str) -> None:
    with pytest.raises(ScriptError) as error:
        parse(Source(text))
    assert [d.code for d in error.value.diagnostics] == ["E101"]
    assert message in error.value.diagnostics[0].message


def test_a_negation_needs_its_command_on_the_same_line() -> None:
    with pytest.raises(ScriptError, match="E104"):
        parse(Source("!\ntrue"))
