"""`read`: its options and its splitting, against bash."""

from __future__ import annotations

import pytest

from commands.script_runner import bash_script, our_script
from real_tools import needs

SCRIPTS = [
    r"""
printf '  a b  c  \n' | { read x; echo "[$x]"; }
""",
    r"""
printf '  a b  c  \n' | { read x y; echo "[$x][$y]"; }
""",
    r"""
printf '  a b  c  \n' | { read; echo "[$REPLY]"; }
""",
    r"""
printf 'a:b:\n' | { IFS=: read x y; echo "[$x][$y]"; }
""",
    r"""
printf 'a:b::\n' | { IFS=: read x y; echo "[$x][$y]"; }
""",
    r"""
printf 'a : b: c :\n' | { IFS=' :' read x y z; echo "[$x][$y][$z]"; }
""",
    r"""
printf 'a::b\n' | { IFS=: read -a v; echo "${#v[@]}"; printf '[%s]' "${v[@]}"; }
""",
    r"""
printf ' a b  c ' | { read -a v; echo "$?"; printf '[%s]' "${v[@]}"; }
""",
    r"""
printf 'a\\ b c\\\nd e' | { read x y; echo "$?[$x][$y]"; }
""",
    r"""
printf 'a\\ b c\\\nd e\n' | { read -r x y; echo "$?[$x][$y]"; }
""",
    r"""
printf 'abcdef\nghi' | { read -n 3 x; echo "$?[$x]"; read -n 5 y; echo "$?[$y]"; read -n 9 z
echo "$?[$z]"; }
""",
    r"""
printf 'ab\ncdef' | { read -N 4 x y; echo "$?[$x][$y]"; read -N 9 x; echo "$?[$x]"; }
""",
    r"""
printf 'a b;c d' | { read -d ';' x; echo "$?[$x]"; read -d ';' x; echo "$?[$x]"; }
""",
    r"""
printf 'a\0b\0' | { while IFS= read -r -d '' x; do echo "[$x]"; done; }
""",
    "read -r x < /nonexistent; echo $?",
    'echo "a b" | { read x; IFS=; read y; echo "$?$x$y"; }',
    r"""
printf ' x \n' | { IFS= read x; echo "[$x]"; }
""",
    r"""
printf 'a\\:b:c\n' | { IFS=: read x y; echo "[$x][$y]"; }
""",
    r"""
printf 'x' | { read v; echo "$? $v"; }
""",
    'exec 3<<< "three"; read -u 3 x; echo "$x"; exec 3<&-; read -u 3 x; echo $?',
    r"""
declare -A m; read m[k] <<< "v w"; echo "${m[k]}"; xs=(1 2); read xs[1] <<< hi; echo "${xs[@]}"
""",
    r"""
printf '1\n2\n' | while read -r n; do echo "<$n>"; done
""",
    r"""
printf 'a\tb\tc\n' | { IFS=$'\t' read -r x y z; echo "[$x|$y|$z]"; }
""",
    r"""
printf 'a\t\tc\n' | { IFS=$'\t' read -r x y z; echo "[$x|$y|$z]"; }
""",
    r"""
printf 'a,,c\n' | { IFS=, read -r x y z; echo "[$x|$y|$z]"; }
""",
    r"""
printf 'one two\\\n three\n' | { read a b; echo "[$a|$b]"; }
""",
    'read x y <<< "  lead  trail  "; echo "[$x|$y]"',
    r"""
printf 'ab\\\ncd' | { read -n 3 x; echo "[$x]"; }
""",
    r"""
printf 'a\\bc' | { read -n 2 x; echo "[$x]"; read -n 2 x; echo "[$x]"; }
""",
    "read 1x <<< a; echo $?",
    'readonly r=1; read r <<< 2; echo "st $? $r"',
]


@needs("bash")
@pytest.mark.parametrize("script", SCRIPTS)
def test_agrees_with_bash(script: str) -> None:
    assert our_script(script)[:2] == bash_script(script)
