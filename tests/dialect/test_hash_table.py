"""The table of hashed commands: `hash`, and what `type` says of it; real bash is the judge."""

from __future__ import annotations

import pytest

from dialect.dialect_oracle import bash_answer, dialect_answer
from real_tools import needs

pytestmark = needs("bash")

FILES = """
mkdir one two; echo 'echo two "$@"' > two/mycmd; chmod +x two/mycmd
PATH="$PWD/one:$PWD/two:$PATH"
"""
SCRIPTS = {
    "runs are counted": """
hash; echo $?
mycmd a; mycmd b
hash
type mycmd
type -p mycmd;type -a mycmd
type -t mycmd
command -V mycmd
command -v mycmd
hash -t mycmd; hash -l""",
    "a file of that name appears, one is forgotten": """
/bin/cp two/mycmd one
mycmd c
hash -d mycmd
hash -d mycmd
echo $?
hash mycmd
hash -t mycmd
mycmd
(hash -r; hash; mycmd); hash""",
    "a file is deleted": """
mycmd a; /bin/cp two/mycmd one; hash mycmd; rm one/mycmd; mycmd; echo $?
PATH=$PATH:/nowhere; hash; mycmd; echo $?""",
    "locations are given": """
hash -p "$PWD/two/mycmd" alias1; alias1 q; hash -t alias1 mycmd
hash -p /nope nope
nope
echo $?
hash -t
echo $?
hash -t zz
echo $?
hash zz
echo $?
hash cd
echo $?
hash -r
hash -l
echo $?
f() { :; }; hash f; echo $?; hash /bin/ls; echo $?; hash ./nope; echo $?; hash
hash -p /tmp tmpdir; echo $?""",
    "a subshell has its own": """
hash -r mycmd; hash | wc -l; hash -x 2>/dev/null; echo $?; hash -p 2>/dev/null; echo $?
mycmd 1 | cat; $(mycmd 2); hash""",
    "type shows them": """
hash ls cat; type ls; hash ls | wc -l; command -V ls; type -a ls
set +h; hash; echo $?; hash ls; echo $?""",
}


@pytest.mark.parametrize("script", SCRIPTS.values(), ids=SCRIPTS)
def test_hash(script, tmp_path):
    """The output and the status are bash's."""
    answers = []
    for run in (bash_answer, dialect_answer):
        folder = tmp_path / run.__name__
        folder.mkdir()
        output, status = run(FILES + script, folder)
        answers.append((output.replace(str(folder), "DIR"), status))
    assert answers[1] == answers[0]
