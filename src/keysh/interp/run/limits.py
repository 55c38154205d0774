"""Limits: how much a run may use, and a shell that runs many scripts."""

from __future__ import annotations

NEVER_SECONDS = 1e9  # more than thirty years: no limit


class Limits:
    """What a run may use; None means unlimited. The defaults are for a host that sets nothing.

    steps      work of the interpreter: each command of a loop or of a long list is a step, so is
               a call of a function; 10 are each piece of work after which a command looks at
               its limits, such as a block of lines, or some thousand turns of an awk program
    seconds    wall time; a job has the same time from its start, and a job's jobs share it
    output     bytes of standard output and error together
    unpacked   bytes that all compressed files and archives may unpack to
    memory     bytes by which the whole process may grow; measured many times a second
    session_memory  bytes that a shell may keep from run to run: variables, functions, aliases,
               traps, output of jobs, files and whatever else a script makes
    value      bytes in UTF-8 of one value: of a variable, of `$(…)`, of a word; 64 for each element
               of a list. Commands count a line, or what they make in one step, by the memory for
               it: for a text beyond ASCII two or four bytes a character
    depth      nested functions, substitutions, sourced scripts and traps
    globs      paths that one glob may match
    braces     words that one brace expansion may produce
    processes  processes of all real programs at the same time
    jobs       background jobs at the same time; they share steps, unpacked and memory with the
               run that has started them, also when they go on after it
    files      files in the shell's own memory; a file system of the host has its own quota
    file_bytes  bytes in those files
    """

    __module__ = "keysh"
    __slots__ = (
        "braces", "depth", "file_bytes", "files", "globs", "jobs", "memory", "output", "processes",
        "seconds", "session_memory", "steps", "unpacked", "value",
    )  # fmt: skip

    def __init__(
        self,
        *,
        steps: int | None = None,
        seconds: float | None = 60.0,
        output: int | None = 64 << 20,
        unpacked: int | None = 1 << 30,
        memory: int | None = 512 << 20,
        session_memory: int | None = 512 << 20,
        value: int | None = 64 << 20,
        depth: int = 1000,
        globs: int | None = 1_000_000,
        braces: int | None = 100_000,
        processes: int | None = 64,
        jobs: int | None = 32,
        files: int | None = 100_000,
        file_bytes: int | None = 256 << 20,
    ) -> None:
        self.steps, self.seconds, self.output, self.value = steps, seconds, output, value
        self.unpacked, self.memory, self.session_memory = unpacked, memory, session_memory
        self.depth, self.globs, self.braces = depth, globs, braces
        self.processes, self.jobs = processes, jobs
        self.files, self.file_bytes = files, file_bytes
        for kind in Limits.__slots__:
            refuse_limit(kind, getattr(self, kind))

    @classmethod
    def unlimited(cls) -> Limits:
        """Return limits for scripts that are trusted: only the depth is bounded."""
        return cls(
            seconds=None, output=None, unpacked=None, memory=None, session_memory=None, value=None,
            globs=None, braces=None, processes=None, jobs=None, files=None, file_bytes=None,
        )  # fmt: skip


def refuse_limit(kind: str, value: object) -> None:
    """Raise TypeError or ValueError for a value that no limit can have."""
    numbers = (int, float) if kind == "seconds" else (int,)
    if value is None and kind != "depth":
        return
    if not isinstance(value, numbers) or isinstance(value, bool):
        needs = "a number" if kind == "seconds" else "a whole number"
        raise TypeError(
            f"{kind} must be {needs}{'' if kind == 'depth' else ' or None'}, but is {value!r:.60}"
        )
    if not value >= 0:
        raise ValueError(f"{kind} must not be below 0, but is {value!r:.60}")


def finite_seconds(seconds: float | None) -> float | None:
    """Return None for a time beyond any run; keep others within what a clock can count."""
    return (
        None if seconds is None or seconds >= NEVER_SECONDS else max(float(-NEVER_SECONDS), seconds)
    )


def shorter_time(first: float | None, second: float | None) -> float | None:
    """Return the shorter of two optional times."""
    return second if first is None or (second is not None and second < first) else first


DEFAULT_LIMITS = Limits()
