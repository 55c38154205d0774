"""Running any text gives diagnostics or a result within the limits, never an exception."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from keysh import Limits, Shell

TOKENS = [
    "if", "then", "else", "elif", "fi", "while", "until", "do", "done", "for", "in", "case",
    "esac", "function", "{", "}", "(", ")", "((", "))", "[[", "]]", "[", "]", "!", "&&", "||",
    "|", "|&", "&", ";", ";;", ";&", "\n", "<", ">", ">>", "<<E\n", "<<-'E'\n", "E\n", "<<<",
    ">&2", "2>&1", "<(", ">(", "$(", "`", "${", "$((", "$x", "${x", "${#x}", "${x[", "${x:-",
    "${x//", "${!x}", "$@", '"', "'", "$'", "\\", "#", "~", "*", "?", "**", "@(", "{a,",
    "{1..", "..3}", "a=", "x=[", "x={", "x=(", "x+=", "x[0]=", "f()", "f(a: int = 1)",
    "return", "break", "continue", "exit", "trap", "eval", "source", "local", "declare",
    "export", "set", "-e", "-u", "read", "echo", "printf", "test", "cat", "head", "lines=3",
    "sort", "seq", "wait", "jobs", "kill", "%1", "exec", "alias", "unset", "shift", "getopts",
    "time", "timeout", "1", "0", "-1", "9999999999999999999", "a", "é", "\udcff", "\x00",
    "\x1b", "=", "==", "=~", "-eq", "+", "-", "**", "/", "%", "++", ",", ":", "...", "...$x",
    "{fd}>f",
]  # fmt: skip

SCRIPTS = [
    """for f in *.txt; do while read -r line; do echo "${line%%,*}"; done < "$f"
done | sort -u
""",
    """deploy(host, port: int = 80, *files) {
  local n=${#files}
  echo "$host:$port $n"
}
deploy a port=9 x
""",
    """x=[1, {a: [b c]}, ...$y]
if [[ ${x[1][a][0]} == b* && ! -e /f ]]; then echo $((x[0]+1)); fi
""",
    """case $1 in (a|b) echo ab ;& *) echo rest ;; esac
cat <<E | tr a-z A-Z
$(date) ${x:-none}
E
""",
    """trap 'echo bye' EXIT; set -eu; f() { return 3; }; f || echo $?; (exit 4) &
wait $!; exit $?
""",
    """while (( i++ < 3 )); do echo {a,b}{1..3} "$(cat <(echo "$i"))"; done 2>&1 \\
  >/dev/null | wc -l
""",
    """declare -A m=([k]=v [l]=w); for k in ${!m[@]}; do
printf '%s\\n' "$k=${m[$k]}"; done > /out
""",
]

LIMITS = Limits(
    steps=20_000, seconds=2, output=1 << 16, value=1 << 16, depth=50, globs=100, braces=1000, jobs=4
)


def judge(text: str) -> None:
    """Run a text in a new shell, with and without the check, and validate the results."""
    for check in (True, False):
        with Shell(limits=LIMITS, check=check, files={"/a.txt": "1,2\n"}) as shell:
            for one in shell.check(text):
                assert str(one)
            result = shell.run(text, stdin="one\ntwo\n")
            assert result.error is None, (text, result.stderr)
            assert 0 <= result.code <= 255
            assert "Traceback" not in result.stderr
            assert result.stderr or result.code not in (3, 124, 125) or result.limit is None
            shell.run("trap - EXIT ERR DEBUG RETURN; set +eunvx; exec > /dev/null 2>&1")
            after = shell.run(":")
            assert after.limit is None or after.limit.kind == "value", text


@settings(max_examples=150)
@given(st.lists(st.sampled_from(TOKENS), max_size=14), st.sampled_from([" ", ""]))
def test_tokens_in_any_order(tokens: list[str], between: str) -> None:
    judge(between.join(tokens))


@settings(max_examples=70)
@given(st.data())
def test_damaged_scripts(data: st.DataObject) -> None:
    text = data.draw(st.sampled_from(SCRIPTS))
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(text)))
        end = min(len(text), at + data.draw(st.integers(0, 6)))
        text = text[:at] + data.draw(st.sampled_from(["", *TOKENS])) + text[end:]
    judge(text)


@settings(max_examples=50)
@given(st.text(st.characters(codec=None), max_size=30))
def test_any_characters(text: str) -> None:
    judge(text)
