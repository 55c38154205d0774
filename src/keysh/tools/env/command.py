"""env - print the environment, or run a command in a modified one."""

from __future__ import annotations

import errno
import os

from keysh.interp.state.call import UsageFailure, os_error_text
from keysh.schema.arguments import raw_texts
from keysh.schema.binder import bind
from keysh.schema.declare import OptionStyle, OutputStyle, Refusals, command, command_of
from keysh.syntax.env_string import SplitStringError, split_string
from keysh.text.gnu_quoting import locale_quoted_text, quoted_name
from keysh.tools.env.signals import SignalSettings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any

    from keysh.interp.state.call import Call
    from keysh.schema.types import Raw


@command(
    compatible="GNU coreutils 9.1",
    output=OutputStyle(write_error=(125, "write error: {}")),
    refusals=Refusals(usage_status=125),
    style=OptionStyle(binds_by_key=False),
)
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
    """Print the environment, or run a command in a modified one.

    words ...                 NAME=VALUE assignments, then the command and its
                              arguments; without a command the environment is
                              printed
    -i, --ignore-environment  start with an empty environment (also a lone -)
    -0, --null                end each line with NUL, not with a newline
    -u, --unset NAME          remove a variable
    -C, --chdir DIR           run the command in DIR
    -S, --split-string TEXT   split TEXT into further arguments of env, with quotes,
                              escapes and ${NAME}; used in #! lines (the last one)
    --block-signal[=SIG]      block the comma-separated signals, or all
    --default-signal[=SIG]    reset them to their default action
    --ignore-signal[=SIG]     ignore them
    --list-signal-handling    list blocked and ignored signals on standard error
    -v, --debug               report each step on standard error
    --json                    print JSON lines: name, value

    keysh's own commands receive no signals, so the signal options do not affect
    them. An external program is not started with blocked or ignored signals.
    """
    run = EnvRun(sh, sh.given)
    remaining: Sequence[object] = words
    while run.split_text is not None:
        remaining = run.expand_split_text(remaining)
    return run.run(remaining)


class EnvRun:
    """One run; `split_text` is the text of -S that still has to be split."""

    __slots__ = (
        "_directory", "_ends_with_nul", "_lists_signals", "_prints_rows", "_sh", "_signals",
        "_starts_empty", "_unset_names", "is_debug", "split_text",
    )  # fmt: skip

    def __init__(self, sh: Call, options: Iterable[tuple[str, Any]]) -> None:
        self._sh = sh
        self._starts_empty = self._ends_with_nul = self._prints_rows = self._lists_signals = (
            self.is_debug
        ) = False
        self._signals = SignalSettings()
        self._unset_names: list[str] = []
        self._directory: str | None = None
        self.split_text: str | None = None
        self._read_options(options)

    def _read_options(self, options: Iterable[tuple[str, Any]]) -> None:
        for name, value in options:
            if name == "unset":
                self._unset_names += value
            elif name == "chdir":
                self._directory = value
            elif name == "split_string":
                self.split_text = value
            elif name.endswith("_signal") and value:
                self._signals.add_option(name, value)
            self._lists_signals |= name == "list_signal_handling" and value
            self._starts_empty |= name == "ignore_environment" and value
            self._ends_with_nul |= name == "null" and value
            self._prints_rows |= name == "json" and value
            self.is_debug |= name == "debug" and value

    def expand_split_text(self, rest: Sequence[object]) -> Sequence[object]:
        """Read options from the text of -S; return the remaining words."""
        text, self.split_text = self.split_text or "", None
        try:
            parts = split_string(text, self._sh.env)
        except SplitStringError as fault:
            raise self._sh.fail(str(fault), 125) from None
        if parts:
            self._debug(f"split -S:  {locale_quoted_text(text)}")
            for number, part in enumerate(parts):
                self._debug(f"{'     &' if number else ' into:'}    {locale_quoted_text(part)}")
        bound = bind(command_of(env), [*parts, *rest])
        if bound.asks_help or bound.asks_version:
            raise UsageFailure("--help and --version cannot be given in -S")
        self._read_options(bound.options_in_order)
        return bound.positional

    def run(self, words: Sequence[object]) -> Iterator[dict[str, str]] | int:
        """Build the environment from the words, then print it or run the command."""
        sh, texts = self._sh, raw_texts(words)
        index = int(texts[:1] == ["-"])
        is_new = self._starts_empty or index == 1
        environment = {} if is_new else dict(sh.env)
        if is_new:
            self._debug("cleaning environ")
        for name in () if is_new else self._unset_names:
            self._debug(f"unset:    {name}")
            if not name or "=" in name:
                reason = os.strerror(errno.EINVAL)
                raise sh.fail(f"cannot unset {quoted_name(name)}: {reason}", 125)
            environment.pop(name, None)
        while index < len(texts) and "=" in texts[index]:
            self._debug(f"setenv:   {texts[index]}")
            name, _, value = texts[index].partition("=")
            environment[name] = value
            index += 1
        if index == len(texts):
            return self._print(environment)
        if self._ends_with_nul:
            raise UsageFailure("cannot specify --null (-0) with command")
        self._set_signals(words[index:])
        cwd = None if self._directory is None else real_directory(sh, self._directory)
        if self._directory is not None:
            self._debug(f"chdir:    {quoted_name(self._directory)}")
        self._debug(f"executing: {texts[index]}")
        for number, text in enumerate(texts[index:]):
            self._debug(f"   arg[{number}]= {locale_quoted_text(text)}")
        return sh.run(words[index:], env=environment, cwd=cwd, launch_error="env: {quoted}")

    def _set_signals(self, words: Sequence[object]) -> None:
        """Report signal settings; refuse a program that would start with some."""
        for step in self._signals.steps(self._sh):
            self._debug(step)
        if self._lists_signals:
            self._sh.err.writelines(self._signals.listing())
        if self._signals.has_changes:
            name = raw_texts(words[:1])[0]
            if self._sh.is_program(name):
                message = (
                    f"{quoted_name(name)}: a program cannot begin with signals blocked or ignored"
                )
                raise self._sh.fail(message, 125)

    def _print(self, environment: dict[str, str]) -> Iterator[dict[str, str]] | int:
        if self._directory is not None:
            raise UsageFailure("must specify command with --chdir (-C)")
        if self._prints_rows:
            return ({"name": name, "value": value} for name, value in environment.items())
        end = "\0" if self._ends_with_nul else "\n"
        self._sh.out.writelines(f"{name}={value}{end}" for name, value in environment.items())
        return 0

    def _debug(self, step: str) -> None:
        if self.is_debug:
            self._sh.err.write(f"{step}\n")


def real_directory(sh: Call, path: str) -> str:
    """Return the real path of the directory to run in."""
    try:
        absolute = sh.path(path) if path else ""
        if not sh.fs.stat(absolute, follow=True).is_directory:
            raise NotADirectoryError(errno.ENOTDIR, "", path)
        return sh.fs.resolve(absolute)
    except OSError as error:
        message = f"cannot change directory to {quoted_name(path)}: {os_error_text(error)}"
        raise sh.fail(message, 125) from None
