"""patch - files changed as a diff says."""

from __future__ import annotations

import errno

from keysh.diagnostics.errors import failure
from keysh.gnu.backups import Backups
from keysh.gnu.input_files import GivenFile
from keysh.interp.state.call import BadCall, why
from keysh.schema.command import HINT, NAMED_HINT
from keysh.schema.declare import command
from keysh.text.chunks import lines
from keysh.text.dates.time_zone import UTC_ZONE, zone_named
from keysh.text.gnu_quoting import locale_quoted, shown
from keysh.text.shell_numbers import is_digits
from keysh.tools.patch.file import PatchedFile
from keysh.tools.patch.folder import Folder
from keysh.tools.patch.hunk import MalformedPatch
from keysh.tools.patch.reading import Reading
from keysh.tools.patch.rules import Rules
from keysh.tools.patch.telling import CUT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Literal

    from keysh.interp.state.call import Call
    from keysh.schema.types import Path

TROUBLE = 2
FORMS = ("unified", "context", "normal", "ed")
STYLES = ("literal", "shell", "shell-always", "c", "escape")
READ_ONLY = ("ignore", "warn", "fail")
COUNTS = {"strip": "strip count", "fuzz": "fuzz factor"}


@command(
    usage=TROUBLE,
    hint=NAMED_HINT,
    invalid={name: f"**** {words} {{}} is not a number" for name, words in COUNTS.items()},
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
        if name in COUNTS and value < 0:
            raise sh.fail(f"**** {COUNTS[name]} {value} is negative", TROUBLE)
    del backup_if_mismatch
    form = next((name for name, value in sh.given if name in FORMS and value), "")
    base = base_for(sh, directory) if directory else ""
    path = patch_file if patch_file is not None else input
    is_below = path != "-" and not path.startswith("/")  # the directory is entered before all else
    try:
        with GivenFile(sh, base + path if is_below else path) as reader:
            text = "".join(sh.ticking(reader.chunks()))
    except IsADirectoryError as error:
        raise sh.fail(f"**** read error : {why(error)}", TROUBLE) from None
    except OSError as error:
        says = f"**** Can't open patch file {shown(path)} : {why(error)}"
        raise sh.fail(says, TROUBLE) from None
    if get is not None and not is_number(get):
        wrong = get or "''"
        raise sh.fail(f"**** get option value {wrong} is not a number", TROUBLE)
    control = "simple" if suffix else version_control or None
    backups = Backups(sh, control, True, suffix or ".orig")
    folder = Folder(sh, base, backups, (prefix, basename_prefix))
    rules = Rules(strip)
    rules.is_dry, rules.output = dry_run, output
    rules.rejects, rules.removes_empty = reject_file, remove_empty_files
    rules.keeps = backup
    rules.keeps_mismatch = not no_backup_if_mismatch
    rules.define = ifdef
    rules.read_only = chosen_word(sh, "", read_only, READ_ONLY)
    rules.style = style_of(sh, quoting_style)
    rules.follows_links, rules.is_posix = follow_symlinks, posix
    loud = [name for name, value in sh.given if name in ("silent", "verbose") and value]
    rules.is_silent, rules.is_verbose = loud[-1:] == ["silent"], loud[-1:] == ["verbose"]
    if set_time or set_utc:
        rules.time_zone = UTC_ZONE if set_utc else zone_named(sh.env.get("TZ"))
    rules.fuzz, rules.blanks_match = fuzz, ignore_whitespace
    rules.is_forward, rules.is_forced, rules.is_batch = forward, force, batch
    rules.reject_form = reject_format or ""
    try:
        reading = Reading(list(lines([text])), form, is_binary=binary)
        if not run(sh, reading, rules, folder, original, reverse):
            if rules.is_verbose:
                sh.out.write("Hmm...  I can't seem to find a patch in there anywhere.\n")
            if text.strip():
                raise sh.fail("**** Only garbage was found in the patch input.", TROUBLE)
    except MalformedPatch as malformed:
        raise sh.fail(f"**** {malformed}", TROUBLE) from None


def base_for(sh: Call, directory: str) -> str:
    """What stands before the names of the files in a directory."""
    try:
        if not sh.fs.stat(sh.path(directory), follow=True).is_directory:
            raise failure(errno.ENOTDIR, directory)
    except OSError as error:
        says = f"**** Can't change to directory {shown(directory)} : {why(error)}"
        raise sh.fail(says, TROUBLE) from None
    return f"{directory.rstrip('/')}/"


def run(
    sh: Call,
    reading: Reading,
    rules: Rules,
    folder: Folder,
    original: str | None,
    is_reversed: bool,
) -> bool:
    """Apply all that is read; whether there is anything."""
    before: dict[str, list[str]] = {}
    are_any = False
    for one in reading.patches():
        if original is None and not one.names and one.form != "ed":
            continue  # of which GNU's patch takes no notice
        file = PatchedFile(sh, one, rules, folder, before)
        file.introduce(is_first=not are_any)
        are_any = True
        if is_reversed:
            file.reverse()
        if file.find(original):
            file.change()
        elif one.form == "ed":
            break  # GNU's patch reads no further behind a script without a file
    sh.out.write(CUT * reading.cuts)
    if are_any and rules.is_verbose:
        sh.out.write("Hmm...  Ignoring the trailing garbage.\n" if reading.has_rest else "")
        sh.out.write("done\n")
        for name, emptied in folder.removed:
            sh.out.write(f"Removing file {rules.shown(name)}\n")
            for above in emptied:
                sh.out.write(f"Removed empty directory {rules.shown(above)}\n")
    return are_any


def is_number(text: str) -> bool:
    """Whether a text is a whole number."""
    return is_digits(text.removeprefix("-"))


def style_of(sh: Call, given: str | None) -> str:
    """The style of quoting that an option asks for, or else the environment."""
    if given is not None:
        return chosen_word(sh, "quoting style", given, STYLES)
    style = sh.env.get("QUOTING_STYLE", "")
    return style if style in STYLES else "shell"


def chosen_word(sh: Call, what: str, text: str, words: Sequence[str]) -> str:
    """The word that a text is, or begins; `what` it is for is told where it is none."""
    fitting = [text] if text in words else [word for word in words if word.startswith(text)]
    if len(fitting) != 1:
        fault = "ambiguous" if fitting else "invalid"
        if not what:
            raise sh.fail(HINT.format(sh.name), TROUBLE)
        raise BadCall(f"{fault} argument {locale_quoted(text)} for '{what}'")
    return fitting[0]
