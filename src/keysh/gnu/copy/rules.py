"""The rules for copying: options of cp that mv and install share."""

from __future__ import annotations

from keysh.gnu.option_values import choice_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.gnu.backups import Backups
    from keysh.interp.state.call import Call

PRESERVED_ATTRIBUTES = {
    word: word for word in ("mode", "timestamps", "ownership", "links", "context", "xattr", "all")
}


class CopyRules:
    """How to copy. `follow` is "never", "operands" or "always"; `asks` is "", "ask" or "never".

    `backups` is None if existing files are not backed up.
    """

    __slots__ = (
        "allows_repeats", "asks", "backups", "follow", "force", "hard_link", "keeps_links",
        "keeps_mode", "keeps_times", "mode", "only_attributes", "plain_mode", "recursive",
        "remove_first", "shares_blocks", "stay", "symbolic_link", "update", "verbose",
    )  # fmt: skip

    def __init__(self) -> None:
        self.asks = self.follow = ""
        self.force = self.remove_first = self.recursive = self.update = self.verbose = False
        self.hard_link = self.symbolic_link = self.only_attributes = self.stay = False
        self.keeps_links = self.keeps_mode = self.keeps_times = False
        self.backups: Backups | None = None
        self.shares_blocks = False  # always fails: no file system here supports it
        self.allows_repeats = False  # of one operand
        self.mode: int | None = None  # of copies; None for the source's
        self.plain_mode = False  # copies get the default mode of new files


def rules_of(sh: Call) -> CopyRules:
    """Return the rules from options of which the last one given counts."""
    rules = CopyRules()
    for name, value in sh.given:
        if value is not False or name == "clobber":
            follow_option(rules, name, value)
    return rules


def follow_option(rules: CopyRules, name: str, value: object) -> None:
    """Apply one option."""
    if name in ("archive", "keep_links", "no_dereference"):
        rules.follow = "never"
    elif name in ("dereference", "follow_operands"):
        rules.follow = "always" if name == "dereference" else "operands"
    elif name in ("clobber", "interactive"):
        rules.asks = "ask" if name == "interactive" else "" if value else "never"
    if name in ("archive", "keep_links"):
        rules.keeps_links = True
    if name in ("archive", "keep", "preserve") and not isinstance(value, str):
        rules.keeps_mode = rules.keeps_times = True
    elif name in ("preserve", "no_preserve"):
        is_preserved = name == "preserve"
        for word in preserved_attributes(str(value), name):
            if word in ("mode", "all"):
                rules.keeps_mode, rules.plain_mode = is_preserved, not is_preserved
            if word in ("timestamps", "all"):
                rules.keeps_times = is_preserved
            if word in ("links", "all"):
                rules.keeps_links = is_preserved


def preserved_attributes(words: str, option: str) -> list[str]:
    """Return the attributes in a list of abbreviated names."""
    option = f"--{option.replace('_', '-')}"
    return [choice_of(option, word, PRESERVED_ATTRIBUTES) for word in words.split(",")]
