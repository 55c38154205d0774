"""chgrp - change the group of files."""

from __future__ import annotations

from keysh.gnu.owners import user_name
from keysh.schema.declare import OptionStyle, command
from keysh.text.gnu_quoting import locale_quoted_text
from keysh.tools.chown.owner_changer import OwnerName, owner_name
from keysh.tools.chown.owner_options import OWNER_HELP, change_owners, number_of_group

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call
    from keysh.schema.types import Path

OPERAND_HELP = """group                      the name or number of the group (not with
                               --reference)"""


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
    """Change the group of files; the help is set below from the template that chown has too."""
    del changes, quiet, no_dereference, dereference, reference, recursive
    del enter_operands, enter_all, enter_none, preserve_root, verbose
    change_owners(sh, group, files, parse_group)


chgrp.__doc__ = OWNER_HELP.format(
    summary="group", subject="group", operand=OPERAND_HELP, own_options=""
)
command(
    compatible="GNU coreutils 9.1",
    style=OptionStyle(unabbreviated="enter-operands enter-all enter-none"),
)(chgrp)


def parse_group(sh: Call, text: str) -> tuple[None, OwnerName | None]:
    """Look up a group; the empty text keeps the present one."""
    group = owner_name(text, number_of_group, user_name(sh)) if text else None
    if text and group is None:
        raise sh.fail(f"invalid group: {locale_quoted_text(text)}")
    return None, group
