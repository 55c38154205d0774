"""The candidates of `Shell.complete`."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from keysh import Shell

FILES = {
    "/a dir/x y.txt": "", "/ab.txt": "", "/.hidden": "", "/sub/in.txt": "", "/sub/deep/f": "",
    "/it's": "",
}  # fmt: skip
SETUP = """
u={name: amy, tags: [a b], in: {port: 80}}
deploy(host, port: int = 1, dry_run: bool = false) { echo; }
alias ll="ls -l"
"""


@pytest.fixture
def shell() -> Iterator[Shell]:
    """A shell with a candidate of each kind."""
    with Shell(files=FILES, env={"HOME": "/sub", "HOUSE": "h"}) as made:
        assert made.run(SETUP).ok
        yield made


# A text with its end as the place, and the first candidates, each put into the text.
CASES = [
    ("hea", ["head"]),
    ("whi", ["which", "while"]),
    ("ll", ["ll"]),
    ("depl", ["deploy"]),
    ("if gre", ["if grep"]),
    ("echo $(hea", ["echo $(head"]),
    ("A=1 hea", ["A=1 head"]),
    ("f() { hea", ["f() { head"]),
    ("ls | hea", ["ls | head"]),
    ("head --li", ["head --lines"]),
    ("head -n 3 --li", ["head -n 3 --lines"]),
    ("head li", ["head lines="]),
    ("head lines=3 qui", ["head lines=3 quiet="]),
    ("ls $(cat f) --almost", ["ls $(cat f) --almost-all"]),
    ("timeout 5 hea", ["timeout 5 head"]),
    ("timeout -s TERM 5 head --li", ["timeout -s TERM 5 head --lines"]),
    ("env A=1 hea", ["env A=1 head"]),
    ("deploy po", ["deploy port="]),
    ("deploy --dr", ["deploy --dry-run"]),
    ("deploy web dry_run=t", ["deploy web dry_run=true"]),
    ("cat a", ["cat a\\ dir/", "cat ab.txt"]),
    ("cat 'a", ["cat 'a dir/", "cat 'ab.txt'"]),
    ('cat "a', ['cat "a dir/', 'cat "ab.txt"']),
    ('cat "a dir/', ['cat "a dir/x y.txt"']),
    ("cat a\\ dir/x", ["cat a\\ dir/x\\ y.txt"]),
    ("cat i", ["cat it\\'s"]),
    ("cat .h", ["cat .hidden"]),
    ("cat ~/i", ["cat ~/in.txt"]),
    ("cat $HOME/i", ["cat $HOME/in.txt"]),
    ("cat < ab", ["cat < ab.txt"]),
    ("echo >> ab", ["echo >> ab.txt"]),
    ("x=ab", ["x=ab.txt"]),
    ("x=$(cat ab", ["x=$(cat ab.txt"]),
    ("for f in ab", ["for f in ab.txt"]),
    ("[[ -f ab", ["[[ -f ab.txt"]),
    ("cd /sub/", ["cd /sub/deep/"]),
    ("/su", ["/sub/"]),
    ("echo $HOU", ["echo $HOUSE"]),
    ("echo ${HOM", ["echo ${HOME"]),
    ('echo "$HOM', ['echo "$HOME']),
    ("export HOM", ["export HOME"]),
    ("echo ${u[", ["echo ${u[name", "echo ${u[tags", "echo ${u[in"]),
    ('echo "${u[na', ['echo "${u[name']),
    ("echo ${u[in][", ["echo ${u[in][port"]),
    ("echo ${u[tags][", ["echo ${u[tags][0", "echo ${u[tags][1"]),
    ("echo ${u[tags][--1][", []),
    ("echo ${u[tags][" + "9" * 5000 + "][", []),
    ("u[na", ["u[name"]),
    ("cat # a", []),
    ("echo '$HO", []),
    ("echo ${nothing[", []),
]


@pytest.mark.parametrize(("text", "wanted"), CASES, ids=[text[:40] for text, _ in CASES])
def test_candidates(text: str, wanted: list[str], shell: Shell) -> None:
    assert [text[: c.start] + c.text for c in shell.complete(text)] == wanted


def test_position_inside_a_text(shell: Shell) -> None:
    result = shell.complete("head --li | wc", 9)
    assert [(c.text, c.start) for c in result] == [("--lines", 5)]


def test_help_and_kind(shell: Shell) -> None:
    (result,) = shell.complete("head --by")
    assert result.record() == {
        "text": "--bytes", "start": 5, "kind": "option",
        "help": "print the first NUM bytes; with -NUM all but the last NUM",
    }  # fmt: skip
    assert shell.complete("tru")[0].kind == "command"
    assert shell.complete("deploy po")[0].help == "int"
    assert shell.complete("deplo")[0].help == "host: any port: int dry_run: bool"
    assert shell.complete("echo $u")[0].help == "record of 3"


def test_jobs(shell: Shell) -> None:
    shell.run("sleep 100 &")
    (result,) = shell.complete("fg %")
    assert (result.text, result.kind, result.help) == ("%1", "job", "Running: sleep 100")


def test_every_prefix_of_a_script_completes_without_error(shell: Shell) -> None:
    script = (
        "for x in \"a $HOME\" 'b' $(ls *.t?t | head lines=3); do\n"
        "  u[k]={a: [1, 2], b: $x}; case $x in a|b) echo ${x//a/b} <<E\nhi $x\nE\n;; esac\n"
        "  if [[ -f $x && $((1 + 2)) -gt 1 ]]; then f() { (ls); }; fi # done\ndone &"
    )
    for at in range(len(script) + 1):
        for candidate in shell.complete(script, at):
            assert 0 <= candidate.start <= at


# What scripts of bash say about a command `tool`, a text, and its candidates.
SPECIFIED = [
    ("complete -W 'start stop status' tool", "tool st", ["start", "stop", "status"]),
    ("complete -W 'start' -P x- tool", "tool st", ["x-start"]),
    ("f() { COMPREPLY=($(compgen -W '--all --any b' -- \"$2\")); }; complete -F f tool",
     "tool --a", ["--all", "--any"]),
    ("f() { COMPREPLY=(\"$1/$2/$3/$COMP_CWORD/$COMP_LINE\"); }; complete -F f tool",
     "tool a 'b c' d", ["tool/d/b\\ c/3/tool\\ a\\ b\\ c\\ d"]),
    ("complete -A function -X '!g*' tool; g1() { :; }; g2() { :; }; h() { :; }", "tool ",
     ["g1", "g2"]),
    ("complete -o default -W none tool", "tool ab", ["ab.txt"]),
    ("complete -W none tool", "tool ab", []),
    ("f() { exit 3; }; complete -F f tool", "tool a", []),
    ("f() { while :; do :; done; }; complete -F f tool", "tool a", []),
    ("f() { changed=1; cd /sub; echo noise >&2; COMPREPLY=(one); }; complete -F f tool",
     "tool o", ["one"]),
    ("complete -W none tool; complete -r tool", "tool ab", ["ab.txt"]),
]  # fmt: skip


@pytest.mark.parametrize(("script", "text", "expected"), SPECIFIED)
def test_specified_completion(script: str, text: str, expected: list[str]) -> None:
    """The words are those that `complete` has said, and finding them changes nothing."""
    with Shell(files=FILES, dialect="bash") as shell:
        assert shell.run(script).ok
        found = shell.complete(text)
        assert [one.text for one in found] == expected
        assert shell.run("echo $PWD/$changed").stdout == "//\n"


def test_a_fork_and_an_image_keep_what_complete_has_said() -> None:
    with Shell(dialect="bash") as shell:
        shell.run("complete -o nospace -W 'a b' tool")
        with shell.fork() as fork, Shell.restore(shell.snapshot()) as loaded:
            fork.run("complete -W c other")
            for one in (fork, loaded):
                assert one.run("complete -p tool").stdout == "complete -o nospace -W 'a b' tool\n"
        assert "other" not in shell.run("complete").stdout
