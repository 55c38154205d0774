"""tar - archives of files."""

from __future__ import annotations

from keysh.gnu.options import ordered_words
from keysh.schema.arguments import expanded_texts
from keysh.schema.declare import OptionStyle, OutputStyle, Refusals, command, command_of
from keysh.schema.render import help_text
from keysh.tools.tar.create import Creator
from keysh.tools.tar.edit import ArchiveEditor
from keysh.tools.tar.extract import Extractor
from keysh.tools.tar.names import FATAL_STATUS
from keysh.tools.tar.settings import MODES, dashed_words, settings_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Generator

    from keysh.interp.state.call import Call
    from keysh.schema.types import Path, Pattern, Raw

USAGE_STATUS = 64  # as GNU tar has it for options it does not know


@command(
    output=OutputStyle(write_error=(2, "write error: {}"), lines=True),
    refusals=Refusals(
        usage_status=USAGE_STATUS,
        usage_hint="Try '{0} --help' or '{0} --usage' for more information.",
    ),
    style=OptionStyle(binds_by_key=False),
)
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
    lzma: bool = False,
    zstd: bool = False,
    lzip: bool = False,
    lzop: bool = False,
    compress: bool = False,
    auto_compress: bool = False,
    use_compress_program: str | None = None,
    format: str = "gnu",
    old_archive: bool = False,
    posix: bool = False,
    blocking_factor: str = "20",
    record_size: str = "10240",
    read_full_records: bool = False,
    ignore_zeros: bool = False,
    totals: bool = False,
    seek: bool = False,
    force_local: bool = False,
    directory: list[Path] | None = None,
    to_stdout: bool = False,
    to_command: str | None = None,
    keep_old_files: bool = False,
    skip_old_files: bool = False,
    keep_newer_files: bool = False,
    keep_directory_symlink: bool = False,
    overwrite: bool = False,
    overwrite_dir: bool = True,
    delay_directory_restore: bool = False,
    unlink_first: bool = False,
    remove_files: bool = False,
    preserve_permissions: bool = False,
    no_same_permissions: bool = False,
    same_owner: bool = True,
    touch: bool = False,
    exclude: list[Pattern] | None = None,
    exclude_from: list[Path] | None = None,
    exclude_vcs: bool = False,
    exclude_backups: bool = False,
    exclude_caches: bool = False,
    exclude_caches_under: bool = False,
    exclude_caches_all: bool = False,
    exclude_tag: list[str] | None = None,
    exclude_tag_under: list[str] | None = None,
    exclude_tag_all: list[str] | None = None,
    after_date: str | None = None,
    newer_mtime: str | None = None,
    one_file_system: bool = False,
    strip_components: str = "0",
    transform: list[str] | None = None,
    show_transformed_names: bool = False,
    one_top_level: Path | bool = False,
    files_from: list[Path] | None = None,
    null: bool = False,
    verbatim_files_from: bool = False,
    unquote: bool = True,
    add_file: list[Path] | None = None,
    wildcards: bool = False,
    wildcards_match_slash: bool = True,
    anchored: bool = False,
    ignore_case: bool = False,
    absolute_names: bool = False,
    dereference: bool = False,
    hard_dereference: bool = False,
    check_links: bool = False,
    ignore_failed_read: bool = False,
    sparse: bool = False,
    atime_preserve: str | bool = False,
    acls: bool = False,
    selinux: bool = False,
    xattrs: bool = False,
    warning: list[str] | None = None,
    recursion: bool = True,
    sort: str = "name",
    owner: str | None = None,
    group: str | None = None,
    mode: str | None = None,
    mtime: str | None = None,
    clamp_mtime: bool = False,
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
    --lzma                      packed in the format before that of xz
    --zstd                      refused, as are --lzip, --lzop and -Z
    --lzip                      refused
    --lzop                      refused
    -Z, --compress, --uncompress  refused
    -a, --auto-compress         packed as the end of the archive's name says
    -I, --use-compress-program PROGRAM  packed by gzip, bzip2, xz or what is like one; a level may
                                follow: -I 'gzip -9'
    -H, --format FORM           the form of new headers: gnu, oldgnu, ustar, v7, pax or posix
    --old-archive, --portability  the form v7
    --posix                     the form pax
    -b, --blocking-factor COUNT  fill the archive up to a multiple of so many 512 bytes
    --record-size SIZE          the same, in bytes
    -B, --read-full-records     ignored
    -i, --ignore-zeros          empty blocks do not end the archive
    --totals                    tell how many bytes the archive has
    -n, --seek                  ignored
    --force-local               ignored: names are those of files here
    -C, --directory FOLDER      change to this directory for the words behind
    -O, --to-stdout             print what members hold
    --to-command COMMAND        refused
    -k, --keep-old-files        leave files that are there, which is a failure
    --skip-old-files            leave files that are there
    --keep-newer-files          leave files that are newer than their members
    --keep-directory-symlink    a link to a directory serves as the directory
    --overwrite                 ignored: files that are there are replaced
    --no-overwrite-dir          directories that are there keep modes and times
    --delay-directory-restore   ignored: directories get modes and times at the end
    -U, --unlink-first          ignored: files that are there are removed first
    --remove-files              remove files when they are in the archive
    -p, --preserve-permissions, --same-permissions  modes as they are, not less the umask
    --no-same-permissions       modes less the umask, the default
    -o, --no-same-owner         ignored: files belong to who takes them out
    -m, --touch                 files are as new as the time they are taken out
    --exclude PATTERN           leave out what matches
    -X, --exclude-from FILE     leave out what matches a pattern of this file
    --exclude-vcs               leave out what systems of version control keep
    --exclude-backups           leave out copies that editors have made
    --exclude-caches            leave out what is beside a CACHEDIR.TAG
    --exclude-caches-under      leave out what is in a directory with one
    --exclude-caches-all        leave out a directory with one
    --exclude-tag NAME          leave out what is beside a file of this name
    --exclude-tag-under NAME    leave out what is in a directory with one
    --exclude-tag-all NAME      leave out a directory with one
    -N, --after-date, --newer DATE  leave out files that have not changed since; a date that begins
                                with / or . is a file with it
    --newer-mtime DATE          the same, but the time of a file's bytes alone counts
    --one-file-system           leave out what is on other devices
    --strip-components COUNT    leave so many steps of each name away
    --transform, --xform EXPRESSION  change names as sed's s/RE/TEXT/FLAGS does; a flag R, S or H
                                leaves out members, targets of links or of hard links
    --show-transformed-names, --show-stored-names  print names as they are changed
    --one-top-level[=FOLDER]    take members out below this, by itself called like the archive
    -T, --files-from FILE       the names in this file, one a line; -C may stand between them
    --null                      the names of -T end with NUL
    --verbatim-files-from       a dash in front of a name of -T means nothing
    --no-unquote                a backslash in a name means nothing
    --add-file FILE             one more name, whatever it begins with
    --wildcards                 members are told by patterns
    --no-wildcards-match-slash  * and its like do not match slashes
    --anchored                  patterns match from a name's begin only; members are told so by
                                themselves, what is left out is not
    --ignore-case               patterns and names match in any case
    -P, --absolute-names        names as they are, also if they lead out of the directory
    -h, --dereference           put in what links lead to
    --hard-dereference          put in files with several names each time
    -l, --check-links           tell of files that have more names than are put in
    --ignore-failed-read        what cannot be read is no failure
    -S, --sparse                ignored: files are put in whole
    --atime-preserve[=HOW]      ignored
    --acls                      ignored, as are --selinux and --xattrs
    --selinux                   ignored
    --xattrs                    ignored
    --warning WORD              ignored
    --no-recursion              directories without what is in them
    --sort WORD                 ignored: directories are read in the order of names
    --owner NAME                the owner of the members: NAME, NAME:NUMBER or NUMBER
    --group NAME                their group
    --mode CHANGES              their permissions, as chmod takes them
    --mtime DATE                their time; a date that begins with / or . is a file with it
    --clamp-mtime               --mtime is for files that are newer
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
    given = expanded_texts(words)
    modes = {*MODES, "--"}
    if given and not modes & {name for name, _ in sh.given} and not given[0].startswith("-"):
        given = dashed_words(declared, given)
    turns = [*ordered_words(sh, declared, given)]
    if ("help", True) in turns:
        yield help_text(declared)
        return 0
    settings = settings_of(sh, turns)
    yield from RUNNERS[settings.mode](sh, settings).run()
    if sh.status == FATAL_STATUS:
        sh.note("Exiting with failure status due to previous errors")
    return 0


RUNNERS: dict[str, type[Creator] | type[Extractor] | type[ArchiveEditor]] = {
    "c": Creator, "r": Creator, "u": Creator, "x": Extractor, "t": Extractor, "d": Extractor,
    "D": ArchiveEditor, "A": ArchiveEditor,
}  # fmt: skip
