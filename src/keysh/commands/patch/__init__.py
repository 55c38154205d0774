"""patch - files changed as a diff says."""

from __future__ import annotations

from keysh.commands.patch.file import PatchedFile
from keysh.commands.patch.folder import Folder, text_of
from keysh.commands.patch.hunk import MalformedPatch
from keysh.commands.patch.reading import Reading
from keysh.commands.patch.rules import Rules
from keysh.runtime.backups import Backups
from keysh.runtime.call import shown, why
from keysh.schema.declare import command
from keysh.text.lines import lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal

    from keysh.runtime.call import Call
    from keysh.schema.types import Path

TROUBLE = 2


@command(usage=TROUBLE)
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
    binary: bool = False,
    posix: bool = False,
    unified: bool = False,
    context: bool = False,
    normal: bool = False,
    silent: bool = False,
    batch: bool = False,
    force: bool = False,
) -> None:
    """Change files as a unified, a context or a normal diff says, or one that git has made.

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
    --binary                    ignored
    --posix                     ignored
    -u, --unified               look for unified diffs only
    -c, --context               look for context diffs only
    -n, --normal                look for normal diffs only
    -s, --silent, --quiet       tell only what fails
    -t, --batch                 take back what seems to be applied already
    -f, --force                 apply hunks even where they seem to be applied already

    The status is 1 where hunks fit nowhere, 2 for trouble.
    """
    del binary, posix, backup_if_mismatch
    form = "unified" if unified else "context" if context else "normal" if normal else ""
    path = patch_file if patch_file is not None else input
    try:
        text = sh.stdin.read() if path == "-" else text_of(sh, path)
    except OSError as error:
        says = f"**** Can't open patch file {shown(path)} : {why(error)}"
        raise sh.fail(says, TROUBLE) from None
    control = "simple" if suffix else version_control or False
    backups = Backups(sh, control, True, suffix or ".orig")
    base = f"{directory.rstrip('/')}/" if directory else ""
    folder = Folder(sh, base, backups, (prefix, basename_prefix))
    rules = Rules(strip)
    rules.is_silent, rules.is_dry, rules.output = silent, dry_run, output
    rules.rejects, rules.removes_empty = reject_file, remove_empty_files
    rules.keeps, rules.keeps_mismatch = backup, not no_backup_if_mismatch
    rules.fuzz, rules.blanks_match = fuzz, ignore_whitespace
    rules.is_forward, rules.is_forced, rules.is_batch = forward, force, batch
    rules.reject_form = reject_format or ""
    before: dict[str, list[str]] = {}
    are_any = False
    try:
        for one in Reading(list(lines([text])), form).patches():
            if original is None and not one.names:
                continue
            are_any = True
            file = PatchedFile(sh, one, rules, folder, before)
            if reverse:
                file.reverse()
            if file.find(original):
                file.change()
    except MalformedPatch as malformed:
        raise sh.fail(f"**** {malformed}", TROUBLE) from None
    if not are_any and text.strip():
        raise sh.fail("**** Only garbage was found in the patch input.", TROUBLE)
