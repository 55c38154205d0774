"""tree: print directories as a tree."""

from __future__ import annotations

from keysh.interp.state.call import os_error_text
from keysh.schema.declare import command
from keysh.text.chunks import bytes_of_text
from keysh.text.gnu_quoting import message_name
from keysh.text.ls_colors import BadColors
from keysh.tools.ls.colors import FileColors
from keysh.tools.tree.facts import NodeFacts
from keysh.tools.tree.git_ignore import GitIgnore
from keysh.tools.tree.selection import SORT_KEYS, TreeSelection
from keysh.tools.tree.tree_printer import TreeDrawing
from keysh.values import json_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from keysh.interp.state.call import Call
    from keysh.schema.types import Path, Pattern

# The default colors of tree, where the environment sets none.
DEFAULT_COLORS = {
    "rs": "0", "fi": "00", "di": "01;34", "ln": "01;36", "pi": "40;33", "so": "01;35",
    "bd": "40;33;01", "cd": "40;33;01", "or": "40;31;01", "ex": "01;32",
}  # fmt: skip


@command(compatible="tree 2.1.0", ignored="-n, --no-color")
def tree(
    sh: Call,
    *folders: Path,
    all: bool = False,
    ansi: bool = False,
    by_change: bool = False,
    charset: str = "utf-8",
    cp437: bool = False,
    color: bool = False,
    date: bool = False,
    device: bool = False,
    directories: bool = False,
    dirsfirst: bool = False,
    document: bool = False,
    du: bool = False,
    fflinks: bool = False,
    filelimit: int | None = None,
    filesfirst: bool = False,
    fromfile: bool = False,
    full: bool = False,
    classify: bool = False,
    gitfile: list[Path] | None = None,
    gitignore: bool = False,
    group: bool = False,
    human_readable: bool = False,
    si: bool = False,
    no_indent: bool = False,
    ignore: list[Pattern] | None = None,
    ignore_case: bool = False,
    inodes: bool = False,
    json: bool = False,
    level: int | None = None,
    follow: bool = False,
    matchdirs: bool = False,
    metafirst: bool = False,
    literal: bool = False,
    no_report: bool = False,
    output: Path | None = None,
    mode: bool = False,
    pattern: list[Pattern] | None = None,
    prune: bool = False,
    hide_control_chars: bool = False,
    quote: bool = False,
    reverse: bool = False,
    size: bool = False,
    sort: str | None = None,
    by_time: bool = False,
    timefmt: str | None = None,
    user: bool = False,
    unsorted: bool = False,
    by_version: bool = False,
    one_file_system: bool = False,
    xml: bool = False,
) -> Iterator[str | dict[str, object]]:
    """Print directories and their contents as a tree.

    folders ...               the directories (default: the current directory)
    -a, --all                 include names that start with .
    -A, --ansi                draw lines with terminal line graphics
    -c, --by-change           sort by the time of the last status change; with -D,
                              print it
    --charset NAME            draw lines with ASCII characters unless NAME is utf-8
    -S, --cp437               draw lines with IBM PC (code page 437) characters
    -C, --color               color names by TREE_COLORS or LS_COLORS
    -D, --date                print the modification time of each file
    --device                  print the device number of each file
    -d, --directories         list directories only
    --dirsfirst               list directories before files
    -J, --document            print one JSON document
    --du                      print the total size of each directory's contents
    --fflinks                 with --fromfile, read link targets after ` -> `
    --filelimit NUM           do not open directories with more than NUM entries
    --filesfirst              list files before directories
    --fromfile                read paths from the files, or from standard input
    -f, --full                print full paths
    -F, --classify            append an indicator to names: / * | =
    --gitfile FILE            omit what FILE ignores, besides what git ignores
    --gitignore               omit what git ignores
    -g, --group               print the group of each file
    -h, --human-readable      print sizes such as 4.0K
    --si                      the same in powers of 1000
    -i, --no-indent           print no lines and no indentation
    -I, --ignore PATTERN      omit names that match; `a|b` are two patterns
    --ignore-case             ignore case when matching patterns
    --inodes                  print the inode number of each file
    --json                    print rows: path, name, type, depth, size, mode,
                              target
    -L, --level NUM           descend at most NUM levels
    -l, --follow              follow symbolic links to directories
    --matchdirs               let -P keep matching directories with their contents
    --metafirst               print file details before the lines
    -N, --literal             print names as they are
    --no-report, --noreport   omit the counts at the end
    -o, --output FILE         write to FILE
    -p, --mode                print the permissions of each file
    -P, --pattern PATTERN     list only files that match, and directories
    --prune                   omit empty directories
    -q, --hide-control-chars  print ? for unprintable characters
    -Q, --quote               enclose names in double quotes
    -r, --reverse             reverse the order
    -s, --size                print the size of each file in bytes
    --sort NAME               sort by name, version, size, mtime or ctime
    -t, --by-time             sort by modification time
    --timefmt FORMAT          format times as date does
    -u, --user                print the owner of each file
    -U, --unsorted            do not sort
    -v, --by-version          sort by version number: a2 before a10
    -x, --one-file-system     skip directories on other file systems
    -X, --xml                 print one XML document
    """
    if level is not None and level < 1:
        raise sh.fail("Invalid level, must be greater than 0.")
    if sort is not None and sort not in SORT_KEYS:
        valid = ",".join(SORT_KEYS)
        raise sh.fail(f"Sort type '{sort}' not valid, should be one of: {valid}")
    flags = frozenset(name for name, value in sh.given if value is True)
    selection = TreeSelection(sh, flags)
    selection.set_order(sort)
    selection.set_patterns(pattern, ignore)
    selection.max_depth, selection.max_entries = level, filelimit
    if gitignore or gitfile:
        selection.git_ignore = GitIgnore(sh, ignore_case, gitfile or ())
    drawing = TreeDrawing(sh, selection, NodeFacts(sh, flags, timefmt))
    drawing.charset = charset
    drawing.colors = environment_colors(sh) if color else None
    if output is None:
        yield from drawing.run(folders or (".",))
        return
    try:
        with sh.open(output, "w") as stream:
            for piece in drawing.run(folders or (".",)):
                stream.write(
                    bytes_of_text(piece if isinstance(piece, str) else f"{json_of(piece)}\n")
                )
    except OSError as error:
        raise sh.fail(f"{message_name(output)}: {os_error_text(error)}") from None


def environment_colors(sh: Call) -> FileColors | None:
    """Return the colors of the environment; None if they are invalid."""
    text = sh.env.get("TREE_COLORS") or sh.env.get("LS_COLORS")
    if "TERM" not in sh.env:
        return None
    try:
        return FileColors(text or "", {"rs": "0"} if text else DEFAULT_COLORS, is_exact=True)
    except BadColors:
        return None
