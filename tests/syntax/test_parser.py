"""The tree of each piece of syntax, and its position in the source.

Each line of a table is a source, `=>`, and its tree in short; `⏎` is a newline. In the short form
`<…>` is a simple command, `·` joins the parts of a word, `«…»` is bare text with characters that
mean something elsewhere, and quoted text keeps its quotes. Other nodes are their class with their
fields in parentheses.
"""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from keysh.diagnostics.exceptions import ScriptError
from keysh.diagnostics.source import Source
from keysh.syntax import ast
from keysh.syntax.node import Node
from keysh.syntax.parser import parse, parse_arithmetic, parse_path, parse_value

PLAIN = re.compile(r"[\w./:,+@%^=#!-]+")


def script(text: str) -> ast.Script:
    return parse(Source(text, "test"))


def commands(text: str) -> list[ast.Command]:
    body = script(text).body
    return body.commands if body else []


def short(node: object) -> str:
    """A tree on one line."""
    if not isinstance(node, Node):
        return str(node)
    if type(node).__name__ in FORMS:
        return FORMS[type(node).__name__](node)
    fields = []
    for name in node.fields():
        value = getattr(node, name)
        if isinstance(value, list):
            if value:
                fields.append("[" + ", ".join(map(short, value)) + "]")
        elif value is True:
            fields.append(name)
        elif value not in (None, False, "", 0):
            fields.append(short(value))
    return f"{type(node).__name__}({', '.join(fields)})"


def visible(text: str) -> str:
    return text.encode("unicode_escape").decode().replace("\\\\", "\\") if text else text


def text_form(node: ast.Text) -> str:
    return node.value if PLAIN.fullmatch(node.value) else f"«{visible(node.value)}»"


def quoted_form(node: ast.Quoted) -> str:
    closer = {"\\": "", "$'": "'"}.get(node.style, node.style)
    return node.style + visible(node.value) + closer


def simple_form(node: ast.Simple) -> str:
    return f"<{' '.join(map(short, node.children()))}>"


def target_form(node: ast.Assign | ast.Named | ast.Entry) -> str:
    target = f"@{node.key}" if isinstance(node, ast.Named) else short(next(node.children()))
    value = "" if node.value is None else short(node.value)
    return f"{target}{'+' * node.append}={value}"


def redirect_form(node: ast.Redirect) -> str:
    fd = "" if node.fd is None else node.fd if isinstance(node.fd, int) else "{" + node.fd + "}"
    return f"{fd}{node.operator}{short(node.target)}"


def for_form(node: ast.For) -> str:
    words = "" if node.words is None else f" in {' '.join(map(short, node.words))}"
    return f"For({node.name}{words}, {short(node.body)})"


def slice_form(node: ast.Slice) -> str:
    parts = [node.reference, node.offset, node.length][: 2 + node.bounded]
    return f"Slice({':'.join('' if part is None else short(part) for part in parts)})"


def clause_form(node: ast.Clause) -> str:
    body = short(node.body) if node.body else ""
    return f"({'|'.join(map(short, node.patterns))}) {body}{node.ending}"


def parameter_form(node: ast.Parameter) -> str:
    kind = f": {node.type}{'?' * node.nullable}" if node.type else ""
    default = f" = {short(node.default)}" if node.default else ""
    return f"{'*' * node.rest}{node.name}{kind}{default}"


def binary_form(node: ast.Binary) -> str:
    rest = zip(node.operators, node.operands[1:], strict=True)
    return f"({short(node.operands[0])}{''.join(f' {sign} {short(x)}' for sign, x in rest)})"


FORMS = {
    "Text": text_form,
    "Quoted": quoted_form,
    "Glob": lambda node: f"glob({node.value})",
    "Tilde": lambda node: f"tilde({node.value})",
    "Variable": lambda node: f"${node.name}",
    "Word": lambda node: "·".join(map(short, node.parts)) or "empty",
    "DoubleQuoted": lambda node: f'"[{"·".join(map(short, node.parts))}]"',
    "Substitution": lambda node: f"$({short(node.body) if node.body else ''})",
    "ArithmeticExpansion": lambda n: f"$(({short(n.expression) if n.expression else ''}))",
    "Block": lambda node: "; ".join(map(short, node.commands)),
    "Simple": simple_form,
    "Assign": target_form,
    "Named": target_form,
    "Entry": target_form,
    "Redirect": redirect_form,
    "For": for_form,
    "Slice": slice_form,
    "Reference": lambda node: node.name + "".join(map(short, node.subscripts)),
    "Subscript": lambda node: f"[{short(node.word)}]",
    "AllSubscript": lambda node: f"[{node.mark}]",
    "Spread": lambda node: f"...{short(node.word)}",
    "List": lambda node: f"[{', '.join(map(short, node.elements))}]",
    "Record": lambda node: f"{{{', '.join(map(short, node.pairs))}}}",
    "Pair": lambda node: f"{short(node.key)}: {short(node.value)}",
    "Array": lambda node: f"({' '.join(map(short, node.entries))})",
    "Number": lambda node: node.text,
    "Binary": binary_form,
    "Power": lambda node: f"({' ** '.join(map(short, node.operands))})",
    "Unary": lambda node: "".join(node.operators) + short(node.operand),
    "Step": lambda n: (n.operator * n.before) + short(n.reference) + (n.operator * (not n.before)),
    "Sequence": lambda node: f"({', '.join(map(short, node.expressions))})",
    "Parentheses": lambda node: f"paren({short(node.expression)})",
    "Clause": clause_form,
    "Parameter": parameter_form,
    "TestUnary": lambda node: f"({node.operator} {short(node.operand)})",
    "TestBinary": lambda n: f"({short(n.left)} {n.operator} {short(n.right)})",
    "TestIn": lambda n: f"({short(n.left)} {n.operator} {short(n.right)})",
    "TestNot": lambda node: "!" * node.count + short(node.term),
    "TestChain": lambda node: f"({f' {node.operator} '.join(map(short, node.terms))})",
    "TestGroup": lambda node: f"paren({short(node.expression)})",
    "Target": lambda node: f"{short(node.reference)} {node.operator}",
}

# ---------------------------------------------------------------- sources and their trees

WORDS = r"""
# pieces
$dir/file.txt            => $dir·/file.txt
out-$(date +%s).log      => out-·$(<date +%s>)·.log
"a"'b'$c\d$'e'           => "a"·'b'·$c·\d·$'e'
$x.y                     => $x·.y
${x}y                    => $x·y
$1a                      => $1·a
$10                      => $1·0
${10}                    => $10
$$                       => $$
a#b                      => a#b
''                       => ''
a""                      => a·""
th\⏎is                   => this
$x\⏎y                    => $xy
"$x\⏎y"                  => "[$xy]"
${x}\⏎y                  => $x·y
5$                       => «5$»
$%                       => «$%»
if                       => if
[[                       => «[[»
# globs
*                        => glob(*)
a?b                      => a·glob(?)·b
**                       => glob(**)
[a-z]x                   => glob([a-z])·x
[!a]                     => glob([!a])
[[:alpha:]_]             => glob([[:alpha:]_])
[]a]                     => glob([]a])
[a                       => glob([)·a
[                        => «[»
[$x]                     => glob([)·$x·«]»
["a-c"]                  => glob([)·"a-c"·«]»
*.@(c|h)                 => glob(*)·.·ExtendedGlob(@, [c, h])
+(a|)                    => ExtendedGlob(+, [a, empty])
~+(a)                    => «~»·ExtendedGlob(+, [a])
!(b)c                    => ExtendedGlob(!, [b])·c
**(a)                    => glob(*)·ExtendedGlob(*, [a])
@($x|"y z")              => ExtendedGlob(@, [$x, "y z"])
# braces
{a,b}                    => Brace([a, b])
x{a,}y                   => x·Brace([a, empty])·y
{a,{b,c}}                => Brace([a, Brace([b, c])])
{$x,'d e'}               => Brace([$x, 'd e'])
{a\,b,c}                 => Brace([a·\,·b, c])
{}                       => «{}»
{a}                      => «{a}»
a{b                      => «a{b»
{1..9}                   => BraceRange(1, 9)
{01..10..2}              => BraceRange(01, 10, 2)
{a..e}                   => BraceRange(a, e)
{1..a}                   => «{1..a}»
$x{a                     => $x·«{a»
${x}{a,b}                => $x·Brace([a, b])
$x{,.a}                  => $x·Brace([empty, .a])
# tildes
~                        => tilde(~)
~/x                      => tilde(~)·/x
~amy                     => tilde(~amy)
~+                       => tilde(~+)
a~                       => «a~»
~$x                      => «~»·$x
~"x"                     => «~»·"x"
~a,b                     => «~a,b»
{~,a~}                   => Brace([tilde(~), «a~»])
{~                       => «{~»
a{~,b}                   => a·Brace([«~», b])
k=~                      => @k=tilde(~)
--k=~                    => @--k=«~»
--k=x:~                  => @--k=«x:~»
k=a:~/b                  => @k=a:·tilde(~)·/b
k={~,a}                  => @k=Brace([«~», a])
# quotes
"a $x b"                 => "[«a »·$x·« b»]"
"$x$y"                   => "[$x·$y]"
"${x}"                   => "[$x]"
"$x[0]"                  => "[$x·«[0]»]"
$"b $c"                  => "[«b »·$c]"
"\" \\ \$ \` \a \⏎x"     => "" \ $ ` \a x"
'a\b'                    => 'a\b'
\'                       => \'
\\                       => \\
$'\a\e\n\t\\\'\"\?'      => $'\x07\x1b\n\t\'"?'
$'\101\x41\x{42}\u20ac'  => $'AAB\u20ac'
$'\xff'                  => $'\udcff'
$'\cA\c?'                => $'\x01\x7f'
$'\z\xg'                 => $'\z\xg'
# substitutions
`a \`b\` \\c \$d`        => $(<a $(<b>) \c $d>)
"`a "b" \"c\"`"          => "[$(<a "b" "c">)]"
$(a; b)                  => $(<a>; <b>)
$()                      => $()
$( # c⏎)                 => $()
$(<f)                    => $(<<f>)
"$(a "b")"               => "[$(<a "b">)]"
<(a)                     => ProcessSubstitution(<, <a>)
x>(c)                    => x·ProcessSubstitution(>, <c>)
$((1 + 2))x              => $(((1 + 2)))·x
"$((n))"                 => "[$((n))]"
# arguments
a=b                      => @a=b
--c-d=e                  => @--c-d=e
f+=g                     => @f+=g
h=                       => @h=
-a=b                     => -a=b
a.b=c                    => a.b=c
1=2                      => 1=2
"a"=b                    => "a"·=b
a\=b                     => a·\=·b
$a=b                     => $a·=b
a="b c"d                 => @a="b c"·d
i={a,b}                  => @i=Brace([a, b])
a=[1,2]                  => @a=[1, 2]
b=["c"]                  => @b=["c"]
d={k: v}                 => @d={k: v}
e=(f g)                  => @e=(f g)
a=[x]                    => @a=glob([x])
b=[0-9]*                 => @b=glob([0-9])·glob(*)
c=[1]st                  => @c=glob([1])·st
d={a,b}                  => @d=Brace([a, b])
e={}                     => @e=«{}»
...$x                    => ...$x
..."$y"                  => ..."[$y]"
...${z[k]}               => ...Expand(z[k])
...                      => ...
...a                     => ...a
x...$y                   => x...·$y
a[0]                     => a·glob([0])
# ${ … }
${x:-a b}                => Expand(x, :-, «a b»)
${x-}                    => Expand(x, -, empty)
${x:=~/a}                => Expand(x, :=, tilde(~)·/a)
${x:?c d}                => Expand(x, :?, «c d»)
${x:+"e f"}              => Expand(x, :+, "e f")
${#x}                    => Length(x)
${#}                     => $#
${##}                    => Length(#)
${#:-a}                  => Expand(#, :-, a)
${#x[@]}                 => Length(x[@])
${x#a*}                  => Expand(x, #, a·glob(*))
${x##*/}                 => Expand(x, ##, glob(*)·/)
${x%%[ab]*}              => Expand(x, %%, glob([ab])·glob(*))
${x#'*'}                 => Expand(x, #, '*')
"${x#"*"}"               => "[Expand(x, #, "*")]"
"${x%'}'}"               => "[Expand(x, %, '}')]"
${x/a/b}                 => Replace(x, /, a, b)
${x//a}                  => Replace(x, //, a)
${x/#a/b}                => Replace(x, /#, a, b)
${x/%a/}                 => Replace(x, /%, a, empty)
${x////_}                => Replace(x, //, /, _)
${x/\//b}                => Replace(x, /, \/, b)
${x/a/b/c}               => Replace(x, /, a, b/c)
${x/$a/"$b"}             => Replace(x, /, $a, "[$b]")
${x/~/a}                 => Replace(x, /, tilde(~), a)
${x/a/~/b}               => Replace(x, /, a, tilde(~)·/b)
${x/#~/a}                => Replace(x, /#, «~», a)
${x:1}                   => Slice(x:1)
${x:1:2}                 => Slice(x:1:2)
${x: -1}                 => Slice(x:-1)
${x:(-2):1}              => Slice(x:paren(-2):1)
${x::2}                  => Slice(x::2)
${x:n>1?1:2:3}           => Slice(x:Conditional([Choice((n > 1), 1)], 2):3)
${x^}                    => Expand(x, ^, empty)
${x,,[ab]}               => Expand(x, ,,, glob([ab]))
${x@Q}                   => Expand(x, @Q)
${!x}                    => Expand(x, indirect)
${!x:-a}                 => Expand(x, indirect, :-, a)
${!x[@]}                 => Expand(x[@], indirect)
${!x*}                   => NamesOf(x, *)
${!}                     => $!
${u[a]}                  => Expand(u[a])
${u[$k]}                 => Expand(u[$k])
${u["a b"]}              => Expand(u["a b"])
${u[a b]}                => Expand(u[«a b»])
${u[1:3]}                => Expand(u[1:3])
${u[a][0]}               => Expand(u[a][0])
${u[b[c]]}               => Expand(u[«b[c]»])
${u[a]:-b}               => Expand(u[a], :-, b)
"${u[@]}"                => "[Expand(u[@])]"
"${x:-'a'}"              => "[Expand(x, :-, «'a'»)]"
"${x:-"b c"}"            => "[Expand(x, :-, "b c")]"
"${x:-\}}"               => "[Expand(x, :-, «}»)]"
"${x:-d\e}"              => "[Expand(x, :-, «d\e»)]"
"${x:-'}'}"              => "[Expand(x, :-, «'}'»)]"
"${x:-$'f\t'}"           => "[Expand(x, :-, $'f\t')]"
${x:-'}'}                => Expand(x, :-, '}')
${x:-~/a}                => Expand(x, :-, tilde(~)·/a)
${x:-~ a}                => Expand(x, :-, «~ a»)
${x:-\}}                 => Expand(x, :-, \})
${x:-{a}}                => Expand(x, :-, «{a»)·«}»
${x:-${y:-$z}}           => Expand(x, :-, Expand(y, :-, $z))
${x#*(}                  => Expand(x, #, glob(*)·«(»)
${x#*(a|b)}              => Expand(x, #, ExtendedGlob(*, [a, b]))
"""

VALUES = r"""
[]                       => []
[ ]                      => []
[a, b]                   => [a, b]
[a b,]                   => [a, b]
[1 2.5 1e3 true null 007] => [1, 2.5, 1e3, true, null, 007]
["a b" 'c' $d "$e"]      => ["a b", 'c', $d, "[$e]"]
[f$g/h *.i ~ a\ b]       => [f·$g·/h, glob(*)·.i, tilde(~), a·\ ·b]
[a=b c:d -e [f] {g: h} ...$i] => [a=b, c:d, -e, [f], {g: h}, ...$i]
[⏎a # b⏎c,⏎]             => [a, c]
["\n\u00e9\"\/\ud83d\ude00"] => ["\n\xe9"/\U0001f600"]
['\n' $'\n' a"\t"]       => ['\n', $'\n', a·"\t"]
[1]                      => [1]
["a"]                    => ["a"]
[$v,]                    => [$v]
["$t"]                   => ["[$t]"]
[@(a|b) +(c)]            => [ExtendedGlob(@, [a, b]), ExtendedGlob(+, [c])]
{}                       => {}
{a: 1}                   => {a: 1}
{a:1,b:2}                => {a: 1, b: 2}
{a: b c: d}              => {a: b, c: d}
{"a b": 1, 'c': 2, $d: 3, e$f: 4} => {"a b": 1, 'c': 2, $d: 3, e·$f: 4}
{g.h: http://i/j}        => {g.h: http://i/j}
{⏎...$a,⏎b: [1, {c: d}],  # e⏎} => {...$a, b: [1, {c: d}]}
()                       => ()
(a "b c" $d *.e {1..2} # f⏎ g) => (a "b c" $d glob(*)·.e BraceRange(1, 2) g)
([a]=b [c d]= [$e]+=f [g]) => ([a]=b [«c d»]= [$e]+=f glob([g]))
(...$o if)               => (...$o if)
a:~/b                    => a:·tilde(~)·/b
$a"b"'c'\d               => $a·"b"·'c'·\d
<(a)                     => ProcessSubstitution(<, <a>)
#a                       => #a
"""

EXPRESSIONS = r"""
1+2*3-4/5%6              => (1 + (2 * 3) - (4 / 5 % 6))
a<b<=c == d != e         => ((a < b <= c) == d != e)
a||b&&c|d^e&f            => (a || (b && (c | (d ^ (e & f)))))
1<<2+3>>4                => (1 << (2 + 3) >> 4)
-a**b**c                 => (-a ** b ** c)
2**-1                    => (2 ** -1)
!~-+d                    => !~-+d
a?b:c?d:e                => Conditional([Choice(a, b), Choice(c, d)], e)
x?y=1:2                  => Conditional([Choice(x, Assignments([y =], 1))], 2)
a = b += c <<= 2         => Assignments([a =, b +=, c <<=], 2)
d[i+1] -= 1, (f, g)      => (Assignments([d[i+1] -=], 1), paren((f, g)))
a++ + ++b - c--          => (a++ + ++b - c--)
1--1                     => (1 - -1)
1++2                     => (1 + +2)
a---b                    => (a-- - b)
a+++b                    => (a++ + b)
- --c                    => ---c
0x1F + 010 + 2#101 + 0b11 + 1.5 => (0x1F + 010 + 2#101 + 0b11 + 1.5)
$a + ${b} + "$c" + $(d) + `e` => ($a + $b + "[$c]" + $(<d>) + $(<e>))
0x$f + ${g}0 + $((h))    => (0x·$f + $g·0 + $((h)))
u[a][0] + u[$k] + u["k"] + u[v[0]] => (u[a][0] + u[$k] + u["k"] + u[«v[0]»])
⏎1 +⏎2⏎                  => (1 + 2)
"""

CONDITIONS = r"""
a                        => a
-n $a                    => (-n $a)
! ! a                    => !!a
a == b* && c != "d"* || e = f => (((a == b·glob(*)) && (c != "d"·glob(*))) || (e = f))
(a || b) && ! (c)        => (paren((a || b)) && !paren(c))
a < b && c > d           => ((a < b) && (c > d))
2 -lt n+1                => (2 -lt n+1)
-e a && b -nt c          => ((-e a) && (b -nt c))
-list $a                 => (-list $a)
a in [b c] && d not in {e: f} => ((a in [b, c]) && (d not in {e: f}))
g in $h                  => (g in $h)
$x =~ ^(a|b c)[[:space:]]+$ => ($x =~ «^(a|b c)[[:space:]]+$»)
$x =~ a\ b"c."'d*'$e\.   => ($x =~ a·\ ·b·"c."·'d*'·$e·\.)
x =~ (a) && b            => ((x =~ «(a)») && b)
# a⏎a == b && # c⏎! d # e⏎ => ((a == b) && !d)
a == @(b|c)!(d)          => (a == ExtendedGlob(@, [b, c])·ExtendedGlob(!, [d]))
$a == $b && "$c" == '*'  => (($a == $b) && ("[$c]" == '*'))
"""

SCRIPTS = r"""
# simple commands
a b; c                   => <a b>; <c>
A=1 B= C+=x p D=1        => <A=1 B= C+=x p @D=1>
A=1 B=$y                 => <A=1 B=$y>
a[0]=x a[i+1]+=y a[$k]=  => <a[0]=x a[i+1]+=y a[$k]=>
a["k k"]=z a[k k]=v a[b][c]=d => <a["k k"]=z a[«k k»]=v a[b][c]=d>
a[i]=(x y) b[k]=[1, 2]   => <a[i]=(x y) b[k]=[1, 2]>
a[b] c                   => <a·glob([b]) c>
i\⏎f a; then b; fi       => If(<a>, <b>)
# redirections
p >a <b >>c >|d <>e 2>f  => <p >a <b >>c >|d <>e 2>f>
p >&2 2>&1 2>&- 1>&2- &>a &>>b => <p >&2 2>&1 2>&- 1>&2- &>a &>>b>
p {fd}>a {a-b}>c 12>d 9999999999>e => <p «{a-b}» 9999999999 {fd}>a >c 12>d >e>
p a2>f 2 >g 2\>h x=2>j   => <p a2 2 2·\>·h @x=2 >f >g >j>
<f p >g                  => <p <f >g>
>f                       => <>f>
{ p; } >f 2>&1           => Redirected(Group(<p>), [>f, 2>&1])
p <<<a <<<"b $c"         => <p <<<a <<<"[«b »·$c]">
p <<E >f⏎a $x⏎E          => <p Heredoc(«a »·$x·«\n») >f>
p <<'E' <<-F⏎$x⏎E⏎	a⏎	F  => <p Heredoc(quoted, '$x\n') Heredoc(strips, «a\n»)>
p <<E⏎`a \"b\"`⏎E        => <p Heredoc($(<a \"·b·\">)·«\n»)>
p <<E⏎${x:-$'a'"b"}⏎E    => <p Heredoc(Expand(x, :-, «$'a'»·"b")·«\n»)>
3<<E p⏎E                 => <p Heredoc(3, empty)>
p <<E; q⏎$(r <<F⏎s⏎F⏎)⏎E => <p Heredoc($(<r Heredoc(«s\n»)>)·«\n»)>; <q>
p <<E⏎E\⏎F⏎a\⏎E⏎E        => <p Heredoc(«EF\naE\n»)>
# lists and pipelines
a; b⏎c & d               => <a>; <b>; Background(<c>); <d>
a && b || c &&⏎d         => Chain([<a>, <b>, <c>, <d>], [&&, ||, &&])
a | b |& c |⏎d           => Pipeline([<a>, <b>, <c>, <d>], [|, |&, |])
! a | b && ! ! c         => Chain([Pipeline([<a>, <b>], [|], 1), Pipeline([<c>], 2)], [&&])
time a | b               => Pipeline([<a>, <b>], [|], time)
time -p a; time -- b     => Pipeline([<a>], time -p); Pipeline([<b>], time)
time                     => Pipeline(time)
# compound commands
{ a; b; } && (c; d)      => Chain([Group(<a>; <b>), Subshell(<c>; <d>)], [&&])
( (a) ); { { b; }; }     => Subshell(Subshell(<a>)); Group(Group(<b>))
if a; then b; fi         => If(<a>, <b>)
if a⏎then b⏎elif c; then d⏎else e; fi => If(<a>, <b>, [Elif(<c>, <d>)], <e>)
while a; do b; done      => While(<a>, <b>)
until c⏎do d⏎done        => While(<c>, <d>, until)
for x in a $b; do c; done => For(x in a $b, <c>)
for x⏎in a⏎do b; done    => For(x in a, <b>)
for y; do c; done        => For(y, <c>)
for z in; do d; done     => For(z in , <d>)
for x in a; { b; }       => For(x in a, <b>)
for in in do done; do p; done => For(in in do done, <p>)
for ((i=0;i<9;i++)); do a; done => ForArithmetic(Assignments([i =], 0), (i < 9), i++, <a>)
for ((;;)) { b; }        => ForArithmetic(<b>)
case a in b|c) d;; (e) ;& f) g ;;& esac => Case(a, [(b|c) <d>;;, (e) ;&, (f) <g>;;&])
case x in⏎# c⏎a)⏎# d⏎b # e⏎;;⏎esac => Case(x, [(a) <b>;;])
case in in in) p;; esac  => Case(in, [(in) <p>;;])
case y in esac           => Case(y)
[[ a ]] && ((b))         => Chain([Test(a), ArithmeticCommand(b)], [&&])
[ a = b ]                => <«[» a = b «]»>
# functions
f() { a; }; g () (b)     => Function(f, Group(<a>)); Function(g, Subshell(<b>))
function f { a; }        => Function(f, Group(<a>))
function f() if a; then b; fi => Function(f, If(<a>, <b>))
f()⏎# c⏎{ a; } >f        => Function(f, Redirected(Group(<a>), [>f]))
f-g.h() { a; }           => Function(f-g.h, Group(<a>))
f(a, b: int = 8080, *c) { d; } => Function(f, [a, b: int = 8080, *c], Group(<d>))
f(a: string?, b = [1, 2],⏎) (c) => Function(f, [a: string?, b = [1, 2]], Subshell(<c>))
f(a = -1, b = x-y, c = "d e") { p; } => Function(f, [a = -1, b = x-y, c = "d e"], Group(<p>))
"""

REFUSED = r"""
x=["\ud800"] => E120
a;; b                    => E105
a &; b                   => E104
)                        => E105
fi                       => E105
if a; then fi            => E104
{ }                      => E104
for 1x in a; do b; done  => E118
select x in a; do b; done => E111
coproc a                 => E111
echo f(a)                => E115
p &>&1                   => E116
p >                      => E116
a[b                      => E102
'a                       => E102
"a                       => E102
${x                      => E102
f(a: foo) { b; }         => E117
function f               => E117
((a b))                  => E107
((1 +))                  => E107
((08))                   => E107
((99#1))                 => E107
[[ a b ]]                => E108
[[ a == b]]              => E102
p $[1                    => E102
p ${}                    => E106
p ${u.name}              => E110
p ${x@P}                 => E111
p $x{a,b}                => E106
p {$x,y}a                => E106
p "${x:-it's}"           => E106
x=[a]                    => E109
x=[$b]                   => E109
x=[0-9]*                 => E109
x=[a]b                   => E109
x={c}                    => E109
x={d,e}                  => E109
x={a: 1}b                => E109
x=(1)b                   => E109
x=[a;b]                  => E120
x=[a                     => E102
"""


def cases(table: str) -> list[object]:
    """The lines of a table that are not its headings."""
    lines = [line for line in table.strip().split("\n") if "=>" in line]
    return [
        pytest.param(source.rstrip().replace("⏎", "\n"), wanted, id=source.rstrip())
        for source, _, wanted in (line.rpartition(" => ") for line in lines)
    ]


@pytest.mark.parametrize(("source", "wanted"), cases(WORDS))
def test_word(source: str, wanted: str) -> None:
    (command,) = commands(f"p {source}")
    assert isinstance(command, ast.Simple)
    assert [short(word) for word in command.arguments] == ["p", wanted]


@pytest.mark.parametrize(("source", "wanted"), cases(VALUES))
def test_value(source: str, wanted: str) -> None:
    (command,) = commands(f"x={source}")
    assert isinstance(command, ast.Simple)
    assert [short(assignment) for assignment in command.assignments] == [f"x={wanted}"]
    assert not command.arguments


@pytest.mark.parametrize(("source", "wanted"), cases(EXPRESSIONS))
def test_expression(source: str, wanted: str) -> None:
    assert short(parse_arithmetic(Source(source, "test"))) == wanted
    (command,) = commands(f"(({source}))")
    assert short(command) == f"ArithmeticCommand({wanted})"


@pytest.mark.parametrize(("source", "wanted"), cases(CONDITIONS))
def test_condition(source: str, wanted: str) -> None:
    (command,) = commands(f"[[ {source} ]]")
    assert short(command) == f"Test({wanted})"


@pytest.mark.parametrize(("source", "wanted"), cases(SCRIPTS))
def test_script(source: str, wanted: str) -> None:
    assert "; ".join(map(short, commands(source))) == wanted


@pytest.mark.parametrize(("source", "code"), cases(REFUSED))
def test_refused(source: str, code: str) -> None:
    with pytest.raises(ScriptError) as caught:
        script(source)
    assert caught.value.diagnostics[0].code == code


def test_paths_and_values_parsed_at_run_time() -> None:
    assert short(parse_path(Source("u[tags][$k][0]"))) == "u[tags][$k][0]"
    assert short(parse_value(Source("[a, {b: 1}]"))) == "[a, {b: 1}]"
    assert short(parse_value(Source("a$b"))) == "a·$b"
    assert parse_arithmetic(Source(" ")) is None


# ---------------------------------------------------------------- JSON is a literal


def json_texts() -> st.SearchStrategy[str]:
    """JSON without `$` and `` ` ``, which begin expansions, and without lone surrogates."""
    letters = st.characters(exclude_characters="$`\0", exclude_categories=["Cs"])
    leaves = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False)
    values = st.recursive(
        leaves.filter(lambda leaf: leaf not in (float("inf"), float("-inf"))) | st.text(letters),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(letters), inner),
        max_leaves=25,
    )
    containers = st.lists(values) | st.dictionaries(st.text(letters), values)
    return st.builds(
        json.dumps, containers, ensure_ascii=st.booleans(), indent=st.sampled_from([None, 0, 2])
    )


def as_json(value: object) -> object:
    """Return the value of a literal, if it is JSON; quotes distinguish text."""
    if isinstance(value, ast.List):
        return [as_json(element) for element in value.elements]
    if isinstance(value, ast.Record):
        pairs = [pair for pair in value.pairs if isinstance(pair, ast.Pair)]
        return {as_json(pair.key): as_json(pair.value) for pair in pairs}
    assert isinstance(value, ast.Word)
    (part,) = value.parts
    if isinstance(part, ast.Quoted):
        return part.value
    assert isinstance(part, ast.Text)
    return json.loads(part.value)


@given(json_texts())
def test_json_is_a_literal_with_the_same_value(text: str) -> None:
    for where in ("x={}", "p x={}"):
        if text == "{}" and where != "x={}":
            continue  # `{}` is text in an argument
        (command,) = commands(where.format(text))
        assert isinstance(command, ast.Simple)
        holder = next(child for child in command.children() if not isinstance(child, ast.Word))
        assert isinstance(holder, ast.Assign | ast.Named)
        assert as_json(holder.value) == json.loads(text)
