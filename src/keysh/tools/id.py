"""id - who the user is."""

from __future__ import annotations

from keysh.gnu.owners import SHELL_USER_NUMBER, user_name
from keysh.interp.state.call import CommandFailure
from keysh.schema.declare import OptionStyle, command
from keysh.text.gnu_quoting import quoted_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from keysh.interp.state.call import Call


@command(style=OptionStyle(unabbreviated="all"))
def id_(
    sh: Call,
    *users: str,
    all: bool = False,
    context: bool = False,
    group: bool = False,
    groups: bool = False,
    json: bool = False,
    name: bool = False,
    real: bool = False,
    user: bool = False,
    zero: bool = False,
) -> Iterator[str | dict[str, object]]:
    """Print who the shell's user is: $USER, else `user`, number 1000. The host's is not told.

    users ...     names or numbers of users; the shell's is the only one
    -a, --all     ignored
    -Z, --context  refused: the machine knows no security context
    -g, --group   only the number of the group
    -G, --groups  only the numbers of all groups
    --json        rows as JSON lines: uid, user, gid, group, groups
    -n, --name    with -g -G -u, the name instead
    -r, --real    with -g -G -u, the real one, which is the same
    -u, --user    only the number of the user
    -z, --zero    with -g -G -u, end each line with NUL, not with a newline
    """
    if context:
        raise CommandFailure("--context (-Z) works only on an SELinux-enabled kernel")
    if user + group + groups > 1:
        raise CommandFailure('cannot print "only" of more than one choice')
    is_one = user or group or groups
    if (name or real) and not is_one:
        raise CommandFailure("cannot print only names or real IDs in default format")
    if zero and not is_one:
        raise CommandFailure("option --zero not permitted in default format")
    own = user_name(sh)
    for one in users or (own,):
        if one not in (own, str(SHELL_USER_NUMBER), f"+{SHELL_USER_NUMBER}"):
            sh.warn(f"{quoted_name(one)}: no such user")
            continue
        if json:
            row: dict[str, object] = {
                "uid": SHELL_USER_NUMBER,
                "user": own,
                "gid": SHELL_USER_NUMBER,
            }
            yield {**row, "group": own, "groups": [{"gid": SHELL_USER_NUMBER, "group": own}]}
        elif is_one:
            yield (own if name else str(SHELL_USER_NUMBER)) + ("\0" if zero else "\n")
        else:
            both = f"{SHELL_USER_NUMBER}({own})"
            yield f"uid={both} gid={both} groups={both}\n"
