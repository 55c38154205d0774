"""WorkerShell: the shell in a worker, and what its host may ask for, verb by verb."""

from __future__ import annotations

import resource
from time import perf_counter, process_time, thread_time

from keysh.diagnostics.exceptions import KeyshError
from keysh.interp.run.cancel import Cancel
from keysh.interp.run.limits import Limits
from keysh.shell.history.fork_base import bases_of_mounts, mounts_to_divide
from keysh.shell.history.state_version import StateVersion, has_same_objects
from keysh.shell.images.typed_values import value_from_json, value_to_json
from keysh.shell.isolation.file_calls import FileCalls
from keysh.shell.isolation.frames import MAX_PIECE_BYTES, FrameError
from keysh.shell.isolation.result_records import record_of_diagnostic, record_of_result
from keysh.shell.shell import Shell
from keysh.worker.host_stubs import HostStubs
from keysh.worker.worker_history import HOST_PROGRAMS, WorkerHistory, record_of_changes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from keysh.interp.state.state import State
    from keysh.shell.history.fork_base import MountBase
    from keysh.shell.isolation.peer import Peer

# An image that is made faster goes with the answer of each run that changed something. Of slower
# ones the making takes at most this part of the time.
QUICK_IMAGE_SECONDS = 0.002
IMAGE_TIME_PART = 20
# A run has its wall time as processor time, and this much for what two threads do at once.
SPARE_CPU_SECONDS = 5
MAX_CANDIDATES = 10_000
MAX_PIECE_CHARS = MAX_PIECE_BYTES // 4  # whichever characters they are
FIRST_SCRIPT = "echo hi"
USUAL_SCRIPT = 'x=1; for i in a b; do echo "$i" "${x:-2}"; done | cat > /tmp/x; ls'


class StateOfRest:
    """What a shell was when its last image was made."""

    __slots__ = ("_mounts", "_version")

    def __init__(self, shell: Shell) -> None:
        self._version = StateVersion(shell.state)
        self._mounts: dict[str, MountBase] = bases_of_mounts(mounts_to_divide(shell.fs.mounts))

    def is_of(self, shell: Shell) -> bool:
        """Whether a shell is still that, but for `$?` and `$_`, which every command changes."""
        return self._is_state_same(shell.state) and self._are_mounts_same(shell)

    def _is_state_same(self, state: State) -> bool:
        version = self._version
        return (
            has_same_objects(version.variables, state.variables)
            and version.attributes == state.attributes
            and has_same_objects(version.functions, state.functions)
            and version.aliases == state.aliases
            and has_same_objects(version.traps, state.traps)
            and version.flags == state.flags
            and version.arguments is state.arguments
            and version.cwd == state.cwd
            and version.directories == state.directories
            and version.umask == state.umask
            and version.ulimits is state.ulimits
            and version.getopts_position == state.getopts_position
            and version.random_seed == state.random_seed
            and version.completions is state.completions
        )

    def _are_mounts_same(self, shell: Shell) -> bool:
        mounts = mounts_to_divide(shell.fs.mounts)
        return self._mounts.keys() == mounts.keys() and all(
            self._mounts[point].fs is fs and self._mounts[point].is_current()
            for point, fs in mounts.items()
        )


class WorkerShell:
    """The one shell that is in this process at a time."""

    peer: Peer

    def __init__(self, cpu_seconds: int) -> None:
        self._cpu_seconds = cpu_seconds
        self._shell: Shell | None = None
        self._limits = Limits()
        self._files: FileCalls | None = None
        self._stubs = HostStubs(self)
        self._cancel: Cancel | None = None
        self._rest: StateOfRest | None = None
        self._has_made_images = False
        self._image_seconds = 0.0  # what the last one took
        self._image_at = 0.0
        self._has_host_files = False
        history = WorkerHistory(lambda: self.shell)
        self._verbs: dict[str, Callable[..., tuple[Any, bytes]]] = {
            "load": self._load, "run": self._run, "image": self._image,
            "image if quick": self._quick_image, "check": self._check,
            "variable": self._variable, "elements": self._elements, "names": self._names,
            "assign": self._assign, "unset": self._unset, "cwd": self._cwd, "file": self._file,
            "add": self._add, "reset": self._reset, "switch": self._switch, "end": self._end,
            "input": self._stubs.input, "complete": self._complete,
            "entries": history.entries, "entry": history.entry, "diff": history.diff,
            "fork changes": self._fork_changes, "merge": self._merge,
            "undo": history.undo, "redo": history.redo, "checkout": history.checkout,
            "begin recording": history.begin_recording, "end recording": history.end_recording,
        }  # fmt: skip

    def load_modules(self) -> None:
        """Load what every script needs."""
        with Shell() as shell:
            shell.run(FIRST_SCRIPT)

    def load_more_modules(self) -> None:
        """Load what most scripts need, before the first one waits for it."""
        with Shell() as shell:
            shell.run(USUAL_SCRIPT)
            image = shell.snapshot()
        with Shell.restore(image) as shell:
            StateOfRest(shell).is_of(shell)

    def serve(self, verb: str, record: dict[str, Any], data: bytes) -> tuple[Any, bytes]:
        """Do what the host asks for."""
        act = self._verbs.get(verb)
        if act is None:
            raise FrameError("an unknown verb")
        return act(data, **record)

    def cancel(self, number: int, frame: object) -> None:
        """End the run: the handler of a signal."""
        if self._cancel is not None:
            self._cancel.cancel()

    def close_shell(self) -> None:
        """End the jobs of the shell, and forget it with all that was its."""
        shell, self._shell, self._rest = self._shell, None, None
        if self._files is not None:
            self._files.close()
            self._files = None
        if shell is not None:
            shell.close()
        self._stubs.forget()

    @property
    def shell(self) -> Shell:
        """The shell."""
        if self._shell is None:
            raise FrameError("there is no shell")
        return self._shell

    # ------------------------------------------------------------ the verbs

    def _load(
        self, data: bytes, *, limits: dict[str, Any], options: dict[str, Any],
        mounts: dict[str, str | None], commands: list[Any], files: list[Any] | None,
        clock: float | bool | None, doors: dict[str, Any], rules: int,
        journal: dict[str, int] | None,
    ) -> tuple[Any, bytes]:  # fmt: skip
        """Make the shell of a session, of its image or anew."""
        self.close_shell()
        self._limits = Limits(**limits)
        options = {
            **options,
            "limits": self._limits,
            "commands": [],
            "clock": self._stubs.clock if clock is True else clock,
            **self._door_options(doors, data[:rules]),
        }
        if journal is not None:
            from keysh.shell.history.journal import Journal  # noqa: PLC0415 - few shells have one

            options["journal"] = Journal(
                max_runs=journal["max_runs"], max_bytes=journal["max_bytes"]
            )
        self._has_host_files = bool(mounts)
        data = data[rules:]
        if "args" in options:
            options["args"] = [value_from_json(value) for value in options["args"]]
        host_files = {point: self._stubs.file_system(point, at) for point, at in mounts.items()}
        if files is None:
            shell = Shell.restore(data, host_files, **options)
        else:
            shell = Shell(host_files or None, files=files_of_record(files, data), **options)
        self._shell = shell
        for name, style in commands:
            self._stubs.add_command(shell, name, style)
        if journal is not None and journal["entries"]:
            shell._journal().continue_from(journal["entries"])
        self._rest = StateOfRest(shell)
        return None, b""

    def _door_options(self, doors: dict[str, Any], rules: bytes) -> dict[str, Any]:
        """Return the options of a shell that leads to its host for what this process has not."""
        options: dict[str, Any] = {"on_command": self._stubs.question_function(doors["asks"])}
        of_policy = None
        if rules:
            from pickle import loads  # noqa: PLC0415 - from the host, which this process trusts

            self._stubs.all_rules, options["rules"], of_policy = loads(rules)
            if doors["asks_by_rule"]:
                options["on_ask"] = self._stubs.ask_rule
        if doors["programs"] is not None:
            from keysh.worker.host_programs import HostPrograms  # noqa: PLC0415 - few shells run any

            options["external"] = HostPrograms(
                self, is_restricted=doors["programs"], rules=of_policy
            )
        if doors["progress"]:
            options["on_progress"] = self._stubs.tell_progress
        if doors["audit"] is not None:
            from keysh.worker.host_audit import HostAudit  # noqa: PLC0415 - few shells have one

            options["audit"] = HostAudit(self, **doors["audit"])
        return options

    def _complete(self, data: bytes, *, text: str, at: int | None) -> tuple[Any, bytes]:
        found = self.shell.complete(text, at)[:MAX_CANDIDATES]
        return [[one.text, one.start, one.kind, one.help] for one in found], b""

    def _run(
        self, data: bytes, *, text: str, env: dict[str, str] | None, cwd: str | None,
        timeout: float | None, dialect: str | None, stdin: str | None, streams: bool,
        wants_image: bool, items: dict[str, Any] | None,
    ) -> tuple[Any, bytes]:  # fmt: skip
        """Run a script or an item; answer with its result, its output, and a changed image."""
        shell, is_outer = self.shell, self._cancel is None
        cancel = self._cancel or Cancel()
        if is_outer:
            self._cancel = cancel
            self._limit_processor()
        pulls = stdin == "pull"
        if items is not None:
            return self._run_items(items, cancel)
        try:
            result = shell.run(
                text, env=env, cwd=cwd, timeout=timeout, dialect=dialect,
                stdin=self._input_pieces() if pulls else None if stdin is None else data,
                cancel=cancel if is_outer else None,
                on_output=self._pass_output if streams else None,
            )  # fmt: skip
        finally:
            if is_outer:
                self._cancel = None
        record = record_of_result(result)
        if result.changes is not None:
            record["entry"], record["changes"] = self._entry_of_run(shell)
        content = b""
        if not streams:
            err = result.stderr.encode("utf-8", "surrogateescape")
            content = result.stdout_bytes
            record["out"], content = len(content), content + err
            record["err"] = len(err)
        if wants_image and is_outer and self._rest is not None and not self._rest.is_of(shell):
            record["changed"] = True
            image = self._image_if_quick()
            if image is not None:
                record["image"], content = len(image), content + image
        return record, content

    def _run_items(self, request: dict[str, Any], cancel: Cancel) -> tuple[Any, bytes]:
        """Run items of a scatter, each in a fork whose changes are lost; send a line for each."""
        from keysh.shell.scattering.item_shell import ItemRunner  # noqa: PLC0415 - few sessions scatter
        from keysh.shell.scattering.item_text import line_of_ending  # noqa: PLC0415 - as above

        words = [value_from_json(word) for word in request["words"]]
        runner = ItemRunner(self.shell, words, request["seed"], request["return"])
        begun = perf_counter()
        try:
            for index, item in request["items"]:
                ending = runner.run(index, value_from_json(item), request["timeout"], cancel, None)
                self._pass_output("stdout", line_of_ending(ending))
                if perf_counter() - begun > request["seconds"]:
                    break
        finally:
            self._cancel = None
        return {"code": 0}, b""

    def _entry_of_run(self, shell: Shell) -> tuple[int, dict[str, Any]]:
        """Return the number and the changes of the last run in the history."""
        entry = shell.history[-1]
        if entry.programs and self._has_host_files:
            entry.changes.add_reason(HOST_PROGRAMS)
        return entry.number, record_of_changes(entry.changes)

    def _limit_processor(self) -> None:
        """Let the kernel end this process when a run has computed for longer than it may take."""
        seconds = self._cpu_seconds or (
            None if self._limits.seconds is None else self._limits.seconds + SPARE_CPU_SECONDS
        )
        hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
        soft = hard if seconds is None else int(process_time() + seconds) + 1
        if hard != resource.RLIM_INFINITY:
            soft = min(soft, hard)
        resource.setrlimit(resource.RLIMIT_CPU, (soft, hard))

    def _input_pieces(self) -> Iterator[bytes]:
        """Yield what the host passes as standard input, as it is read."""
        while piece := self.peer.request("stdin")[1]:
            yield piece

    def _pass_output(self, stream: str, text: str) -> None:
        # Cut as text: the host decodes each piece by itself.
        for at in range(0, len(text), MAX_PIECE_CHARS):
            piece = text[at : at + MAX_PIECE_CHARS]
            self.peer.send_output(stream, piece.encode("utf-8", "surrogateescape"))

    def _image_if_quick(self) -> bytes | None:
        """Return an image, unless that takes more than its part of the time."""
        due = self._image_at + self._image_seconds * IMAGE_TIME_PART
        if self._image_seconds > QUICK_IMAGE_SECONDS and perf_counter() < due:
            return None
        return self._new_image()

    def _new_image(self) -> bytes:
        # Processor time: on a busy machine the clock says little.
        began, shell, is_first = thread_time(), self.shell, not self._has_made_images
        image = shell.snapshot()
        self._rest = StateOfRest(shell)
        self._image_at, self._has_made_images = perf_counter(), True
        # The first one of a process loads modules.
        self._image_seconds = 0.0 if is_first else thread_time() - began
        return image

    def _image(self, data: bytes) -> tuple[Any, bytes]:
        return None, self._new_image()

    def _quick_image(self, data: bytes) -> tuple[Any, bytes]:
        return None, self._image_if_quick() or b""

    def _check(self, data: bytes, *, text: str) -> tuple[Any, bytes]:
        return [record_of_diagnostic(one) for one in self.shell.check(text)], b""

    def _variable(self, data: bytes, *, name: str) -> tuple[Any, bytes]:
        return value_to_json(self.shell.vars[name]), b""

    def _elements(self, data: bytes, *, name: str) -> tuple[Any, bytes]:
        elements = self.shell.vars.elements(name)
        return [[key, value_to_json(value)] for key, value in elements.items()], b""

    def _names(self, data: bytes) -> tuple[Any, bytes]:
        return list(self.shell.vars), b""

    def _assign(self, data: bytes, *, name: str, value: Any) -> tuple[Any, bytes]:
        self.shell.vars[name] = value_from_json(value)
        return None, b""

    def _unset(self, data: bytes, *, name: str) -> tuple[Any, bytes]:
        del self.shell.vars[name]
        return None, b""

    def _cwd(self, data: bytes) -> tuple[Any, bytes]:
        return self.shell.cwd, b""

    def _file(self, data: bytes, *, verb: str, words: list[Any]) -> tuple[Any, bytes]:
        if self._files is None:
            self._files = FileCalls(self.shell.fs)
        return self._files.serve(verb, words, data)

    def _add(self, data: bytes, *, name: str, style: dict[str, bool]) -> tuple[Any, bytes]:
        self._stubs.add_command(self.shell, name, style)
        return None, b""

    def _fork_changes(self, data: bytes) -> tuple[Any, bytes]:
        from keysh.worker.worker_forks import fork_changes  # noqa: PLC0415 - few hosts ask

        return fork_changes(self.shell, data, self._limits), b""

    def _merge(self, data: bytes, *, base: int) -> tuple[Any, bytes]:
        from keysh.worker.worker_forks import merge_image  # noqa: PLC0415 - few hosts ask

        merge_image(self.shell, data[:base], data[base:], self._limits)
        return None, b""

    def _reset(self, data: bytes) -> tuple[Any, bytes]:
        self.shell.reset()
        return None, b""

    def _switch(self, data: bytes, *, option: str, is_on: bool) -> tuple[Any, bytes]:
        self.shell.switch(option, is_on)
        return None, b""

    def _end(self, data: bytes) -> tuple[Any, bytes]:
        self.close_shell()
        return None, b""


def files_of_record(files: list[Any], data: bytes) -> dict[str, bytes]:
    """Return the contents of files by their paths; they stand one after the other in the data."""
    contents, at = {}, 0
    for path, size in files:
        contents[path] = data[at : at + size]
        at += size
    if at != len(data):
        raise KeyshError("files without contents")
    return contents
