"""mv - move and rename files and directories."""

from __future__ import annotations

from keysh.gnu.backups import backups_of, wants_backups
from keysh.gnu.copy.destination import refuse_second_folder, split_destination
from keysh.interp.state.call import UsageFailure
from keysh.schema.declare import OptionStyle, command
from keysh.tools.mv.moving import Mover
from keysh.vfs.paths import join, last_step, without_slash

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call
    from keysh.schema.types import Path


@command(style=OptionStyle(unabbreviated="backup-plainly"))
def mv(
    sh: Call,
    *paths: Path,
    backup: str | bool = False,
    backup_plainly: bool = False,
    force: bool = False,
    interactive: bool = False,
    clobber: bool = True,
    strip_trailing_slashes: bool = False,
    suffix: str | None = None,
    target_directory: Path | None = None,
    no_target_directory: bool = False,
    update: bool = False,
    verbose: bool = False,
) -> None:
    """Move and rename files and directories.

    paths ...                       what to move, and last where to
    --backup[=METHOD]               keep what is replaced: simple, numbered, existing, none
    -b, --backup-plainly            the same as --backup
    -f, --force                     do not ask before overwriting
    -i, --interactive               ask before overwriting (the answer is a line of input)
    -n, --no-clobber                leave files that exist
    --strip-trailing-slashes        remove slashes at the end of each source
    -S, --suffix SUFFIX             what a backup's name ends in; ~ by default
    -t, --target-directory FOLDER   move everything into this directory
    -T, --no-target-directory       the last path is no directory to move into
    -u, --update                    only where the source is newer, or the target missing
    -v, --verbose                   say what is done

    What goes to another file system is copied and then removed.
    """
    refuse_second_folder(sh)
    asks = ""
    answers = {"force": "", "interactive": "ask", "clobber": "never"}
    for name, value in sh.given:
        if name in answers and value is (name != "clobber"):
            asks = answers[name]
    sources, folder = split_destination(sh, paths, target_directory, no_target_directory)
    if wants_backups(sh) and asks == "never":
        raise UsageFailure("options --backup and --no-clobber are mutually exclusive")
    mover = Mover(sh, backups_of(sh, suffix))
    mover.asks, mover.update, mover.verbose = asks, update, verbose
    for path in sources:
        source, target = path, join(folder, last_step(path)) if folder else paths[-1]
        if strip_trailing_slashes:
            source, target = without_slash(source), without_slash(target)
        mover.move(source, target)
