"""getconf - print system limits and settings."""

from __future__ import annotations

from keysh.schema.declare import Refusals, command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call
    from keysh.schema.types import Path

SYSTEM_SETTINGS = {
    "ARG_MAX": "2097152", "CHAR_BIT": "8", "CLK_TCK": "100", "HOST_NAME_MAX": "64",
    "INT_MAX": "2147483647", "INT_MIN": "-2147483648", "LINE_MAX": "2048", "LONG_BIT": "64",
    "OPEN_MAX": "1024", "PAGESIZE": "4096", "PAGE_SIZE": "4096",
    "PATH": "/bin:/usr/bin", "_POSIX_VERSION": "200809", "_XOPEN_VERSION": "700",
}  # fmt: skip
PATH_SETTINGS = {"LINK_MAX": "127", "NAME_MAX": "255", "PATH_MAX": "4096", "PIPE_BUF": "4096"}


@command(refusals=Refusals(usage_status=2), ignored="-v, --specification SPEC")
def getconf(
    sh: Call,
    name: str = "",
    path: Path = "",
    *,
    all: bool = False,
) -> str | int:
    """Print a system limit or setting; the values are the same on every machine.

    name                      ARG_MAX, PAGE_SIZE, _NPROCESSORS_ONLN and so on
    path                      a file, for NAME_MAX, PATH_MAX, LINK_MAX and PIPE_BUF
    -a, --all                 print all of them
    """
    processors = str(sh.machine.processor_count)
    settings = {
        **SYSTEM_SETTINGS, "_NPROCESSORS_CONF": processors, "_NPROCESSORS_ONLN": processors,
    }  # fmt: skip
    if all:
        known = {**settings, **PATH_SETTINGS}
        return "".join(f"{name:<34} {known[name]}\n" for name in sorted(known))
    if not name or (name in PATH_SETTINGS) != bool(path):
        sh.complain(
            "Usage: getconf [-v specification] variable_name [pathname]\n"
            "       getconf -a [pathname]"
        )
        return 2
    if name not in settings and name not in PATH_SETTINGS:
        raise sh.fail(f"Unrecognized variable `{name}'", 2)
    return f"{settings.get(name) or PATH_SETTINGS[name]}\n"
