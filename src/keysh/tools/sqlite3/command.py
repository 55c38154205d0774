"""sqlite3: run SQL on a database."""

from __future__ import annotations

from contextlib import closing
from sqlite3 import connect, sqlite_version

from keysh.interp.run.control_flow import ReaderGone
from keysh.schema.arguments import expanded_texts
from keysh.schema.declare import command, command_of
from keysh.schema.render import help_text
from keysh.tools.sqlite3.columns import TABLE_STYLES
from keysh.tools.sqlite3.database import Database, DatabaseOpenError
from keysh.tools.sqlite3.dot_commands import ExitInput
from keysh.tools.sqlite3.script import BailOut, SqlScript
from keysh.tools.sqlite3.session import SqlSession

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call
    from keysh.schema.types import Raw
    from keysh.tools.sqlite3.modes import OutputMode

# Separators that the options of modes set; they differ from those of `.mode`.
OPTION_SEPARATORS: dict[str, tuple[str | None, str | None]] = {
    "ascii": ("\x1f", "\x1e"), "csv": (",", None), "html": (None, None), "json": (None, None),
    "line": (None, None), "list": (None, None), "quote": (",", "\n"), "tabs": ("\t", "\n"),
    **dict.fromkeys(TABLE_STYLES, (None, None)),
}  # fmt: skip
VALUE_OPTIONS = ("cmd", "init", "newline", "nullvalue", "separator")
# Options without effect, with their numbers of arguments.
IGNORED_OPTIONS = {
    "append": 0, "batch": 0, "deserialize": 0, "interactive": 0, "lookaside": 2, "maxsize": 1,
    "memtrace": 0, "mmap": 1, "nofollow": 0, "nonce": 1, "pagecache": 2, "safe": 0, "vfs": 1,
}  # fmt: skip


class SqliteOptions:
    """The options and operands of a call."""

    def __init__(self) -> None:
        self.operands: list[str] = []
        self.mode_options: list[tuple[str, str]] = []  # options for the output
        self.flags: set[str] = set()
        self.first_commands: list[str] = []  # of -cmd
        self.init_file = ""  # of -init


@command
def sqlite3(sh: Call, *words: Raw) -> int:
    """Run SQL on a database in a file, or in memory.

    words ...  options, the file (:memory: for none), then SQL or dot commands; by
               default they are read from standard input

    Output: -list -csv -tabs -quote -ascii -json -line -column -table -markdown -box
    -html, -header -noheader, -separator TEXT -newline TEXT -nullvalue TEXT.
    Others: -cmd SQL (run it first), -init FILE, -bail (stop at the first error),
    -echo, -readonly, -version, -help. Options may also start with two dashes.

    Dot commands: .bail .changes .dump .echo .exit .headers .help .import .indexes
    .mode .nullvalue .once .output .print .quit .read .schema .separator .tables
    .width.

    The file is read when the command starts, and replaced in one step when it ends.
    ATTACH, VACUUM INTO, extensions, and pragmas that reach the machine are refused.
    `$(sqlite3 -json …)` is a list of the rows as records.
    """
    options = parse_words(sh, expanded_texts(words))
    if "help" in options.flags:
        sh.out.write(help_text(command_of(sqlite3)))
        return 0
    if "version" in options.flags:
        with closing(connect(":memory:")) as library:
            (source,) = library.execute("SELECT sqlite_source_id()").fetchone()
        sh.out.write(f"{sqlite_version} {source}\n")
        return 0
    name, *texts = options.operands or [":memory:"]
    try:
        session = SqlSession(sh, Database(sh, name, is_readonly="readonly" in options.flags))
        with closing(session):
            script = SqlScript(session, bails="bail" in options.flags)
            if options.init_file:
                script.run_init(options.init_file)
            for option, value in options.mode_options:
                set_option(session.modes, option, value)
            session.is_echoing = "echo" in options.flags
            try:
                status = run_input(sh, script, [*options.first_commands, *texts], reads=not texts)
            except ReaderGone:
                session.database.save()  # nobody reads the rest of the output
                raise
            session.database.save()
            return status
    except DatabaseOpenError as error:
        sh.complain(f"Error: {error}")
        return 1


def parse_words(sh: Call, texts: list[str]) -> SqliteOptions:
    """Parse the words; options may follow operands."""
    options = SqliteOptions()
    rest = iter(texts)
    for text in rest:
        if text[:1] != "-" or text == "-":
            options.operands.append(text)
            continue
        name = text.removeprefix("-").removeprefix("-")
        if name in VALUE_OPTIONS:
            value = next(rest, None)
            if value is None:
                raise sh.fail(f"Error: missing argument to {text}")
            if name == "cmd":
                options.first_commands.append(value)
            elif name == "init":
                options.init_file = value
            else:
                options.mode_options.append((name, value))
        elif name in OPTION_SEPARATORS or name in ("header", "noheader"):
            options.mode_options.append((name, ""))
        elif name in ("bail", "echo", "help", "readonly", "stats", "version"):
            options.flags.add(name)
        elif name in IGNORED_OPTIONS:
            for _ in range(IGNORED_OPTIONS[name]):
                next(rest, None)
        else:
            message = f"unknown option: -{name}\nUse -help for a list of options."
            raise sh.fail(f"Error: {message}")
    return options


def set_option(modes: OutputMode, option: str, value: str) -> None:
    """Apply an option for the output."""
    if option == "separator":
        modes.column = value
    elif option == "newline":
        modes.row = value
    elif option == "nullvalue":
        modes.null = value
    elif option in ("header", "noheader"):
        modes.has_header, modes.has_set_header = option == "header", True
    else:
        modes.name = option
        column, row = OPTION_SEPARATORS[option]
        modes.column = modes.column if column is None else column
        modes.row = modes.row if row is None else row


def run_input(sh: Call, script: SqlScript, texts: list[str], *, reads: bool) -> int:
    """Run the texts, and standard input if requested; return the exit status."""
    try:
        for text in texts:
            status = script.run_text(text)
            if status:
                return status
        if reads:
            for source in sh.inputs(()):
                script.run_lines(source.lines())
    except ExitInput as exit_input:
        if exit_input.status:
            return exit_input.status
    except BailOut:
        return 1
    return 1 if script.errors else 0
