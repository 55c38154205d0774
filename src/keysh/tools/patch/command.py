"""patch: apply a diff to files."""

from __future__ import annotations

import errno

from keysh.diagnostics.exceptions import failure
from keysh.gnu.backups import Backups
from keysh.gnu.input_files import InputFile
from keysh.interp.state.call import UsageFailure, os_error_text
from keysh.schema.command import PREFIXED_USAGE_HINT, USAGE_HINT
from keysh.schema.declare import Refusals, command
from keysh.text.chunks import lines, no_limit
from keysh.text.dates.time_zone import UTC_ZONE, find_zone
from keysh.text.gnu_quoting import locale_quoted_text, message_name
from keysh.text.shell_numbers import is_digits
from keysh.tools.patch.file import PatchedFile
from keysh.tools.patch.folder import PatchDirectory
from keysh.tools.patch.hunk import MalformedPatch
from keysh.tools.patch.messages import TRUNCATED_MESSAGE
from keysh.tools.patch.patch_reader import PatchReader
from keysh.tools.patch.rules import PatchOptions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Literal

    from keysh.interp.state.call import Call
    from keysh.schema.types import Path

EXIT_TROUBLE = 2
DIFF_FORMATS = ("unified", "context", "normal")
MISMATCH_OPTIONS = ("backup_if_mismatch", "no_backup_if_mismatch")  # the last one wins
QUOTING_STYLES = ("literal", "shell", "shell-always", "c", "escape")
READ_ONLY_ACTIONS = ("ignore", "warn", "fail")
COUNT_OPTION_NAMES = {"strip": "strip count", "fuzz": "fuzz factor"}


@command(
    compatible="GNU patch 2.7.6",
    refusals=Refusals(
        usage_status=EXIT_TROUBLE,
        usage_hint=PREFIXED_USAGE_HINT,
        invalid_values={
            name: f"**** {words} {{}} is not a number" for name, words in COUNT_OPTION_NAMES.items()
        },
    ),
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
    silent: bool = False,
    batch: bool = False,
    force: bool = False,
) -> None:
    """Apply a unified, context or normal diff to files.

    original                    the file to patch (default: named by the patch)
    patch_file                  the patch (default: standard input)
    -p, --strip NUM             strip NUM leading directories from file names
                                (default: all)
    -F, --fuzz NUM              let NUM lines of context differ (default 2)
    -R, --reverse               undo the patch
    -N, --forward               skip patches that seem reversed or already applied
    -i, --input FILE            read the patch from FILE
    -o, --output FILE           write to FILE and leave the originals unchanged
    -r, --reject-file FILE      write rejected hunks to FILE, not to NAME.rej
    -d, --directory DIR         change to DIR first
    --dry-run                   report what would happen, but change nothing
    --reject-format FORMAT      write rejects as a context or unified diff
    -b, --backup                keep the original of each file as NAME.orig
    --backup-if-mismatch        back up files that do not match exactly (default)
    --no-backup-if-mismatch     do not back up files that do not match exactly
    -V, --version-control STYLE  backup names: simple, numbered, or existing
                                (numbered if numbered backups exist)
    -z, --suffix SUFFIX         append SUFFIX to backup names, not .orig
    -B, --prefix PREFIX         prepend PREFIX to backup paths
    -Y, --basename-prefix PREFIX  prepend PREFIX to the last part of backup paths
    -E, --remove-empty-files    remove files that become empty
    -l, --ignore-whitespace     ignore white space when matching lines
    -T, --set-time              set file times from the patch, in local time
    -Z, --set-utc               set file times from the patch, in UTC
    -g, --get NUM               ignored
    --read-only BEHAVIOR        for read-only files: ignore, warn or fail
    --quoting-style WORD        quote names as literal, shell, shell-always, c or
                                escape
    --follow-symlinks           patch the targets of symbolic links
    --verbose                   report more of what happens
    --binary                    keep carriage returns in the patch
    --posix                     follow POSIX: use the first name that exists, create
                                no file and remove none
    -u, --unified               read the patch as a unified diff
    -c, --context               read the patch as a context diff
    -n, --normal                read the patch as a normal diff
    -s, --silent, --quiet       report only errors
    -t, --batch                 undo patches that seem already applied
    -f, --force                 apply hunks even if they seem already applied

    The exit status is 1 if a hunk is rejected, 2 on trouble.
    """
    for name, value in sh.given:
        if name in COUNT_OPTION_NAMES and value < 0:
            raise sh.fail(f"**** {COUNT_OPTION_NAMES[name]} {value} is negative", EXIT_TROUBLE)
    diff_format = next((name for name, value in sh.given if name in DIFF_FORMATS and value), "")
    base = base_prefix(sh, directory) if directory else ""
    path = patch_file if patch_file is not None else input
    is_below = path != "-" and not path.startswith("/")  # relative to --directory
    try:
        with InputFile(sh, base + path if is_below else path) as reader:
            text = "".join(reader.chunks())
    except IsADirectoryError as error:
        raise sh.fail(f"**** read error : {os_error_text(error)}", EXIT_TROUBLE) from None
    except OSError as error:
        message = f"**** Can't open patch file {message_name(path)} : {os_error_text(error)}"
        raise sh.fail(message, EXIT_TROUBLE) from None
    if get is not None and not is_whole_number(get):
        shown_value = get or "''"
        raise sh.fail(f"**** get option value {shown_value} is not a number", EXIT_TROUBLE)
    control = "simple" if suffix else version_control or None
    backups = Backups(sh, control, True, suffix or ".orig")
    files = PatchDirectory(sh, base, backups, (prefix, basename_prefix))
    rules = PatchOptions(strip)
    rules.is_dry, rules.output = dry_run, output
    rules.reject_file, rules.removes_empty = reject_file, remove_empty_files
    rules.makes_backups = backup
    mismatch_options = [name for name, value in sh.given if value and name in MISMATCH_OPTIONS]
    rules.backs_up_mismatch = mismatch_options[-1:] != ["no_backup_if_mismatch"]
    rules.read_only = match_word(sh, "", read_only, READ_ONLY_ACTIONS)
    rules.quoting_style = quoting_style_of(sh, quoting_style)
    rules.follows_links, rules.is_posix = follow_symlinks, posix
    loudness = [name for name, value in sh.given if name in ("silent", "verbose") and value]
    rules.is_silent, rules.is_verbose = loudness[-1:] == ["silent"], loudness[-1:] == ["verbose"]
    if set_time or set_utc:
        rules.time_zone = UTC_ZONE if set_utc else find_zone(sh.env.get("TZ"))
    rules.fuzz, rules.blanks_match = fuzz, ignore_whitespace
    rules.is_forward, rules.is_forced, rules.is_batch = forward, force, batch
    rules.reject_format = reject_format or ""
    try:
        patch_reader = PatchReader(list(lines([text], no_limit)), diff_format, is_binary=binary)
        if not apply_patches(sh, patch_reader, rules, files, original, reverse):
            if rules.is_verbose:
                sh.out.write("Hmm...  I can't seem to find a patch in there anywhere.\n")
            if text.strip():
                raise sh.fail("**** Only garbage was found in the patch input.", EXIT_TROUBLE)
    except MalformedPatch as malformed:
        raise sh.fail(f"**** {malformed}", EXIT_TROUBLE) from None


def base_prefix(sh: Call, directory: str) -> str:
    """Return the prefix of the names of files in a directory."""
    try:
        if not sh.fs.stat(sh.path(directory), follow=True).is_directory:
            raise failure(errno.ENOTDIR, directory)
    except OSError as error:
        message = (
            f"**** Can't change to directory {message_name(directory)} : {os_error_text(error)}"
        )
        raise sh.fail(message, EXIT_TROUBLE) from None
    return f"{directory.rstrip('/')}/"


def apply_patches(
    sh: Call,
    patch_reader: PatchReader,
    rules: PatchOptions,
    files: PatchDirectory,
    original: str | None,
    is_reversed: bool,
) -> bool:
    """Apply all patches; return whether there were any."""
    original_lines: dict[str, list[str]] = {}
    are_any = False
    for file_patch in patch_reader.patches():
        if original is None and not file_patch.names:
            continue  # GNU patch ignores it
        file = PatchedFile(sh, file_patch, rules, files, original_lines)
        file.announce(is_first=not are_any)
        are_any = True
        if is_reversed:
            file.reverse()
        if file.locate(original):
            file.apply()
    sh.out.write(TRUNCATED_MESSAGE * patch_reader.truncation_count)
    if are_any and rules.is_verbose:
        if patch_reader.has_trailing_text:
            sh.out.write("Hmm...  Ignoring the trailing garbage.\n")
        sh.out.write("done\n")
        for name, empty_parents in files.removed_files:
            sh.out.write(f"Removing file {rules.quoted_name(name)}\n")
            for parent in empty_parents:
                sh.out.write(f"Removed empty directory {rules.quoted_name(parent)}\n")
    return are_any


def is_whole_number(text: str) -> bool:
    """Whether a string is an integer."""
    return is_digits(text.removeprefix("-"))


def quoting_style_of(sh: Call, style_option: str | None) -> str:
    """Return the quoting style of the option, or of the environment."""
    if style_option is not None:
        return match_word(sh, "quoting style", style_option, QUOTING_STYLES)
    style = sh.env.get("QUOTING_STYLE", "")
    return style if style in QUOTING_STYLES else "shell"


def match_word(sh: Call, what: str, text: str, words: Sequence[str]) -> str:
    """Return the word that `text` is, or is an unambiguous prefix of; `what` names the option."""
    matches = [text] if text in words else [word for word in words if word.startswith(text)]
    if len(matches) != 1:
        fault = "ambiguous" if matches else "invalid"
        if not what:
            raise sh.fail(USAGE_HINT.format(sh.name), EXIT_TROUBLE)
        raise UsageFailure(f"{fault} argument {locale_quoted_text(text)} for '{what}'")
    return matches[0]
