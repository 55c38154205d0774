"""Rules: what the options of patch ask for."""

from __future__ import annotations


class Rules:
    """The options, settled."""

    __slots__ = (
        "blanks_match", "fuzz", "is_batch", "is_dry", "is_forced", "is_forward", "is_silent",
        "keeps", "keeps_mismatch", "output", "reject_form", "rejects", "removes_empty", "strip",
    )  # fmt: skip

    def __init__(self, strip: int) -> None:
        self.strip = strip
        self.fuzz, self.blanks_match = 2, False
        self.output: str | None = None
        self.rejects: str | None = None
        self.reject_form = ""  # "context", "unified", or that of the patch
        self.is_dry = self.is_silent = self.is_forward = self.is_forced = self.is_batch = False
        self.keeps = self.keeps_mismatch = self.removes_empty = False
