"""The subcommands on the state of shells: `keysh snapshot`, `restore`, `log` and `undo`.

They are declared like those in `subcommands`, and import late for the same reason.
"""

# ruff: noqa: PLC0415

from __future__ import annotations

from itertools import takewhile

from keysh.cli.command_line import CLI_REFUSALS
from keysh.cli.console import UsageError
from keysh.schema.command import OptionStyle
from keysh.schema.declare import command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.schema.types import Raw

BY_WORDS = OptionStyle(binds_by_key=False)
OPTIONS_OF_RESTORE = ("--info", "--json", "--save")


@command(refusals=CLI_REFUSALS, style=BY_WORDS)
def snapshot(program: str, file: str, *words: Raw) -> int:
    """Run a script, and write the shell that it leaves to a file.

    file       the image to write; an image that is there is replaced
    words ...  options of `keysh run`, and the script with its arguments. Without a
               script it is a prompt, whose shell is written when it ends

    The image holds variables, functions, options and so on, and files in memory; it
    refers to other files. The status is that of the script. Nothing is written if the
    check refuses the script, or if a signal ends it.
    """
    from keysh.cli.images import snapshot_run

    return snapshot_run(file, [str(word) for word in words])


@command(refusals=CLI_REFUSALS, style=OptionStyle(binds_by_key=False, options_first=True))
def restore(
    program: str,
    file: str,
    *words: Raw,
    info: bool = False,
    json: bool = False,
    save: bool = False,
) -> int:
    """Run a script in the shell that an image holds.

    file       an image that `keysh snapshot` or Shell.snapshot has written
    words ...  options of `keysh run`, and the script with its arguments; without a
               script it is a prompt
    --info     print what is in the image and what could not be, and run nothing
    --json     with --info: print it as JSON
    --save     write the shell that the script leaves to the file again

    The image opens no door: where it refers to files of the machine, --sandbox and
    --mount grant them; without these options a script sees those that `keysh run`
    shows. The environment is the one in the image; --env adds to it.
    """
    from keysh.cli.images import print_image, restore_run

    rest = [str(word) for word in words]
    own = [*takewhile(OPTIONS_OF_RESTORE.__contains__, rest)]  # that follow FILE
    rest = rest[len(own) :]
    info, save = info or "--info" in own, save or "--save" in own
    if "--json" in own and info:
        json = True
    elif "--json" in own:
        rest.insert(0, "--json")  # of `keysh run`
    if info or json:
        if rest or save or not info:
            raise UsageError("restore: --info and --json go together, without a script", "restore")
        return print_image(file, is_json=json)
    return restore_run(file, rest, is_saved=save)


@command(refusals=CLI_REFUSALS, style=BY_WORDS)
def log(
    program: str,
    directory: str | None = None,
    *,
    number: int | None = None,
    json: bool = False,
) -> int:
    """List the runs in a journal that `keysh --journal` has kept.

    directory          the journal (default: ~/.local/state/keysh/journal)
    -n, --number NUM   list what this run changed
    --json             print JSON
    """
    from keysh.cli.disk_journal import print_log

    return print_log(directory or "", number=number, is_json=json)


@command(refusals=CLI_REFUSALS, style=BY_WORDS)
def undo(
    program: str,
    directory: str | None = None,
    number: int | None = None,
    *,
    partial: bool = False,
) -> int:
    """Take back what the last runs in a journal did to files of the machine.

    directory      the journal (default: ~/.local/state/keysh/journal)
    number         how many runs that changed files (default: 1)
    -p, --partial  take back what is known of a run that may have changed more

    If somebody else has changed one of the files since, or if not all changes of a run
    are known, nothing is changed, and the status is 1.
    """
    from keysh.cli.disk_journal import undo_on_disk

    if number is None and directory is not None and directory.isdecimal():
        number, directory = int(directory), None
    if number is not None and number < 1:
        raise UsageError(f"undo: the number must be at least 1, but is {number}", "undo")
    return undo_on_disk(directory or "", number or 1, is_partial=partial)
