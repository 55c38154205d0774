"""cp - copy files and directories."""

from __future__ import annotations

from keysh.gnu.backups import backups_of, wants_backups
from keysh.gnu.copy.copier import Copier, path_in_folder
from keysh.gnu.copy.destination import refuse_second_folder, split_destination
from keysh.gnu.copy.rules import rules_of
from keysh.gnu.options import choice_of
from keysh.interp.state.call import UsageFailure
from keysh.schema.declare import OptionStyle, command
from keysh.vfs.paths import without_slash

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call
    from keysh.schema.types import Path


@command(style=OptionStyle(unabbreviated="backup-plainly keep-links follow-operands keep"))
def cp(
    sh: Call,
    *paths: Path,
    archive: bool = False,
    attributes_only: bool = False,
    backup: str | bool = False,
    backup_plainly: bool = False,
    copy_contents: bool = False,
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

    paths ...                       what to copy, and last where to
    -a, --archive                   the same as -dR --preserve=all
    --attributes-only               copy no contents, only what --preserve names
    --backup[=METHOD]               keep what is replaced: simple, numbered, existing, none
    -b, --backup-plainly            the same as --backup
    --copy-contents                 ignored: only files have contents that can be copied
    -d, --keep-links                the same as -P --preserve=links
    -f, --force                     remove a file that cannot be written, and try again
    -H, --follow-operands           follow symbolic links among the operands
    -i, --interactive               ask before overwriting (the answer is a line of input)
    -l, --link                      make hard links instead of copies
    -L, --dereference               follow all symbolic links; the default without -R
    -n, --no-clobber                leave files that exist
    -P, --no-dereference            copy symbolic links as links; the default with -R
    -p, --keep                      the same as --preserve=mode,ownership,timestamps
    --preserve[=LIST]               keep these: mode, timestamps, links, all; owners, contexts
                                    and attributes (ownership, context, xattr) are not kept
    --no-preserve LIST              do not keep these
    --parents                       make the directories of each source below the target
    -R, -r, --recursive             copy directories with all they hold
    --reflink[=WHEN]                share blocks: auto and never copy, always fails
    --remove-destination            remove each file that exists before writing it
    --sparse WHEN                   ignored: auto, always, never; holes are the file system's
    -s, --symbolic-link             make symbolic links instead of copies
    --strip-trailing-slashes        remove slashes at the end of each source
    -S, --suffix SUFFIX             what a backup's name ends in; ~ by default
    -t, --target-directory FOLDER   copy everything into this directory
    -T, --no-target-directory       the last path is no directory to copy into
    -u, --update                    only where the source is newer, or the target missing
    -v, --verbose                   say what is done
    -x, --one-file-system           leave out directories of other file systems
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
            there = sh.stat(source, follow=False) if not folder and source == target else None
            if force and rules.backups is not None and there is not None and there.is_file:
                target, rules.backups = backups.name_for(target), None  # the copy is the backup
            copier.copy(name, target)


def check_reflink_and_sparse(reflink: str | bool, sparse: str) -> None:
    """Refuse words that --reflink and --sparse do not know."""
    choice_of("--sparse", sparse, {word: word for word in ("never", "auto", "always")})
    if isinstance(reflink, str):
        choice_of("--reflink", reflink, {word: word for word in ("auto", "always", "never")})
