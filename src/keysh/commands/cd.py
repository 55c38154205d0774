"""cd - change the working directory."""

from __future__ import annotations

from keysh.runtime.options import BITS
from keysh.runtime.own import state_of
from keysh.runtime.working_directory import go
from keysh.schema.declare import command
from keysh.values import text_of
from keysh.vfs.paths import join

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.runtime.call import Call
    from keysh.runtime.state import State
    from keysh.schema.types import Path

RELATIVE = (".", "..")  # first steps for which $CDPATH is not searched


@command(usage=2, extra="too many arguments")
def cd(
    sh: Call,
    directory: Path | None = None,
    *,
    logical: bool = False,
    physical: bool = False,
    exact: bool = False,
    attributes: bool = False,
) -> None:
    """Change the working directory, which relative paths start from.

    directory         where to go: the home directory without it, - for the one before
    -L, --logical     a .. takes back the last step, though that was a link (the default)
    -P, --physical    follow links first, and remember the real path
    -e, --exact       ignored
    -@, --attributes  ignored

    $CDPATH lists directories in which a relative one is looked for. $PWD and $OLDPWD are set.
    """
    state = state_of(sh)
    flags = [name for name, _ in sh.given if name in ("logical", "physical")]
    is_physical = flags[-1] == "physical" if flags else bool(state.flags & BITS["physical"])
    place, is_told = wanted(sh, state, directory)
    go(sh, state, place, is_physical=is_physical)
    if is_told:
        sh.out.write(f"{state.cwd}\n")


def wanted(sh: Call, state: State, directory: str | None) -> tuple[str, bool]:
    """Where to go, and whether it is printed: it is where the words do not say it."""
    if directory is None:
        if "HOME" not in state.variables:
            raise sh.fail("HOME not set")
        return text_of(state.variables["HOME"]), False
    if directory == "-":
        if "OLDPWD" not in state.variables:
            raise sh.fail("OLDPWD not set")
        return text_of(state.variables["OLDPWD"]), True
    folders = text_of(state.variables.get("CDPATH"))
    if folders and directory[:1] != "/" and directory.partition("/")[0] not in RELATIVE:
        for folder in folders.split(":"):
            found = join(folder or ".", directory)
            if is_directory(sh, found):
                return found, folder not in ("", ".")
    return directory, False


def is_directory(sh: Call, path: str) -> bool:
    """Whether a path leads to a directory."""
    try:
        return sh.fs.stat(sh.path(path), follow=True).is_directory
    except OSError:
        return False
