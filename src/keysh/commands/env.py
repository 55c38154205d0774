"""env - print the environment, or run a command in a changed one."""

from __future__ import annotations

import errno
import os

from keysh.runtime.call import quoted, why
from keysh.schema.arguments import written
from keysh.schema.bind import Misuse
from keysh.schema.declare import command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.runtime.call import Call
    from keysh.schema.types import Raw


@command(usage=125, names=False)
def env(
    sh: Call,
    *words: Raw,
    ignore_environment: bool = False,
    null: bool = False,
    unset: list[str] | None = None,
    chdir: str | None = None,
) -> int:
    """Print the environment, or run a command in a changed one.

    words ...                 NAME=VALUE, as often as wanted, then the command and its words;
                              without one the environment is printed
    -i, --ignore-environment  begin with an empty environment (also a lone -)
    -0, --null                end each line with a NUL byte instead of a newline
    -u, --unset NAME          leave a variable out
    -C, --chdir DIR           run the command in another directory
    """
    texts = written(words)
    at = int(texts[:1] == ["-"])
    is_new = ignore_environment or at == 1
    made = {} if is_new else dict(sh.env)
    for name in () if is_new else unset or ():
        if not name or "=" in name:
            reason = os.strerror(errno.EINVAL)
            raise sh.fail(f"cannot unset {quoted(name)}: {reason}", 125)
        made.pop(name, None)
    while at < len(texts) and "=" in texts[at]:
        name, _, value = texts[at].partition("=")
        made[name] = value
        at += 1
    if at == len(texts):
        if chdir is not None:
            raise Misuse("E304", -1, "must specify command with --chdir (-C)")
        end = "\0" if null else "\n"
        sh.out.writelines(f"{name}={value}{end}" for name, value in made.items())
        return 0
    if null:
        raise Misuse("E305", at, "cannot specify --null (-0) with command")
    return sh.run(words[at:], env=made, cwd=None if chdir is None else directory(sh, chdir))


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
