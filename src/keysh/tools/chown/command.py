"""chown - change the owner and group of files."""

from __future__ import annotations

from keysh.gnu.owners import name_of_group, user_name
from keysh.schema.declare import OptionStyle, command
from keysh.text.gnu_quoting import locale_quoted_text
from keysh.tools.chown.owner_changer import OwnerName, owner_name
from keysh.tools.chown.owner_options import OWNER_HELP, change_owners, number_of_group

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call
    from keysh.schema.types import Path

OPERAND_HELP = """owner                      USER, USER:GROUP, USER: for the user's own group, or
                               :GROUP, as names or numbers (not with --reference)"""
FROM_HELP = "\n    --from OWNER               change only files of this owner or group"


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
    """Change the owner of files; the help is set below from the template that chgrp has too."""
    del changes, quiet, no_dereference, dereference, from_, reference, recursive
    del enter_operands, enter_all, enter_none, preserve_root, verbose
    change_owners(sh, owner, files, parse_owner)


chown.__doc__ = OWNER_HELP.format(
    summary="owner and group", subject="owner", operand=OPERAND_HELP, own_options=FROM_HELP
)
command(
    compatible="GNU coreutils 9.1",
    style=OptionStyle(unabbreviated="enter-operands enter-all enter-none"),
)(chown)


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
