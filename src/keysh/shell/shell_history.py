"""What a Shell can do with all that scripts have made of it: divide, write down, begin anew."""

from __future__ import annotations

from _weakref import ref  # `weakref` is slow to import

from keysh.diagnostics.exceptions import UndoRefused
from keysh.interp.run.limits import DEFAULT_LIMITS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _thread import RLock
    from collections.abc import (
        AsyncGenerator,
        Callable,
        Collection,
        Generator,
        Iterable,
        Mapping,
        Sequence,
    )
    from typing import Any, NoReturn, Self, TypeVar, Unpack

    from keysh.interp.run.limits import Limits
    from keysh.interp.scatter.engine import Engine
    from keysh.interp.scatter.mailbox import Mailbox
    from keysh.interp.scatter.options import ScatterOptions
    from keysh.interp.state.state import State
    from keysh.shell.history.entry import JournalEntry
    from keysh.shell.history.fork_base import ForkBase, ForkOrigin
    from keysh.shell.history.recording import Recording
    from keysh.shell.history.run_changes import Changes
    from keysh.shell.history.run_journal import RunJournal
    from keysh.shell.host.mapping import Row
    from keysh.shell.host.option_types import MapOptions
    from keysh.shell.lazy_files import LazyFiles
    from keysh.shell.registry import CommandRegistry
    from keysh.shell.run_options import ShellSettings
    from keysh.shell.runner import Runner
    from keysh.shell.script_cache import ScriptCache
    from keysh.shell.store.session_store import SessionStore
    from keysh.vfs.api import FileSystem
    from keysh.vfs.router import Router

    T = TypeVar("T")


def make_engine(
    state: State, words: Sequence[object], options: ScatterOptions, mailbox: Mailbox
) -> Engine:
    """Return the engine of a scatter that leaves this process."""
    from keysh.shell.scattering.engines import engine_of  # noqa: PLC0415 - few scripts scatter so far

    return engine_of(state, words, options, mailbox)


class ShellHistory:
    """The methods of `Shell` that concern its past and its possible futures."""

    __slots__ = (
        "__weakref__", "_files", "_first_use", "_fork_base", "_limits", "_options", "_origin",
        "_registry", "_runner", "_scripts", "_store",
    )  # fmt: skip

    _files: LazyFiles
    _first_use: RLock  # held while the state is made
    _fork_base: Callable[[], ForkBase | None] | None  # of the last fork
    _limits: Limits
    _options: ShellSettings
    _origin: ForkOrigin | None  # of a fork
    _registry: CommandRegistry
    _runner: Runner | None
    _scripts: ScriptCache
    _store: SessionStore | None

    def __new__(cls, fs: Any = None, *, isolated: object = False, **options: Any) -> Self:
        if isolated is False:
            return object.__new__(cls)
        from keysh.shell.isolation.isolated_shell import isolated_shell  # noqa: PLC0415 - most shells are in this process

        shell: Any = isolated_shell(cls, isolated, fs, options)
        return shell  # type: ignore[no-any-return]

    if TYPE_CHECKING:

        def __init__(self, fs: object = None, **options: Any) -> None: ...

    def _begin(self) -> Runner:
        """Make the state and what runs scripts on it, for the first thread that asks."""
        with self._first_use:
            return self._runner or self._make_runner()

    def _make_runner(self) -> Runner:
        """Make the state and what runs scripts on it."""
        raise NotImplementedError

    def _stop(self) -> None:
        """Stop the jobs, and close the files that scripts have left open."""
        raise NotImplementedError

    def fork(self, share: Collection[str] = ()) -> Self:
        """Return a second shell that begins where this one is, and changes nothing here.

        Both go on by themselves, in any threads. Values and the contents of memory files are
        shared until either changes them. Directories of the machine are overlaid in the fork, so
        that its changes there are its own, except those mounted at the points in `share`.
        """
        runner = self._runner or self._begin()
        return runner.between_runs(lambda: self._twin(runner.state, share))

    def _twin(self, state: State, share: Collection[str]) -> Self:
        """Return a second shell, while no run of this one may begin."""
        from keysh.shell.history.fork_base import ForkOrigin, mounts_to_divide, take_out_shared  # noqa: PLC0415 - few hosts ask

        mounts = mounts_to_divide(self._files.router().mounts)
        shared = take_out_shared(mounts, share)
        origin = ForkOrigin(self._base_of_forks(state, mounts), shared, self._files.clock)
        twin = type(self)(
            origin, limits=self._limits, check=self._scripts.checks,
            dialect=self._scripts.dialect_name, **self._options.for_fork(),
        )  # fmt: skip
        twin._origin = origin
        origin.base.options = twin._options = origin.base.options or twin._options
        twin._registry.take_over(self._registry)
        return twin

    def _base_of_forks(self, state: State, mounts: Mapping[str, FileSystem]) -> ForkBase:
        """Return this moment; the one of the last fork, if nothing has changed since."""
        from keysh.shell.history.fork_base import ForkBase, bases_of_mounts  # noqa: PLC0415 - few hosts ask
        from keysh.shell.history.state_version import StateVersion  # noqa: PLC0415 - few hosts ask

        base = None if self._fork_base is None else self._fork_base()
        if base is None or not base.is_current(state, mounts):
            base = ForkBase(self, StateVersion(state), bases_of_mounts(mounts))
            self._fork_base = ref(base)
        return base

    def map(
        self, command: object, items: Iterable[object], **options: Unpack[MapOptions]
    ) -> Generator[Row, None, None]:
        """Run a command for each item, many at once, and yield what became of each.

        `command` is a name, or a list of it and its first arguments. The options are those of the
        builtin `scatter`: `workers=16`. Each item runs in a fork of this shell as it is now, which
        shares its files. Leaving the loop cancels the rest. Failed is raised if the command is
        unknown, or if a limit ends the runs.
        """
        from keysh.shell.host.mapping import HostScatter  # noqa: PLC0415 - few hosts ask

        return HostScatter(self, command, items, dict(options)).rows()

    def amap(
        self, command: object, items: Iterable[object], **options: Unpack[MapOptions]
    ) -> AsyncGenerator[Row, None]:
        """The same for coroutines: `async for row in shell.amap("check", hosts)`."""
        from keysh.shell.host.mapping import HostScatter  # noqa: PLC0415 - few hosts ask

        return HostScatter(self, command, items, dict(options)).arows()

    def changes(self) -> Changes:
        """Return what has changed since this shell was forked from another one, or last merged.

        ValueError for a shell that is no fork; KeyshError while a run is in progress.
        """
        from keysh.shell.history.merge import changes_of_fork  # noqa: PLC0415 - few hosts ask

        origin = self._origin
        if origin is None:
            raise ValueError("this shell is no fork, so it has no beginning to compare with")
        return self._at_rest(lambda state, router: changes_of_fork(origin, state, router))

    def merge(self, fork: ShellHistory) -> None:
        """Take over what a fork of this shell has changed: files, variables, functions and so on.

        What only one side has changed stays or is taken. If both have changed the same thing
        differently, MergeConflict lists all of that, and nothing is taken. Afterwards
        `fork.changes()` begins anew, and a second merge takes only what is new. A shell with a
        journal can take the merge back. ValueError if it is no fork of this shell; KeyshError while
        a run of either is in progress.
        """
        from keysh.shell.history.merge import merge_fork  # noqa: PLC0415 - few hosts ask

        origin = fork._origin if isinstance(fork, ShellHistory) else None
        if origin is None or origin.base.origin() is not self:
            raise ValueError("a shell merges only its own forks, as its method fork makes them")
        runner = self._runner or self._begin()
        own = runner.state, self._files.router()
        runner.between_runs(
            lambda: fork._at_rest(
                lambda state, router: merge_fork(self, origin, own, (state, router), runner.journal)
            )
        )

    def _at_rest(self, act: Callable[[State | None, Router | None], T]) -> T:
        """Call with the state and the files, while no run may begin; None for what nobody used."""
        runner, router = self._runner, self._files.router() if self._files.are_used else None
        if runner is None:
            return act(None, router)
        return runner.between_runs(lambda: act(runner.state, router))

    def reset(self) -> None:
        """Begin anew: variables, functions and all else that scripts have made go, files stay.

        KeyshError while a run is in progress.
        """
        if self._runner is None or self._store is not None:  # which refuses by itself
            self._begin_anew()
        else:
            self._runner.between_runs(self._begin_anew)

    def _begin_anew(self) -> None:
        if self._store is not None:
            self._store.begin_anew()
        self._stop()
        self._runner = None
        if self._origin is not None:
            self._origin.forget_state()
        if self._store is not None:
            self._begin()

    # ------------------------------------------------------------ the runs

    @property
    def history(self) -> tuple[JournalEntry, ...]:
        """The runs that the journal has, the oldest first, without those taken back."""
        return tuple(self._journal().entries)

    def undo(self, n: int = 1, *, partial: bool = False) -> list[JournalEntry]:
        """Take back the last `n` runs that changed something, files and state alike.

        Return them with the runs after them that changed nothing. If it is not possible, nothing is
        changed: UndoConflict names the files that somebody else has changed since, UndoRefused says
        what else is in the way. With `partial`, what is known of a run is taken back even if it may
        have changed more. It needs `Shell(journal=True)`.
        """
        return self._between_runs(lambda journal: journal.undo(n, is_partial=partial))

    def redo(self, n: int = 1) -> list[JournalEntry]:
        """Repeat the effects of the last `n` runs that were taken back; return them."""
        return self._between_runs(lambda journal: journal.redo(n))

    def checkout(self, number: int, *, partial: bool = False) -> list[JournalEntry]:
        """Go to the moment after a run of the history, 0 for the beginning; return what is between.

        This is `undo` or `redo` of as many runs as that takes.
        """
        return self._between_runs(lambda journal: journal.checkout(number, is_partial=partial))

    def recording(self, text: str) -> Recording:
        """Make what the host itself does in a `with` block a run of the history, called `text`.

        So `undo` takes back what a host writes by `shell.fs` or sets in `shell.vars`.
        """
        from keysh.shell.history.recording import Recording  # noqa: PLC0415 - few hosts ask

        journal = self._journal()
        return Recording(self._runner or self._begin(), journal, text)

    def _journal(self) -> RunJournal:
        journal = (self._runner or self._begin()).journal
        if journal is None:
            raise UndoRefused("this shell has no journal: Shell(journal=True) makes one")
        return journal

    def _between_runs(self, act: Callable[[RunJournal], list[JournalEntry]]) -> list[JournalEntry]:
        """Go back or forth while no run may begin; UndoRefused if one is in progress."""
        journal = self._journal()
        runner = self._runner or self._begin()
        return runner.between_runs(lambda: act(journal))

    def __copy__(self) -> Self:
        raise TypeError("a Shell has no shallow copy; shell.fork() returns an independent one")

    def __deepcopy__(self, memo: dict[int, object]) -> Self:
        return self.fork()

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        raise TypeError("a Shell is not pickled; send shell.snapshot(), and Shell.restore it there")

    def snapshot(self) -> bytes:
        """Return an image: all that scripts have made, as bytes that `restore` takes.

        It holds variables, functions, options, traps and the like, memory files and the changes of
        overlays; other files it refers to. It refuses while a run is in progress.
        """
        from keysh.shell.images.snapshot import snapshot  # noqa: PLC0415 - few hosts ask

        runner = self._runner or self._begin()
        return runner.between_runs(
            lambda: snapshot(runner.state, self._files, self._registry, self._scripts.dialect_name)
        )

    @classmethod
    def restore(
        cls, image: bytes, fs: Mapping[str, FileSystem] | None = None, **options: Any
    ) -> Self:
        """Return a new shell with what an image holds; raise ImageError if that is not possible.

        The image opens no door: limits, programs, the network and commands are those that the
        options give, as for `Shell`. `fs` grants the file systems that the image refers to, by
        their mount points.
        """
        from keysh.shell.images.restore import OpenImage  # noqa: PLC0415 - few hosts ask

        if options.get("store") is not None:
            raise TypeError("an image has files of its own, so that it is not restored to a store")
        if options.get("isolated", False) is not False:
            return cls(fs, image=image, **options)
        opened = OpenImage(image, options.get("limits") or DEFAULT_LIMITS)
        mounts: dict[str, FileSystem] | None = None
        shell = cls(lambda: mounts, **{"dialect": opened.dialect, **options})
        mounts = opened.mounts(fs, shell._files)
        opened.restore_state(shell._begin().state)
        return shell
