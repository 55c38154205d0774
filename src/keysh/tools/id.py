"""id - print user and group IDs."""

from __future__ import annotations

from keysh.gnu.owners import SHELL_USER_NUMBER, user_name
from keysh.interp.state.call import CommandFailure
from keysh.schema.declare import command
from keysh.text.gnu_quoting import quoted_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from keysh.interp.state.call import Call


@command(compatible="GNU coreutils 9.1", ignored="-a")
def id_(
    sh: Call,
    *users: str,
    context: bool = False,
    group: bool = False,
    groups: bool = False,
    json: bool = False,
    name: bool = False,
    real: bool = False,
    user: bool = False,
    zero: bool = False,
) -> Iterator[str | dict[str, object]]:
    """Print the user's and group's IDs: $USER or `user`, and number 1000.

    users ...      user names or numbers; only the shell's user exists
    -Z, --context  refused: there is no security context
    -g, --group    print only the group ID
    -G, --groups   print only all group IDs
    --json         print JSON lines: uid, user, gid, group, groups
    -n, --name     with -u, -g or -G, print names instead of numbers
    -r, --real     with -u, -g or -G, print real IDs, which are the same
    -u, --user     print only the user ID
    -z, --zero     with -u, -g or -G, end each line with NUL, not with a newline
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
    own_name = user_name(sh)
    for name_or_number in users or (own_name,):
        if name_or_number not in (own_name, str(SHELL_USER_NUMBER), f"+{SHELL_USER_NUMBER}"):
            sh.warn(f"{quoted_name(name_or_number)}: no such user")
            continue
        if json:
            row: dict[str, object] = {
                "uid": SHELL_USER_NUMBER,
                "user": own_name,
                "gid": SHELL_USER_NUMBER,
            }
            yield {
                **row,
                "group": own_name,
                "groups": [{"gid": SHELL_USER_NUMBER, "group": own_name}],
            }
        elif is_one:
            yield (own_name if name else str(SHELL_USER_NUMBER)) + ("\0" if zero else "\n")
        else:
            both = f"{SHELL_USER_NUMBER}({own_name})"
            yield f"uid={both} gid={both} groups={both}\n"
