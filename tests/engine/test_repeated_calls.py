"""Repeated calls: the output that a command can predict replaces running it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from keysh import Call, Shell, command

FILTERS = r"""
cat
grep a
grep -v a
grep -i A
grep -c a
grep -q a
grep -x ''
grep -w ab
grep -E 'a|b+$'
grep -e a -e b
grep -F a
grep -a a
grep -n a
grep -nv a
grep -n 'a*'
grep -o a
grep -on 'ab*'
grep -o 'b*'
grep -ov a
grep -cn a
grep -ni A
grep '\(a\)\1'
egrep 'a*b'
cut -c 2-3
cut -d a -f 2
cut -d a -f 1,3-
cut -sd a -f 2
cut -d $'\n' -f 1
cut -z -c 1
cut -b 1 --complement
sed s/a/b/
sed s/a/x/g
sed 's/\(a\)b/\1/'
sed y/ab/ba/
sed /a/d
sed -n /a/p
sed 's/a*/x/g'
sed -n '$='
sed 1d
tr a-c A-C
tr -d a
tr -s a
tr -cs a b
rev
wc
wc -l
wc -c
wc -m -w -L
""".strip().splitlines()
TEXTS = st.lists(
    st.sampled_from(
        ["a", "b", "ab", "A", "\n", "\n", " ", "\t", "\0", "é", "\udc80", "\udcff", "aa"]
    )
).map("".join)


@given(TEXTS, TEXTS, st.sampled_from(FILTERS))
def test_repeated_call_answers_as_the_first(first: str, second: str, words: str) -> None:
    sh = Shell()
    sh.vars["texts"] = [first, second, first]
    pipe = f'printf %s "$text" | {words} | cat; echo "=${{PIPESTATUS[*]}}"'
    again = sh.run(
        f'for text in "${{texts[@]}}"; do {words} <<< "$text"; echo "=$?"; done'
        f'; for text in "${{texts[@]}}"; do {pipe}; done'
    ).stdout
    once = "".join(alone(f"{words}; echo =$?", text) for text in (first, second, first))
    piped = "".join(
        alone(f'cat | {words} | cat; echo "=${{PIPESTATUS[*]}}"', text, "")
        for text in (first, second, first)
    )
    assert again == once + piped


def alone(script: str, text: str, end: str = "\n") -> str:
    """Return the output of a new Shell, whose caches are empty."""
    return Shell().run(script, stdin=iter([f"{text}{end}"])).stdout


@pytest.mark.parametrize(
    "words", ["cut -c 1", "grep a", "sed s/a/b/", "tr a b", "cat", "rev", "wc"]
)
def test_remembered_command_consumes_its_whole_input(words: str) -> None:
    script = f"for i in 1 2; do {{ {words} > first; cat; }} <<< abc; done"
    assert Shell().run(script).stdout == ""


def test_name_is_redefined_between_calls() -> None:
    script = """
        for i in 1 2 3 4; do
          echo abc | cut -c 1 | cat
          [ "$i" != 2 ] || cut() { echo function; }
          [ "$i" != 3 ] || { unset -f cut; alias cut='echo alias'; }
        done
    """
    assert Shell().run(script).stdout == "a\na\nfunction\nalias -c 1\n"


def test_host_replaces_a_command() -> None:
    sh = Shell()
    script = "for i in 1 2; do echo abc | cut -c 1 | cat; done"
    assert sh.run(script).stdout == "a\na\n"

    @command
    def cut(sh: object, *words: str) -> str:
        """Say so.

        words ...  ignored
        """
        return "host\n"

    sh.add(cut)
    with_dash = script.replace("-c 1", "one")
    assert sh.run(with_dash).stdout == "host\nhost\n"
    assert Shell().run(script).stdout == "a\na\n"


def test_a_trace_shows_each_command() -> None:
    result = Shell().run("for i in 1 2; do [ $i = 1 ] || set -x; echo a | cut -c 1 | cat; done")
    assert result.stdout == "a\na\n"
    assert result.stderr == "+ echo a\n+ cut -c 1\n+ cat\n"


def test_list_argument_is_new_at_every_call() -> None:
    @command
    def grow(sh: object, *, words: list[str] | None = None) -> str:
        """Add to a list, and show it.

        -w, --words WORD  the list
        """
        assert words is not None
        words.append("more")
        return " ".join(words) + "\n"

    sh = Shell()
    sh.add(grow)
    assert sh.run("for i in 1 2; do grow -w a -w b; done").stdout == "a b more\n" * 2


@pytest.mark.parametrize(
    ("script", "output"),
    [
        ("printf '%s-%s\\n' a b c | cat", "a-b\nc-\n"),
        ("printf '%s\\n' | cat", "\n"),
        ("printf 'a\\n' | cat; printf '%%%s' b | cat", "a\n%b"),
        ("printf '%d\\n' 3 | cat", "3\n"),
        ("printf '%d\\n' x | cat; echo ${PIPESTATUS[*]}", "0\n1 0\n"),
        ("printf -v x a | cat; echo [$x]", "[]\n"),
        ("printf() { echo function; }; printf x | cat", "function\n"),
        ("alias echo='printf alias'; echo x | cat", "alias"),
        ("echo -n a | cat; echo -e '\\tb' | cat", "a\tb\n"),
        ("x='-n'; echo $x | cat; echo '' | cat; echo | cat", "\n\n"),
        ("xs=(1 2); echo ${xs[@]} 3 | cat", "1 2 3\n"),
        ("set -u; echo $none | cat; echo after", "after\n"),
        ("echo a |& cat", "a\n"),
        ("echo $((i++)) | cat; echo $i", "0\n\n"),
        ("x=b; echo ${x:=c} ${y:=d} | cat; echo [$y]", "b d\n[]\n"),
        ("false; echo $? | cat; echo ${PIPESTATUS[*]}", "1\n0 0\n"),
    ],
)
def test_calls_that_need_not_run(script: str, output: str) -> None:
    result = Shell().run(script)
    assert result.stdout == output


@pytest.mark.parametrize(
    ("answer", "reported"),
    [
        ((b"x", 0), "TypeError: output must be text"),
        (("x", 256), "ValueError: a status must be 0 to 255, but is 256"),
        (("x", None), "TypeError"),
        (None, ""),
    ],
)
def test_host_command_with_a_different_answer(answer: object, reported: str) -> None:
    @command(whole=lambda sh: lambda text, tick: answer)  # type: ignore[arg-type, return-value]
    def upper(sh: Call) -> str:
        """Print in capitals."""
        return sh.stdin.read().upper()

    result = Shell(commands=[upper]).run("for i in 1 2; do echo a | upper; echo $?; done")
    assert result.stdout == ("1\n1\n" if reported else "A\n0\nA\n0\n")
    unexpected = f"keysh:1: E299 an unexpected error in `upper`: {reported}"
    assert result.stderr.startswith(unexpected if reported else "")
