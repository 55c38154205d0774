"""env - print the environment, or run a command in a changed one."""

from __future__ import annotations

import errno
import os

from keysh.interp.engine.dispatch import program_of
from keysh.interp.state.call import BadCall, why
from keysh.interp.state.state_of_call import state_of
from keysh.schema.arguments import written
from keysh.schema.binder import bind
from keysh.schema.declare import command, command_of
from keysh.text.gnu_quoting import locale_quoted, quoted
from keysh.tools.env.signals import Signals
from keysh.tools.env.split_string import Unsplit
from keysh.tools.env.split_string import split_string as split

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any

    from keysh.interp.state.call import Call
    from keysh.schema.types import Raw


@command(usage=125, names=False, unwritten=(125, "write error: {}"))
def env(
    sh: Call,
    *words: Raw,
    ignore_environment: bool = False,
    null: bool = False,
    unset: list[str] | None = None,
    chdir: str | None = None,
    split_string: str | None = None,
    block_signal: str | bool = False,
    default_signal: str | bool = False,
    ignore_signal: str | bool = False,
    list_signal_handling: bool = False,
    debug: bool = False,
    json: bool = False,
) -> Iterator[dict[str, str]] | int:
    """Print the environment, or run a command in a changed one.

    words ...                 NAME=VALUE, as often as wanted, then the command and its words;
                              without one the environment is printed
    -i, --ignore-environment  begin with an empty environment (also a lone -)
    -0, --null                end each line with a NUL byte instead of a newline
    -u, --unset NAME          leave a variable out
    -C, --chdir DIR           run the command in another directory
    -S, --split-string TEXT   read more of these arguments from a text: words with quotes, escapes
                              and ${NAME}, as the first line of a script gives them (the last one)
    --block-signal[=NAMES]    let signals wait: those of a list with commas, or all
    --default-signal[=NAMES]  let them do what they do usually
    --ignore-signal[=NAMES]   let them do nothing
    --list-signal-handling    tell on standard error which of them wait or do nothing
    -v, --debug               tell each step on standard error
    --json                    rows as JSON lines: name, value

    A command of keysh gets no signals, so it runs as ever. A program is not started with signals
    that wait or do nothing.
    """
    setting = Setting(sh, sh.given)
    found: Sequence[object] = words
    while setting.string is not None:
        found = setting.unfolded(found)
    return setting.run(found)


class Setting:
    """What the options ask for; `string` is the text of -S that is still to be split."""

    __slots__ = (
        "_folder", "_is_new", "_left_out", "_lists", "_rows", "_sh", "_signals", "_zero", "string",
        "talks",
    )  # fmt: skip

    def __init__(self, sh: Call, given: Iterable[tuple[str, Any]]) -> None:
        self._sh = sh
        self._is_new = self._zero = self._rows = self._lists = self.talks = False
        self._signals = Signals()
        self._left_out: list[str] = []
        self._folder: str | None = None
        self.string: str | None = None
        self._read(given)

    def _read(self, given: Iterable[tuple[str, Any]]) -> None:
        for name, value in given:
            if name == "unset":
                self._left_out += value
            elif name == "chdir":
                self._folder = value
            elif name == "split_string":
                self.string = value
            elif name.endswith("_signal") and value:
                self._signals.ask(name, value)
            self._lists |= name == "list_signal_handling" and value
            self._is_new |= name == "ignore_environment" and value
            self._zero |= name == "null" and value
            self._rows |= name == "json" and value
            self.talks |= name == "debug" and value

    def unfolded(self, behind: Sequence[object]) -> Sequence[object]:
        """The words that are left once the options in the text of -S are read."""
        text, self.string = self.string or "", None
        try:
            parts = split(text, self._sh.env)
        except Unsplit as fault:
            raise self._sh.fail(str(fault), 125) from None
        if parts:
            self._tell(f"split -S:  {locale_quoted(text)}")
            for number, part in enumerate(parts):
                self._tell(f"{'     &' if number else ' into:'}    {locale_quoted(part)}")
        bound = bind(command_of(env), [*parts, *behind])
        if bound.asks_help or bound.asks_version:
            raise BadCall("--help and --version are no part of a text of -S")
        self._read(bound.given)
        return bound.positional

    def run(self, words: Sequence[object]) -> Iterator[dict[str, str]] | int:
        """Print the environment that the words make, or run their command in it."""
        sh, texts = self._sh, written(words)
        at = int(texts[:1] == ["-"])
        is_new = self._is_new or at == 1
        made = {} if is_new else dict(sh.env)
        if is_new:
            self._tell("cleaning environ")
        for name in () if is_new else self._left_out:
            self._tell(f"unset:    {name}")
            if not name or "=" in name:
                reason = os.strerror(errno.EINVAL)
                raise sh.fail(f"cannot unset {quoted(name)}: {reason}", 125)
            made.pop(name, None)
        while at < len(texts) and "=" in texts[at]:
            self._tell(f"setenv:   {texts[at]}")
            name, _, value = texts[at].partition("=")
            made[name] = value
            at += 1
        if at == len(texts):
            return self._print(made)
        if self._zero:
            raise BadCall("cannot specify --null (-0) with command")
        self._set_signals(words[at:])
        cwd = None if self._folder is None else directory(sh, self._folder)
        if self._folder is not None:
            self._tell(f"chdir:    {quoted(self._folder)}")
        self._tell(f"executing: {texts[at]}")
        for number, text in enumerate(texts[at:]):
            self._tell(f"   arg[{number}]= {locale_quoted(text)}")
        return sh.run(words[at:], env=made, cwd=cwd)

    def _set_signals(self, words: Sequence[object]) -> None:
        """Tell of the signals; a program that is to begin with other ones is refused."""
        for step in self._signals.steps(self._sh):
            self._tell(step)
        if self._lists:
            self._sh.err.writelines(self._signals.listing())
        if self._signals.changes_some:
            name = written(words[:1])[0]
            if program_of(state_of(self._sh), name, lambda _: ()) is not None:
                says = f"{quoted(name)}: a program cannot begin with signals blocked or ignored"
                raise self._sh.fail(says, 125)

    def _print(self, made: dict[str, str]) -> Iterator[dict[str, str]] | int:
        if self._folder is not None:
            raise BadCall("must specify command with --chdir (-C)")
        if self._rows:
            return ({"name": name, "value": value} for name, value in made.items())
        end = "\0" if self._zero else "\n"
        self._sh.out.writelines(f"{name}={value}{end}" for name, value in made.items())
        return 0

    def _tell(self, step: str) -> None:
        if self.talks:
            self._sh.err.write(f"{step}\n")


def directory(sh: Call, path: str) -> str:
    """The directory to run in, by its real path."""
    try:
        place = sh.path(path) if path else ""
        if not sh.fs.stat(place, follow=True).is_directory:
            raise NotADirectoryError(errno.ENOTDIR, "", path)
        return sh.fs.resolve(place)
    except OSError as error:
        message = f"cannot change directory to {quoted(path)}: {why(error)}"
        raise sh.fail(message, 125) from None
