"""Loop: read, run, and say how it went, until someone leaves."""

from __future__ import annotations

import os
from _thread import get_ident
from tempfile import TemporaryDirectory
from time import monotonic, time

from keysh.interp.jobs.names import job_marks, named_jobs
from keysh.repl.history import Entry, History, history_path
from keysh.repl.hooks import call, captured, init_path
from keysh.repl.prompt import Facts, branch, from_ps1, standard
from keysh.text.gnu_quoting import quoted_name
from keysh.values import text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.repl.line_reader import Lines
    from keysh.repl.terminal import Terminal
    from keysh.shell.shell import Shell

BEFORE, AFTER, PROMPT = "keysh_before", "keysh_after", "keysh_prompt"
MOST_EDITED = 1 << 20  # characters
MOST_PROMPT = 10_000  # characters of a prompt
PROMPT_SECONDS = 2.0  # that a function may take for it


class Loop:
    """One session at a terminal: what it knows of the last command is what the prompt shows."""

    __slots__ = ("history", "seconds", "shell", "status", "terminal", "thread", "warned_of_jobs")

    def __init__(self, shell: Shell, terminal: Terminal) -> None:
        self.shell, self.terminal = shell, terminal
        self.thread = get_ident()
        self.status = 0
        self.seconds = 0.0
        self.warned_of_jobs = False
        self.history = History(history_path(shell.state.variables))
        session = shell.state.session
        session.is_interactive = True
        if session.has_programs:
            session.terminal = terminal.foreground
        shell.attach(terminal.input, terminal.out, terminal.err)

    def run(self, lines: Lines) -> int:
        """Read and run until the end; the last status."""
        self.terminal.listen()
        self.run_init()
        while not self.shell.state.session.has_exited:
            self.tell_jobs()
            try:
                text = lines.read()
            except KeyboardInterrupt:
                self.status = 130
                continue
            if text is None:
                if self.may_leave():
                    self.execute("exit")
            elif text.strip():
                self.warned_of_jobs = False
                self.enter(text)
        return self.status

    def run_init(self) -> None:
        """Run the init file, if there is one."""
        path = init_path(self.shell, self.terminal.complain)
        if not path:
            return
        self.execute(f"source {quoted_name(path)}")
        if self.status:
            self.terminal.complain(f"keysh: {path}: ended with status {self.status}\n")
            self.status = self.shell.state.status = 0

    def enter(self, text: str) -> None:
        """Run what someone has entered, and remember it."""
        place, began = self.shell.cwd, time()
        if BEFORE in self.shell.state.functions:
            self.quietly([BEFORE, text])
        self.execute(text)
        self.history.add(Entry(text, place, began, self.status, self.seconds))
        if problem := self.history.problem:
            self.history.problem = ""
            self.terminal.complain(f"keysh: no history is kept: {problem}\n")
        if AFTER in self.shell.state.functions:
            self.quietly([AFTER, text, self.status, round(self.seconds, 3)])

    def execute(self, text: str) -> None:
        """Run a text; Ctrl-C ends it."""
        began = monotonic()
        cancel = self.terminal.begin()
        try:
            result = self.shell.run(text, cancel=cancel)
        finally:
            self.terminal.end()
        if result.limit is not None and result.limit.kind == "cancelled":
            self.terminal.complain("\n")  # behind the `^C` that the terminal shows
        self.status = result.code
        self.seconds = monotonic() - began

    def quietly(self, words: list[object]) -> None:
        """Call a function; `$?` is afterwards what it was."""
        status = self.shell.state.status
        cancel = self.terminal.begin()
        try:
            call(self.shell.state, words, cancel)
        finally:
            self.terminal.end()
        self.shell.state.status = status

    def edited(self, text: str) -> str | None:
        """A text as someone has changed it with `$VISUAL` or `$EDITOR`; None where that failed."""
        variables = self.shell.state.variables
        editor = text_of(variables.get("VISUAL")) or text_of(variables.get("EDITOR")) or "vi"
        try:
            with TemporaryDirectory(prefix="keysh-") as folder:
                path = f"{folder}/line.ksh"
                # What was pasted may hold bytes that are no text.
                with open(path, "x", encoding="utf-8", errors="surrogateescape") as file:
                    file.write(text)
                status, seconds = self.status, self.seconds
                self.execute(f"{editor} {quoted_name(path)}")
                failed, self.status, self.seconds = self.status, status, seconds
                self.shell.state.status = status
                if failed:
                    return None
                # An editor may have put another file in place of this one.
                with open(path, encoding="utf-8", errors="replace") as changed:
                    found = changed.read(MOST_EDITED + 1)
        except OSError as error:  # no room for it, or the editor has removed it
            self.terminal.complain(f"keysh: {error.filename}: {error.strerror}\n")
            return None
        if len(found) > MOST_EDITED:
            self.terminal.complain(f"keysh: the text is over {MOST_EDITED} characters\n")
            return None
        return found.rstrip("\n")

    def may_leave(self) -> bool:
        """Whether the end of the input ends the shell; where jobs run, only the second one."""
        running = self.shell.state.session.jobs.running()
        if not running or self.warned_of_jobs:
            return True
        self.warned_of_jobs = True
        self.terminal.complain(f"There are running jobs: {len(running)}\n")
        return False

    def tell_jobs(self) -> None:
        """Say which jobs have ended since the last prompt, once."""
        state = self.shell.state
        signs = job_marks(state)
        for job in named_jobs(state):
            if job.status is not None and not job.is_reported:
                job.is_reported = True
                sign = signs.get(job.number, " ")
                self.terminal.complain(f"[{job.number}]{sign}  {job.state:<23} {job.text}\n")
                state.session.jobs.forget(job)

    def prompt(self) -> str:
        """What stands before the line that is to be written; it may have colours."""
        state = self.shell.state
        if PROMPT in state.functions:
            made = captured(state, [PROMPT], MOST_PROMPT, PROMPT_SECONDS)
            if made:
                return made
        facts = self.facts()
        written = state.variables.get("PS1")
        return from_ps1(text_of(written), facts) if written is not None else standard(facts)

    def facts(self) -> Facts:
        """What a prompt can tell."""
        shell = self.shell
        variables = shell.state.variables
        return Facts(
            cwd=shell.cwd,
            home=text_of(variables.get("HOME")),
            user=text_of(variables.get("USER")),
            status=self.status,
            seconds=self.seconds,
            jobs=len(shell.state.session.jobs.running()),
            branch=branch(shell.fs, shell.cwd),
            width=self.terminal.width,
            is_root=os.geteuid() == 0,
            now=shell.state.now() / 1e9,
        )
