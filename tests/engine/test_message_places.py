"""Messages begin with the place of their command in a script file, and as in sh elsewhere."""

import pytest

from keysh import Shell


@pytest.mark.parametrize(
    ("script", "message"),
    [
        ("\ncd /no", "s.ksh:2: cd: /no: No such file or directory\n"),
        ("\ncat /no", "s.ksh:2: cat: /no: No such file or directory\n"),
        ("\ncat /no |\ncat", "s.ksh:2: cat: /no: No such file or directory\n"),
        ("cat </no", "s.ksh:1: /no: No such file or directory\n"),
        ("{ :\n:; } </no", "s.ksh:1: /no: No such file or directory\n"),
        ("\n./no", "s.ksh:2: ./no: No such file or directory\n"),
        ("f() {\ncd /no\n}\nf", "s.ksh:2: cd: /no: No such file or directory\n"),
        (":\neval '\n\ncd /no'", "s.ksh:2: cd: /no: No such file or directory\n"),
        ("trap 'cd /no' EXIT\n:", "s.ksh:1: cd: /no: No such file or directory\n"),
        ("trap 'cd /no' EXIT\ncd /", "s.ksh:2: cd: /no: No such file or directory\n"),
        ("\n. /lib.ksh", "/lib.ksh:2: cd: /no: No such file or directory\n"),
        ("\n. /lib.ksh 2>/dev/null\ncd /no", "s.ksh:3: cd: /no: No such file or directory\n"),
        ("\necho a >/dev/full", "s.ksh:2: echo: write error: No space left on device\n"),
        ("\nx=$(cd /no)", "s.ksh:2: cd: /no: No such file or directory\n"),
        ("\nxargs cat <<< /no", "s.ksh:2: cat: /no: No such file or directory\n"),
    ],
)
def test_a_script_file(script: str, message: str) -> None:
    files = {"/s.ksh": script, "/lib.ksh": "\ncd /no"}
    assert Shell(files=files).run("keysh s.ksh").stderr == message


@pytest.mark.parametrize(
    ("script", "message"),
    [
        ("\ncd /no", "keysh: line 2: cd: /no: No such file or directory\n"),
        ("\ncat /no", "cat: /no: No such file or directory\n"),
        ("\ncat </no", "keysh: line 2: /no: No such file or directory\n"),
        ("\n./no", "keysh: line 2: ./no: No such file or directory\n"),
        ("kill", "kill: usage: "),
        ("keysh -c 'cd /no' name", "name: line 1: cd: /no: No such file or directory\n"),
    ],
)
def test_a_text(script: str, message: str) -> None:
    assert Shell(check=False).run(script).stderr.startswith(message)
