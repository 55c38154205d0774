"""tac - print lines in reverse order."""

from __future__ import annotations

from keysh.schema.declare import command
from keysh.text.regex.parse.emacs import extended_from_emacs
from keysh.tools.tac.backward_search import matches_backward

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from keysh.interp.state.call import Call
    from keysh.schema.types import Path
    from keysh.text.regex.regex import Regex

PART_CHARACTERS = 65536  # reversed at once


@command(compatible="GNU coreutils 9.1")
def tac(
    sh: Call,
    *files: Path,
    before: bool = False,
    regex: bool = False,
    separator: str = "\n",
) -> Iterator[str]:
    """Print the lines of each file in reverse order.

    files ...             files to read, - for standard input
    -b, --before          the separator precedes each record
    -r, --regex           the separator is an Emacs-style regular expression
    -s, --separator TEXT  use TEXT as the separator instead of newline
    """
    mark = separator or "\0"
    pattern = separator_pattern(sh, separator) if regex else None
    for source in sh.inputs(
        files, "failed to open {quoted} for reading: {why}", reading="{name}: read error: {why}"
    ):
        if pattern is not None:
            yield from records_by_pattern(sh, source.whole_text(), pattern, before=before)
            continue
        for part in reversed_parts(source.whole_text(), mark, before=before):
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
    """Compile the separator of -r."""
    if not text:
        raise sh.fail("separator cannot be empty")
    from keysh.text.regex.regex import RegexError, regex_of  # noqa: PLC0415 - only for -r

    has_anchors = "$" in text or "^" in text.replace("[^", "[")
    try:
        return regex_of(extended_from_emacs(text), multiline=has_anchors)
    except RegexError as error:
        raise sh.fail(error.message) from None


def records_by_pattern(sh: Call, text: str, regex: Regex, *, before: bool) -> Iterator[str]:
    """Yield the records between the matches, last first, each with its separator."""
    end = len(text)
    is_last = True
    for start, match_end in matches_backward(text, regex, sh.tick):
        cut = start if before else match_end
        if before or not is_last or cut != end:
            yield text[cut:end]
        end, is_last = cut, False
    yield text[:end]


def reversed_parts(text: str, mark: str, *, before: bool) -> Iterator[str]:
    """Yield parts of the text that hold whole records, last first."""
    if len(mark) > 1:  # of overlapping separators the last one counts
        yield text
        return
    end = len(text)
    while end:
        position = text.rfind(mark, 0, max(end - PART_CHARACTERS, 0))
        start = max(position, 0) if before else position + 1
        yield text[start:end]
        end = start
