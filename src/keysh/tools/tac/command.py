"""tac - lines in the reverse order."""

from __future__ import annotations

from keysh.schema.declare import command
from keysh.text.regex.parse.emacs import extended_from_emacs
from keysh.tools.tac.backward import matches_backward

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from keysh.interp.state.call import Call
    from keysh.schema.types import Path
    from keysh.text.regex.regex import Regex

PART_CHARACTERS = 65536  # characters that are turned round at once


@command
def tac(
    sh: Call,
    *files: Path,
    before: bool = False,
    regex: bool = False,
    separator: str = "\n",
) -> Iterator[str]:
    """Print the lines of each file, the last first.

    files ...                files to read, - for standard input
    -b, --before             the separator stands before what it separates
    -r, --regex              the separator is a regular expression, of Emacs's kind
    -s, --separator TEXT     what separates, instead of a newline
    """
    mark = separator or "\0"
    pattern = separator_pattern(sh, separator) if regex else None
    for source in sh.inputs(
        files, "failed to open {quoted} for reading: {why}", reading="{name}: read error: {why}"
    ):
        if pattern is not None:
            yield from records_by_pattern(sh, source.read(), pattern, before=before)
            continue
        for part in reversed_parts(source.read(), mark, before=before):
            sh.tick()
            if before:
                first, *records = part.rsplit(mark)
                records.append("")
                records.reverse()
                yield mark.join(records) + first
            else:
                *records, last = part.rsplit(mark)
                records.reverse()
                records.append("")
                yield last + mark.join(records)


def separator_pattern(sh: Call, text: str) -> Regex:
    """The pattern of a separator."""
    if not text:
        raise sh.fail("separator cannot be empty")
    from keysh.text.regex.regex import RegexError, regex_of  # noqa: PLC0415 - few calls ask for a pattern

    has_anchors = "$" in text or "^" in text.replace("[^", "[")
    try:
        return regex_of(extended_from_emacs(text), multiline=has_anchors)
    except RegexError as error:
        raise sh.fail(error.message) from None


def records_by_pattern(sh: Call, text: str, regex: Regex, *, before: bool) -> Iterator[str]:
    """What stands between the matches, the last first, each with the match before or behind it."""
    end = len(text)
    is_last = True
    for start, behind in matches_backward(text, regex, sh.tick):
        at = start if before else behind
        if before or not is_last or at != end:
            yield text[at:end]
        end, is_last = at, False
    yield text[:end]


def reversed_parts(text: str, mark: str, *, before: bool) -> Iterator[str]:
    """A text in parts of whole records with their separators, the last part first."""
    if len(mark) > 1:  # where two separators overlap, the one counts that is found from the end
        yield text
        return
    end = len(text)
    while end:
        at = text.rfind(mark, 0, max(end - PART_CHARACTERS, 0))
        start = max(at, 0) if before else at + 1
        yield text[start:end]
        end = start
