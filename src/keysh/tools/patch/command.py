"""patch - files changed as a diff says."""

from __future__ import annotations

import errno

from keysh.diagnostics.errors import failure
from keysh.gnu.backups import Backups
from keysh.gnu.input_files import InputFile
from keysh.interp.state.call import UsageFailure, os_error_text
from keysh.schema.command import PREFIXED_USAGE_HINT, USAGE_HINT
from keysh.schema.declare import Refusals, command
from keysh.text.chunks import lines
from keysh.text.dates.time_zone import UTC_ZONE, find_zone
from keysh.text.gnu_quoting import locale_quoted_text, message_name
from keysh.text.shell_numbers import is_digits
from keysh.tools.patch.file import PatchedFile
from keysh.tools.patch.folder import PatchDirectory
from keysh.tools.patch.hunk import MalformedPatch
from keysh.tools.patch.reading import PatchReader
from keysh.tools.patch.rules import PatchOptions
from keysh.tools.patch.telling import TRUNCATED_MESSAGE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Literal

    from keysh.interp.state.call import Call
    from keysh.schema.types import Path

EXIT_TROUBLE = 2
DIFF_FORMATS = ("unified", "context", "normal", "ed")
QUOTING_STYLES = ("literal", "shell", "shell-always", "c", "escape")
READ_ONLY_ACTIONS = ("ignore", "warn", "fail")
COUNT_OPTION_NAMES = {"strip": "strip count", "fuzz": "fuzz factor"}


@command(
    refusals=Refusals(
        usage_status=EXIT_TROUBLE,
        usage_hint=PREFIXED_USAGE_HINT,
        invalid_values={
            name: f"**** {words} {{}} is not a number" for name, words in COUNT_OPTION_NAMES.items()
        },
    )
)
def patch(
    sh: Call,
    original: Path | None = None,
    patch_file: Path | None = None,
    *,
    strip: int = -1,
    fuzz: int = 2,
    reverse: bool = False,
    forward: bool = False,
    input: Path = "-",
    output: Path | None = None,
    reject_file: Path | None = None,
    directory: Path | None = None,
    dry_run: bool = False,
    backup: bool = False,
    backup_if_mismatch: bool = False,
    no_backup_if_mismatch: bool = False,
    version_control: str | None = None,
    prefix: str = "",
    basename_prefix: str = "",
    suffix: str | None = None,
    reject_format: Literal["context", "unified"] | None = None,
    remove_empty_files: bool = False,
    ignore_whitespace: bool = False,
    ifdef: str = "",
    set_time: bool = False,
    set_utc: bool = False,
    get: str | None = None,
    read_only: str = "warn",
    quoting_style: str | None = None,
    follow_symlinks: bool = False,
    verbose: bool = False,
    binary: bool = False,
    posix: bool = False,
    unified: bool = False,
    context: bool = False,
    normal: bool = False,
    ed: bool = False,
    silent: bool = False,
    batch: bool = False,
    force: bool = False,
) -> None:
    """Change files as a unified, a context or a normal diff says, or a script for ed.

    original                    the file to change; without it the patch names the files
    patch_file                  the patch; without it, it is read from standard input
    -p, --strip NUM             leave out so many directories of the names; all without this
    -F, --fuzz NUM              so many lines of context may differ; 2 without it
    -R, --reverse               take the patch back
    -N, --forward               leave out what is applied already
    -i, --input FILE            read the patch from this file
    -o, --output FILE           write here, and leave the files as they are
    -r, --reject-file FILE      write hunks that fit nowhere here, not to NAME.rej
    -d, --directory FOLDER      files are below this directory
    --dry-run                   say what would be done, and do not do it
    --reject-format FORM        write them as a context or a unified diff, not as they came
    -b, --backup                keep the files as they were as NAME.orig
    --backup-if-mismatch        do so where a hunk fits only nearly, which is done in any case
    --no-backup-if-mismatch     do not keep them where a hunk fits only nearly
    -V, --version-control STYLE  name backups so: simple, numbered, or existing, which is
                                numbered where there are numbered ones already
    -z, --suffix SUFFIX         end their names with this, not with .orig
    -B, --prefix PREFIX         put this before their paths
    -Y, --basename-prefix PREFIX  … before the last step of their paths
    -E, --remove-empty-files    remove files that become empty
    -l, --ignore-whitespace     any blanks match any others
    -D, --ifdef NAME            keep both versions, between `#ifdef NAME` and `#endif`
    -T, --set-time              give files the times that the patch tells, in the local zone
    -Z, --set-utc               the same in UTC
    -g, --get NUM               ignored
    --read-only BEHAVIOR        files that may not be written: ignore that, warn or fail
    --quoting-style WORD        how names are quoted in messages: literal, shell, shell-always,
                                c, escape
    --follow-symlinks           change files that links lead to, in the place of the links
    --verbose                   tell more of what is done
    --binary                    leave the ends of lines as they are
    --posix                     take the first of the names that exist, and make no file; files
                                that become empty stay
    -u, --unified               look for unified diffs only
    -c, --context               look for context diffs only
    -n, --normal                look for normal diffs only
    -e, --ed                    look for scripts only, such as `diff -e` makes
    -s, --silent, --quiet       tell only what fails
    -t, --batch                 take back what seems to be applied already
    -f, --force                 apply hunks even where they seem to be applied already

    The status is 1 where hunks fit nowhere, 2 for trouble.
    """
    for name, value in sh.given:
        if name in COUNT_OPTION_NAMES and value < 0:
            raise sh.fail(f"**** {COUNT_OPTION_NAMES[name]} {value} is negative", EXIT_TROUBLE)
    del backup_if_mismatch
    form = next((name for name, value in sh.given if name in DIFF_FORMATS and value), "")
    base = base_prefix(sh, directory) if directory else ""
    path = patch_file if patch_file is not None else input
    is_below = path != "-" and not path.startswith("/")  # the directory is entered before all else
    try:
        with InputFile(sh, base + path if is_below else path) as reader:
            text = "".join(sh.ticking(reader.chunks()))
    except IsADirectoryError as error:
        raise sh.fail(f"**** read error : {os_error_text(error)}", EXIT_TROUBLE) from None
    except OSError as error:
        says = f"**** Can't open patch file {message_name(path)} : {os_error_text(error)}"
        raise sh.fail(says, EXIT_TROUBLE) from None
    if get is not None and not is_whole_number(get):
        wrong = get or "''"
        raise sh.fail(f"**** get option value {wrong} is not a number", EXIT_TROUBLE)
    control = "simple" if suffix else version_control or None
    backups = Backups(sh, control, True, suffix or ".orig")
    folder = PatchDirectory(sh, base, backups, (prefix, basename_prefix))
    rules = PatchOptions(strip)
    rules.is_dry, rules.output = dry_run, output
    rules.reject_file, rules.removes_empty = reject_file, remove_empty_files
    rules.makes_backups = backup
    rules.backs_up_mismatch = not no_backup_if_mismatch
    rules.define = ifdef
    rules.read_only = match_word(sh, "", read_only, READ_ONLY_ACTIONS)
    rules.quoting_style = quoting_style_of(sh, quoting_style)
    rules.follows_links, rules.is_posix = follow_symlinks, posix
    loud = [name for name, value in sh.given if name in ("silent", "verbose") and value]
    rules.is_silent, rules.is_verbose = loud[-1:] == ["silent"], loud[-1:] == ["verbose"]
    if set_time or set_utc:
        rules.time_zone = UTC_ZONE if set_utc else find_zone(sh.env.get("TZ"))
    rules.fuzz, rules.blanks_match = fuzz, ignore_whitespace
    rules.is_forward, rules.is_forced, rules.is_batch = forward, force, batch
    rules.reject_format = reject_format or ""
    try:
        reading = PatchReader(list(lines([text])), form, is_binary=binary)
        if not apply_patches(sh, reading, rules, folder, original, reverse):
            if rules.is_verbose:
                sh.out.write("Hmm...  I can't seem to find a patch in there anywhere.\n")
            if text.strip():
                raise sh.fail("**** Only garbage was found in the patch input.", EXIT_TROUBLE)
    except MalformedPatch as malformed:
        raise sh.fail(f"**** {malformed}", EXIT_TROUBLE) from None


def base_prefix(sh: Call, directory: str) -> str:
    """What stands before the names of the files in a directory."""
    try:
        if not sh.fs.stat(sh.path(directory), follow=True).is_directory:
            raise failure(errno.ENOTDIR, directory)
    except OSError as error:
        says = f"**** Can't change to directory {message_name(directory)} : {os_error_text(error)}"
        raise sh.fail(says, EXIT_TROUBLE) from None
    return f"{directory.rstrip('/')}/"


def apply_patches(
    sh: Call,
    reading: PatchReader,
    rules: PatchOptions,
    folder: PatchDirectory,
    original: str | None,
    is_reversed: bool,
) -> bool:
    """Apply all that is read; whether there is anything."""
    before: dict[str, list[str]] = {}
    are_any = False
    for one in reading.patches():
        if original is None and not one.names and one.format != "ed":
            continue  # of which GNU's patch takes no notice
        file = PatchedFile(sh, one, rules, folder, before)
        file.announce(is_first=not are_any)
        are_any = True
        if is_reversed:
            file.reverse()
        if file.locate(original):
            file.apply()
        elif one.format == "ed":
            break  # GNU's patch reads no further behind a script without a file
    sh.out.write(TRUNCATED_MESSAGE * reading.truncation_count)
    if are_any and rules.is_verbose:
        sh.out.write(
            "Hmm...  Ignoring the trailing garbage.\n" if reading.has_trailing_text else ""
        )
        sh.out.write("done\n")
        for name, emptied in folder.removed_files:
            sh.out.write(f"Removing file {rules.quoted_name(name)}\n")
            for above in emptied:
                sh.out.write(f"Removed empty directory {rules.quoted_name(above)}\n")
    return are_any


def is_whole_number(text: str) -> bool:
    """Whether a text is a whole number."""
    return is_digits(text.removeprefix("-"))


def quoting_style_of(sh: Call, given: str | None) -> str:
    """The style of quoting that an option asks for, or else the environment."""
    if given is not None:
        return match_word(sh, "quoting style", given, QUOTING_STYLES)
    style = sh.env.get("QUOTING_STYLE", "")
    return style if style in QUOTING_STYLES else "shell"


def match_word(sh: Call, what: str, text: str, words: Sequence[str]) -> str:
    """The word that a text is, or begins; `what` it is for is told where it is none."""
    fitting = [text] if text in words else [word for word in words if word.startswith(text)]
    if len(fitting) != 1:
        fault = "ambiguous" if fitting else "invalid"
        if not what:
            raise sh.fail(USAGE_HINT.format(sh.name), EXIT_TROUBLE)
        raise UsageFailure(f"{fault} argument {locale_quoted_text(text)} for '{what}'")
    return fitting[0]
