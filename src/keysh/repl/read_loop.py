"""The read loop of the prompt: read a command, run it, report its end, until the user leaves."""

from __future__ import annotations

import os
from _thread import get_ident
from tempfile import TemporaryDirectory
from time import monotonic, time

from keysh.diagnostics.dialect import BASH
from keysh.interp.jobs.names import job_marks, named_jobs
from keysh.interp.variables.prompt_text import decoded_prompt
from keysh.repl.history import History, HistoryEntry, history_path
from keysh.repl.hooks import call_hook, expanded_text, hook_output, init_path
from keysh.repl.prompt import PromptFacts, branch, standard_prompt
from keysh.text.gnu_quoting import quoted_name
from keysh.values import text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.repl.line_reader import LineSource
    from keysh.repl.terminal import Terminal
    from keysh.shell.shell import Shell

BEFORE_HOOK, AFTER_HOOK, PROMPT_HOOK = "keysh_before", "keysh_after", "keysh_prompt"
MAX_EDITED_CHARACTERS = 1 << 20  # of a text from the user's editor
MAX_PS1_CHARACTERS = 4000
MAX_PROMPT_CHARACTERS = 10_000  # from the prompt hook, and of `$PS1` expanded
PROMPT_TIMEOUT_SECONDS = 2.0  # for the prompt hook


class ReadLoop:
    """A session at a terminal; it keeps the facts about the last command that the prompt shows."""

    __slots__ = (
        "entered_commands",
        "has_warned_of_jobs",
        "history",
        "seconds",
        "shell",
        "status",
        "terminal",
        "thread",
    )

    def __init__(self, shell: Shell, terminal: Terminal) -> None:
        self.shell, self.terminal = shell, terminal
        self.thread = get_ident()
        self.status = 0
        self.seconds = 0.0
        self.entered_commands = 0
        self.has_warned_of_jobs = False
        self.history = History(history_path(shell.state.variables))
        session = shell.state.session
        session.is_interactive = True
        if session.has_programs:
            session.terminal = terminal.foreground
        shell.attach(terminal.input, terminal.out, terminal.err)

    def run(self, lines: LineSource) -> int:
        """Read and run commands until the end; return the last status."""
        self.terminal.handle_signals()
        self.run_init()
        while not self.shell.state.session.has_exited:
            self.report_ended_jobs()
            try:
                text = lines.read()
            except KeyboardInterrupt:
                self.status = 130
                continue
            if text is None:
                if self.may_leave():
                    self.execute("exit")
            elif text.strip():
                self.has_warned_of_jobs = False
                self.enter(text)
        return self.status

    def run_init(self) -> None:
        """Run the init file, if it exists."""
        path = init_path(self.shell, self.terminal.write_message)
        if not path:
            return
        self.execute(f"source {quoted_name(path)}")
        if self.status:
            self.terminal.write_message(f"keysh: {path}: ended with status {self.status}\n")
            self.status = self.shell.state.status = 0

    def enter(self, text: str) -> None:
        """Run an entered command, and add it to the history."""
        cwd, start_time = self.shell.cwd, time()
        if BEFORE_HOOK in self.shell.state.functions:
            self.run_hook([BEFORE_HOOK, text])
        self.execute(text)
        self.entered_commands += 1
        self.history.add(HistoryEntry(text, cwd, start_time, self.status, self.seconds))
        if problem := self.history.problem:
            self.history.problem = ""
            self.terminal.write_message(f"keysh: no history is kept: {problem}\n")
        if AFTER_HOOK in self.shell.state.functions:
            self.run_hook([AFTER_HOOK, text, self.status, round(self.seconds, 3)])

    def execute(self, text: str) -> None:
        """Run a text, which Ctrl-C cancels."""
        began = monotonic()
        cancel = self.terminal.begin_script()
        try:
            result = self.shell.run(text, cancel=cancel)
        finally:
            self.terminal.end_script()
        if result.limit is not None and result.limit.kind == "cancelled":
            self.terminal.write_message("\n")  # after the `^C` that the terminal shows
        self.status = result.code
        self.seconds = monotonic() - began

    def run_hook(self, words: list[object]) -> None:
        """Call a hook function without changing `$?`."""
        status = self.shell.state.status
        cancel = self.terminal.begin_script()
        try:
            call_hook(self.shell.state, words, cancel)
        finally:
            self.terminal.end_script()
        self.shell.state.status = status

    def edit_text(self, text: str) -> str | None:
        """Let the user edit a text in `$VISUAL` or `$EDITOR`; return None if that fails."""
        variables = self.shell.state.variables
        editor = text_of(variables.get("VISUAL")) or text_of(variables.get("EDITOR")) or "vi"
        try:
            with TemporaryDirectory(prefix="keysh-") as folder:
                path = f"{folder}/line.ksh"
                # Pasted text may contain bytes that are not UTF-8.
                with open(path, "x", encoding="utf-8", errors="surrogateescape") as file:
                    file.write(text)
                status, seconds = self.status, self.seconds
                self.execute(f"{editor} {quoted_name(path)}")
                failed, self.status, self.seconds = self.status, status, seconds
                self.shell.state.status = status
                if failed:
                    return None
                # An editor may have replaced the file.
                with open(path, encoding="utf-8", errors="replace") as changed:
                    edited = changed.read(MAX_EDITED_CHARACTERS + 1)
        except OSError as error:  # the disk is full, or the editor removed the file
            self.terminal.write_message(f"keysh: {error.filename}: {error.strerror}\n")
            return None
        if len(edited) > MAX_EDITED_CHARACTERS:
            self.terminal.write_message(
                f"keysh: the text is over {MAX_EDITED_CHARACTERS} characters\n"
            )
            return None
        return edited.rstrip("\n")

    def may_leave(self) -> bool:
        """Whether the end of input ends the shell; while jobs run, only the second one does."""
        running = self.shell.state.session.jobs.running()
        if not running or self.has_warned_of_jobs:
            return True
        self.has_warned_of_jobs = True
        self.terminal.write_message(f"There are running jobs: {len(running)}\n")
        return False

    def report_ended_jobs(self) -> None:
        """Report, once each, the jobs that have ended since the last prompt."""
        state = self.shell.state
        signs = job_marks(state)
        for job in named_jobs(state):
            if job.status is not None and not job.is_reported:
                job.is_reported = True
                sign = signs.get(job.number, " ")
                self.terminal.write_message(f"[{job.number}]{sign}  {job.state:<23} {job.text}\n")
                state.session.jobs.forget(job)

    def prompt(self) -> str:
        """Return the prompt text, which may contain colors."""
        state = self.shell.state
        if PROMPT_HOOK in state.functions:
            text = hook_output(state, [PROMPT_HOOK], MAX_PROMPT_CHARACTERS, PROMPT_TIMEOUT_SECONDS)
            if text:
                return text
        ps1 = state.variables.get("PS1")
        if ps1 is None:
            return standard_prompt(self.prompt_facts())
        is_expanded = state.dialect is BASH
        text = decoded_prompt(
            state,
            text_of(ps1)[:MAX_PS1_CHARACTERS],
            is_expanded=is_expanded,
            entered_commands=self.entered_commands,
        )
        if not is_expanded:
            return text
        return expanded_text(state, text, MAX_PROMPT_CHARACTERS, PROMPT_TIMEOUT_SECONDS)

    def prompt_facts(self) -> PromptFacts:
        """Return the facts that a prompt may show."""
        shell = self.shell
        variables = shell.state.variables
        return PromptFacts(
            cwd=shell.cwd,
            home=text_of(variables.get("HOME")),
            status=self.status,
            seconds=self.seconds,
            jobs=len(shell.state.session.jobs.running()),
            branch=branch(shell.fs, shell.cwd),
            width=self.terminal.width,
            is_root=os.geteuid() == 0,
        )
