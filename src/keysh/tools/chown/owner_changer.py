"""Change the owners of files, for chown and chgrp.

A file of this machine gets the owner that the machine's names stand for. Any other file belongs to
the shell's user, and can be given to nobody else.
"""

from __future__ import annotations

import errno

from keysh.diagnostics.exceptions import failure
from keysh.gnu.owners import SHELL_USER_NUMBER, Owners, is_of_shell
from keysh.interp.state.call import os_error_text
from keysh.text.gnu_quoting import quoted_name
from keysh.vfs.paths import join, with_one_slash

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from keysh.interp.state.call import Call
    from keysh.vfs.api import Stat

UNCHANGED = -1  # the number that keeps an owner or group
MAX_OWNER_NUMBER = (1 << 32) - 2
REPORT_OPTIONS = {"changes": "changed", "verbose": "all"}


class OwnerName:
    """A user or group as it was given, with its numbers on this machine and in the shell's files.

    A name that is unknown in one of the two has no number there.
    """

    __slots__ = ("number", "shell_number", "text")

    def __init__(self, text: str, number: int | None, shell_number: int | None) -> None:
        self.text, self.number, self.shell_number = text, number, shell_number


def owner_name(
    text: str, number_of: Callable[[str], int | None], own_name: str
) -> OwnerName | None:
    """Look up a name or number; None if it is neither."""
    own = SHELL_USER_NUMBER if text == own_name else None
    number = number_of(text)
    if number is None:
        digits = text.removeprefix("+")
        if digits.isascii() and digits.isdecimal() and int(digits[:12]) <= MAX_OWNER_NUMBER:
            number = own = int(digits[:12])
            text = str(number)  # as messages show it: `+07` is 7
    if number is None and own is None:
        return None
    return OwnerName(text, number, own)


class OwnerChange:
    """What becomes of the files; `user` or `group` is None if it is kept."""

    __slots__ = ("from_group", "from_user", "group", "user")

    def __init__(self, user: OwnerName | None = None, group: OwnerName | None = None) -> None:
        self.user, self.group = user, group
        self.from_user: OwnerName | None = None
        self.from_group: OwnerName | None = None

    @property
    def text(self) -> str:
        """The owners as messages show them."""
        user, group = (each.text if each else None for each in (self.user, self.group))
        return spec_text(user, group)


class OwnerChanger:
    """One run of chown or chgrp.

    follows   whether the target of a link that is an operand is changed
    descends  whether directories are changed with what is below them
    enters_links  which links to directories are entered: "" none, "operands", or "all"
    """

    __slots__ = (
        "_change", "_owners", "_reports", "_sh", "descends", "enters_links", "follows", "is_quiet",
    )  # fmt: skip

    def __init__(self, sh: Call, change: OwnerChange) -> None:
        self._sh, self._change, self._owners = sh, change, Owners(sh)
        reports = [REPORT_OPTIONS[name] for name, on in sh.given if name in REPORT_OPTIONS and on]
        self._reports = reports[-1] if reports else ""
        self.follows, self.descends, self.enters_links = True, False, ""
        self.is_quiet = False

    def change_all(self, files: Sequence[str], *, preserve_root: bool) -> None:
        """Change the files."""
        for file in files:
            if self.descends and preserve_root and self._is_root(file):
                self._sh.warn(f"it is dangerous to operate recursively on {quoted_name(file)}")
                self._sh.warn("use --no-preserve-root to override this failsafe")
                continue
            self._change_tree(with_one_slash(file))

    def _is_root(self, file: str) -> bool:
        try:
            return self._sh.fs.resolve(self._sh.path(file)) == "/"
        except OSError:
            return False

    def _change_tree(self, top: str) -> None:
        """Change a file after everything below it, if that is wanted."""
        stack = [(top, False)]
        while stack:
            self._sh.tick()
            file, is_entered = stack.pop()
            is_operand = file == top
            if not is_entered and self.descends and self._is_to_enter(file, is_operand):
                stack.append((file, True))
                try:
                    names = sorted(entry.name for entry in self._sh.fs.list(self._sh.path(file)))
                except OSError as error:
                    self._warn(f"cannot read directory {quoted_name(file)}: {os_error_text(error)}")
                    continue
                stack += [(join(file, name), False) for name in reversed(names)]
                continue
            self._change_file(file)

    def _is_to_enter(self, file: str, is_operand: bool) -> bool:
        enters = self.enters_links == "all" or (self.enters_links == "operands" and is_operand)
        return self._sh.is_directory(file, follow=enters)

    def _change_file(self, file: str) -> None:
        fs, path = self._sh.fs, self._sh.path
        try:
            stat = fs.stat(path(file), follow=self.follows)
        except OSError as error:
            is_dangling = error.errno == errno.ENOENT and self._sh.is_link(file)
            verb = "dereference" if is_dangling else "access"
            self._warn(f"cannot {verb} {quoted_name(file)}: {os_error_text(error)}")
            self._report(f"failed to change {self._subject} of {quoted_name(file)}", "all")
            return
        if not self._is_wanted(stat):
            self._report_kept(file, stat)
            return
        old = self._old_text(stat)
        try:
            is_changed = self._set_owner(file, stat)
        except OSError as error:
            self._warn(f"changing {self._subject} of {quoted_name(file)}: {os_error_text(error)}")
            self._report(
                f"failed to change {self._subject} of {quoted_name(file)} from {old}", "all"
            )
            return
        if is_changed:
            self._report(f"changed {self._subject} of {quoted_name(file)} from {old}", "changed")
        else:
            self._report_kept(file, stat)

    def _set_owner(self, file: str, stat: Stat) -> bool:
        """Change a file's owner; return whether it is another one now."""
        numbers = [number_in(stat, name) for name in (self._change.user, self._change.group)]
        present = [self._owners.user_number(stat), self._owners.group_number(stat)]
        is_change = any(
            new not in (UNCHANGED, old) for new, old in zip(numbers, present, strict=True)
        )
        if not is_of_shell(stat):
            user, group = numbers
            if None in numbers:
                raise failure(errno.EINVAL, file)
            self._sh.fs.set_owner(self._sh.path(file), user or 0, group or 0, follow=self.follows)
        elif is_change:
            raise failure(errno.EPERM, file)
        return is_change

    def _is_wanted(self, stat: Stat) -> bool:
        """Whether a file belongs to the owner that --from names."""
        change = self._change
        return number_in(stat, change.from_user) in (
            UNCHANGED, self._owners.user_number(stat)
        ) and number_in(stat, change.from_group) in (
            UNCHANGED, self._owners.group_number(stat)
        )  # fmt: skip

    @property
    def _subject(self) -> str:
        return "group" if self._changes_group_only else "ownership"

    @property
    def _changes_group_only(self) -> bool:
        """Whether messages are about the group: for chgrp, and for `chown :NUMBER`."""
        change = self._change
        is_number = change.group is not None and change.group.text.isdecimal()
        return self._sh.name == "chgrp" or (change.user is None and is_number)

    def _old_text(self, stat: Stat) -> str:
        """Return a file's owners as messages show them."""
        user = self._owners.user(stat) or str(self._owners.user_number(stat))
        group = self._owners.group(stat) or str(self._owners.group_number(stat))
        if self._changes_group_only:
            return group
        return spec_text(user, group if self._change.group else None)

    def _report_kept(self, file: str, stat: Stat) -> None:
        change = self._change
        old = f" as {self._old_text(stat)}" if change.user or change.group else ""
        if self._reports == "all":
            self._sh.tell(f"{self._subject} of {quoted_name(file)} retained{old}\n")

    def _report(self, text: str, kind: str) -> None:
        if self._reports in ("all", kind):
            change = self._change
            new = change.group.text if self._changes_group_only and change.group else change.text
            self._sh.tell(f"{text} to {new}\n")

    def _warn(self, message: str) -> None:
        if self.is_quiet:
            self._sh.status = 1
        else:
            self._sh.warn(message)


def number_in(stat: Stat, name: OwnerName | None) -> int | None:
    """Return the number of a name where a file is; None if it is unknown there."""
    if name is None:
        return UNCHANGED
    return name.shell_number if is_of_shell(stat) else name.number


def spec_text(user: str | None, group: str | None) -> str:
    """Return `user:group`, without what is missing."""
    return f"{user or ''}:{group}" if group else user or ""
