"""patch - files changed as a diff says."""

from __future__ import annotations

from keysh.commands.patch.applying import Target
from keysh.commands.patch.file import PatchedFile
from keysh.commands.patch.reading import MalformedPatch, patches
from keysh.runtime.call import shown, why
from keysh.runtime.streams import reader_of
from keysh.schema.declare import command

TYPE_CHECKING = False
if TYPE_CHECKING:
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
    no_backup_if_mismatch: bool = False,
    remove_empty_files: bool = False,
    ignore_whitespace: bool = False,
    unified: bool = False,
    normal: bool = False,
    silent: bool = False,
    batch: bool = False,
    force: bool = False,
) -> None:
    """Change files as a unified or a normal diff says.

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
    -b, --backup                keep the files as they were as NAME.orig
    --no-backup-if-mismatch     do not keep them where a hunk fits only nearly
    -E, --remove-empty-files    remove files that become empty
    -l, --ignore-whitespace     any blanks match any others
    -u, --unified               ignored
    -n, --normal                ignored
    -s, --silent, --quiet       tell only what fails
    -t, --batch                 ask nothing
    -f, --force                 apply hunks even where they seem to be applied already

    The status is 1 where hunks fit nowhere, 2 for trouble.
    """
    del unified, normal, batch
    path = patch_file if patch_file is not None else input
    lines: list[str] = []
    try:
        text = sh.stdin.read() if path == "-" else read(sh, path)
        lines = [f"{line}\n" for line in text.split("\n")]
        lines[-1] = lines[-1].removesuffix("\n")
    except OSError as error:
        says = f"**** Can't open patch file {shown(path)} : {why(error)}"
        raise sh.fail(says, TROUBLE) from None
    base = f"{directory.rstrip('/')}/" if directory else ""
    are_any = False
    try:
        for one in patches(lines):
            if original is None and not one.names:
                continue
            are_any = True
            told = one.reversed() if reverse else one
            file = PatchedFile(sh, told, original, strip, base)
            file.is_silent, file.is_dry, file.output = silent, dry_run, output
            file.rejects, file.removes_empty = reject_file, remove_empty_files
            file.keeps, file.keeps_mismatch = backup, not no_backup_if_mismatch
            file.is_forward, file.is_forced = forward, force
            file.is_reversed = reverse
            if file.find():
                file.change(Target(file.lines, fuzz, ignore_whitespace, sh.tick))
    except MalformedPatch as malformed:
        raise sh.fail(f"**** {malformed}", TROUBLE) from None
    if not are_any and any(line.strip() for line in lines):
        raise sh.fail("**** Only garbage was found in the patch input.", TROUBLE)


def read(sh: Call, path: str) -> str:
    """The text of a file."""
    reader = reader_of(sh.open(path))
    try:
        return reader.read()
    finally:
        reader.close()
