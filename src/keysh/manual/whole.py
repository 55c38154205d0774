"""The whole manual: what the program, the shell and its commands say of themselves."""

from __future__ import annotations

import keysh
from keysh import commands
from keysh.diagnostics import CODES
from keysh.manual import completion as scripts
from keysh.manual import page as manual_page
from keysh.manual.outline import Outline
from keysh.runtime.options import BITS
from keysh.wishes import USAGE

SHELLS = tuple(scripts.SHELLS)


def outline(usage: str) -> Outline:
    """What the usage texts say: that of a run, and that of the subcommands."""
    _, _, without_runs = usage.partition("\n")  # its first form sums up those of a run
    return Outline((USAGE, without_runs))


def completion(usage: str, shell: str) -> str:
    """What a shell reads to complete `keysh` itself."""
    words = {"-o": dict.fromkeys(BITS, ""), "--shell": dict.fromkeys(SHELLS, ""), "explain": CODES}
    return scripts.SHELLS[shell](outline(usage), words)


def page(usage: str) -> str:
    """The page keysh(1); the name and the summary are those of the package."""
    name, _, summary = (keysh.__doc__ or "").partition("\n")[0].rstrip(".").partition(": ")
    builtins = sorted(commands.names())
    return manual_page.page(outline(usage), name, summary, keysh.__version__, builtins)
