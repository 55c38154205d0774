"""The settings of a run of patch."""

from __future__ import annotations

from keysh.text.gnu_quoting import styled_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.text.dates.time_zone import TimeZone


class PatchOptions:
    """The settings that the options of a call add up to."""

    __slots__ = (
        "backs_up_mismatch", "blanks_match", "follows_links", "fuzz", "is_batch",
        "is_dry", "is_forced", "is_forward", "is_posix", "is_silent", "is_verbose", "makes_backups",
        "output", "quoting_style", "read_only", "reject_file", "reject_format", "removes_empty",
        "strip", "time_zone",
    )  # fmt: skip

    def __init__(self, strip: int) -> None:
        self.strip = strip
        self.fuzz, self.blanks_match = 2, False
        self.output: str | None = None
        self.reject_file: str | None = None
        self.reject_format = ""  # "context", "unified", or "" for that of the patch
        self.is_dry = self.is_silent = self.is_forward = self.is_forced = self.is_batch = False
        self.makes_backups = self.backs_up_mismatch = self.removes_empty = False
        self.is_verbose = self.is_posix = self.follows_links = False
        self.read_only = "warn"  # what to do with read-only files: ignore, warn, fail
        self.quoting_style = "shell"  # of names in messages
        self.time_zone: TimeZone | None = None  # for --set-time and --set-utc

    def quoted_name(self, name: str) -> str:
        """Return a file name quoted for a message."""
        return styled_name(name, self.quoting_style)
