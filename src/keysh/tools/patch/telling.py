"""Telling: what is said of a patch as a whole, and of one that is not applied."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.tools.patch.reading import FilePatch
    from keysh.tools.patch.rules import Rules

KINDS = {
    "unified": "a unified diff", "context": "a new-style context diff", "normal": "a normal diff",
    "ed": "an ed script",
}  # fmt: skip
RULE = "-" * 26
CUT = "patch unexpectedly ends in middle of line\n"


def kind_of(patch: FilePatch, rules: Rules, *, is_first: bool) -> str:
    """Which kind of patch it is, where more is told."""
    which = "Looks" if is_first else "The next patch looks"
    is_binary = patch.git is not None and patch.git.is_binary
    kind = "a git binary diff" if is_binary else KINDS[patch.form]
    return f"  {which} like {kind} to me...\n" if rules.is_verbose else ""


def margins(patch: FilePatch, rules: Rules) -> str:
    """What is taken off its lines."""
    if rules.is_silent:
        return ""
    indent, text = patch.margin.indent, ""
    if indent:
        text = f"(Patch is indented {indent} space{'s' * (indent > 1)}.)\n"
    if patch.margin.has_returns:
        text += "(Stripping trailing CRs from patch; use --binary to disable.)\n"
    return text


def leading(patch: FilePatch) -> str:
    """The text before a patch."""
    text = "".join(f"|{line}" for line in patch.leading)
    return f"The text leading up to this was:\n{RULE}\n{text}{RULE}\n" if text else ""


def lost(patch: FilePatch, rules: Rules) -> str:
    """That the patch is for no file that is there, and what is asked where nobody answers."""
    what = "used the wrong" if rules.strip >= 0 else "should have used the"
    where = f" at input line {patch.number}" if patch.number else ""
    cannot_ask = rules.is_batch or rules.is_forced
    asked = "" if cannot_ask else "File to patch: \nSkip this patch? [y] \n"
    hint = f"Perhaps you {what} -p or --strip option?\n" if patch.names else ""
    says = f"can't find file to patch{where}\n{hint}"
    skips = "No file to patch.  Skipping patch.\n" if cannot_ask else "Skipping patch.\n"
    if rules.is_silent:
        says, skips = "", skips if cannot_ask else ""
    return f"{says}{leading(patch)}{asked}{skips}{ignored(patch, rules)}"


def ignored(patch: FilePatch, rules: Rules) -> str:
    """That no hunk is tried."""
    count = len(patch.hunks)
    whole = f"{count} out of {count} {hunks(count)} ignored\n" if count else ""
    return one_by_one(patch, rules) + whole


def one_by_one(patch: FilePatch, rules: Rules) -> str:
    """A line for each hunk that is not tried, where more is told."""
    if not rules.is_verbose:
        return ""
    return "".join(
        f"Hunk #{number} ignored at {hunk.old_start}.\n"
        for number, hunk in enumerate(patch.hunks, 1)
    )


def hunks(count: int) -> str:
    """The word for so many of them."""
    return "hunk" if count == 1 else "hunks"
