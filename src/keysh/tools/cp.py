"""cp - copy files and directories."""

from __future__ import annotations

from keysh.gnu.backups import backups_of, wants_backups
from keysh.gnu.copy.copier import Copier, path_in_folder
from keysh.gnu.copy.destination import refuse_second_folder, split_destination
from keysh.gnu.copy.rules import rules_of
from keysh.gnu.option_values import choice_of
from keysh.interp.state.call import UsageFailure
from keysh.schema.declare import OptionStyle, command
from keysh.vfs.paths import without_slash

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call
    from keysh.schema.types import Path


@command(
    compatible="GNU coreutils 9.1",
    style=OptionStyle(unabbreviated="backup-plainly keep-links follow-operands keep"),
    ignored="--copy-contents; -Z",
)
def cp(
    sh: Call,
    *paths: Path,
    archive: bool = False,
    attributes_only: bool = False,
    backup: str | bool = False,
    backup_plainly: bool = False,
    keep_links: bool = False,
    force: bool = False,
    follow_operands: bool = False,
    interactive: bool = False,
    link: bool = False,
    dereference: bool = False,
    clobber: bool = True,
    no_dereference: bool = False,
    keep: bool = False,
    preserve: str | bool = False,
    no_preserve: str | None = None,
    parents: bool = False,
    recursive: bool = False,
    reflink: str | bool = False,
    remove_destination: bool = False,
    sparse: str = "auto",
    symbolic_link: bool = False,
    strip_trailing_slashes: bool = False,
    suffix: str | None = None,
    target_directory: Path | None = None,
    no_target_directory: bool = False,
    update: bool = False,
    verbose: bool = False,
    one_file_system: bool = False,
) -> None:
    """Copy files and directories.

    paths ...                   the sources, then the destination
    -a, --archive               same as -dR --preserve=all
    --attributes-only           copy only the attributes named by --preserve, not
                                the contents
    --backup[=METHOD]           back up replaced files: simple, numbered, existing
                                or none
    -b, --backup-plainly        same as --backup
    -d, --keep-links            same as -P --preserve=links
    -f, --force                 remove a destination file that cannot be written and
                                try again
    -H, --follow-operands       follow symbolic links given as operands
    -i, --interactive           ask before overwriting; the answer is read from
                                standard input
    -l, --link                  make hard links instead of copies
    -L, --dereference           follow all symbolic links (default without -R)
    -n, --no-clobber            do not overwrite existing files
    -P, --no-dereference        copy symbolic links as links (default with -R)
    -p, --keep                  same as --preserve=mode,ownership,timestamps
    --preserve[=LIST]           preserve mode, timestamps, links or all; ownership,
                                context and xattr are accepted and not preserved
    --no-preserve LIST          do not preserve these attributes
    --parents                   recreate each source's parent directories below the
                                target
    -R, -r, --recursive         copy directories recursively
    --reflink[=WHEN]            clone blocks: auto and never copy, always fails
    --remove-destination        remove each existing destination file first
    --sparse WHEN               ignored: auto, always or never; the file system
                                decides about holes
    -s, --symbolic-link         make symbolic links instead of copies
    --strip-trailing-slashes    remove trailing slashes from each source
    -S, --suffix SUFFIX         backup suffix; the default is ~
    -t, --target-directory DIR  copy all sources into DIR
    -T, --no-target-directory   never treat the destination as a directory to copy
                                into
    -u, --update                copy only if the source is newer or the destination
                                is missing
    -v, --verbose               report each file
    -x, --one-file-system       skip directories on other file systems
    """
    refuse_second_folder(sh)
    check_reflink_and_sparse(reflink, sparse)
    rules = rules_of(sh)
    if link and symbolic_link:
        raise UsageFailure("cannot make both hard and symbolic links")
    if wants_backups(sh) and rules.asks == "never":
        raise UsageFailure("options --backup and --no-clobber are mutually exclusive")
    if reflink in (True, "always") and sparse != "auto":
        raise UsageFailure("--reflink can be used only with --sparse=auto")
    backups = backups_of(sh, suffix)
    rules.backups = backups if backups.method != "none" else None
    rules.force, rules.recursive, rules.update = force, recursive or archive, update
    rules.hard_link, rules.symbolic_link, rules.verbose = link, symbolic_link, verbose
    rules.remove_first, rules.only_attributes = remove_destination, attributes_only
    rules.stay, rules.shares_blocks = one_file_system, reflink in (True, "always")
    rules.follow = rules.follow or ("never" if rules.recursive and not link else "always")
    sources, folder = split_destination(sh, paths, target_directory, no_target_directory)
    if parents and not folder:
        raise UsageFailure("with --parents, the destination must be a directory")
    copier = Copier(sh, rules)
    for source in sources:
        name = without_slash(source) if strip_trailing_slashes and folder else source
        if parents:
            copier.copy_with_parents(name, folder)
        else:
            target = path_in_folder(folder, name) if folder else paths[-1]
            existing = sh.stat(source, follow=False) if not folder and source == target else None
            if force and rules.backups is not None and existing is not None and existing.is_file:
                target, rules.backups = backups.name_for(target), None  # the copy is the backup
            copier.copy(name, target)


def check_reflink_and_sparse(reflink: str | bool, sparse: str) -> None:
    """Refuse unknown values of --reflink and --sparse."""
    choice_of("--sparse", sparse, {word: word for word in ("never", "auto", "always")})
    if isinstance(reflink, str):
        choice_of("--reflink", reflink, {word: word for word in ("auto", "always", "never")})
