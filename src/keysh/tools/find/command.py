"""find - walk directories and judge what is there."""

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
    output=OutputStyle(lines=True, write_error=(1, "'standard output': {}\nfind: write error"))
)
def find(sh: Call, *words: Raw) -> int:
    """Walk directories and do what an expression says with each file; print its path by default.

    words ...  -H -L -P (links followed: those named, all, none), paths, and the expression

    With --json, anywhere among them, what -print prints are rows as JSON lines: path, name, type,
    size, mode, links, owner, group, modified, inode, target.
    Tests: -name -iname -path -ipath -lname -regex -iregex (-regextype before it) -type -xtype
    -size -empty -perm -links -inum -samefile -user -group -uid -gid -nouser -nogroup -readable
    -writable -executable -fstype; -mtime -atime -ctime -mmin -amin -cmin -used (-daystart before
    it), -newer -anewer -cnewer -newerXY (Y may be t, for a time in words) -true -false.
    Actions: -print -print0 -printf -ls, with f before the name and a file behind it to write to
    that file (-fprint …); -exec … ; -exec … {} + -execdir -ok -okdir -delete -prune
    -quit. Together: ( ) ! -not -a -and -o -or and the comma. Of the whole: -maxdepth -mindepth
    -depth -xdev -follow -files0-from -warn (which tells of what may not be meant) -nowarn;
    -O, -D, -noleaf and their kin change nothing.
    Directories are walked in the order of their names.
    """
    texts, at = raw_texts(words), 0
    search = FindRun(sh)
    while at < len(texts) and (texts[at] in LEADING_OPTIONS or texts[at].startswith("-O")):
        if texts[at] == "-D":
            at += 1
            check_debug_flags(search, texts[at : at + 1])
        else:
            apply_leading_option(search, texts[at])
        at += 1
    at += texts[at : at + 1] == ["--"]
    starts = at
    while at < len(texts) and not is_expression_start(texts[at]):
        at += 1
    try:
        expression = FindParser(search, words, texts, at)
        judge = expression.parse()
        search.walk(
            starting_points(search, expanded_texts(words[starts:at]), asks=expression.has_prompt),
            judge,
        )
        if search.prints_rows:
            sh.out.end_rows()
    finally:
        search.output.close()
    return max(search.status, sh.status)


def apply_leading_option(search: FindRun, option: str) -> None:
    """An option that stands before the paths."""
    if option == "--json":
        search.prints_rows = True
    elif option[1] != "O":
        search.follow = option[1]
    elif not option[2:]:
        raise search.sh.fail("The -O option must be immediately followed by a decimal integer")
    elif not is_digits(option[2:]):
        raise search.sh.fail("Please specify a decimal number immediately after -O")


def check_debug_flags(search: FindRun, given: list[str]) -> None:
    """What -D names; nothing is told of it."""
    if not given or not given[0]:
        says = "Empty argument to" if given else "Missing argument after"
        raise search.sh.fail(f"{says} the -D option.\nTry 'find --help' for more information.")
    flags = given[0].split(",")
    for flag in flags:
        if flag not in DEBUG_FLAGS:
            # GNU's find names the first of them for each.
            search.sh.err.write(f"find: Ignoring unrecognised debug flag {quoted_name(flags[0])}\n")


def starting_points(search: FindRun, paths: list[str], *, asks: bool) -> Iterable[str]:
    """Where the walk begins: the paths, or those that the file of -files0-from names."""
    if search.start_list is None:
        return paths or ["."]
    if paths:
        search.sh.warn(f"extra operand {quoted_name(paths[0])}")
        raise search.sh.fail("file operands cannot be combined with -files0-from")
    if search.start_list == "-" and asks:
        says = "option -files0-from reading from standard input cannot be combined with -ok, -okdir"
        raise search.sh.fail(f"{says}\n")
    return read_name_list(search.sh, search.start_list)


def is_expression_start(text: str) -> bool:
    """Whether a word is no path any more."""
    return text in ("(", "!") or (text[:1] == "-" and len(text) > 1)
