"""ls: list files and the contents of directories."""

from __future__ import annotations

from keysh.schema.declare import OptionStyle, OutputStyle, Refusals, command
from keysh.schema.number_types import Natural
from keysh.tools.ls.listing import LsListing
from keysh.tools.ls.settings import ls_options

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from keysh.interp.state.call import Call
    from keysh.schema.types import Path, Pattern


@command(
    compatible="GNU coreutils 9.1",
    output=OutputStyle(lines=True, write_error=(2, "write error: {}")),
    refusals=Refusals(
        usage_status=2,
        invalid_values={"width": "invalid line width: '{}'", "tabsize": "invalid tab size: '{}'"},
    ),
    style=OptionStyle(
        unabbreviated=(
            "by-change columns unsorted-all indicate owner-only long commas group-only slash "
            "by-size by-time by-access unsorted by-version across by-extension one"
        )
    ),
)
def ls(
    sh: Call, *files: Path, all: bool = False, almost_all: bool = False, author: bool = False,
    escape: bool = False, block_size: str | None = None, ignore_backups: bool = False,
    by_change: bool = False, columns: bool = False, color: str | bool = False,
    context: bool = False, directory: bool = False, dired: bool = False,
    unsorted_all: bool = False, indicate: bool = False,
    classify: str | bool = False, file_type: bool = False, format: str | None = None,
    full_time: bool = False, owner_only: bool = False, group_directories_first: bool = False,
    no_group: bool = False, human_readable: bool = False, si: bool = False,
    hyperlink: str | bool = False,
    dereference_command_line: bool = False, dereference_command_line_symlink_to_dir: bool = False,
    hide: list[Pattern] | None = None, ignore: list[Pattern] | None = None,
    indicator_style: str | None = None, inode: bool = False, json: bool = False,
    kibibytes: bool = False, long: bool = False, dereference: bool = False, commas: bool = False,
    numeric_uid_gid: bool = False, literal: bool = False, group_only: bool = False,
    slash: bool = False, hide_control_chars: bool = False, show_control_chars: bool = False,
    quote_name: bool = False, quoting_style: str | None = None, reverse: bool = False,
    recursive: bool = False, size: bool = False, by_size: bool = False, sort: str | None = None,
    by_time: bool = False, time: str | None = None, time_style: str | None = None,
    tabsize: Natural = 8, by_access: bool = False, unsorted: bool = False, by_version: bool = False,
    width: Natural = -1, across: bool = False, by_extension: bool = False, one: bool = False,
    zero: bool = False,
) -> Iterator[str | dict[str, object]] | None:  # fmt: skip
    """List files and the contents of directories.

    files ...                       the files (default: the current directory)
    -a, --all                       include names that start with .
    -A, --almost-all                the same, except . and ..
    --author                        with -l, print the author, which is the owner
    -b, --escape                    print C-style escapes for unprintable characters
    --block-size SIZE               scale sizes by SIZE: 1, K, 1M, KB,
                                    human-readable, si
    -B, --ignore-backups            omit names that end with ~
    -c, --by-change                 use the time of the last status change
    -C, --columns                   list in columns
    --color[=WHEN]                  color names by LS_COLORS: always, never, auto;
                                    always if WHEN is missing, auto by default
    -d, --directory                 list directories themselves, not their contents
    -D, --dired                     with -l, print where the names are, for Emacs
    -f, --unsorted-all              list all entries unsorted, without -l -s --color
    -F, --indicate                  append an indicator to names: / * @ | =
    --classify[=WHEN]               the same: always, never, auto
    --file-type                     the same, except *
    --format WORD                   across, commas, long, single-column, verbose,
                                    vertical
    --full-time                     like -l with full times
    -g, --owner-only                like -l without the owner
    --group-directories-first       list directories before files
    -G, --no-group                  with -l, omit the group
    -h, --human-readable            with -l and -s, print sizes such as 4.0K
    --si                            the same in powers of 1000
    -H, --dereference-command-line  follow symbolic links among the operands
    --dereference-command-line-symlink-to-dir
                                    the same, for links to directories
    --hide PATTERN                  omit matching names, unless -a or -A is given
    -I, --ignore PATTERN            omit matching names
    --hyperlink[=WHEN]              link names to their files: always, never, auto
    --indicator-style WORD          none, slash (-p), file-type, classify (-F)
    -i, --inode                     print the inode number of each file
    --json                          print rows: name, type, size, mode, links,
                                    owner, group, modified, inode, target
    -k, --kibibytes                 with -s, print blocks of 1024 bytes (default)
    -l, --long                      also list mode, links, owner, group, size, time
    -L, --dereference               follow symbolic links
    -m, --commas                    list names separated by commas
    -n, --numeric-uid-gid           like -l with numeric owner and group
    -N, --literal                   print names as they are (the default)
    -o, --group-only                like -l without the group
    -p, --slash                     append / to directories
    -q, --hide-control-chars        print ? for unprintable characters
    --show-control-chars            print unprintable characters as they are
    -Q, --quote-name                enclose names in double quotes
    --quoting-style WORD            literal, shell, shell-always, shell-escape,
                                    shell-escape-always, c, escape, locale, clocale
    -r, --reverse                   reverse the order
    -R, --recursive                 list subdirectories recursively
    -s, --size                      print the allocated blocks of each file
    -S, --by-size                   sort by size, largest first
    --sort WORD                     none (-U), size (-S), time (-t), version (-v),
                                    extension (-X), width
    -t, --by-time                   sort by time, newest first
    --time WORD                     atime, access, use (-u), ctime, status (-c)
    --time-style STYLE              full-iso, long-iso, iso, locale, +FORMAT
    -T, --tabsize COLS              tab stops every COLS columns; 0 for no tabs
    -u, --by-access                 use the time of the last access
    -U, --unsorted                  do not sort
    -v, --by-version                sort by version number: a2 before a10
    -w, --width COLS                set the line width; 0 for no limit
    -x, --across                    list in columns, sorted across
    -X, --by-extension              sort by extension
    -1, --one                       list one file per line
    -Z, --context                   print security contexts, which are unknown: ?
    --zero                          end each line with NUL, not with a newline
    """
    return LsListing(sh, ls_options(sh)).run(files or (".",))
