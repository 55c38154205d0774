"""umask - show or set the file mode mask."""

from __future__ import annotations

from keysh.gnu.modes import changed_mode, parse_mode_changes
from keysh.interp.state.state_of_call import state_of
from keysh.schema.declare import Refusals, command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call
    from keysh.schema.types import Raw

ALL_PERMISSIONS = 0o777
OCTAL_DIGITS = "01234567"


@command(refusals=Refusals(usage_status=2))
def umask(
    sh: Call,
    mode: str | None = None,
    /,
    *operands: Raw,
    print: bool = False,
    symbolic: bool = False,
) -> str:
    """Show or set the permissions that new files do not get.

    mode            an octal mask, or the permissions to allow, such as
                    u=rwx,g=rx,o=
    operands ...    ignored, as in bash
    -p, --print     show the mask as a command
    -S, --symbolic  show the allowed permissions in letters
    """
    state = state_of(sh)
    if mode is not None:
        state.umask, state.has_set_umask = parse_mask(sh, mode, state.umask), True
        return f"{mask_letters(state.umask)}\n" if symbolic else ""
    shown = mask_letters(state.umask) if symbolic else f"{state.umask:04o}"
    return f"umask {'-S ' * symbolic}{shown}\n" if print else f"{shown}\n"


def parse_mask(sh: Call, mode: str, before: int) -> int:
    """Parse a mask."""
    if mode[:1].isdecimal():
        if mode.strip(OCTAL_DIGITS) or int(mode, 8) > ALL_PERMISSIONS:
            raise sh.fail(f"{mode}: octal number out of range")
        return int(mode, 8)
    changes = parse_mode_changes(mode)
    if changes is None:
        for clause in mode.split(","):
            sign = clause.lstrip("ugoa")[:1]
            if not sign or sign not in "+-=":
                raise sh.fail(f"`{sign}': invalid symbolic mode operator")
        wrong = mode.lstrip("ugoa+-=rwxXst,")[:1] or mode[-1:]
        raise sh.fail(f"`{wrong}': invalid symbolic mode character")
    return ALL_PERMISSIONS & ~changed_mode(ALL_PERMISSIONS & ~before, changes, 0)


def mask_letters(mask: int) -> str:
    """Return the permissions that a mask allows, in letters."""
    classes = []
    for who, shift in (("u", 6), ("g", 3), ("o", 0)):
        bits = ~mask >> shift
        given = "".join(letter for letter, bit in (("r", 4), ("w", 2), ("x", 1)) if bits & bit)
        classes.append(f"{who}={given}")
    return ",".join(classes)
