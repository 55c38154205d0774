"""Split the operands of cp, mv, ln and install into sources and destination."""

from __future__ import annotations

from keysh.interp.state.call import UsageFailure, os_error_text
from keysh.text.gnu_quoting import quoted_name
from keysh.vfs.paths import without_slash

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call


def refuse_second_folder(sh: Call) -> None:
    """Refuse a second -t."""
    if sum(name == "target_directory" for name, _ in sh.given) > 1:
        raise sh.fail("multiple target directories specified")


def split_destination(
    sh: Call, paths: tuple[str, ...], folder: str | None, is_file: bool
) -> tuple[tuple[str, ...], str]:
    """Return the sources, and the destination directory or "" for a file."""
    if len(paths) <= (folder is None):
        after = (
            f"destination file operand after {quoted_name(paths[0])}" if paths else "file operand"
        )
        raise UsageFailure(f"missing {after}")
    if folder is not None and is_file:
        message = "cannot combine --target-directory (-t) and --no-target-directory (-T)"
        raise sh.fail(message)
    if is_file and len(paths) > 2:
        raise UsageFailure(f"extra operand {quoted_name(paths[2])}")
    last = paths[-1] if folder is None else folder
    reason = "Not a directory"
    try:
        is_folder = not is_file and sh.fs.stat(sh.path(last), follow=True).is_directory
    except OSError as error:
        is_folder, reason = False, os_error_text(error)
    if is_folder:
        return paths if folder is not None else paths[:-1], without_slash(last)
    if folder is not None:
        raise sh.fail(f"target directory {quoted_name(folder)}: {reason}")
    if len(paths) > 2:
        raise sh.fail(f"target {quoted_name(last)}: {reason}")
    return paths[:1], ""
