"""tar - archives of files."""

from __future__ import annotations

from keysh.commands.tar.create import Creator
from keysh.commands.tar.edit import Editor
from keysh.commands.tar.extract import Extractor
from keysh.commands.tar.settings import FATAL, MODES, old_style, settings_of
from keysh.runtime.turns import in_turn, texts
from keysh.schema.declare import command, command_of
from keysh.schema.render import help_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Generator
    from typing import Literal

    from keysh.runtime.call import Call
    from keysh.schema.types import Path, Pattern, Raw

USAGE = 64  # as GNU tar has it for options it does not know


@command(usage=USAGE, lines=True, names=False)
def tar(
    sh: Call,
    *words: Raw,
    create: bool = False,
    extract: bool = False,
    list: bool = False,
    append: bool = False,
    update: bool = False,
    compare: bool = False,
    delete: bool = False,
    concatenate: bool = False,
    file: Path = "-",
    verbose: bool = False,
    gzip: bool = False,
    bzip2: bool = False,
    xz: bool = False,
    auto_compress: bool = False,
    use_compress_program: str | None = None,
    format: Literal["gnu", "oldgnu", "ustar", "v7", "pax", "posix"] = "gnu",
    blocking_factor: int = 20,
    directory: list[Path] | None = None,
    to_stdout: bool = False,
    keep_old_files: bool = False,
    skip_old_files: bool = False,
    keep_newer_files: bool = False,
    overwrite: bool = False,
    unlink_first: bool = False,
    remove_files: bool = False,
    preserve_permissions: bool = False,
    no_same_permissions: bool = False,
    same_owner: bool = True,
    touch: bool = False,
    exclude: list[Pattern] | None = None,
    exclude_from: list[Path] | None = None,
    strip_components: int = 0,
    transform: list[str] | None = None,
    show_transformed_names: bool = False,
    one_top_level: Path | bool = False,
    files_from: list[Path] | None = None,
    null: bool = False,
    wildcards: bool = False,
    absolute_names: bool = False,
    dereference: bool = False,
    recursion: bool = True,
    sort: Literal["name", "none"] = "name",
    owner: str | None = None,
    group: str | None = None,
    mode: str | None = None,
    mtime: str | None = None,
    numeric_owner: bool = False,
    full_time: bool = False,
    utc: bool = False,
    interactive: bool = False,
    incremental: bool = False,
    listed_incremental: str | None = None,
    json: bool = False,
) -> Generator[object, None, int]:
    """Put files into an archive, list what is in one, or take it out.

    words ...                   files to put in, or members to list or take out: all by default. A
                                first word without a dash is options: tar xf a.tar
    -c, --create                make an archive of these files
    -x, --extract, --get        take members out
    -t, --list                  list members
    -r, --append                put files behind the last member
    -u, --update                put files in that are newer than their members
    -d, --compare, --diff       tell how files differ from the members of their names
    --delete                    take members out of the archive's file
    -A, --concatenate, --catenate  put the members of other archives behind those of this one
    -f, --file ARCHIVE          the archive; without it, and for -, standard input or output
    -v, --verbose               list the members that are dealt with; with -t, or given twice, with
                                mode, owner, size and time
    -z, --gzip, --gunzip, --ungzip  packed by gzip; reading a file, this is seen by itself
    -j, --bzip2                 packed by bzip2
    -J, --xz                    packed by xz
    -a, --auto-compress         packed as the end of the archive's name says
    -I, --use-compress-program PROGRAM  packed by gzip, bzip2 or xz
    -H, --format FORM           the form of new headers: gnu, oldgnu, ustar, v7, pax or posix
    -b, --blocking-factor COUNT  fill the archive up to a multiple of so many 512 bytes
    -C, --directory FOLDER      change to this directory for the words behind
    -O, --to-stdout             print what members hold
    -k, --keep-old-files        leave files that are there, which is a failure
    --skip-old-files            leave files that are there
    --keep-newer-files          leave files that are newer than their members
    --overwrite                 ignored: files that are there are replaced
    -U, --unlink-first          ignored: files that are there are removed first
    --remove-files              remove files when they are in the archive
    -p, --preserve-permissions, --same-permissions  modes as they are, not less the umask
    --no-same-permissions       modes less the umask, the default
    -o, --no-same-owner         ignored: files belong to who takes them out
    -m, --touch                 files are as new as the time they are taken out
    --exclude PATTERN           leave out what matches
    -X, --exclude-from FILE     leave out what matches a pattern of this file
    --strip-components COUNT    leave so many steps of each name away
    --transform, --xform EXPRESSION  change names as sed's s/RE/TEXT/FLAGS does; a flag R, S or H
                                leaves out members, targets of links or of hard links
    --show-transformed-names    print names as they are changed
    --one-top-level[=FOLDER]    take members out below this, by itself called like the archive
    -T, --files-from FILE       the names in this file, one a line
    --null                      the names of -T end with NUL
    --wildcards                 members are told by patterns, in which * matches slashes too
    -P, --absolute-names        names as they are, also if they lead out of the directory
    -h, --dereference           put in what links lead to
    --no-recursion              directories without what is in them
    --sort WORD                 ignored: directories are read in the order of names
    --owner NAME                the owner of the members: NAME, NAME:NUMBER or NUMBER
    --group NAME                their group
    --mode CHANGES              their permissions, as chmod takes them
    --mtime DATE                their time
    --numeric-owner             numbers for owners and groups, not names
    --full-time                 with -tv, seconds too
    --utc                       with -tv, times in UTC
    -w, --interactive           refused: nobody can be asked
    -G, --incremental           refused: incremental archives are not made
    -g, --listed-incremental FILE  refused
    --json                      with -t, rows as JSON lines: name, type, size, mode, owner, group,
                                modified, target

    Devices, pipes and sparse files are not taken out.
    """
    declared = command_of(tar)
    given = texts(words)
    modes = {*MODES, "--"}
    if given and not modes & {name for name, _ in sh.given} and not given[0].startswith("-"):
        given = old_style(declared, given)
    turns = [*in_turn(sh, declared, given)]
    if ("help", True) in turns:
        yield help_text(declared)
        return 0
    settings = settings_of(sh, turns)
    yield from RUNS[settings.mode](sh, settings).run()
    if sh.status == FATAL:
        sh.err.write(f"{sh.name}: Exiting with failure status due to previous errors\n")
    return 0


RUNS: dict[str, type[Creator] | type[Extractor] | type[Editor]] = {
    "c": Creator, "r": Creator, "u": Creator, "x": Extractor, "t": Extractor, "d": Extractor,
    "D": Editor, "A": Editor,
}  # fmt: skip
