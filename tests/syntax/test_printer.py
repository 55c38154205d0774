"""The printer: the form of each construct, comments, and deep nesting."""

from __future__ import annotations

import sys
import threading

import pytest

from keysh.diagnostics.source import Source
from keysh.syntax import ast
from keysh.syntax.parser import parse, parse_arithmetic, parse_path, parse_value
from keysh.syntax.printer.printer import NODE_PRINTERS, format_node, format_script

pytestmark = pytest.mark.quick


def formatted(text: str) -> str:
    """Return the canonical text, after checking that it has the same meaning and is stable."""
    tree = parse(Source(text))
    result = format_script(tree)
    again = parse(Source(result))
    assert again == tree, result
    assert format_script(again) == result
    return result


# A script and its printed form.
LINES = [
    # words
    ("echo  a   b", "echo a b"),
    ("echo 'a b'\"c d\"$'e\\tf'\\g", "echo 'a b'\"c d\"$'e\\tf'\\g"),
    ('echo $x ${x} $1 ${10} $@ "$*" ${#}', 'echo $x ${x} $1 ${10} $@ "$*" ${#}'),
    ("echo ~ ~amy/x ~+ a~b", "echo ~ ~amy/x ~+ a~b"),
    ("echo *.c ?[a-z]** @(a|b*) !()", "echo *.c ?[a-z]** @(a|b*) !()"),
    ("echo {a,b{c,d}} {1..9..2} {a} {", "echo {a,b{c,d}} {1..9..2} {a} {"),
    ("echo if done '' a#b", "echo if done '' a#b"),
    ("echo `date`", "echo $(date)"),
    ('echo "`date` $(ls)"', 'echo "$(date) $(ls)"'),
    ("echo `echo \\`a\\``", "echo $(echo $(a))"),
    ('echo $"a"', 'echo "a"'),
    ("echo <(a) >(b) $(  ) $()", "echo <(a) >(b) $() $()"),
    # escapes in quotes: only where they are needed
    (r'echo "\$x \$ \"q\" \\ \\n \` a$"', r'echo "\$x $ \"q\" \ \n \` a$"'),
    (r'echo "\\\\" "a\\" "\\$x"', r'echo "\\\\" "a\\" "\\$x"'),
    (r"echo $'\x41\u00e9\e\x01\xff\'\\\n'", r"echo $'Aé\e\x01\xff\'\\\n'"),
    # ${ … }
    ("echo ${x:-a b} ${x#*/} ${x%%.*}", "echo ${x:-a b} ${x#*/} ${x%%.*}"),
    ('echo "${x:-"a b"} ${y:+\\}}"', 'echo "${x:-"a b"} ${y:+\\}}"'),
    ("echo ${x/a/b} ${x//[a-z]} ${x/#a/}", "echo ${x/a/b} ${x//[a-z]} ${x/#a/}"),
    ("echo ${x:1:2} ${x: -1} ${x::2} ${x:(1)}", "echo ${x:1:2} ${x: -1} ${x::2} ${x:(1)}"),
    ("echo ${x:i+1:n}", "echo ${x:i + 1:n}"),
    ("echo ${#x} ${!x} ${!x*} ${x@Q} ${x^^}", "echo ${#x} ${!x} ${!x*} ${x@Q} ${x^^}"),
    ("echo ${u[a][$k]} ${u[@]} ${#u[*]}", "echo ${u[a][$k]} ${u[@]} ${#u[*]}"),
    # values
    ("x=[ a,b   c ]", "x=[a, b, c]"),
    ("x=[a,] y=[1] z=['a'] w=[$x,]", "x=[a,] y=[1] z=['a'] w=[$x,]"),
    ("x=[ [a] {b: c} ...$m ]", "x=[[a], {b: c}, ...$m]"),
    ('x=["a\\nb\\u0001" "a\\\\b"]', 'x=["a\\nb\\u0001", "a\\\\b"]'),
    ("r={ name:amy port: 8080,...$more }", "r={name: amy, port: 8080, ...$more}"),
    ("r={} s=[]", "r={} s=[]"),
    ("f k={ } l=[] m={} n=[a] o={a,b}", "f k={ } l=[] m={} n=[a] o={a,b}"),
    ("xs=( a  b ...$c [k]=v [l]+= )", "xs=(a b ...$c [k]=v [l]+=)"),
    ("x= y+=1 u[k]=v u[a][0]+=w", "x= y+=1 u[k]=v u[a][0]+=w"),
    ("f a=1 --b=2 -c d+=3 e=", "f a=1 --b=2 -c d+=3 e="),
    # redirections
    ("a>f 2>&1 <g >>h 2>i", "a > f 2>&1 < g >> h 2> i"),
    ("a 3<&- >&2 &>f {fd}>g >|h <<<w", "a 3<&- >&2 &> f {fd}> g >| h <<< w"),
    ("a < <(b) > >(c)", "a < <(b) > >(c)"),
    (">f a b<g c", "> f a b < g c"),
    # lists of commands
    ("a;b", "a\nb"),
    ("a& b", "a &\nb"),
    ("a&&b||c", "a && b || c"),
    ("! a|b|&c", "! a | b |& c"),
    ("! time -p ! a", "time -p ! ! a"),
    ("time\na", "time\na"),
    # simple brackets on one line stay on one line
    ("{ a;b; }", "{ a; b; }"),
    ("{ a\nb; }", "{\n    a\n    b\n}"),
    ("{ a& }", "{ a & }"),
    ("{ if a; then b; fi; }", "{\n    if a; then\n        b\n    fi\n}"),
    ("(a;b)", "(a; b)"),
    ("((a))", "((a))"),
    ("( (a);b )", "( (a); b)"),
    ("( ((a)) )", "( ((a)))"),
    ("x=$( (a) )", "x=$( (a))"),
    ("x=$(a\nb)", "x=$(\n    a\n    b\n)"),
    ("x=$(for i in a; do b; done)", "x=$(\n    for i in a; do\n        b\n    done\n)"),
    ("awk 'a\nb' $(c 'd\ne')", "awk 'a\nb' $(c 'd\ne')"),
    # compound commands
    ("if a;then b;fi", "if a; then\n    b\nfi"),
    (
        "if a\nthen b\nelif c; d\nthen e\nelse f\nfi >g",
        "if a; then\n    b\nelif c; d; then\n    e\nelse\n    f\nfi > g",
    ),
    ("if a\nb; then c; fi", "if\n    a\n    b\nthen\n    c\nfi"),
    ("while a; b; do c; done", "while a; b; do\n    c\ndone"),
    ("until a & do c; done", "until a & do\n    c\ndone"),
    ("for x in a b;do c;done", "for x in a b; do\n    c\ndone"),
    ("for x do c; done", "for x; do\n    c\ndone"),
    ("for x in; do c; done", "for x in; do\n    c\ndone"),
    ("for x in a; { b; }", "for x in a; do\n    b\ndone"),
    ("for((i=0;i<3;i++));do a;done", "for ((i = 0; i < 3; i++)); do\n    a\ndone"),
    ("for((;;))do a;done", "for ((;;)); do\n    a\ndone"),
    ("for((;i;))do a;done", "for ((; i;)); do\n    a\ndone"),
    ("case $x in a|b)c;;(d)e;&esac", "case $x in\n    a | b) c ;;\n    d) e ;&\nesac"),
    ("case x in (esac) a;; b) esac", "case x in\n    (esac) a ;;\n    b) ;;\nesac"),
    (
        "case x in a)\nb\nc;;\nesac",
        "case x in\n    a)\n        b\n        c\n        ;;\nesac",
    ),
    # functions
    ("f ( ) { a; }", "f() { a; }"),
    ("function f { a; }", "f() { a; }"),
    ("function if { a; }", "function if { a; }"),
    ("function a=b(x) { a; }", "function a=b(x) { a; }"),
    ("f()\n(\na)", "f() (\n    a\n)"),
    ("f() { a; } >g", "f() { a; } > g"),
    ("f(a,b:int=1,c:string?,*d){ e; }", "f(a, b: int = 1, c: string?, *d) { e; }"),
    ("f(\n) { a; }", "f(\n) { a; }"),
    # conditions
    ("[[ a==b&&-f c||! ( -z $d ) ]]", "[[ a==b && -f c || ! (-z $d) ]]"),
    ("[[ $a = b* && x -nt y ]]", "[[ $a = b* && x -nt y ]]"),
    ("[[ $a =~ ^(a b|c$)\\.x ]]", "[[ $a =~ ^(a b|c$)\\.x ]]"),
    ("[[ x not  in [a b] && k in $r ]]", "[[ x not in [a, b] && k in $r ]]"),
    ("[[ a\n&& b ]]", "[[ a &&\n    b ]]"),
    # arithmetic
    ("((n+=1,m=n*-2))", "((n += 1, m = n * -2))"),
    ("echo $((a?b:c?d:e)) $(( -(-x) - --y ))", "echo $((a ? b : c ? d : e)) $((-(-x) - --y))"),
    ("echo $((- -x + + +y - -1))", "echo $((- -x + + +y - -1))"),
    ("echo $((x++ + ++y ** 2)) $(())", "echo $((x++ + ++y ** 2)) $(())"),
    ("echo $((!~a<<2&0x1f|2#101^$b$c))", "echo $((!~a << 2 & 0x1f | 2#101 ^ $b$c))"),
    # lines
    ("a \\\n b \\\n> c", "a \\\n    b \\\n    > c"),
    ("a|\nb|c", "a |\n    b | c"),
    ("a \\\n| b", "a |\n    b"),
    ("if a &&\nb; then c; fi", "if a &&\n    b; then\n    c\nfi"),
    ("echo a\\\nb", "echo a\\\nb"),
    ('echo "a \\\nb"', 'echo "a \\\nb"'),
    ("\n\na\n\n\n\nb\n\n", "a\n\nb"),
    ("if a; then\n\nb\n\nfi", "if a; then\n    b\nfi"),
]


@pytest.mark.parametrize(("source", "wanted"), LINES)
def test_canonical_text(source: str, wanted: str) -> None:
    assert formatted(source) == wanted + "\n"


# Where bodies of heredocs go, and that they still say the same.
HEREDOCS = [
    ('cat  <<E|b\nx $y\n\\$z `w` "q"\nE\nc', 'cat <<E | b\nx $y\n\\$z $(w) "q"\nE\nc\n'),
    ("cat << 'E'\n  $x\n\tE\nE", "cat <<'E'\n  $x\n\tE\nE\n"),
    ("if a; then cat <<-E\n\t\tx\n\tE\nfi", "if a; then\n    cat <<-E\nx\nE\nfi\n"),
    ("cat <<-E\n\\\n\tx\nE", "cat <<-E\n\\\n\tx\nE\n"),
    ('cat << -E 2<<"a b"\n-E\nx\na b', "cat << -E 2<<'a b'\n-E\nx\na b\n"),
    ("cat <<E$\nE\\$\nE$", "cat <<E$\nE\\$\nE$\n"),
    ("x=$(cat <<E\na\nE\n)", "x=$(cat <<E\na\nE\n)\n"),
    ("x=$(cat <<E; b\na\nE\n)", "x=$(cat <<E; b\na\nE\n)\n"),
    ("{ cat <<E; } | b\na\nE", "{ cat <<E; } | b\na\nE\n"),
    ("cat <<E |\na\nE\nb", "cat <<E |\na\nE\n    b\n"),
    ("cat <<E k=[\n1]\na\nE", "cat <<E k=[\n    1,\n]\na\nE\n"),
    ("if a; then cat <<E\n$(b\nc)\nE\nfi", "if a; then\n    cat <<E\n$(\n    b\n    c\n)\nE\nfi\n"),
    ("cat <<E; b # c\na\nE\n# d", "cat <<E\na\nE\nb # c\n# d\n"),
    ("a\n\ncat <<E\nE\n\nb", "a\n\ncat <<E\nE\n\nb\n"),
]


@pytest.mark.parametrize(("source", "wanted"), HEREDOCS)
def test_heredoc(source: str, wanted: str) -> None:
    assert formatted(source) == wanted


# Comments and blank lines, in every place where the language allows them.


COMMENTS = [
    ("#!/bin/keysh\n\n# a  \nb#c # d\t", "#!/bin/keysh\n\n# a\nb#c # d\n"),
    ("# a\n\n\n# b", "# a\n\n# b\n"),
    ("a;b # c\n# d\ne", "a\nb # c\n# d\ne\n"),
    (
        "if a # 1\nthen # 2\nb # 3\n# 4\nelif c # 5\nthen\nd\n# 6\nelse # 7\ne\n\n # 8\nfi # 9",
        """\
if a; then # 1
    # 2
    b # 3
    # 4
elif c; then # 5
    d
    # 6
else # 7
    e

    # 8
fi # 9
""",
    ),
    (
        "if # 1\na; then b; fi",
        "if # 1\n    a\nthen\n    b\nfi\n",
    ),
    (
        "for x in a # 1\ndo # 2\nb; done # 3",
        "for x in a; do # 1\n    # 2\n    b\ndone # 3\n",
    ),
    (
        "while a; # 1\nb; do c; done",
        "while\n    a # 1\n    b\ndo\n    c\ndone\n",
    ),
    ("{ # 1\na; } # 2", "{ # 1\n    a\n} # 2\n"),
    ("( # 1\n# 2\n\n# 3\na)", "( # 1\n    # 2\n\n    # 3\n    a\n)\n"),
    ("x=$(a # 1\n) # 2", "x=$(\n    a # 1\n) # 2\n"),
    ("x=$( # 1\n)", "x=$( # 1\n)\n"),
    ("x=`a # 1`", "x=$(\n    a # 1\n)\n"),
    (
        "f() # 1\n{ a; }\n# 2\ng() { b; }",
        "f() { # 1\n    a\n}\n# 2\ng() { b; }\n",
    ),
    (
        "f(a, # 1\nb # 2\n# 3\n) # 4\n{ c; }",
        "f(\n    a, # 1\n    b, # 2\n    # 3\n) { # 4\n    c\n}\n",
    ),
    (
        "case a in # 1\n# 2\nb) # 3\nc # 4\n# 5\n;; # 6\nd) # 7\n;;\ne) f # 8\n# 9\nesac",
        """\
case a in # 1
    # 2
    b) # 3
        c # 4
        # 5
        ;; # 6
    d) # 7
        ;;
    e)
        f # 8
        # 9
        ;;
esac
""",
    ),
    ("a | # 1\n# 2\nb && # 3\nc", "a | # 1\n    # 2\n    b && # 3\n    c\n"),
    (
        "x=[ # 1\na # 2\n# 3\n, b # 4\n# 5\n]",
        "x=[ # 1\n    a, # 2\n    # 3\n    b, # 4\n    # 5\n]\n",
    ),
    ("x={ # 1\na: # 2\nb # 3\n}", "x={ # 1\n    a: b, # 2\n    # 3\n}\n"),
    ("x=(a # 1\n# 2\nb)", "x=(\n    a # 1\n    # 2\n    b\n)\n"),
    ("f k=[ # 1\na] b", "f k=[ # 1\na] b\n"),
    ("cat <<E\n$(a # 1\n)\nE\n# 2", "cat <<E\n$(\n    a # 1\n)\nE\n# 2\n"),
    ("a \\\n# 1\nb", "a # 1\nb\n"),
]


@pytest.mark.parametrize(("source", "wanted"), COMMENTS)
def test_comment(source: str, wanted: str) -> None:
    assert formatted(source) == wanted


# Characters that would mean something else side by side, and how they are separated.
APART = [
    ('echo "$"`a` $`b`', 'echo "$"$(a) $`b`\n'),
    ("echo ...`a` ...$b", "echo ...\\\n$(a) ...$b\n"),
    ("f k={`a`:b}", "f k={\\\n$(a):b}\n"),
    ("f k={;g", "f k={\\\n\ng\n"),
    ("a\r;b", "a\r\\\n\nb\n"),
    ("[\\\n ]", "[\\\n \\\n    ]\n"),
    ("[[ -f\\\n == x || ! !\\\n ]]", "[[ -\\\nf == x || ! !\\\n ]]\n"),
    ("echo ${x#\\\n#a} ${x/\\\n#a} ${x/\\\n/a}", "echo ${x#\\\n#a} ${x/\\\n#a} ${x/\\\n/a}\n"),
    ("echo ${x[\\\n@]}", "echo ${x[@\\\n]}\n"),
]


@pytest.mark.parametrize(("source", "wanted"), APART)
def test_tokens_that_must_stay_apart(source: str, wanted: str) -> None:
    assert formatted(source) == wanted


def test_long_value_has_one_line_per_element() -> None:
    element = "a" * 24
    short = f"x=[{element}, {element}, {element}]\n"
    assert formatted(short) == short
    assert formatted(f"x=[{f'{element} ' * 4}]") == f"x=[\n{f'    {element},{chr(10)}' * 4}]\n"
    assert formatted(f"x=['{element * 4}']") == f"x=['{element * 4}']\n"


@pytest.mark.parametrize("source", ["", "\n", " \n\t\n", "\\\n"])
def test_nothing(source: str) -> None:
    assert formatted(source) == ""


# ---------------------------------------------------------------- text_of


def test_every_node_has_a_printer() -> None:
    nodes = {
        cls
        for cls in vars(ast).values()
        if isinstance(cls, type) and cls.__module__ == ast.__name__
    }
    assert set(NODE_PRINTERS) == nodes


def test_printed_node_equals_its_source() -> None:
    source = "if a; then\n    x=[$y, 'z'] f k=`date` <<E | { b; } # c\n$i\nE\nfi"
    texts = {node.__class__.__name__: format_node(node) for node in parse(Source(source)).walk()}
    assert texts["List"] == "[$y, 'z']"
    assert texts["Named"] == "k=$(date)"
    assert texts["Heredoc"] == "<<E\n$i\nE"
    assert texts["Group"] == "{ b; }"
    assert texts["Script"] == "if a; then\n    x=[$y, 'z'] f k=$(date) <<E | { b; }\n$i\nE\nfi"


def test_nested_texts() -> None:
    expression = parse_arithmetic(Source("a+b*(c)"))
    assert expression is not None
    assert format_node(expression) == "a + b * (c)"
    assert format_node(parse_path(Source("u[a b][0]"))) == "u[a b][0]"
    assert format_node(parse_value(Source('{a:["x\\n"]}'))) == '{a: ["x\\n"]}'


# ---------------------------------------------------------------- depth

DEEP = [
    "( " * 199 + "a" + " )" * 199,
    "{ " * 199 + "a" + "; }" * 199,
    "x=" + "[1, " * 199 + "2" + "]" * 199,
    "if a; then\n" * 199 + "b\n" + "fi\n" * 199,
    "echo " + '"$(a ' * 99 + "b" + ')"' * 99,
    "(( " + "(" * 198 + "a" + ")" * 198 + " ))",
    "a" + " | b" * 5000,
]


@pytest.mark.parametrize("source", DEEP, ids=lambda source: source[:6])
def test_deep_trees_need_no_deep_stack(source: str) -> None:
    tree = parse(Source(source))
    printed: list[str] = []
    thread = threading.Thread(target=lambda: printed.append(format_script(tree)))
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(60)
    try:
        thread.start()
        thread.join()
    finally:
        sys.setrecursionlimit(limit)
    assert parse(Source(printed[0])) == tree
