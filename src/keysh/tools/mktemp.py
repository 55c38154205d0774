"""mktemp - make a file or directory with a name that is new."""

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


@command(style=OptionStyle(unabbreviated="within template-in-tmpdir"))
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
    """Make a file or a directory with a name that is new, and print the name.

    templates ...             the name, in which a run of three X at least is replaced;
                              tmp.XXXXXXXXXX in $TMPDIR (else /tmp) where it is missing
    -d, --directory           make a directory
    -q, --quiet               do not tell why it fails
    --suffix SUFFIX           what stands behind the last X
    -p, --within FOLDER       make it in this directory
    --tmpdir[=FOLDER]         the same; $TMPDIR where none is given
    -t, --template-in-tmpdir  the template is a name in $TMPDIR
    -u, --dry-run             make nothing, only print a name
    """
    if len(templates) > 1:
        raise UsageFailure("too many templates")
    template = templates[0] if templates else "tmp.XXXXXXXXXX"
    folders = [value for name, value in sh.given if name in ("within", "tmpdir")]
    folder = folders[-1] if folders and isinstance(folders[-1], str) else ""
    in_folder = bool(folders) or not templates or template_in_tmpdir
    before, count, behind = parse_template(sh, template, suffix)
    shape = f"{before}{'X' * count}{behind}"
    if in_folder:
        usual = sh.env.get("TMPDIR") or "/tmp"
        if template_in_tmpdir:
            if "/" in template:
                says = (
                    f"invalid template, {locale_quoted_text(shape)}, contains directory separator"
                )
                raise sh.fail(says)
            folder = sh.env.get("TMPDIR") or folder or usual
        elif template.startswith("/"):
            says = f"invalid template, {locale_quoted_text(shape)}; with --tmpdir, it may not be absolute"
            raise sh.fail(says)
        before = join(without_slash(folder or usual), before)
    try:
        path = make_unique_path(sh, before, count, behind, directory, dry_run)
    except OSError as error:
        if quiet:
            return 1
        kind = "directory" if directory else "file"
        shape = locale_quoted_text(f"{before}{'X' * count}{behind}")
        raise sh.fail(
            f"failed to create {kind} via template {shape}: {os_error_text(error)}"
        ) from None
    return f"{path}\n"


def parse_template(sh: Call, template: str, suffix: str | None) -> tuple[str, int, str]:
    """A template's text before the X that are replaced, their number, and the text behind."""
    behind = suffix
    if suffix is None:
        last = template.rfind("X") + 1
        behind = template[last:] if last else ""
        template = template[:last] if last else template
    elif not template.endswith("X"):
        raise sh.fail(f"with --suffix, template {locale_quoted_text(template)} must end in X")
    behind = behind or ""
    if "/" in behind:
        raise sh.fail(f"invalid suffix {locale_quoted_text(behind)}, contains directory separator")
    before = template.rstrip("X")
    count = len(template) - len(before)
    if count < MIN_X_COUNT:
        raise sh.fail(f"too few X's in template {locale_quoted_text(template + behind)}")
    return before, count, behind


def make_unique_path(
    sh: Call, before: str, count: int, behind: str, is_folder: bool, is_dry: bool
) -> str:
    """A path that nothing has, made for its owner only."""
    for _ in range(MAX_TRIES):
        middle = "".join(sh.random.choice(NAME_CHARACTERS) for _ in range(count))
        path = f"{before}{middle}{behind}"
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
    raise failure(errno.EEXIST, before)
