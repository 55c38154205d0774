"""groups - print the groups of users."""

from __future__ import annotations

from keysh.gnu.owners import user_name
from keysh.schema.declare import command
from keysh.text.gnu_quoting import quoted_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from keysh.interp.state.call import Call


@command(compatible="GNU coreutils 9.1")
def groups(sh: Call, *users: str) -> Iterator[str]:
    """Print the groups of the shell's user: one, of the user's own name, as `id` says.

    users ...  user names; only the shell's user exists
    """
    own_name = user_name(sh)
    if not users:
        yield f"{own_name}\n"
    for name in users:
        if name == own_name:
            yield f"{name} : {own_name}\n"
        else:
            sh.warn(f"{quoted_name(name)}: no such user")
