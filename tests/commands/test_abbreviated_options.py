"""Abbreviated long options, and the messages for ambiguous ones, against the real tools."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from commands.command_runner import Answer, command_named, run_gnu, run_keysh

NAMES = [
    "arch", "b2sum", "base64", "basename", "cat", "chmod", "cksum", "cmp", "comm", "cp", "cut",
    "date", "df", "diff", "dirname", "du", "env", "expand", "factor", "fmt", "fold", "grep", "head",
    "id", "install", "join", "link", "ln", "logname", "ls", "md5sum", "mkdir", "mktemp", "mv",
    "nl", "nproc", "numfmt", "od", "paste", "printenv", "readlink", "realpath", "rm", "rmdir",
    "seq", "sha256sum", "shuf", "sleep", "sort", "split", "stat", "sum", "sync", "tac", "tail",
    "tee", "timeout", "touch", "tr", "truncate", "tsort", "tty", "uname", "unexpand", "uniq",
    "unlink", "users", "wc", "who", "whoami", "xargs", "yes",
]  # fmt: skip
# Options that keysh lacks or orders differently; those with the same beginning are not
# tested.
ABSENT = {
    "cksum": ["debug"], "cmp": ["print-chars"], "cp": ["context"], "date": ["debug", "uct"],
    "df": ["no-sync"],
    "sort": ["debug"],
    "diff": ["no-ignore-file-name-case", "paginate", "palette", "help", "sdiff-merge-assist",
             "inhibit-hunk-merge", "line-format", *(f"{kind}-line-format" for kind in
             ("old", "new", "unchanged")), *(f"{kind}-group-format" for kind in
             ("old", "new", "unchanged", "changed"))],
    "grep": ["fixed-regexp", "no-ignore-case"],
    "install": ["context", "preserve-context", "strip", "strip-program"], "mkdir": ["context"],
    "mv": ["context"], "rmdir": ["path"], "xargs": ["interactive", "open-tty", "show-limits"],
}  # fmt: skip


def beginnings(name: str) -> list[str]:
    """Return each option as a letter, shortest unique prefix, one letter less, and in full."""
    command = command_named(name)
    longs = [
        long
        for long in command.by_long
        if long not in command.style.unabbreviated and long != "json"
    ]
    result: dict[str, None] = {}
    for long in longs:
        others = [one for one in longs if one != long]
        clear = next(
            (size for size in range(1, len(long)) if not any(one.startswith(long[:size])
             for one in others)), len(long)
        )  # fmt: skip
        for size in (1, clear - 1, clear, len(long)):
            result[long[: max(size, 1)]] = None
    absent = ABSENT.get(name, [])
    return [word for word in result if not any(one.startswith(word) for one in absent)]


def fault(answer: Answer) -> tuple[object, ...]:
    """Return the message about the option itself, if any, with the possibilities sorted."""
    line = (answer.err.splitlines() or [""])[0]
    says, _, listed = line.partition("; possibilities: ")
    kinds = ("unrecognized option", "is ambiguous", "doesn't allow an argument")
    if not any(kind in says for kind in kinds):
        return ()
    return (answer.status, says, sorted(re.findall(r"'[^']*'", listed)))


@pytest.mark.parametrize("name", NAMES)
def test_abbreviations_match_the_real_tool(tmp_path: Path, name: str) -> None:
    for word in beginnings(name):
        # Nothing that `date --set` could read as a time: it would set the machine's clock.
        mine, real = run_keysh(name, f"--{word}=?"), run_gnu(name, f"--{word}=?", cwd=tmp_path)
        assert fault(mine) == fault(real)


@pytest.mark.parametrize("name", NAMES)
def test_added_options_cannot_be_abbreviated(name: str) -> None:
    command = command_named(name)
    for word in command.style.unabbreviated:
        others = [one for one in command.by_long if one.startswith(word[:-1]) and one != word]
        if not others:
            assert f"unrecognized option '--{word[:-1]}'" in run_keysh(name, f"--{word[:-1]}").err
