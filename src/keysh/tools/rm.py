"""rm - remove files and directories."""

from __future__ import annotations

from keysh.gnu.option_values import choice_of
from keysh.gnu.questions import ask_yes_no
from keysh.gnu.removal import Remover
from keysh.interp.state.call import UsageFailure
from keysh.schema.declare import OptionStyle, command
from keysh.text.gnu_quoting import quoted_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call
    from keysh.schema.types import Path

INTERACTIVE_MODES = {
    "never": "never", "no": "never", "none": "never", "once": "once", "always": "always",
    "yes": "always",
}  # fmt: skip
MAX_UNASKED_FILES = 3  # with -I


@command(
    compatible="GNU coreutils 9.1",
    style=OptionStyle(no_glob_match_option="force", unabbreviated="ask ask-once"),
)
def rm(
    sh: Call,
    *files: Path,
    force: bool = False,
    ask: bool = False,
    ask_once: bool = False,
    interactive: str | bool = False,
    one_file_system: bool = False,
    preserve_root: str | bool = False,
    recursive: bool = False,
    dir: bool = False,
    verbose: bool = False,
) -> None:
    """Remove files, and with -r directories.

    files ...              what to remove
    -f, --force            ignore missing files and never ask
    -i, --ask              ask before each removal; the answer is read from standard
                           input
    -I, --ask-once         ask once before removing more than three files or
                           recursively
    --interactive[=WHEN]   never, once (-I) or always (-i); the default is always
    --one-file-system      skip directories on other file systems
    --preserve-root[=all]  refuse to remove `/` recursively (default);
                           --no-preserve-root allows it
    -r, -R, --recursive    remove directories and their contents
    -d, --dir              remove empty directories
    -v, --verbose          report each removal
    """
    remover = Remover(sh)
    remover.recursive, remover.takes_empty, remover.verbose = recursive, dir, verbose
    remover.stays = one_file_system
    for name, value in sh.given:
        if name == "preserve_root":
            if isinstance(value, str) and value != "all":
                raise sh.fail(f"unrecognized --preserve-root argument: {quoted_name(value)}")
            remover.guards_root = value is not False
        elif name == "force" and value:
            remover.asks, remover.ignores_missing = "never", True
        elif name in ("ask", "ask_once", "interactive") and value is not False:
            choice = {"ask": "always", "ask_once": "once"}.get(name, value)
            is_word = isinstance(choice, str)
            remover.asks = (
                choice_of("--interactive", choice, INTERACTIVE_MODES) if is_word else "always"
            )
            remover.ignores_missing &= remover.asks == "never"
    if not files:
        if remover.ignores_missing:
            return
        raise UsageFailure("missing operand")
    if remover.asks == "once":
        remover.asks = "never"
        if recursive or len(files) > MAX_UNASKED_FILES:
            count = f"{len(files)} argument{'s' if len(files) > 1 else ''}"
            if not ask_yes_no(sh, f"remove {count}{' recursively' if recursive else ''}?"):
                return
    for file in files:
        remover.remove(file)
