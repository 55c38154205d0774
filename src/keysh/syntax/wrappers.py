"""Wrappers: commands that run another command, such as `nice -n 5 make`."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    # Options whose value is the next word; the number of operands before the command.
    Form = tuple[Sequence[str], int]

WRAPPERS: Mapping[str, Form] = {
    "busybox": ((), 0), "builtin": ((), 0), "chroot": ((), 1), "command": ((), 0),
    "doas": (("-u", "-C"), 0), "env": (("-u", "-C", "--unset", "--chdir"), 0), "exec": (("-a",), 0),
    "flock": (("-w", "-E", "-c"), 1),
    "ionice": (("-c", "-n", "-p"), 0), "nice": (("-n",), 0), "nohup": ((), 0),
    "scatter": (
        ("--engine", "--halt", "--log", "--on", "--order", "--retries", "--return", "--seed",
         "--shared", "--timeout", "--workers"), 0,
    ),
    "setsid": ((), 0),
    "stdbuf": (("-i", "-o", "-e"), 0), "time": (("-f", "-o"), 0), "timeout": (("-k", "-s"), 1),
    "sudo": (("-u", "-g", "-h", "-p", "-C", "-D", "-R", "-T", "-U", "-r", "-t"), 0),
    "xargs": (("-I", "-n", "-P", "-L", "-d", "-s", "-E", "-a"), 0),
}  # fmt: skip

# Shells, which run a string or a file.
SHELLS = ("ash", "bash", "dash", "keysh", "ksh", "sh", "zsh")
