"""less, more - show files page by page."""

from __future__ import annotations

from keysh.schema.arguments import expanded_texts
from keysh.schema.declare import command
from keysh.text.gnu_quoting import message_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from keysh.interp.state.call import Call
    from keysh.schema.types import Raw

# Options whose value may be the next word.
VALUE_LETTERS = {"less": "bhjkoOpPtTxyz", "more": "n"}
HEADING_RULE = ":" * 14


@command(compatible="less 590")
def less(sh: Call, *words: Raw) -> Iterator[str] | int:
    """Show files page by page; without a terminal, copy them.

    words ...  files to show, standard input by default. Options and commands such
               as -R, -N and +G only matter on a terminal

    On a terminal the machine's less runs, if there is one and the host does not
    restrict which programs may run; otherwise the files are copied there too.
    `more` is the same, and prints a heading above each of several files.
    """
    if sh.width:
        status = sh.run_hidden_program([sh.name, *words])
        if status is not None:
            return status
    return file_chunks(sh, file_operands(expanded_texts(words), VALUE_LETTERS[sh.name]))


def file_operands(words: list[str], value_letters: str) -> list[str]:
    """Return the words that are no options."""
    files: list[str] = []
    position = 0
    while position < len(words):
        word = words[position]
        position += 1
        if word == "--":
            return files + words[position:]
        if word[:1] not in ("-", "+") or word == "-":
            files.append(word)
        elif len(word) == 2 and word[0] == "-" and word[1] in value_letters:
            position += 1
    return files


def file_chunks(sh: Call, files: list[str]) -> Iterator[str]:
    """Yield the text of the files; report those that cannot be read."""
    is_more = sh.name == "more"
    message = "cannot open {name}: {why}" if is_more else "{name}: {why}"
    for name in files or ["-"]:
        if name != "-" and sh.is_directory(name):
            shown = message_name(name)
            yield f"\n*** {shown}: directory ***\n\n" if is_more else f"{shown} is a directory\n"
            continue
        for source in sh.inputs([name], message):
            if is_more and len(files) > 1:
                yield f"{HEADING_RULE}\n{name}\n{HEADING_RULE}\n"
            yield from source.chunks()
