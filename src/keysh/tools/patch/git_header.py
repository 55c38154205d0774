"""Git's extended headers: changes to a file other than its lines.

diff --git a/old b/new
similarity index 90%
rename from old
rename to new
"""

from __future__ import annotations

NULL_FILE = "/dev/null"  # the name of a missing side
GIT_HEADER_START = "diff --git "
GIT_BINARY_STARTS = ("GIT binary patch", "Binary files ")


class GitHeader:
    """One header: the names and modes of both sides, and the operation.

    `operation` is "rename", "copy", or "" for a change in place.
    """

    __slots__ = (
        "is_binary", "is_deleted", "is_extended", "is_new", "new", "new_mode", "old", "old_mode",
        "operation",
    )  # fmt: skip

    def __init__(self, old: str, new: str) -> None:
        self.old, self.new, self.operation = old, new, ""
        self.old_mode = self.new_mode = 0
        self.is_new = self.is_deleted = self.is_extended = self.is_binary = False

    def read_line(self, line: str) -> None:
        """Read a line of the header; unknown lines are ignored."""
        words = line.split()
        if line.startswith(GIT_BINARY_STARTS):
            self.is_binary = True
        elif line.startswith(("rename from ", "rename to ", "copy from ", "copy to ")):
            self.operation, self.is_extended = words[0], True
        elif len(words) == 3 and words[1] == "mode" and words[0] in ("old", "new"):
            setattr(self, f"{words[0]}_mode", parse_mode(words[2]))
            self.is_extended = True
        elif len(words) == 4 and words[1:3] == ["file", "mode"]:
            mode = parse_mode(words[3])
            if words[0] == "new":
                self.is_new, self.new_mode, self.is_extended = True, mode, True
            elif words[0] == "deleted":
                self.is_deleted, self.old_mode, self.is_extended = True, mode, True

    def inverse(self) -> GitHeader:
        """Return the header of the reversed patch; a copy is patched in place."""
        header = GitHeader(self.new, self.old)
        header.old_mode, header.new_mode = self.new_mode, self.old_mode
        header.is_new, header.is_deleted = self.is_deleted, self.is_new
        header.operation = "" if self.operation == "copy" else self.operation
        header.is_extended = self.is_extended
        header.is_binary = self.is_binary
        return header


def parse_mode(text: str) -> int:
    """Return the permission bits of an octal mode, or 0."""
    digits = text[:6]
    return int(digits, 8) & 0o7777 if digits and not digits.strip("01234567") else 0
