"""tree - directories drawn as a tree."""

from __future__ import annotations

from keysh.interp.state.call import os_error_text
from keysh.schema.declare import command
from keysh.text.chunks import bytes_of_text
from keysh.text.gnu_quoting import message_name
from keysh.text.ls_colors import BadColors
from keysh.tools.ls.colors import FileColors
from keysh.tools.tree.drawing import TreeDrawing
from keysh.tools.tree.facts import NodeFacts
from keysh.tools.tree.git_ignore import GitIgnore
from keysh.tools.tree.selection import SORT_KEYS, TreeSelection
from keysh.values import json_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from keysh.interp.state.call import Call
    from keysh.schema.types import Path, Pattern

# What tree's own table says of kinds where the environment has no colors.
DEFAULT_COLORS = {
    "rs": "0", "fi": "00", "di": "01;34", "ln": "01;36", "pi": "40;33", "so": "01;35",
    "bd": "40;33;01", "cd": "40;33;01", "or": "40;31;01", "ex": "01;32",
}  # fmt: skip


@command
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
    no_color: bool = False,
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
    """Draw directories and what is in them as a tree.

    folders ...               the directories; the current one where none are given
    -a, --all                 names that begin with a dot too
    -A, --ansi                lines as terminals draw them that have no UTF-8
    -c, --by-change           in the order of the last change of mode or name, which -D shows
    --charset NAME            lines of ASCII characters, unless it is utf-8
    -S, --cp437               lines as the IBM PC has them
    -C, --color               names in the colors of TREE_COLORS or LS_COLORS
    -D, --date                the time of each file
    --device                  the number of each device
    -d, --directories         only directories
    --dirsfirst               directories before files
    -J, --document            all of it as one JSON document
    --du                      the size of all that is drawn in each directory
    --fflinks                 with --fromfile, ` -> ` stands before where a link leads to
    --filelimit NUMBER        do not open directories with more entries
    --filesfirst              files before directories
    --fromfile                draw the paths that each of the files names, or standard input
    -f, --full                whole paths
    -F, --classify            a sign behind names: / * | =
    --gitfile FILE            leave out what this file names, too, and what git ignores
    --gitignore               leave out what git ignores
    -g, --group               the group of each file
    -h, --human-readable      sizes as 4.0K
    --si                      the same in powers of 1000
    -i, --no-indent           no lines and no indentation
    -I, --ignore PATTERN      leave out names that match; `a|b` are two patterns
    --ignore-case             patterns match letters of either case
    --inodes                  each file's number
    --json                    rows as JSON lines: path, name, type, depth, size, mode, target
    -L, --level DEPTH         no deeper than this
    -l, --follow              links to directories are drawn as directories
    --matchdirs               -P also keeps directories, with all in them
    --metafirst               what is told of a file before the lines
    -n, --no-color            ignored: there are no colors without -C
    -N, --literal             names as they are
    --no-report, --noreport   no count at the end
    -o, --output FILE         write to this file
    -p, --mode                each mode in letters
    -P, --pattern PATTERN     only files whose names match, and directories
    --prune                   no directories without files
    -q, --hide-control-chars  ? for characters that are not printed
    -Q, --quote               names in double quotes
    -r, --reverse             in the other order
    -s, --size                each size in bytes
    --sort NAME               in the order of name, version, size, mtime, ctime
    -t, --by-time             in the order of times
    --timefmt FORMAT          the form of times, as date has it
    -u, --user                the owner of each file
    -U, --unsorted            in no order
    -v, --by-version          in the order of versions: a2 before a10
    -x, --one-file-system     leave out directories of other file systems
    -X, --xml                 all of it as one XML document
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
    """The colors that the environment tells; where it cannot be read, none."""
    text = sh.env.get("TREE_COLORS") or sh.env.get("LS_COLORS")
    if "TERM" not in sh.env:
        return None
    try:
        return FileColors(text or "", {"rs": "0"} if text else DEFAULT_COLORS, is_exact=True)
    except BadColors:
        return None
