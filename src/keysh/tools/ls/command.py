"""ls - list directories and files."""

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
    """List what is in directories, and files, one a line.

    files ...                       what to list; the current directory where none are given
    -a, --all                       names that begin with a dot too
    -A, --almost-all                the same without . and ..
    --author                        with -l, the author, which is the owner
    -b, --escape                    characters that are not printed as escapes
    --block-size SIZE               sizes in such blocks: 1, K, 1M, KB, human-readable, si
    -B, --ignore-backups            leave out names that end with ~
    -c, --by-change                 the time is that of the last change of mode or name
    -C, --columns                   in columns
    --color[=WHEN]                  in the colors of LS_COLORS: always, never, or auto, on a
                                    terminal; alone always, and without it auto
                                    where nothing is said
    -d, --directory                 directories themselves, not what is in them
    -D, --dired                     with -l, where in the output the names stand, for Emacs
    -f, --unsorted-all              all, in no order, without -l, -s and colors
    -F, --indicate                  a sign behind names: / * @ | =
    --classify[=WHEN]               the same: always, never, auto
    --file-type                     the same without *
    --format WORD                   across, commas, long, single-column, verbose, vertical
    --full-time                     -l with the whole time
    -g, --owner-only                -l without the owner
    --group-directories-first       directories before files
    -G, --no-group                  with -l, without the group
    -h, --human-readable            with -l and -s, sizes as 4.0K
    --si                            the same in powers of 1000
    -H, --dereference-command-line  follow links among the operands
    --dereference-command-line-symlink-to-dir  follow those that lead to directories
    --hide PATTERN                  leave out names that match, unless -a or -A
    -I, --ignore PATTERN            leave out names that match
    --hyperlink[=WHEN]              names that lead to their files: always, never, auto
    --indicator-style WORD          none, slash (-p), file-type, classify (-F)
    -i, --inode                     each file's number
    --json                          rows as JSON lines: name, type, size, mode, links, owner,
                                    group, modified, inode, target
    -k, --kibibytes                 -s counts 1024 bytes, which is the default
    -l, --long                      mode, links, owner, group, size and time as well
    -L, --dereference               follow links
    -m, --commas                    with commas between them
    -n, --numeric-uid-gid           -l with the numbers of owner and group
    -N, --literal                   names as they are; the default
    -o, --group-only                -l without the group
    -p, --slash                     a / behind directories
    -q, --hide-control-chars        ? for characters that are not printed
    --show-control-chars            names as they are
    -Q, --quote-name                names in double quotes
    --quoting-style WORD            literal, shell, shell-always, shell-escape,
                                    shell-escape-always, c, escape, locale, clocale
    -r, --reverse                   in the other order
    -R, --recursive                 directories with those in them
    -s, --size                      the blocks that each takes
    -S, --by-size                   in the order of sizes, the largest first
    --sort WORD                     none (-U), size (-S), time (-t), version (-v),
                                    extension (-X), width
    -t, --by-time                   in the order of times, the newest first
    --time WORD                     atime, access, use (-u), ctime, status (-c)
    --time-style WORD               full-iso, long-iso, iso, locale, +FORMAT
    -T, --tabsize COLUMNS           how far tabs jump; 0 for none
    -u, --by-access                 the time is that of the last access
    -U, --unsorted                  in no order
    -v, --by-version                in the order of versions: a2 before a10
    -w, --width COLUMNS             how wide lines are; 0 for no limit
    -x, --across                    in columns, sorted across
    -X, --by-extension              in the order of extensions
    -1, --one                       one a line
    -Z, --context                   each file's security context, of which none is known here: ?
    --zero                          end each line with NUL, not with a newline
    """
    return LsListing(sh, ls_options(sh)).run(files or (".",))
