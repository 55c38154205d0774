"""Messages about a patch as a whole, in the words of GNU patch."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.tools.patch.patch_reader import FilePatch
    from keysh.tools.patch.rules import PatchOptions

FORMAT_NAMES = {
    "unified": "a unified diff", "context": "a new-style context diff", "normal": "a normal diff",
}  # fmt: skip
LEADING_TEXT_RULE = "-" * 26
TRUNCATED_MESSAGE = "patch unexpectedly ends in middle of line\n"


def format_message(patch: FilePatch, rules: PatchOptions, *, is_first: bool) -> str:
    """Return the message about the format of a patch, with --verbose."""
    subject = "Looks" if is_first else "The next patch looks"
    is_binary = patch.git is not None and patch.git.is_binary
    kind = "a git binary diff" if is_binary else FORMAT_NAMES[patch.format]
    return f"  {subject} like {kind} to me...\n" if rules.is_verbose else ""


def margin_message(patch: FilePatch, rules: PatchOptions) -> str:
    """Return the message about a margin that was stripped."""
    if rules.is_silent:
        return ""
    indent, text = patch.margin.indent, ""
    if indent:
        text = f"(Patch is indented {indent} space{'s' * (indent > 1)}.)\n"
    if patch.margin.has_returns:
        text += "(Stripping trailing CRs from patch; use --binary to disable.)\n"
    return text


def leading_text_message(patch: FilePatch) -> str:
    """Return the text before a patch, for a message."""
    text = "".join(f"|{line}" for line in patch.leading_lines)
    return (
        f"The text leading up to this was:\n{LEADING_TEXT_RULE}\n{text}{LEADING_TEXT_RULE}\n"
        if text
        else ""
    )


def not_found_message(patch: FilePatch, rules: PatchOptions) -> str:
    """Return the message that the file to patch was not found, with GNU's unanswered questions."""
    what = "used the wrong" if rules.strip >= 0 else "should have used the"
    where = f" at input line {patch.line_number}" if patch.line_number else ""
    cannot_ask = rules.is_batch or rules.is_forced
    questions = "" if cannot_ask else "File to patch: \nSkip this patch? [y] \n"
    hint = f"Perhaps you {what} -p or --strip option?\n" if patch.names else ""
    message = f"can't find file to patch{where}\n{hint}"
    skip_message = "No file to patch.  Skipping patch.\n" if cannot_ask else "Skipping patch.\n"
    if rules.is_silent:
        message, skip_message = "", skip_message if cannot_ask else ""
    leading = leading_text_message(patch)
    return f"{message}{leading}{questions}{skip_message}{ignored_message(patch, rules)}"


def ignored_message(patch: FilePatch, rules: PatchOptions) -> str:
    """Return the message that all hunks are ignored."""
    count = len(patch.hunks)
    summary = f"{count} out of {count} {hunk_noun(count)} ignored\n" if count else ""
    return ignored_hunk_lines(patch, rules) + summary


def ignored_hunk_lines(patch: FilePatch, rules: PatchOptions) -> str:
    """Return a line for each ignored hunk, with --verbose."""
    if not rules.is_verbose:
        return ""
    return "".join(
        f"Hunk #{number} ignored at {hunk.old_start}.\n"
        for number, hunk in enumerate(patch.hunks, 1)
    )


def hunk_noun(count: int) -> str:
    """Return "hunk" or "hunks"."""
    return "hunk" if count == 1 else "hunks"
