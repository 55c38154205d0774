"""Rules: what the options of patch ask for."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.runtime.backups import Backups


class Rules:
    """The options, settled. `base` is the directory that files are below, with its slash."""

    __slots__ = (
        "base", "blanks_match", "fuzz", "has_written", "is_batch", "is_dry", "is_forced",
        "is_forward", "is_silent", "keeps", "keeps_mismatch", "output", "prefixes", "reject_form",
        "rejected", "rejects", "removes_empty", "strip", "suffixed",
    )  # fmt: skip

    def __init__(self, base: str, strip: int, suffixed: Backups) -> None:
        self.base, self.strip, self.suffixed = base, strip, suffixed
        self.fuzz, self.blanks_match = 2, False
        self.prefixes = ("", "")  # of a backup's path, and of its last step
        self.output: str | None = None
        self.rejects: str | None = None
        self.rejected: set[str] = set()  # files that have been written to
        self.reject_form = ""  # "context", "unified", or that of the patch
        self.is_dry = self.is_silent = self.is_forward = self.is_forced = self.is_batch = False
        self.has_written = False  # to the output, where all files go one after the other
        self.keeps = self.keeps_mismatch = self.removes_empty = False
