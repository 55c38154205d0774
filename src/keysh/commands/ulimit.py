"""ulimit - limits of processes, for scripts that ask for them."""

from __future__ import annotations

from keysh.schema.declare import command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.runtime.call import Call

ROWS = {
    "core": "core file size              (blocks, -c)",
    "data": "data seg size               (kbytes, -d)",
    "files": "file size                   (blocks, -f)",
    "resident": "max memory size             (kbytes, -m)",
    "open": "open files                          (-n)",
    "stack": "stack size                  (kbytes, -s)",
    "time": "cpu time                   (seconds, -t)",
    "processes": "max user processes                  (-u)",
    "virtual": "virtual memory              (kbytes, -v)",
}


@command(usage=2)
def ulimit(
    sh: Call,
    limit: str | None = None,
    *,
    all: bool = False,
    core: bool = False,
    data: bool = False,
    files: bool = False,
    hard: bool = False,
    resident: bool = False,
    open: bool = False,
    soft: bool = False,
    stack: bool = False,
    time: bool = False,
    processes: bool = False,
    virtual: bool = False,
) -> str:
    """Show a limit, which is always `unlimited`: what scripts may use is the host's to say.

    limit            a number, which is refused, or `unlimited`, `hard` or `soft`
    -a, --all        show all
    -c, --core       of core files
    -d, --data       of data
    -f, --files      of the size of files, which is meant without any letter
    -H, --hard       ignored
    -m, --resident   of memory in use
    -n, --open       of open files
    -S, --soft       ignored
    -s, --stack      of the stack
    -t, --time       of processor time
    -u, --processes  of processes
    -v, --virtual    of memory
    """
    meant = [name for name, _ in sh.given if name in ROWS] or ["files"]
    if limit is not None:
        if limit.isdecimal():
            raise sh.fail(f"{limit}: cannot modify limit: the host sets the limits of this shell")
        if limit not in ("unlimited", "hard", "soft"):
            raise sh.fail(f"{limit}: invalid number")
        return ""
    if all or len(meant) > 1:
        return "".join(f"{ROWS[name]} unlimited\n" for name in (ROWS if all else meant))
    return "unlimited\n"
