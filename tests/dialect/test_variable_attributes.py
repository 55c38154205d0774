"""References, attributes of elements, and `unset`; real bash is the judge."""

from __future__ import annotations

import pytest

from dialect.dialect_oracle import bash_answer, dialect_answer
from real_tools import needs

pytestmark = needs("bash")

SCRIPTS = {
    "elements": """
a=(1 2 3); declare -n n=a; n[1]=x; unset 'n[0]'; declare -p a; n+=(q)
declare -p a n; n=(5 [3]=6); declare -p a n; n+=([7]=z); declare -p a""",
    "associative arrays": """
declare -A A=([x]=1); declare -n n=A; n=([k]=v); declare -p A; n+=([j]=w)
declare -p A; n[q]=r; unset 'n[k]'; declare -p A; echo "${!n[@]}" "${n[@]}"
n+=([j]+=ww); declare -p A""",
    "appending to nothing": """
declare -n n=u; n+=(1 2); declare -p u n""",
    "of a function": """
f() { local -n r=$1; r+=(new); r[9]=z; local -n q=$2; q=([a]=1 [b]=2); }
declare -A h; f arr h; declare -p arr h""",
    "an element is unset": """
f() { local -n r=$1; unset 'r[1]'; echo "${#r[@]} ${!r[@]}"; }; x=(a b c); f x
declare -p x""",
    "to an element": """
declare -n n='a[2]'; n=5; declare -p a; unset n; declare -p a; n+=7; n+=8
declare -p a""",
    "of a reference": """
declare -n r=a; declare -n s=r; s=(1 2); s+=(3); s[0]=9; declare -p a
unset 's[1]'; declare -p a""",
    "integers": """
declare -n n=i; declare -i i=5; n+=3; echo $i; n=2*4; echo $i; (( n++ )); echo $i
let n=3; echo $i; ((n[2]=4)); declare -p i""",
    "readonly": """
declare -nr n=t; t=1; n=2; echo $t; declare -n n=x; echo $?; declare -p n
unset -n n; echo $?; n=3; echo $t""",
}
ELEMENTS = {
    "integers": "declare -ia i=(1+1); i[5]=4/2; i[0]+=3; i[7]+=2; declare -p i",
    "letters": "declare -ua u=(a); u[3]=xyz; u[0]+=c; declare -Al m; m[K]=ABC; declare -p u m",
    "integers by key": "declare -Ai n; n[a]=1+1; n[a]+=5; declare -p n",
}
UNSET = {
    "a local": """
f() { local v=1; unset v; echo "[${v-u}]"; }; v=o; v=t f; echo $v""",
    "twice": """
f() { unset v; echo "[${v-u}]"; unset v; echo "[${v-u}]"; }; v=o; v=t f
echo "[${v-u}]"
""",
    "in a called function": """
g() { unset v; echo "g[${v-u}]"; unset v;  echo "g[${v-u}]"; }; f() { g
echo "f[${v-u}]"; }; v=o; v=t f; echo "[${v-u}]"
""",
    "a local of the caller": """
g() { unset v; echo "g[${v-u}]"; }; f() { local v=l; v=t g; echo "f[${v-u}]"; }
v=o; f; echo "[${v-u}]"
""",
    "an exported one": """
f() { unset v; printenv v; echo $?; }; export v=o; v=t f; printenv v""",
    "eval": """
unset v; v=t eval 'unset v; echo "[${v-u}]"; v=5'; echo "[${v-u}]"
""",
    "eval in a function": """
f() { local x=1; x=2 eval 'unset x; echo "[${x-u}]"'; echo "[${x-u}]"; }; x=o; f
echo $x""",
    "a subshell": """
f() { (unset v; echo "[${v-u}]"); echo "[${v-u}]"; }; v=o; v=t f; echo $v""",
    "IFS": """
f() { IFS=: ; unset IFS; x=a:b; echo $x; }; IFS=: f; x=a:b; echo $x""",
}


@pytest.mark.parametrize("script", SCRIPTS.values(), ids=SCRIPTS)
def test_reference(script, tmp_path):
    """The output and the status are bash's."""
    assert dialect_answer(script, tmp_path) == bash_answer(script, tmp_path)


@pytest.mark.parametrize("script", ELEMENTS.values(), ids=ELEMENTS)
def test_element_with_an_attribute(script, tmp_path):
    """An element is converted as the variable's attributes say."""
    assert dialect_answer(script, tmp_path) == bash_answer(script, tmp_path)


@pytest.mark.parametrize("script", UNSET.values(), ids=UNSET)
def test_unset_behind_an_assignment_in_front(script, tmp_path):
    """`unset` uncovers what `v=t f` has hidden."""
    assert dialect_answer(script, tmp_path) == bash_answer(script, tmp_path)
