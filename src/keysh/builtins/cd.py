"""cd - change the working directory."""

from __future__ import annotations

from keysh.interp.builtin_operations.working_directory import change_directory, directory_operand
from keysh.interp.run.options import OPTION_BITS
from keysh.interp.state.state_of_call import state_of
from keysh.schema.declare import Refusals, command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call
    from keysh.schema.types import Path


@command(
    refusals=Refusals(usage_status=2, extra_operand_error="too many arguments"),
    ignored="-e, --exact; -@, --attributes",
)
def cd(
    sh: Call,
    directory: Path | None = None,
    *,
    logical: bool = False,
    physical: bool = False,
) -> None:
    """Change the working directory.

    directory         the new directory, or - for the previous one (default: $HOME)
    -L, --logical     resolve .. by removing the previous component (the default)
    -P, --physical    resolve symbolic links first

    Relative directories are also searched for in $CDPATH. $PWD and $OLDPWD are set.
    """
    state = state_of(sh)
    flags = [name for name, _ in sh.given if name in ("logical", "physical")]
    is_physical = flags[-1] == "physical" if flags else bool(state.flags & OPTION_BITS["physical"])
    place, is_told = directory_operand(sh, state, directory)
    change_directory(sh, state, place, is_physical=is_physical)
    if is_told:
        sh.out.write(f"{state.cwd}\n")
