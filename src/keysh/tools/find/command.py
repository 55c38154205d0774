"""find: search directories for files."""

from __future__ import annotations

from keysh.gnu.input_files import read_name_list
from keysh.schema.arguments import expanded_texts, raw_texts
from keysh.schema.declare import OutputStyle, command
from keysh.text.gnu_quoting import quoted_name
from keysh.text.shell_numbers import is_digits
from keysh.tools.find.expression import FindParser
from keysh.tools.find.search import FindRun

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from keysh.interp.state.call import Call
    from keysh.schema.types import Raw

LEADING_OPTIONS = ("-H", "-L", "-P", "--json", "-D")
DEBUG_FLAGS = ("exec", "opt", "rates", "search", "stat", "time", "tree", "all", "help")


@command(
    compatible="GNU findutils 4.9.0",
    output=OutputStyle(lines=True, write_error=(1, "'standard output': {}\nfind: write error")),
)
def find(sh: Call, *words: Raw) -> int:
    """Search directories and print the files for which an expression is true.

    words ...  -H -L -P (follow links: operands, all, none), paths, the expression

    With --json anywhere among the words, -print prints rows: path, name, type,
    size, mode, links, owner, group, modified, inode, target.

    Tests: -name -iname -path -ipath -lname -regex -iregex (after -regextype) -type
    -xtype -size -empty -perm -links -inum -samefile -user -group -uid -gid -nouser
    -nogroup -readable -writable -executable -fstype; -mtime -atime -ctime -mmin
    -amin -cmin -used (from midnight after -daystart); -newer -anewer -cnewer
    -newerXY (Y may be t, for a date); -true -false.

    Actions: -print -print0 -printf -ls, and -fprint -fprint0 -fprintf -fls to write
    to a file; -exec COMMAND ; -exec COMMAND {} + -execdir -ok -okdir; -delete
    -prune -quit.

    Operators: ( ) ! -not -a -and -o -or and the comma.

    Options: -maxdepth -mindepth -depth -xdev -follow -files0-from; -warn warns
    about questionable expressions, -nowarn does not. -O, -D and -noleaf have no
    effect.

    Directories are searched in the order of their names.
    """
    texts, position = raw_texts(words), 0
    search = FindRun(sh)
    while position < len(texts) and (
        texts[position] in LEADING_OPTIONS or texts[position].startswith("-O")
    ):
        if texts[position] == "-D":
            position += 1
            check_debug_flags(search, texts[position : position + 1])
        else:
            apply_leading_option(search, texts[position])
        position += 1
    position += texts[position : position + 1] == ["--"]
    start = position
    while position < len(texts) and not is_expression_start(texts[position]):
        position += 1
    try:
        expression = FindParser(search, words, texts, position)
        predicate = expression.parse()
        search.walk(
            starting_points(
                search, expanded_texts(words[start:position]), asks=expression.has_prompt
            ),
            predicate,
        )
        if search.prints_rows:
            sh.out.end_rows()
    finally:
        search.output.close()
    return max(search.status, sh.status)


def apply_leading_option(search: FindRun, option: str) -> None:
    """Apply an option before the paths."""
    if option == "--json":
        search.prints_rows = True
    elif option[1] != "O":
        search.follow = option[1]
    elif not option[2:]:
        raise search.sh.fail("The -O option must be immediately followed by a decimal integer")
    elif not is_digits(option[2:]):
        raise search.sh.fail("Please specify a decimal number immediately after -O")


def check_debug_flags(search: FindRun, arguments: list[str]) -> None:
    """Check the flags of -D, which have no effect."""
    if not arguments or not arguments[0]:
        message = "Empty argument to" if arguments else "Missing argument after"
        raise search.sh.fail(f"{message} the -D option.\nTry 'find --help' for more information.")
    flags = arguments[0].split(",")
    for flag in flags:
        if flag not in DEBUG_FLAGS:
            # GNU find reports the first flag for each unknown one.
            search.sh.complain(f"find: Ignoring unrecognised debug flag {quoted_name(flags[0])}")


def starting_points(search: FindRun, paths: list[str], *, asks: bool) -> Iterable[str]:
    """Return the paths to start from, or those in the file of -files0-from."""
    if search.start_list is None:
        return paths or ["."]
    if paths:
        search.sh.warn(f"extra operand {quoted_name(paths[0])}")
        raise search.sh.fail("file operands cannot be combined with -files0-from")
    if search.start_list == "-" and asks:
        message = (
            "option -files0-from reading from standard input cannot be combined with -ok, -okdir"
        )
        raise search.sh.fail(f"{message}\n")
    return read_name_list(search.sh, search.start_list)


def is_expression_start(text: str) -> bool:
    """Whether a word starts the expression."""
    return text in ("(", "!") or (text[:1] == "-" and len(text) > 1)
