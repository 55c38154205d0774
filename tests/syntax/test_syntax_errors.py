"""Errors of scripts that do not parse: the code, the position, the message, and the fix."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from keysh.diagnostics.diagnostic import CODES, Diagnostic
from keysh.diagnostics.exceptions import Incomplete, ScriptError
from keysh.diagnostics.source import Source
from keysh.syntax.parser import parse, parse_arithmetic, parse_path, parse_value
from keysh.testing.transcript import parse_page

SPEC = Path(__file__).parents[1] / "spec"


def complaints(text: str) -> list[Diagnostic]:
    """Return the diagnostics of a script, empty if it is correct."""
    try:
        parse(Source(text))
    except ScriptError as error:
        return error.diagnostics
    return []


def messages(text: str) -> str:
    """Return the messages for a script."""
    return lines(complaints(text))


def lines(diagnostics: list[Diagnostic]) -> str:
    """The first line of each diagnostic, without the name of the script."""
    summaries = []
    for diagnostic in diagnostics:
        line, column = diagnostic.source.position(diagnostic.start)
        summaries.append(f"{line}:{column} {diagnostic.code} {diagnostic.message}")
    return "\n".join(summaries)


# An invalid script, its message, and the script after the fix.
CASES = [
    # parts of compound commands
    ("if a then b; fi", "1:6 E101 expected `;` or a new line before: `then`", "if a; then b; fi"),
    ("if a; b; fi", "1:7 E101 expected `then`, found: `b`", "if a; then b; fi"),
    ("if a\n  b\nfi", "2:3 E101 expected `then`, found: `b`", "if a\n then b\nfi"),
    ("if a; fi", "1:7 E101 expected `then`, found: `fi`", "if a; then b; fi"),
    ("if a; do b; fi", "1:7 E101 expected `then`, found: `do`", "if a; then b; fi"),
    ("if (a) { b; }", "1:8 E101 expected `then`, found: `{`", "if (a); then { b; }; fi"),
    ("if a {\n  b\n} else {\n  c\n}", "1:6 E101 expected `then`, found: `{`",
     "if a; then\n  b\nelse\n  c\nfi"),
    ("if a; then b; else c; else d; fi", "1:23 E101 cannot follow `else`: `else`",
     "if a; then b; elif c; then d; fi"),
    ("if a; then b; else c; elif d; then e; fi", "1:23 E101 cannot follow `else`: `elif`",
     "if a; then b; elif d; then e; else c; fi"),
    ("while a; then b; done", "1:10 E101 expected `do`, found: `then`", "while a; do b; done"),
    ("while a do b; done", "1:9 E101 expected `;` or a new line before: `do`",
     "while a; do b; done"),
    ("while a; b; done", "1:10 E101 expected `do`, found: `b`", "while a; do b; done"),
    ("while read x\n  b\ndone <f", "2:3 E101 expected `do`, found: `b`",
     "while read x\n do b\ndone <f"),
    ("while a { b; }", "1:9 E101 expected `do`, found: `{`", "while a; do b; done"),
    ("until a; done", "1:10 E101 expected `do`, found: `done`", "until a; do b; done"),
    ("for i in 1 2 do a; done", "1:14 E101 expected `;` or a new line before: `do`",
     "for i in 1 2; do a; done"),
    ("for i in 1 2 { a; }", "1:14 E101 expected `;` or a new line before: `{`",
     "for i in 1 2; { a; }"),
    ("for i in 1 2; a; done", "1:15 E101 expected `do`, found: `a`", "for i in 1 2; do a; done"),
    ("{ a; } b", "1:8 E101 unexpected after a command: `b`", "{ a; }; b"),
    ("(a) (b)", "1:5 E101 unexpected after a command: `(`", "(a); (b)"),
    ("[[ a ]] b", "1:9 E101 unexpected after a command: `b`", "[[ a ]]; b"),
    ("a | ! b", "1:5 E101 cannot follow `|`: `!`", "! a | b"),
    ("a | time b", "1:5 E101 cannot follow `|`: `time`", "time a | b"),
    # unclosed constructs
    ("if a; then b", "1:1 E102 not closed: `if`", "if a; then b; fi"),
    ("if a; then b; else if c; then d; fi", "1:1 E102 not closed: `if`",
     "if a; then b; elif c; then d; fi"),
    ("if a; then b; end", "1:1 E102 not closed: `if`", "if a; then b; fi"),
    ("for i in a; do b; doen", "1:1 E102 not closed: `for`", "for i in a; do b; done"),
    ("case a in b) c;; ecas\n", "1:22 E118 expected `)` or `|`, found: the end of the line",
     "case a in b) c;; esac\n"),
    ("while a; do if b; then c; done", "1:13 E102 not closed before `done` on line 1: `if`",
     "while a; do if b; then c; fi; done"),
    ("if a; then while b; do c; fi", "1:12 E102 not closed before `fi` on line 1: `while`",
     "if a; then while b; do c; done; fi"),
    ("f() { if a; then b; }", "1:7 E102 not closed before `}` on line 1: `if`",
     "f() { if a; then b; fi; }"),
    ("f() { a }", "1:5 E102 not closed: `{`", "f() { a; }"),
    ("f() { a }\ng() { b }", "1:5 E102 not closed: `{`\n2:5 E102 not closed: `{`",
     "f() { a; }\ng() { b; }"),
    ("f() {\n  a\n}}", "1:5 E102 not closed: `{`", "f() {\n  a\n}"),
    ("{ (a; }", "1:3 E102 not closed before `}` on line 1: `(`", "{ (a;) }"),
    ("case a in b) if c; then d;; esac", "1:14 E102 not closed before `;;` on line 1: `if`",
     "case a in b) if c; then d; fi;; esac"),
    ("echo $(if a; then b)", "1:8 E102 not closed before `)` on line 1: `if`",
     "echo $(if a; then b; fi)"),
    ("echo `if a; then b`", "1:7 E102 not closed before a backtick on line 1: `if`",
     "echo `if a; then b; fi`"),
    ('echo "a', '1:6 E102 not closed: `"`', 'echo "a"'),
    ("echo 'a", "1:6 E102 not closed: `'`", "echo 'a'"),
    ("echo $'a", "1:6 E102 not closed: `$'`", "echo $'a'"),
    ("echo `a", "1:6 E102 not closed: a backtick", "echo `a`"),
    ('echo "`a"', "1:7 E102 not closed: a backtick", 'echo "`a`"'),
    ('echo "a $(b"', '1:9 E102 not closed before `"` on line 1: `$(`', 'echo "a $(b)"'),
    ('echo "a ${x:-b"', '1:9 E102 not closed before `"` on line 1: `${`', 'echo "a ${x:-b}"'),
    ('echo "a ${x"', '1:9 E102 not closed before `"`: `${`', 'echo "a ${x}"'),
    ("echo ${x\necho b", "1:6 E102 not closed before the end of the line: `${`",
     "echo ${x}\necho b"),
    ("echo ${x[0", "1:9 E102 not closed: `[`", "echo ${x[0]}"),
    ("echo $((1 + 2", "1:6 E102 not closed: `$((`", "echo $((1 + 2))"),
    ("echo <(a", "1:6 E102 not closed: `<(`", "echo <(a)"),
    ("echo @(a|b", "1:6 E102 not closed: `@(`", "echo @(a|b)"),
    ("x=(a b", "1:3 E102 not closed: `(`", "x=(a b)"),
    ("x=[1, 2", "1:3 E102 not closed: `[`", "x=[1, 2]"),
    ("x={a: [1, 2\n}\nb", "1:7 E102 not closed before `}`: `[`", "x={a: [1, 2]\n}\nb"),
    ("x=[{a: 1]", "1:4 E102 not closed: `{`", "x=[{a: 1}]"),
    ("f(a, b", "1:2 E102 not closed: `(`", "f(a, b) { c; }"),
    ("f(a = [1) { b; }", "1:7 E102 not closed before `)`: `[`", "f(a = [1]) { b; }"),
    ("[[ a == b", "1:1 E102 not closed: `[[`", "[[ a == b ]]"),
    ("if [[ a == b; then c; fi", "1:4 E102 not closed before `;`: `[[`",
     "if [[ a == b ]]; then c; fi"),
    ("if [[ a == b]]; then c; fi", "1:4 E102 not closed before `;`: `[[`",
     "if [[ a == b ]]; then c; fi"),
    ("[[ (a ]]", "1:4 E102 not closed before `]]` on line 1: `(`", "[[ (a) ]]"),
    ("[[ a =~ (b ]]", "1:9 E102 not closed: `(`", "[[ a =~ (b) ]]"),
    ('echo "a\necho "b"\n', '1:6 E102 not closed: `"`', 'echo "a"\necho "b"\n'),
    ('x="a\nif [ "$x" = b ]; then c; fi\n', '1:3 E102 not closed: `"`',
     'x="a"\nif [ "$x" = b ]; then c; fi\n'),
    ("cat <<E\na\n E\n", "1:5 E103 not closed: `<<E`", "cat <<E\na\nE\n"),
    ("cat <<-'E F'\na\n", "1:5 E103 not closed: `<<-'E F'`", "cat <<-'E F'\na\nE F\n"),
    ("cat <<'E\na\nE\n", "1:7 E102 not closed: `'`", "cat <<'E'\na\nE\n"),
    ("cat <<E\n$(if a\nE\n", "2:3 E102 not closed before the end of the heredoc on line 3: `if`",
     "cat <<E\n$(if a; then b; fi)\nE\n"),
    ("cat <<E\n${x\nE\n", "2:1 E102 not closed before the end of the line: `${`",
     "cat <<E\n${x}\nE\n"),
    # closing words without an opening one
    ("a; fi", "1:4 E105 no `if` is open: `fi`", "a"),
    ("a }\n}", "2:1 E105 no `{` is open: `}`", "{ a; }\n"),
    ("if a; then b; done", "1:15 E105 no loop is open, but `if` on line 1: `done`",
     "if a; then b; fi"),
    ("while a; do b; fi", "1:16 E105 no `if` is open, but `while` on line 1: `fi`",
     "while a; do b; done"),
    ("(a; }", "1:5 E105 no `{` is open, but `(` on line 1: `}`", "(a;)"),
    ("{ a; )", "1:6 E105 no `(` is open, but `{` on line 1: `)`", "{ a; }"),
    ("{a; b; }", "1:8 E105 no `{` is open: `}`", "{ a; b; }"),
    ("try { a; }", "1:10 E105 no `{` is open: `}`", "try; { a; }"),
    ("echo a)", "1:7 E105 no `(` is open: `)`", "echo 'a)'"),
    ("echo $(a; fi)", "1:11 E105 no `if` is open, but `$(` on line 1: `fi`", "echo $(a)"),
    ("a;; b", "1:2 E105 no `case` is open: `;;`", "a; b"),
    ("then a", "1:1 E105 no `if` is open: `then`", "a"),
    ("a; else b", "1:4 E105 no `if` is open: `else`", "a; b"),
    # commands that are missing
    ("a &&", "1:3 E104 a command must follow: `&&`", "a && b"),
    ("a | | b", "1:5 E104 a command is missing before: `|`", "a | b"),
    ("a &; b", "1:4 E104 a command is missing before: `;`", "a & b"),
    ("a; ; b", "1:4 E104 a command is missing before: `;`", "a; b"),
    ("&& a", "1:1 E104 a command is missing before: `&&`", "a"),
    ("!", "1:1 E104 a command must follow: `!`", "! a"),
    ("if ; then a; fi", "1:4 E104 a command is missing before: `;`", "if b; then a; fi"),
    ("if a; then fi", "1:12 E104 a command is missing before: `fi`", "if a; then :; fi"),
    ("while a; do; b; done", "1:12 E104 a command is missing before: `;`", "while a; do b; done"),
    ("f() { }", "1:7 E104 a command is missing before: `}`", "f() { :; }"),
    ("()", "1:2 E104 a command is missing before: `)`", "(:;)"),
    ("$(a |)", "1:5 E104 a command must follow: `|`", "$(a | b)"),
    ("if a && then b; fi", "1:6 E104 a command must follow: `&&`", "if a && c; then b; fi"),
    # redirections
    ("a >", "1:3 E116 a target must follow: `>`", "a > file"),
    ("a 2>\nb", "1:3 E116 a target must follow: `2>`", "a 2> file\nb"),
    ("a > ; b", "1:3 E116 a target must follow: `>`", "a > file; b"),
    ("a > &1", "1:3 E116 a target must follow: `>`", "a >&1"),
    ("a < (b)", "1:3 E116 a target must follow: `<`", "a < <(b)"),
    ("a <<<", "1:3 E116 a target must follow: `<<<`", "a <<< text"),
    ("a <<\nb", "1:3 E116 a delimiter must follow: `<<`", "a <<EOF\nEOF\nb"),
    # parentheses among words
    ("echo a (b)", "1:8 E115 a parenthesis cannot appear among words: `(`", "echo a '('b')'"),
    ("echo a(b)", "1:7 E115 a parenthesis cannot appear among words: `(`", "echo a'('b')'"),
    ("x = (a b)", "1:5 E115 a parenthesis cannot appear among words: `(`", "x=(a b)"),
    ("def f() { a; }", "1:6 E115 a parenthesis cannot appear among words: `(`", "f() { a; }"),
    ("f (x) { a; }", "1:3 E115 a parenthesis cannot appear among words: `(`", "f(x) { a; }"),
    ("for i in range(3); do a; done", "1:15 E115 a parenthesis cannot appear among words: `(`",
     "for i in {0..9}; do a; done"),
    ("ls @(a|(b))", "1:8 E115 a parenthesis cannot appear in `@(…)`: `(`", "ls @(a|'('b')')"),
    # functions
    ("f()", "1:1 E117 a function's body must follow: `f()`", "f"),
    ("f() a", "1:5 E117 expected `{`, found: `a`", "f() { a; }"),
    ("f(x): { a; }", "1:5 E117 expected `{`, found: `:`", "f(x) { a; }"),
    ("f(x=1)\na", "1:1 E117 a function's body must follow: `f(x=1)`", "f\na"),
    ("function", "1:1 E117 `function` needs a name", "f() { a; }"),
    ("f(a b) { c; }", "1:5 E117 expected `,` or `)`, found: `b`", "f(a, b) { c; }"),
    ("f(a: str) { c; }", "1:6 E117 no such type: `str`", "f(a: string) { c; }"),
    ("f(a: ) { c; }", "1:6 E117 expected a type, found: `)`", "f(a: string) { c; }"),
    ("f(a = ) { c; }", "1:7 E117 expected a value, found: `)`", "f(a = 1) { c; }"),
    ("f($a) { c; }", "1:3 E117 cannot appear among parameters: `$`", "f $a"),
    ('print("a")', '1:7 E117 cannot appear among parameters: `"`', "print a"),
    ("f(a,, b) { c; }", "1:5 E117 cannot appear among parameters: `,`", "f(a, b) { c; }"),
    # heads of loops, cases
    ("for $i in a; do b; done", "1:5 E118 expected a name, found: `$i`", "for i in a; do b; done"),
    ("for i of a; do b; done", "1:7 E118 expected `in`, found: `of`", "for i in a; do b; done"),
    ("for i, j in a; do b; done", "1:5 E118 not a variable's name: `i,`", "for i in a; do b; done"),
    ("for (i=0; i<3; i++); do b; done", "1:5 E118 expected a name, found: `(`",
     "for ((i=0; i<3; i++)); do b; done"),
    ("for ((i=0, i<3, i++)); do b; done", "1:20 E118 expected `;`, found: `))`",
     "for ((i=0; i<3; i++)); do b; done"),
    ("case a b) c;; esac", "1:8 E118 expected `in`, found: `b`", "case a in b) c;; esac"),
    ("case a {\n  b) c;;\n}\nd", "1:8 E118 expected `in`, found: `{`",
     "case a in\n  b) c;;\nesac\nd"),
    ("case a in\n  b: c;;\nesac", "2:6 E118 expected `)` or `|`, found: `c`",
     "case a in\n  b) c;;\nesac"),
    ("case a in b | ) c;; esac", "1:15 E118 expected a pattern, found: `)`",
     "case a in b) c;; esac"),
    ("case a in\n  b c) d;;\nesac", "2:5 E118 expected `)` or `|`, found: `c`",
     "case a in\n  'b c') d;;\nesac"),
    ("case a in\n  b) c\n  d) e\nesac", "3:3 E118 expected `;;` before: `d)`",
     "case a in\n  b) c;;\n  d) e\nesac"),
    # expansions
    ("echo ${}", "1:8 E106 a name is missing in: `${}`", "echo '${}'"),
    ("echo ${x y}", "1:9 E106 cannot appear in `${…}`: a blank", "echo ${x}"),
    ("echo ${$x}", "1:9 E106 cannot appear in `${…}`: `x`", "echo ${!x}"),
    ("echo ${x|y}", "1:9 E106 cannot appear in `${…}`: `|`", "echo ${x}"),
    ("echo ${#x:-1}", "1:10 E106 `${#…}` takes no operator: `:-`", "echo ${#x}"),
    ("echo ${x:1:2:3}", "1:13 E106 cannot appear in `${…}`: `:`", "echo ${x:1:2}"),
    ("echo ${x[]}", "1:9 E106 a subscript is empty: `[]`", "echo ${x[0]}"),
    ("echo ${x@Z}", "1:9 E106 `${…}` has no such operator: `@Z`", "echo ${x@Q}"),
    ("echo ${u.a}", "1:9 E110 a record cannot be read with a dot: `.a`", "echo ${u[a]}"),
    ('echo "${u.a.b[0]}"', "1:10 E110 a record cannot be read with a dot: `.a.b`",
     'echo "${u[a][b][0]}"'),
    ("echo ${xs[0].a}", "1:13 E110 a record cannot be read with a dot: `.a`", "echo ${xs[0][a]}"),
    ("echo $[1+2", "1:6 E102 not closed: `$[`", "echo $[1+2]"),
    ("echo ${x@P}", "1:9 E111 keysh does not have this construct: `${x@P}`", "echo $x"),
    ("select x in a; do b; done", "1:1 E111 keysh does not have this construct: `select`",
     "echo a"),
    ("coproc a", "1:1 E111 keysh does not have this construct: `coproc`", "a &"),
    # arithmetic
    ("((1 +))", "1:5 E107 a number or a name must follow: `+`", "((1 + 1))"),
    ("((a b))", "1:5 E107 expected an operator, found: `b`", "((a + b))"),
    ("((r = a $op b))", "1:9 E107 expected an operator, found: `$op`", 'let "r = a $op b"'),
    ("((* 2))", "1:3 E107 expected a number or a name, found: `*`", "((1 * 2))"),
    ("((1 = a))", "1:5 E107 only a variable can be assigned to: `=`", "((a = 1))"),
    ("((a; b))", "1:4 E107 expected an operator, found: `;`", "((a, b))"),
    ("((a ? b))", "1:8 E107 expected `:`, found: `))`", "((a ? b : c))"),
    ("((08))", "1:3 E107 not a number: `08`", "((8))"),
    ("((a @ b))", "1:5 E107 not part of an arithmetic expression: `@`", "((a + b))"),
    ("((a + 1)", "1:8 E107 expected `))` for `((`, found: `)`", "((a + 1))"),
    ("echo ${x: 1 +}", "1:13 E107 a number or a name must follow: `+`", "echo ${x: 1 + 1}"),
    # conditions
    ("[[ ]]", "1:4 E108 a condition is missing before: `]]`", "[[ -n $x ]]"),
    ("[[ a b ]]", "1:6 E108 expected an operator or `]]`, found: `b`", "[[ a == b ]]"),
    ("[[ a == ]]", "1:6 E108 a word must follow: `==`", "[[ a == word ]]"),
    ("[[ == a ]]", "1:4 E108 a word is missing before: `==`", "[[ word == a ]]"),
    ("[[ -f ]]", "1:4 E108 a word must follow: `-f`", "[[ -f word ]]"),
    ("[[ -q a ]]", "1:4 E108 `[[ … ]]` has no test: `-q`", "[[ -f a ]]"),
    ("[[ a && ]]", "1:6 E108 a condition must follow: `&&`", "[[ a && b ]]"),
    ("[[ a -a b ]]", "1:6 E108 `[[ … ]]` has no: `-a`", "[[ a && b ]]"),
    ("[[ a or b ]]", "1:6 E108 `[[ … ]]` has no: `or`", "[[ a || b ]]"),
    ("[[ a >= 1 ]]", "1:6 E108 `[[ … ]]` has no: `>=`", "[[ a -ge 1 ]]"),
    ("[[ a === b ]]", "1:6 E108 `[[ … ]]` has no: `===`", "[[ a == b ]]"),
    ("[[ a == b ]", "1:11 E108 `[[ … ]]` has no: `]`", "[[ a == b ]]"),
    ("[[ a | b ]]", "1:6 E108 cannot appear in `[[ … ]]`: `|`", "[[ a || b ]]"),
    ("[[ a =~ b c ]]", "1:11 E108 expected an operator or `]]`, found: `c`", "[[ a =~ b' 'c ]]"),
    ("[[ a) ]]", "1:5 E108 no `(` is open in `[[ … ]]`: `)`", "[[ a ]]"),
    # values
    ("x=[a]", "1:3 E109 neither a list nor text: `[a]`", "x=[a,]"),
    ("x=[$y]", "1:3 E109 neither a list nor text: `[$y]`", "x=[$y,]"),
    ("x=[0-9]*", "1:3 E109 neither a list nor text: `[0-9]*`", "x='[0-9]*'"),
    ("x=[a b]c", "1:3 E109 neither a list nor text: `[a b]c`", "x='[a b]c'"),
    ("x={a,b}", "1:3 E109 neither a record nor text: `{a,b}`", "x='{a,b}'"),
    ("x={a=1}", "1:3 E109 neither a record nor text: `{a=1}`", "x={a: 1}"),
    ("x={a 1}", "1:3 E109 neither a record nor text: `{a 1}`", "x={a: 1}"),
    ("x=[a; b]", "1:5 E120 cannot appear in a list or record: `;`", "x=[a, b]"),
    ("x=[,]", "1:4 E120 a value is missing before: `,`", 'x=["",]'),
    ("x=[a,, b]", "1:6 E120 a value is missing before: `,`", "x=[a, b]"),
    ("x=[(a)]", "1:4 E120 cannot appear in a list or record: `(`", "x=['(a)']"),
    ("x={a: 1, b}", "1:11 E120 expected `:`, found: `}`", "x={a: 1, b: value}"),
    ("x={a: }", "1:7 E120 a value is missing before: `}`", 'x={a: ""}'),
    ("x=(a; b)", "1:5 E119 cannot appear in `( … )`: `;`", "x=(a b)"),
    ("x=(a | b)", "1:6 E119 cannot appear in `( … )`: `|`", "x=(a '|' b)"),
    ("u[$k]", "1:1 E119 `=` and a value must follow: `u[$k]`", "u[$k]=value"),
]  # fmt: skip


@pytest.mark.quick
@pytest.mark.parametrize(("wrong", "message", "right"), CASES)
def test_error_is_named_and_its_fix_parses(wrong: str, message: str, right: str) -> None:
    assert messages(wrong) == message
    assert messages(right) == ""


# Scripts and their fixes where the words of the fix depend on the script.
FIXES = [
    ("if a then b; fi", "write `; then`"),
    ("f() {\n  a }\n", "write `; }` on line 2"),
    ("if a; then b; else if c; then d; fi", "write `elif` for `else if` on line 1, or add `fi`"),
    ("if a; then\n  b\nend", "write `fi` for `end` on line 3"),
    ("{\n  a\n}}", "write `}` for `}}` on line 3"),
    ("while a; do b; fi", "write `done`, or take it out"),
    ("{a; b; }", "put a blank after the `{` on line 1"),
    ("try { a; }", "write `; {` on line 1"),
    ("a > &1", "write `>&1` without a blank, or `> file`"),
    ("a 2> ;", "write `2> file`"),
    ("f(x, y)", "write `f` to call it, `f() { …; }` to define it"),
    ("foo(1)", "write `foo word …` to call it, `foo(name) { …; }` to define it"),
    ("for $i in a; do b; done", "write `for i in`"),
    ("x = (a)", "write `name=(a b)` without blanks around `=`"),
    ("def f() { a; }", "write `f() { …; }` to define a function"),
    ("echo ${u.a.b[0]}", "write `${u[a][b][0]}`"),
    ("echo ${u[k].a}", "write `${u[k][a]}`"),
    ("x=[INFO]", "write `[INFO,]` for a list, or quote the text: `'[INFO]'`"),
    ("x=[$y]", 'write `[$y,]` for a list, or quote the text: `"[$y]"`'),
    ("x=[0-9]*", "quote the text: `'[0-9]*'`"),
    (f"x=[{'a' * 50}]", "quote the text: `'…'`"),
    ("x={a: 1, b}", "write `b: value`"),
    ("u[$k]", "write `u[$k]=value`, or `echo ${u[$k]}` to read it"),
    ("[[ a and b ]]", "write `&&`"),
    ("[[ a <= b ]]", "write `-le`"),
    ("if [[ a]]; then b; fi", "put a blank before the `]]`"),
    ("cat <<E\n  E\n", "write nothing but `E` on line 2"),
    ("$(cat <<E\nE)", "write nothing but `E` on line 2"),
    ("cat <<''\na", "add an empty line"),
]


@pytest.mark.quick
@pytest.mark.parametrize(("wrong", "fix"), FIXES)
def test_fix_quotes_the_script(wrong: str, fix: str) -> None:
    assert [diagnostic.fix for diagnostic in complaints(wrong)] == [fix]


# Texts that arrive at run time.
LONE = [
    (parse_arithmetic, "1 +", "1:3 E107 a number or a name must follow: `+`"),
    (parse_arithmetic, "a b", "1:3 E107 expected an operator, found: `b`"),
    (parse_arithmetic, "1)", "1:2 E107 expected an operator, found: `)`"),
    (parse_arithmetic, "* 2", "1:1 E107 expected a number or a name, found: `*`"),
    (parse_arithmetic, "(1", "1:1 E102 not closed: `(`"),
    (parse_arithmetic, "--", "1:2 E107 a number or a name must follow: `-`"),
    (parse_path, "", "1:1 E106 not a path: ``"),
    (parse_path, "a b", "1:2 E106 not a path: `a b`"),
    (parse_path, "a[0]x", "1:5 E106 not a path: `a[0]x`"),
    (parse_path, "a[]", "1:2 E106 a subscript is empty: `[]`"),
    (parse_path, "a[$(", "1:3 E102 not closed: `$(`"),
    (parse_value, "", "1:1 E120 expected a value, found: the end of the text"),
    (parse_value, "a b", "1:3 E120 cannot appear in a value: `b`"),
    (parse_value, "{a: 1", "1:1 E102 not closed: `{`"),
]


@pytest.mark.quick
@pytest.mark.parametrize(("start", "text", "message"), LONE)
def test_text_parsed_at_run_time(
    start: Callable[[Source], object], text: str, message: str
) -> None:
    with pytest.raises(ScriptError) as raised:
        start(Source(text))
    assert not isinstance(raised.value, Incomplete)
    assert lines(raised.value.diagnostics) == message


# ---------------------------------------------------------------- several at once

SEVERAL = [
    ("echo )\nls\nfi\necho > ;\n((1 +))", "1:6 E105, 3:1 E105, 4:6 E116, 5:5 E107"),
    ("\n".join(f"echo ${{u.k{i}}}" for i in range(9)),
     "1:9 E110, 2:9 E110, 3:9 E110, 4:9 E110, 5:9 E110"),
    ("if a then b; fi\nwhile c; d; done\nfi", "1:6 E101, 2:10 E101, 3:1 E105"),
    ("if a; then b; done\necho )", "1:15 E105, 2:6 E105"),
    ("if a; then\n  echo )\n  fi fi\nfi\necho (", "2:8 E105, 3:6 E105, 4:1 E105, 5:6 E115"),
    ("case a in\n  b c) d;;\n  e f) g;;\nesac\nh ||| i", "2:5 E118, 5:5 E104"),
    ("echo )\nif a; then b", "1:6 E105, 2:1 E102"),
    ('echo )\necho "a', "1:6 E105, 2:6 E102"),
    # A consequence of an error is not reported as another one.
    ("if a; then echo )", "1:17 E105"),
    ("echo ${u.a} ${u.b} )", "1:9 E110"),
    ('print("a", $b)', "1:7 E117"),
    ("[[ a == b ] && c\n[[ d ]]", "1:11 E108"),
    ("echo ${u.a\necho 'b", "1:9 E110, 2:6 E102"),
    ("for i in a b; then\n  c\ndone", "1:15 E101"),
    ("for i\nthen a; done", "2:1 E118"),
    ("while [ 1 ] {\n  a\n}\nb", "1:13 E101"),
    ("f() {\n  if a; then\n    b\n}\nc() { d; }", "2:3 E102"),
]  # fmt: skip


@pytest.mark.quick
@pytest.mark.parametrize(("wrong", "expected"), SEVERAL)
def test_each_error_is_reported_once(wrong: str, expected: str) -> None:
    result = [" ".join(line.split()[:2]) for line in messages(wrong).split("\n")]
    assert ", ".join(result) == expected


# ---------------------------------------------------------------- scripts that have only begun

# The beginning of a script, and lines that complete it.
BEGUN = [
    ("if", "\na; then b; fi"), ("if a", "\nthen b; fi"), ("if a;", "then b; fi"),
    ("if a; then", "\nb; fi"), ("if a; then b; else", "\nc; fi"),
    ("if a; then b; elif c", "\nthen d; fi"), ("while", "\na; do b; done"),
    ("until a; do b", "\ndone"), ("for", " i; do a; done"), ("for i", "\nin a; do b; done"),
    ("for i in", "\ndo a; done"), ("for i in a b", "\ndo c; done"), ("for i in a; do", "\nb; done"),
    ("for ((", "i = 0;; )) do a; done"), ("for ((i = 0;", "\n;)); do a; done"),
    ("for ((;;))", "\ndo a; done"), ("for ((;;)) {", "\na\n}"), ("case", " a in b) c;; esac"),
    ("case a", "\nin b) c;; esac"), ("case a in", "\nb) c;; esac"), ("case a in b", ") c;; esac"),
    ("case a in b) c", "\nesac"), ("case a in b) c;;", "\nesac"), ("{", "\na\n}"), ("{ a", "\n}"),
    ("{ a }", "\n}"), ("(", "\na)"), ("(a", "\n)"), ("f() {", "\na\n}"), ("f()", "\n{ a; }"),
    ("f() (", "\na)"), ("function f", "\n{ a; }"), ("function f {", "\na\n}"),
    ("f(", "\na) { b; }"), ("f(a", "\n, b) { c; }"), ("f(a:", "\nint) { b; }"),
    ("f(a: int", "\n) { b; }"), ("f(a =", "\n1) { b; }"), ("f(a = [", "1]) { b; }"),
    ("f(a)", "\n{ b; }"), ("f(a,", "\nb) { c; }"), ("a &&", "\nb"), ("a ||", "\nb"), ("a |", "\nb"),
    ("a |&", "\nb"), ("!", " a"), ("time !", " a"), ("a && !", " b"), ('echo "', '\n"'),
    ('echo "a', '\n"'), ("echo 'a", "\n'"), ("echo $'a", "\n'"), ('echo $"a', '\n"'),
    ("echo `a", "\n`"), ('echo "`a', '\n`"'), ("a\necho '", "'"), ("echo $(", "\na)"),
    ("echo $(a", "\n)"), ("echo $(a |", "\nb)"), ('echo "$(', '\na)"'), ('echo "$(a "b', '")"'),
    ("echo <(a", "\n)"), ("echo >(", "a)"), ("echo $((", "\n1))"), ("echo $((1 +", "\n2))"),
    ("((", "\n1))"), ("((1", "\n))"), ("((1 ? 2", "\n: 3))"), ("echo ${", "x}"), ("echo ${x", "}"),
    ("echo ${x:-", "\n}"), ("echo ${x:-a", "\n}"), ("echo ${x/a", "/b}"), ("echo ${x:1", "\n}"),
    ("echo ${x[", "0]}"), ("echo ${x[0", "]}"), ("echo ${#x", "}"), ("u[k", "]=v"),
    ("x=(", "\na\n)"), ("x=(a", "\n)"), ("x=[", "\n1]"), ("x=[1,", "\n2]"), ("x=[1 2", "\n]"),
    ('x=["a', '\n"]'), ("x={", "\na: 1}"), ("x={a:", "\n1}"), ("x={a: 1", "\n}"),
    ("x={a: [", "\n]}"), ("[[", " a ]]"), ("[[ a", "\n]]"), ("[[ a ==", "\nb ]]"),
    ("[[ -f", " a ]]"), ("[[ a &&", "\nb ]]"), ("[[ (", "\na) ]]"), ("[[ a =~ (", "b) ]]"),
    ("[[ a in [b", "\n] ]]"), ("cat <<E", "\na\nE"), ("cat <<E\n", "E"), ("cat <<E\na\n", "E"),
    ("cat <<-'E'\na", "\n\tE"), ("cat <<A <<B\nA\n", "B"), ("$(cat <<E\na\n", "E\n)"),
    ("if a then b", "\nthen c; fi"), ("until a do b done", "\ndo c; done"), ("echo @(a", "|b)"),
    ("ls !(*.txt", ")"), ("a; if b; then c\nd", "\nfi"),
]  # fmt: skip
WRONG = [
    "fi", "a )", "echo >", "echo 2>", "a > ; b", "&& a", "a;;", "if fi", "if a; fi", "then",
    "if a; then )", "echo ${u.a} '", "[[ a b", "[[ a == b ]", "((1 2", "((1 +) ", "for $i in",
    "x=[a; ", "x={a 1", "f(a b", "f($", "echo ${}", "echo ${x\n", "select", "a (", "function",
    "cat <<E\n$(if a\nE\n", "cat <<E\n${x\nE\n", "`cat <<E`", "`if a`", "echo $(a;;", "a\0",
    "echo a\r\nif b", "if a; then b; done", "for ((i=0; i<3)", "a | ! b", "u[$k] x",
]  # fmt: skip


@pytest.mark.quick
@pytest.mark.parametrize(("text", "rest"), BEGUN)
def test_more_lines_may_complete_a_script(text: str, rest: str) -> None:
    with pytest.raises(Incomplete):
        parse(Source(text))
    assert messages(text + rest) == ""


@pytest.mark.quick
@pytest.mark.parametrize("text", WRONG)
def test_no_line_can_complete_an_invalid_script(text: str) -> None:
    with pytest.raises(ScriptError) as raised:
        parse(Source(text))
    assert not isinstance(raised.value, Incomplete)


VALID = r"""
if a; then
  b
elif c
then d; else
  e "x $y" 'z'
fi >out 2>&1
%%
while read -r line; do
  echo "$line" | tr a b &&
    c || d
done < <(ls
  -l)
%%
for ((i = 0;
  i < 3; i++))
do
  echo ${i%.*} $((i +
    1))
done
%%
case $x in
  a | b)
    echo one
    ;;
  (c*) echo two ;&
  *) echo three
esac
%%
f()
{
  [[ $x == a* && (
    -f b || ! $y =~ ^(a b)+$ ) ]] || return 1
}
%%
deploy(host,
  port: int = 8080,
  *files) {
  echo $host
}
%%
cat <<A - <<-'B'
hello ${x:-"y"} $(if a
then b
fi) `c
d`
A
	b
	B
echo done
%%
x=[1, "a b",
  {name: amy, "k": [1
    2]}, ...$rest]
u[k]=(a
  b [3]=c)
%%
echo "one
two $(date
) three" 'four
five' $'six
seven' `eight
nine` \
  ten
%%
a \
  b && # why

  c |
  d
""".strip("\n").split("\n%%\n")


# And the scripts that the pages of the codes show as right.
VALID += [
    file.text
    for path in sorted(SPEC.glob("errors/*.md"))
    for file in parse_page(path.read_text("utf-8"), path.stem).files
    if file.name == "right.ksh"
]


@pytest.mark.quick
@pytest.mark.parametrize("script", VALID)
def test_prefix_of_a_script_is_incomplete_not_invalid(script: str) -> None:
    assert complaints(script) == []
    lines = script.split("\n")
    for count in range(1, len(lines)):
        for end in ("", "\n"):
            text = "\n".join(lines[:count]) + end
            try:
                parse(Source(text))
            except Incomplete:
                continue
            except ScriptError as error:
                pytest.fail(f"{text!r}: {error}")


# ---------------------------------------------------------------- arbitrary texts

PIECES = [
    "if", "then", "else", "elif", "fi", "while", "do", "done", "for", "in", "case", "esac", "{",
    "}", "(", ")", "((", "))", "[[", "]]", "[", "]", "$(", "`", "$((", "${", '"', "'", "$'", "\\",
    "\n", " ", ";", ";;", "&", "&&", "||", "|", ">", "<", "<<", "<<<", "<(", ">&", "=", "+=", "x=",
    "x=(", "x=[", "x={", "a", "1", "08", ",", ":", "...", "$x", "${x", "${#", "${!", "@", "*", "?",
    "!", "~", "#", "%", "/", "^", ".", "-", "+", "--k=", "k=", "f()", "f(", "function", "time",
    "select", "<<EOF", "\nEOF\n", "@(", "é", "日", "\t", "\r\n", "\0", "\udc80", "\u202e", "not",
    "==", "=~", "-f", "$[", "int", ":-", "{1..3}", "\\\n", "2>", "{fd}>",
]  # fmt: skip
noise = st.lists(st.sampled_from(PIECES), max_size=12).map("".join) | st.lists(
    st.sampled_from(PIECES), max_size=12
).map(" ".join)


@st.composite
def mutated(draw: st.DrawFn) -> str:
    """Draw a correct script with something removed, inserted or replaced."""
    text = draw(st.sampled_from(VALID))
    for _ in range(draw(st.integers(1, 3))):
        start = draw(st.integers(0, len(text)))
        end = min(len(text), start + draw(st.integers(0, 4)))
        text = text[:start] + draw(st.just("") | st.sampled_from(PIECES)) + text[end:]
    return text


@settings(max_examples=400)
@given(noise | mutated())
def test_any_text_parses_or_is_explained(text: str) -> None:
    for start in (parse, parse_arithmetic, parse_path, parse_value):
        try:
            start(Source(text))
        except ScriptError as error:
            check_diagnostics(error.diagnostics, text)


def check_diagnostics(diagnostics: list[Diagnostic], text: str) -> None:
    assert 1 <= len(diagnostics) <= 5
    lines = [diagnostic.source.position(diagnostic.start) for diagnostic in diagnostics]
    assert lines == sorted(lines)
    assert len({line for line, _ in lines}) == len(lines)
    for diagnostic in diagnostics:
        assert diagnostic.code in CODES
        assert 0 <= diagnostic.start <= diagnostic.end <= len(text)
        assert diagnostic.fact
        assert diagnostic.fix
        rendered = str(diagnostic)
        assert rendered.count("\n") == 3
        assert rendered.replace("\n", "").isprintable()


@pytest.mark.quick
def test_diagnostics_follow_the_style() -> None:
    for wrong, _, _ in CASES:
        for diagnostic in complaints(wrong):
            first = diagnostic.fact.lstrip("`")[0]
            assert not first.isupper(), diagnostic.fact
            assert diagnostic.fact[-1] not in ".!:", diagnostic.fact
            assert diagnostic.fix[-1] not in ".!", diagnostic.fix
