"""chown - change the owner and group of files."""

from __future__ import annotations

from keysh.gnu.owners import Owners, name_of_group, user_name
from keysh.interp.state.call import UsageFailure, os_error_text
from keysh.schema.declare import OptionStyle, command
from keysh.text.gnu_quoting import locale_quoted_text, quoted_name
from keysh.tools.chown.owner_changer import OwnerChange, OwnerChanger, OwnerName, owner_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call
    from keysh.schema.types import Path


@command(style=OptionStyle(unabbreviated="enter-operands enter-all enter-none"))
def chown(
    sh: Call,
    owner: str | None,
    /,
    *files: Path,
    changes: bool = False,
    quiet: bool = False,
    no_dereference: bool = False,
    dereference: bool = False,
    from_: str | None = None,
    reference: Path | None = None,
    recursive: bool = False,
    enter_operands: bool = False,
    enter_all: bool = False,
    enter_none: bool = False,
    preserve_root: bool = False,
    verbose: bool = False,
) -> None:
    """Change the owner and group of files.

    owner                      USER, USER:GROUP, USER: for the user's own group, or
                               :GROUP, as names or numbers (not with --reference)
    files ...                  the files to change
    -c, --changes              report each file whose owner changes
    -f, --quiet, --silent      suppress most error messages
    -h, --no-dereference       change links, not what they lead to
    --dereference              change what links lead to (default)
    --from OWNER               change only files of this owner or group
    --reference FILE           use the owner and group of FILE
    -R, --recursive            change directories and their contents recursively
    -H, --enter-operands       with -R, enter directories that operands link to
    -L, --enter-all            with -R, enter directories that any link leads to
    -P, --enter-none           with -R, enter no links (default)
    --preserve-root            refuse to change `/` recursively
    -v, --verbose              report each file

    Only files of this machine can get another owner, if the host may change that.
    All others belong to the shell's user.
    """
    if not files:
        after = f" after {locale_quoted_text(owner)}" if owner is not None else ""
        raise UsageFailure(f"missing operand{after}")
    change = OwnerChange()
    if reference is not None:
        change.user, change.group = reference_owner(sh, reference)
    else:
        change.user, change.group = parse_owner(sh, owner or "")
    if from_ is not None:
        change.from_user, change.from_group = parse_owner(sh, from_)
    changer = OwnerChanger(sh, change)
    changer.is_quiet, changer.descends = quiet, recursive
    set_link_options(sh, changer)
    changer.change_all(files, preserve_root=preserve_root)


def set_link_options(sh: Call, changer: OwnerChanger) -> None:
    """Set what becomes of links; the last of several options counts."""
    entering = {"enter_operands": "operands", "enter_all": "all", "enter_none": ""}
    follows: bool | None = None
    for name, value in sh.given:
        if name in entering and value:
            changer.enters_links = entering[name]
        elif name in ("dereference", "no_dereference") and value:
            follows = name == "dereference"
    if changer.descends and not changer.enters_links:
        if follows:
            raise sh.fail("-R --dereference requires either -H or -L")
        follows = False
    changer.follows = follows is not False


def reference_owner(sh: Call, path: str) -> tuple[OwnerName, OwnerName]:
    """Return the owner and group of a file."""
    try:
        stat = sh.fs.stat(sh.path(path), follow=True)
    except OSError as error:
        message = f"failed to get attributes of {quoted_name(path)}: {os_error_text(error)}"
        raise sh.fail(message) from None
    owners = Owners(sh)
    user, group = owners.user_number(stat), owners.group_number(stat)
    return (
        OwnerName(owners.user(stat) or str(user), user, user),
        OwnerName(owners.group(stat) or str(group), group, group),
    )


def parse_owner(sh: Call, text: str) -> tuple[OwnerName | None, OwnerName | None]:
    """Parse `USER`, `USER:GROUP`, `USER:` or `:GROUP`."""
    user_text, colon, group_text = text.partition(":")
    own_name = user_name(sh)
    user = group = None
    if user_text:
        user = owner_name(user_text, number_of_user, own_name)
        if user is None:
            raise sh.fail(f"invalid user: {locale_quoted_text(text)}")
    if group_text:
        group = owner_name(group_text, number_of_group, own_name)
        if group is None:
            raise sh.fail(f"invalid group: {locale_quoted_text(text)}")
    elif user is not None and colon:
        group = login_group(user)
        if group is None:
            raise sh.fail(f"invalid spec: {locale_quoted_text(text)}")
    return user, group


def number_of_user(name: str) -> int | None:
    """Return a user's number on this machine; None if the name is unknown."""
    from pwd import getpwnam  # noqa: PLC0415 - few commands need it

    try:
        return getpwnam(name).pw_uid
    except (KeyError, ValueError):
        return None


def number_of_group(name: str) -> int | None:
    """Return a group's number on this machine; None if the name is unknown."""
    from grp import getgrnam  # noqa: PLC0415 - as above

    try:
        return getgrnam(name).gr_gid
    except (KeyError, ValueError):
        return None


def login_group(user: OwnerName) -> OwnerName | None:
    """Return the group that a user belongs to; None if the user has no name."""
    from pwd import getpwnam  # noqa: PLC0415 - as above

    try:
        number = getpwnam(user.text).pw_gid
    except (KeyError, ValueError):
        if user.shell_number is None or user.number is not None:
            return None
        return OwnerName(user.text, None, user.shell_number)
    return OwnerName(name_of_group(number) or str(number), number, user.shell_number)
