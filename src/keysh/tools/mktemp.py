"""mktemp - create a temporary file or directory."""

from __future__ import annotations

import errno
import string

from keysh.interp.state.call import UsageFailure, os_error_text
from keysh.schema.declare import OptionStyle, command
from keysh.text.gnu_quoting import locale_quoted_text
from keysh.vfs.api import failure
from keysh.vfs.paths import join, without_slash

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call
    from keysh.schema.types import Path

NAME_CHARACTERS = string.ascii_letters + string.digits
MIN_X_COUNT, MAX_TRIES = 3, 1000


@command(
    compatible="GNU coreutils 9.1", style=OptionStyle(unabbreviated="within template-in-tmpdir")
)
def mktemp(
    sh: Call,
    *templates: str,
    directory: bool = False,
    quiet: bool = False,
    suffix: str | None = None,
    within: Path | None = None,
    tmpdir: str | bool = False,
    template_in_tmpdir: bool = False,
    dry_run: bool = False,
) -> str | int:
    """Create a temporary file or directory and print its name.

    templates ...             the name, with at least three consecutive X to
                              replace; the default is tmp.XXXXXXXXXX in $TMPDIR or
                              /tmp
    -d, --directory           create a directory
    -q, --quiet               suppress error messages
    --suffix SUFFIX           append SUFFIX to the template
    -p, --within DIR          create it in DIR
    --tmpdir[=DIR]            same; the default DIR is $TMPDIR
    -t, --template-in-tmpdir  the template is a file name in $TMPDIR
    -u, --dry-run             create nothing, only print a name
    """
    if len(templates) > 1:
        raise UsageFailure("too many templates")
    template = templates[0] if templates else "tmp.XXXXXXXXXX"
    folders = [value for name, value in sh.given if name in ("within", "tmpdir")]
    folder = folders[-1] if folders and isinstance(folders[-1], str) else ""
    in_folder = bool(folders) or not templates or template_in_tmpdir
    prefix, count, ending = parse_template(sh, template, suffix)
    pattern = f"{prefix}{'X' * count}{ending}"
    if in_folder:
        default_folder = sh.env.get("TMPDIR") or "/tmp"
        if template_in_tmpdir:
            if "/" in template:
                message = (
                    f"invalid template, {locale_quoted_text(pattern)}, contains directory separator"
                )
                raise sh.fail(message)
            folder = sh.env.get("TMPDIR") or folder or default_folder
        elif template.startswith("/"):
            shown = locale_quoted_text(pattern)
            message = f"invalid template, {shown}; with --tmpdir, it may not be absolute"
            raise sh.fail(message)
        prefix = join(without_slash(folder or default_folder), prefix)
    try:
        path = make_unique_path(sh, prefix, count, ending, directory, dry_run)
    except OSError as error:
        if quiet:
            return 1
        kind = "directory" if directory else "file"
        pattern = locale_quoted_text(f"{prefix}{'X' * count}{ending}")
        raise sh.fail(
            f"failed to create {kind} via template {pattern}: {os_error_text(error)}"
        ) from None
    return f"{path}\n"


def parse_template(sh: Call, template: str, suffix: str | None) -> tuple[str, int, str]:
    """Split a template into the text before the X, their number and the text after."""
    rest = suffix
    if suffix is None:
        last = template.rfind("X") + 1
        rest = template[last:] if last else ""
        template = template[:last] if last else template
    elif not template.endswith("X"):
        raise sh.fail(f"with --suffix, template {locale_quoted_text(template)} must end in X")
    rest = rest or ""
    if "/" in rest:
        raise sh.fail(f"invalid suffix {locale_quoted_text(rest)}, contains directory separator")
    prefix = template.rstrip("X")
    count = len(template) - len(prefix)
    if count < MIN_X_COUNT:
        raise sh.fail(f"too few X's in template {locale_quoted_text(template + rest)}")
    return prefix, count, rest


def make_unique_path(
    sh: Call, prefix: str, count: int, ending: str, is_folder: bool, is_dry: bool
) -> str:
    """Create a new file or directory that only its owner can access."""
    for _ in range(MAX_TRIES):
        middle = "".join(sh.random.choice(NAME_CHARACTERS) for _ in range(count))
        path = f"{prefix}{middle}{ending}"
        try:
            if is_dry:
                sh.fs.stat(sh.path(path))
                continue
            if is_folder:
                sh.fs.make_directory(sh.path(path), 0o700 & ~sh.umask)
            else:
                sh.open(path, "x", 0o600).close()
        except FileExistsError:
            continue
        except FileNotFoundError:
            if not is_dry:
                raise
        return path
    raise failure(errno.EEXIST, prefix)
