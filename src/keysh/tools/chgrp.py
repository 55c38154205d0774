"""chgrp - change the group of files."""

from __future__ import annotations

from keysh.gnu.owners import user_name
from keysh.interp.state.call import UsageFailure
from keysh.schema.declare import OptionStyle, command
from keysh.text.gnu_quoting import locale_quoted_text
from keysh.tools.chown.command import number_of_group, reference_owner, set_link_options
from keysh.tools.chown.owner_changer import OwnerChange, OwnerChanger, owner_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call
    from keysh.schema.types import Path


@command(style=OptionStyle(unabbreviated="enter-operands enter-all enter-none"))
def chgrp(
    sh: Call,
    group: str | None,
    /,
    *files: Path,
    changes: bool = False,
    quiet: bool = False,
    no_dereference: bool = False,
    dereference: bool = False,
    reference: Path | None = None,
    recursive: bool = False,
    enter_operands: bool = False,
    enter_all: bool = False,
    enter_none: bool = False,
    preserve_root: bool = False,
    verbose: bool = False,
) -> None:
    """Change the group of files.

    group                      the name or number of the group (not with
                               --reference)
    files ...                  the files to change
    -c, --changes              report each file whose group changes
    -f, --quiet, --silent      suppress most error messages
    -h, --no-dereference       change links, not what they lead to
    --dereference              change what links lead to (default)
    --reference FILE           use the group of FILE
    -R, --recursive            change directories and their contents recursively
    -H, --enter-operands       with -R, enter directories that operands link to
    -L, --enter-all            with -R, enter directories that any link leads to
    -P, --enter-none           with -R, enter no links (default)
    --preserve-root            refuse to change `/` recursively
    -v, --verbose              report each file

    Only files of this machine can get another group, if the host may change that.
    All others belong to the shell's user.
    """
    if not files:
        after = f" after {locale_quoted_text(group)}" if group is not None else ""
        raise UsageFailure(f"missing operand{after}")
    change = OwnerChange()
    if reference is not None:
        change.group = reference_owner(sh, reference)[1]
    elif group:
        change.group = owner_name(group, number_of_group, user_name(sh))
        if change.group is None:
            raise sh.fail(f"invalid group: {locale_quoted_text(group)}")
    changer = OwnerChanger(sh, change)
    changer.is_quiet, changer.descends = quiet, recursive
    set_link_options(sh, changer)
    changer.change_all(files, preserve_root=preserve_root)
