"""The options of a run: `keysh [OPTION]... SCRIPT`, declared like any command.

The function that is declared answers with its own arguments, as `CliOptions`; `setup` makes a shell
of them and `run_script` runs the script.
"""

from __future__ import annotations

import os
import sys

from keysh.cli.console import UsageError, put
from keysh.diagnostics.dialect import BASH, DIALECTS, KEYSH, SHELLS_OF_BASH, declared_dialect
from keysh.interp.run.options import OPTION_BITS, OPTION_LETTERS
from keysh.schema.arguments import InvalidArguments
from keysh.schema.binder import bind
from keysh.schema.command import OptionStyle, Refusals
from keysh.schema.declare import command, command_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, Literal

    from keysh.diagnostics.dialect import Dialect

USAGE_STATUS = 2
STORE_CONTRADICTIONS = ("memory", "sandbox", "overlay", "allow", "journal")
CLI_REFUSALS = Refusals(usage_status=USAGE_STATUS)


class CliOptions:
    """What the command line asks for; the fields are the options of `keysh run`."""

    __slots__ = (
        "allow", "audit", "audit_head", "audit_required", "check", "clear_env", "commit", "confine",
        "dialect", "env", "external", "journal", "json", "keep_env", "limit", "memory", "mount",
        "overlay", "plan", "reads_stdin", "rules", "sandbox", "set_options", "store", "text",
        "timeout", "words",
    )  # fmt: skip

    def __init__(self) -> None:
        self.text: str | None = None  # of -c
        self.reads_stdin = False
        self.words: list[str] = []  # the script and its arguments
        self.set_options: list[tuple[str, bool]] = []  # names of `set -o`, and on or off
        self.memory = self.overlay = self.commit = self.clear_env = self.json = False
        self.external = self.check = True
        self.sandbox: str | None = None
        self.store: str | None = None
        self.mount: list[str] = []
        self.allow: list[str] = []
        self.limit: list[str] = []
        self.env: list[str] = []
        self.keep_env: list[str] = []
        self.rules: str | None = None
        self.audit: str | None = None
        self.audit_head: str | None = None
        self.audit_required = False
        self.journal: str | None = None  # its directory; "" is the user's own
        self.timeout: float | None = None
        self.plan = self.confine = ""
        self.dialect: str | None = None


@command(
    name="run",
    refusals=CLI_REFUSALS,
    style=OptionStyle(binds_by_key=False, options_first=True),
)
def read_options(
    program: str,
    *words: str,
    command: bool = False,
    stdin: bool = False,
    option: list[str] | None = None,
    interactive: bool = False,
    login: bool = False,
    memory: bool = False,
    sandbox: str | bool = False,
    store: str | None = None,
    overlay: bool = False,
    commit: bool = False,
    mount: list[str] | None = None,
    external: bool = True,
    allow: list[str] | None = None,
    confine: Literal["auto", "require", "off"] | None = None,
    rules: str | None = None,
    audit: str | None = None,
    audit_head: str | None = None,
    audit_required: bool = False,
    timeout: float | None = None,
    limit: list[str] | None = None,
    env: list[str] | None = None,
    clear_env: bool = False,
    keep_env: list[str] | None = None,
    json: bool = False,
    plan: Literal["json", "tree"] | bool = False,
    journal: str | bool = False,
    check: bool = True,
    dialect: Literal["bash", "keysh"] | None = None,
) -> CliOptions:
    """Run a script; at a terminal and without one, show a prompt.

    words ...            SCRIPT and its arguments; `-` is standard input
    -c, --command        the first word is the text to run, the second is $0
    -s, --stdin          run what standard input holds
    -o, --option NAME    turn on an option of `set -o`; -e is -o errexit, +e turns it off
    -i, --interactive    ignored
    -l, --login          ignored
    --memory             keep files in memory; nothing of the machine is seen
    --sandbox[=DIR]      show only the files below DIR, or below the current directory,
                         and run no program but those of --allow, confined
    --store FILE         go on in the session of FILE, a SQLite file: its files are the
                         only ones, and what scripts make is stored after each run;
                         no program runs
    --overlay            keep changes in memory, show them at the end, and ask at a
                         terminal whether to write them
    --commit             with --overlay: write the changes if the script succeeds
    --mount V=R          show the directory R as V; V=R:ro is read-only
    --no-external        run no program
    --allow COMMAND      run only this program; may be repeated
    --confine MODE       let the kernel hold programs to what the script sees: auto, as far
                         as it can; require, or run none; off
    --rules FILE         let the rules of FILE decide about commands, files, requests and
                         variables; what they ask is asked at the terminal
    --audit FILE         append a line of JSON for each command, program, change and so on,
                         in a chain that `keysh audit verify` checks
    --audit-head FILE    keep the number and the hash of its last line in FILE
    --audit-required     stop the script if a line cannot be written
    --timeout SECONDS    stop the script after SECONDS
    --limit KIND=NUM     set a limit, or none: steps, seconds, output, unpacked, memory,
                         session_memory, value, depth, globs, braces, jobs, processes;
                         with --memory also files and file_bytes
    --env NAME=VALUE     set a variable of the environment
    --clear-env          begin with an empty environment, as with --memory and --sandbox
    --keep-env NAME      where it begins empty, keep this variable; may be repeated
    --json               print the result as a JSON object
    --plan[=FORM]        print what the script would run, as json or tree, and run nothing
    --journal[=DIR]      keep what changes, for `undo`, `keysh log` and `keysh undo`, in
                         DIR or ~/.local/state/keysh/journal
    --no-check           run the script whatever the check finds
    --dialect NAME       the language: bash, as bash runs it, or keysh, its own (default:
                         what the script says by a line `# keysh: dialect NAME`, by #! or
                         by its ending, .sh or .bash for bash; else keysh)

    The letters of `set` are options here too: `keysh -eu SCRIPT`, `keysh +x SCRIPT`.
    """
    options = CliOptions()
    options.words = list(words)
    options.reads_stdin, options.memory, options.overlay = stdin, memory, overlay
    options.commit, options.external, options.audit = commit, external, audit
    options.clear_env, options.json, options.check = clear_env, json, check
    options.mount, options.allow = mount or [], allow or []
    options.confine, options.rules = confine or "", rules
    options.keep_env = keep_env or []
    options.limit, options.env, options.timeout = limit or [], env or [], timeout
    options.plan = "json" if plan is True else plan or ""
    options.sandbox = "." if sandbox is True else sandbox or None
    options.store = store
    options.dialect = dialect
    options.audit_head, options.audit_required = audit_head, audit_required
    if audit is None and (audit_required or audit_head is not None):
        raise UsageError("--audit-head and --audit-required need --audit")
    options.journal = "" if journal is True else journal or None
    options.set_options = [set_option(spelling) for spelling in option or ()]
    if commit and not overlay:
        raise UsageError("--commit needs --overlay")
    if memory and options.sandbox is not None:
        raise UsageError("--memory and --sandbox exclude each other")
    if options.sandbox is not None and confine == "off" and allow:
        raise UsageError("--confine=off and --sandbox exclude each other")
    if store is not None:
        for name in STORE_CONTRADICTIONS:
            if getattr(options, name) not in (None, False, []):
                raise UsageError(f"--store and --{name} exclude each other")
    if timeout is not None and not timeout > 0:
        raise UsageError(f"--timeout needs a number above 0, but has {timeout:g}")
    for name in options.keep_env:
        if not name or "=" in name:
            raise UsageError(f"--keep-env needs NAME, but has {name:.60}")
    if command:
        if not words:
            raise UsageError("-c needs a text")
        options.text = options.words.pop(0)
    return options


def set_option(spelling: str) -> tuple[str, bool]:
    """Return the name of a `set -o` option and whether it is turned on: `errexit`, `+errexit`."""
    name, is_on = spelling.removeprefix("+"), not spelling.startswith("+")
    if name not in OPTION_BITS:
        raise UsageError(f"no such option: -o {name}")
    from keysh.syntax.bash_differences import option_refusal  # noqa: PLC0415 - few runs set options

    if refusal := option_refusal(name, is_on, KEYSH):
        raise UsageError(refusal)
    return name, is_on


def parse_options(arguments: Sequence[str]) -> CliOptions | None:
    """Read the command line of a run; None if it only asked for the help."""
    words = arguments if asks_help(arguments) else spell_out_letters(arguments)
    options = call_declared(read_options, words)
    return options if isinstance(options, CliOptions) else None


def asks_help(arguments: Sequence[str]) -> bool:
    """Whether `-h` stands alone; elsewhere it may be a letter of `set`."""
    return list(arguments) == ["-h"]


def spell_out_letters(arguments: Sequence[str]) -> list[str]:
    """Replace the letters of `set` by names: `-ec` by `-o errexit -c`, `+e` by `-o +errexit`."""
    declared = command_of(read_options)
    spelled: list[str] = []
    words = list(reversed(arguments))
    while words:
        word = words.pop()
        sign = word[:1].replace("-", "")
        if word[:1] not in ("-", "+") or word in ("-", "+", "--"):
            return [*spelled, word, *reversed(words)]
        if word.startswith("--"):
            from keysh.schema.render import option_awaiting_value  # noqa: PLC0415 - few runs have any

            spelled.append(word)
            if words and option_awaiting_value(declared, word) is not None:
                spelled.append(words.pop())
            continue
        for letter in word[1:]:
            if letter in OPTION_LETTERS:
                spelled += ["-o", sign + OPTION_LETTERS[letter]]
            elif letter == "o" and words:
                spelled += ["-o", sign + words.pop()]
            else:
                spelled.append(f"-{letter}")
    return spelled


def dialect_of_script(chosen: str | None, text: str, name: str) -> Dialect | None:
    """Return the dialect that `--dialect` names, or else the script, or else the program's name.

    None if none of them does: then the script is in keysh's own.
    """
    if chosen is not None:
        return DIALECTS[chosen]
    is_called_bash = os.path.basename(sys.argv[0]) in SHELLS_OF_BASH
    return declared_dialect(text, name) or (BASH if is_called_bash else None)


def call_declared(function: Callable[..., Any], arguments: Sequence[str]) -> Any:
    """Bind words to a declared function of the program and call it.

    The function's first argument is the program's name. Help is printed here, and None
    is the answer then.
    """
    declared = command_of(function)
    try:
        bound = bind(declared, ["--help"] if asks_help(arguments) else arguments)
    except InvalidArguments as error:
        message = error.message if declared.name == "run" else f"{declared.name}: {error.message}"
        raise UsageError(message, declared.name) from None
    if bound.asks_help:
        from keysh.schema.render import help_text  # noqa: PLC0415 - few runs ask

        put(help_text(declared).replace("Usage: ", "Usage: keysh ", 1))
        return None
    return function("keysh", *bound.positional, **bound.options)
