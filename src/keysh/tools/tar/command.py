"""tar - create, list and extract archives of files."""

from __future__ import annotations

from keysh.gnu.option_values import ordered_words
from keysh.schema.arguments import expanded_texts
from keysh.schema.declare import OptionStyle, OutputStyle, Refusals, command, command_of
from keysh.schema.render import help_text
from keysh.tools.tar.create import Creator
from keysh.tools.tar.edit import ArchiveEditor
from keysh.tools.tar.extract import Extractor
from keysh.tools.tar.safe_names import FATAL_STATUS
from keysh.tools.tar.settings import MODES, dashed_words, settings_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Generator

    from keysh.interp.state.call import Call
    from keysh.schema.types import Path, Pattern, Raw

USAGE_STATUS = 64  # GNU tar's status for unknown options


@command(
    compatible="GNU tar 1.34",
    output=OutputStyle(write_error=(2, "write error: {}"), lines=True),
    refusals=Refusals(
        usage_status=USAGE_STATUS,
        usage_hint="Try '{0} --help' or '{0} --usage' for more information.",
    ),
    style=OptionStyle(binds_by_key=False),
    ignored=(
        "-B, --read-full-records; -n, --seek; --force-local; --delay-directory-restore; "
        "--warning KEYWORD; --pax-option LIST; -o, --no-same-owner"
    ),
    refused=(
        "--zstd  use -z, -j or -J; --lzip  use -z, -j or -J; --lzop  use -z, -j or -J; "
        "-Z, --compress, --uncompress  use -z, -j or -J; "
        "--to-command COMMAND  no programs are run for members: use -O, or extract them; "
        "-w, --interactive  nobody can be asked: name the members instead; "
        "-G, --incremental  use -u to add newer files; "
        "-g, --listed-incremental FILE  use -u to add newer files"
    ),
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
    auto_compress: bool = False,
    use_compress_program: str | None = None,
    format: str = "gnu",
    old_archive: bool = False,
    posix: bool = False,
    blocking_factor: str = "20",
    record_size: str = "10240",
    ignore_zeros: bool = False,
    totals: bool = False,
    directory: list[Path] | None = None,
    to_stdout: bool = False,
    keep_old_files: bool = False,
    skip_old_files: bool = False,
    keep_newer_files: bool = False,
    keep_directory_symlink: bool = False,
    overwrite: bool = False,
    overwrite_dir: bool = True,
    unlink_first: bool = False,
    remove_files: bool = False,
    preserve_permissions: bool = False,
    no_same_permissions: bool = False,
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
    json: bool = False,
) -> Generator[object, None, int]:
    """Create an archive of files, list its members, or extract them.

    words ...                files to store, or members to list or extract
                             (default: all); a first word without a dash holds
                             options: tar xf a.tar
    -c, --create             create an archive of these files
    -x, --extract, --get     extract members
    -t, --list               list members
    -r, --append             append files to the archive
    -u, --update             append files that are newer than their members
    -d, --compare, --diff    report how files differ from the members
    --delete                 delete members from the archive
    -A, --concatenate, --catenate  append the members of other archives
    -f, --file ARCHIVE       the archive; without it, or for -, standard input or
                             output
    -v, --verbose            list the members processed; with -t, or given twice,
                             with mode, owner, size and time
    -z, --gzip, --gunzip, --ungzip  use gzip; detected when reading a file
    -j, --bzip2              use bzip2
    -J, --xz                 use xz
    --lzma                   use the legacy lzma format
    -a, --auto-compress      choose the compression by the archive's suffix
    -I, --use-compress-program COMMAND  use the format of COMMAND: gzip, bzip2, xz
                             or an equivalent, with a level if given:
                             -I 'gzip -9'
    -H, --format FORMAT      format of new members: gnu, oldgnu, ustar, v7, pax or
                             posix
    --old-archive, --portability  same as --format=v7
    --posix                  same as --format=pax
    -b, --blocking-factor BLOCKS  pad the archive to a multiple of BLOCKS x 512
                             bytes
    --record-size NUMBER     pad the archive to a multiple of NUMBER bytes
    -i, --ignore-zeros       do not stop at blocks of zeros
    --totals                 print the total number of bytes
    -C, --directory DIR      change to DIR for the words that follow
    -O, --to-stdout          write the members' data to standard output
    -k, --keep-old-files     do not replace existing files; report an error
    --skip-old-files         silently skip existing files
    --keep-newer-files       do not replace files newer than their members
    --keep-directory-symlink  extract into directories through symbolic links
    --overwrite              ignored: existing files are replaced
    --no-overwrite-dir       keep the modes and times of existing directories
    -U, --unlink-first       ignored: existing files are removed first
    --remove-files           remove files after adding them to the archive
    -p, --preserve-permissions, --same-permissions  ignore the umask
    --no-same-permissions    apply the umask (the default)
    -m, --touch              do not restore modification times
    --exclude PATTERN        exclude files that match PATTERN
    -X, --exclude-from FILE  exclude files that match a pattern in FILE
    --exclude-vcs            exclude files of version control systems
    --exclude-backups        exclude backup and lock files
    --exclude-caches         exclude the contents of directories with a
                             CACHEDIR.TAG, but keep the tag
    --exclude-caches-under   exclude the contents and the tag
    --exclude-caches-all     exclude the directory itself
    --exclude-tag FILE       exclude the contents of directories with a FILE, but
                             keep FILE
    --exclude-tag-under FILE  exclude the contents and FILE
    --exclude-tag-all FILE   exclude the directory itself
    -N, --after-date, --newer DATE  exclude files not changed since DATE; if it
                             begins with / or ., since that file changed
    --newer-mtime DATE       same, but ignore changes of metadata
    --one-file-system        stay in the file system of each operand
    --strip-components NUMBER  strip NUMBER leading components from names
    --transform, --xform EXPRESSION  rename members with a sed expression
                             s/RE/TEXT/FLAGS; the flags R, S and H leave out
                             members, symbolic links and hard links
    --show-transformed-names, --show-stored-names  list the changed names
    --one-top-level[=DIR]    extract below DIR; by default, the archive's name
                             without its suffix
    -T, --files-from FILE    read names from FILE, one a line; lines may be -C DIR
    --null                   names in -T files end with NUL
    --verbatim-files-from    do not treat a dash in -T files specially
    --no-unquote             do not decode backslash escapes in names
    --add-file FILE          add FILE, even if it begins with a dash
    --wildcards              treat member names as patterns
    --no-wildcards-match-slash  wildcards do not match /
    --anchored               patterns match from the beginning of names; the
                             default for members, not for exclusion
    --ignore-case            ignore case in patterns and names
    -P, --absolute-names     do not strip leading / and .. from names
    -h, --dereference        follow symbolic links and store their targets
    --hard-dereference       store a file once for each hard link
    -l, --check-links        report files whose links are not all stored
    --ignore-failed-read     do not fail on unreadable files
    -S, --sparse             ignored: files are stored in full
    --atime-preserve[=METHOD]  ignored
    --acls                   ignored, as are --selinux and --xattrs
    --selinux                ignored
    --xattrs                 ignored
    --no-recursion           do not store the contents of directories
    --sort ORDER             ignored: directories are sorted by name
    --owner NAME             set the owner: NAME, NAME:NUMBER or NUMBER
    --group NAME             set the group: NAME, NAME:NUMBER or NUMBER
    --mode CHANGES           set permissions, with chmod's syntax
    --mtime DATE             set the time to DATE; if it begins with / or ., to
                             that file's time
    --clamp-mtime            with --mtime, change only newer times
    --numeric-owner          store and list numbers instead of owner names
    --full-time              with -tv, print times with seconds
    --utc                    with -tv, print times in UTC
    --json                   with -t, print JSON lines: name, type, size, mode,
                             owner, group, modified, target

    You own the files that you extract. Devices, pipes and sparse files are not
    extracted.
    """
    declared = command_of(tar)
    arguments = expanded_texts(words)
    modes = {*MODES, "--"}
    if (
        arguments
        and not modes & {name for name, _ in sh.given}
        and not arguments[0].startswith("-")
    ):
        arguments = dashed_words(declared, arguments)
    options_and_operands = [*ordered_words(sh, declared, arguments)]
    if ("help", True) in options_and_operands:
        yield help_text(declared)
        return 0
    settings = settings_of(sh, options_and_operands)
    yield from RUNNERS[settings.mode](sh, settings).run()
    if sh.status == FATAL_STATUS:
        sh.note("Exiting with failure status due to previous errors")
    return 0


RUNNERS: dict[str, type[Creator] | type[Extractor] | type[ArchiveEditor]] = {
    "c": Creator, "r": Creator, "u": Creator, "x": Extractor, "t": Extractor, "d": Extractor,
    "D": ArchiveEditor, "A": ArchiveEditor,
}  # fmt: skip
