"""What chown and chgrp declare and do alike: their help, and a run by the options of the call."""

from __future__ import annotations

from keysh.gnu.owners import Owners
from keysh.interp.state.call import UsageFailure, os_error_text
from keysh.text.gnu_quoting import locale_quoted_text, quoted_name
from keysh.tools.chown.owner_changer import OwnerChange, OwnerChanger, OwnerName

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import TypeAlias

    from keysh.interp.state.call import Call

    OwnerPair: TypeAlias = tuple[OwnerName | None, OwnerName | None]

# Of a command: what it changes, in the summary and for one file; its operand; its own options.
OWNER_HELP = """Change the {summary} of files.

    {operand}
    files ...                  the files to change
    -c, --changes              report each file whose {subject} changes
    -f, --quiet, --silent      suppress most error messages
    -h, --no-dereference       change links, not what they lead to
    --dereference              change what links lead to (default){own_options}
    --reference FILE           use the {summary} of FILE
    -R, --recursive            change directories and their contents recursively
    -H, --enter-operands       with -R, enter directories that operands link to
    -L, --enter-all            with -R, enter directories that any link leads to
    -P, --enter-none           with -R, enter no links (default)
    --preserve-root            refuse to change `/` recursively
    -v, --verbose              report each file

    Only files of this machine can get another {subject}, if the host may change that.
    All others belong to the shell's user.
    """
LINK_ENTRIES = {"enter_operands": "operands", "enter_all": "all", "enter_none": ""}


def change_owners(
    sh: Call, owner: str | None, files: Sequence[str], parse: Callable[[Call, str], OwnerPair]
) -> None:
    """Change the files to an owner, which `parse` looks up, or to that of a --reference."""
    if not files:
        after = f" after {locale_quoted_text(owner)}" if owner is not None else ""
        raise UsageFailure(f"missing operand{after}")
    options, change = dict(sh.given), OwnerChange()
    if "reference" in options:
        user, change.group = reference_owner(sh, options["reference"])
        change.user = None if sh.name == "chgrp" else user
    else:
        change.user, change.group = parse(sh, owner or "")
    if "from_" in options:
        change.from_user, change.from_group = parse(sh, options["from_"])
    changer = OwnerChanger(sh, change)
    changer.is_quiet = bool(options.get("quiet"))
    changer.descends = bool(options.get("recursive"))
    set_link_options(sh, changer)
    changer.change_all(files, preserve_root=bool(options.get("preserve_root")))


def set_link_options(sh: Call, changer: OwnerChanger) -> None:
    """Set what becomes of links; the last of several options counts."""
    follows: bool | None = None
    for name, value in sh.given:
        if name in LINK_ENTRIES and value:
            changer.enters_links = LINK_ENTRIES[name]
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


def number_of_group(name: str) -> int | None:
    """Return a group's number on this machine; None if the name is unknown."""
    from grp import getgrnam  # noqa: PLC0415 - few commands need it

    try:
        return getgrnam(name).gr_gid
    except (KeyError, ValueError):
        return None
