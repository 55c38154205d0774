"""mv - move or rename files and directories."""

from __future__ import annotations

from keysh.gnu.backups import backups_of, wants_backups
from keysh.gnu.copy.destination import refuse_second_folder, split_destination
from keysh.interp.state.call import UsageFailure
from keysh.schema.declare import OptionStyle, command
from keysh.tools.mv.mover import Mover
from keysh.vfs.paths import join, last_step, without_slash

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call
    from keysh.schema.types import Path


@command(
    compatible="GNU coreutils 9.1", ignored="-Z", style=OptionStyle(unabbreviated="backup-plainly")
)
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
    """Move or rename files and directories.

    paths ...                   the sources, then the destination
    --backup[=METHOD]           back up replaced files: simple, numbered, existing
                                or none
    -b, --backup-plainly        same as --backup
    -f, --force                 do not ask before overwriting
    -i, --interactive           ask before overwriting; the answer is read from
                                standard input
    -n, --no-clobber            do not overwrite existing files
    --strip-trailing-slashes    remove trailing slashes from each source
    -S, --suffix SUFFIX         backup suffix; the default is ~
    -t, --target-directory DIR  move all sources into DIR
    -T, --no-target-directory   never treat the destination as a directory to move
                                into
    -u, --update                move only if the source is newer or the destination
                                is missing
    -v, --verbose               report each file

    A move to another file system copies the source and then removes it.
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
