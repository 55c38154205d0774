"""ln - make links."""

from __future__ import annotations

from keysh.gnu.backups import backups_of
from keysh.gnu.copy.destination import refuse_second_folder
from keysh.interp.state.call import UsageFailure, os_error_text
from keysh.schema.declare import OptionStyle, command
from keysh.text.gnu_quoting import quoted_name
from keysh.tools.ln.link_maker import Linker
from keysh.vfs.paths import join, last_step, without_slash

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call
    from keysh.schema.types import Path


@command(compatible="GNU coreutils 9.1", style=OptionStyle(unabbreviated="backup-plainly"))
def ln(
    sh: Call,
    *paths: Path,
    backup: str | bool = False,
    backup_plainly: bool = False,
    directory: bool = False,
    force: bool = False,
    interactive: bool = False,
    logical: bool = False,
    no_dereference: bool = False,
    physical: bool = False,
    relative: bool = False,
    symbolic: bool = False,
    suffix: str | None = None,
    target_directory: Path | None = None,
    no_target_directory: bool = False,
    verbose: bool = False,
) -> None:
    """Make hard links, or with -s symbolic links.

    paths ...                   the targets, then the link name or a directory; with
                                one target the link is made in the current directory
    --backup[=METHOD]           back up replaced files: simple, numbered, existing
                                or none
    -b, --backup-plainly        same as --backup
    -d, -F, --directory         try to hard link directories
    -f, --force                 remove existing destination files
    -i, --interactive           ask before removing them; the answer is read from
                                standard input
    -L, --logical               link to the files that symbolic links refer to
    -n, --no-dereference        treat a link to a directory as a file if it is the
                                last path
    -P, --physical              hard link symbolic links themselves (default)
    -r, --relative              with -s, make the link relative to its location
    -s, --symbolic              make symbolic links
    -S, --suffix SUFFIX         backup suffix; the default is ~
    -t, --target-directory DIR  make all links in DIR
    -T, --no-target-directory   never treat the last path as a directory for links
    -v, --verbose               report each link
    """
    check_target_directory(sh)
    linker = Linker(sh)
    for name, value in sh.given:
        if name in ("force", "interactive") and value:
            linker.replaces, linker.asks = True, name == "interactive"
        elif name in ("logical", "physical") and value:
            linker.follows = name == "logical"
    linker.symbolic, linker.relative, linker.verbose = symbolic, relative, verbose
    linker.allows_directories = directory
    if not paths:
        raise UsageFailure("missing file operand")
    if relative and not symbolic:
        raise sh.fail("cannot do --relative without --symbolic")
    sources, folder = split_operands(
        sh, paths, target_directory, no_target_directory, no_dereference
    )
    linker.backups = backups_of(sh, suffix)
    for source in sources:
        linker.link(source, join(folder, last_step(source)) if folder else paths[-1])


def check_target_directory(sh: Call) -> None:
    """Check that -t names a directory and is given once."""
    for name, folder in sh.given:
        if name == "target_directory":
            try:
                is_folder = sh.fs.stat(sh.path(folder), follow=True).is_directory
            except OSError as error:
                raise sh.fail(
                    f"failed to access {quoted_name(folder)}: {os_error_text(error)}"
                ) from None
            if not is_folder:
                raise sh.fail(f"target {quoted_name(folder)} is not a directory")
            break
    refuse_second_folder(sh)


def split_operands(
    sh: Call, paths: tuple[str, ...], folder: str | None, is_file: bool, is_link: bool
) -> tuple[tuple[str, ...], str]:
    """Return the targets and the directory for links, "" if the last path is the link."""
    if is_file:
        if folder is not None:
            raise sh.fail("cannot combine --target-directory and --no-target-directory")
        if len(paths) != 2:
            if len(paths) < 2:
                message = f"missing destination file operand after {quoted_name(paths[0])}"
                raise UsageFailure(message)
            raise UsageFailure(f"extra operand {quoted_name(paths[2])}")
        return paths[:1], ""
    if folder is not None:
        return paths, without_slash(folder)
    if len(paths) == 1:
        return paths, "."
    reason = "Not a directory"
    try:
        stat = sh.fs.stat(sh.path(paths[-1]), follow=not is_link)
        if stat.is_directory:
            return paths[:-1], without_slash(paths[-1])
    except OSError as error:
        reason = os_error_text(error)
    if len(paths) > 2:
        raise sh.fail(f"target {quoted_name(paths[-1])}: {reason}")
    return paths[:1], ""
