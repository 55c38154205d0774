"""Whatever code of the host raises, and whatever that exception is: E299, and the shell goes on.

Two tables: exceptions whose own methods fail, and the places where a host's code is called. Each
place meets each exception.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from time import monotonic
from time import sleep as give_turn
from typing import Any

import pytest

import keysh
from keysh import Call, Limits, MemoryFS, Result, Shell
from keysh.interp.run.control_flow import LimitReached
from keysh.interp.state.call import CommandFailure

Make = Callable[[], BaseException]
UNEXPECTED = "E299 an unexpected error"
PATIENCE_SECONDS = 10.0
MAX_LINE = 2000


def with_methods(base: type[BaseException] = Exception, *args: object, **methods: Any) -> Make:
    """Return what makes an exception whose class has these methods."""
    return lambda: type("Odd", (base,), methods)(*(args or ("told",)))


def raising(error: BaseException | type[BaseException]) -> Any:
    """Return a method that raises."""

    def method(*arguments: object) -> object:
        raise error

    return method


class OddText(str):
    """A string none of whose methods work."""

    __slots__ = ()
    __len__ = __eq__ = __bool__ = __format__ = __str__ = __getitem__ = raising(ValueError())  # type: ignore[assignment]
    split = partition = encode = isascii = raising(ValueError())
    __hash__ = None  # type: ignore[assignment]


class OddMeta(type):
    """A class whose name fails."""

    @property
    def __name__(cls) -> str:  # type: ignore[override]
        raise ValueError


def changed(error: Any, **attributes: object) -> BaseException:
    """Return an exception with other attributes."""
    for name, value in attributes.items():
        setattr(error, name, value)
    return error  # type: ignore[no-any-return]


def in_a_circle() -> BaseException:
    first, second = RuntimeError("told"), RuntimeError("other")
    first.__cause__, second.__cause__ = second, first
    return first


FAILING = property(raising(ValueError("no such attribute")))

# What the user reads of each after E299.
EXCEPTIONS: dict[str, tuple[Make, str]] = {
    "plain": (lambda: RuntimeError("told\nmore"), "RuntimeError: told"),
    "no message": (AssertionError, "AssertionError"),
    "str raises": (with_methods(__str__=raising(ValueError())), "Odd"),
    "str exits": (with_methods(__str__=raising(SystemExit())), "Odd"),
    "str raises a base exception": (with_methods(__str__=raising(BaseException())), "Odd"),
    "str has no memory": (with_methods(__str__=raising(MemoryError())), "Odd"),
    "str recurses": (with_methods(__str__=lambda self: str(self)), "Odd"),
    "str is no text": (with_methods(__str__=lambda self: 5), "Odd"),
    "str is large": (with_methods(__str__=lambda self: "x" * 2_000_000), f"Odd: {'x' * 1000}…"),
    "str has lines": (with_methods(__str__=lambda self: "told\n" * 9), "Odd: told"),
    "str is odd": (with_methods(__str__=lambda self: OddText("told\nx")), "Odd: told"),
    "str is no character": (lambda: RuntimeError("\ud800"), "RuntimeError: \\ud800"),
    "repr raises": (with_methods(__repr__=raising(ValueError())), "Odd: told"),
    "class raises": (with_methods(__class__=FAILING), "Odd: told"),
    "class is a limit": (
        with_methods(__class__=property(lambda self: LimitReached)), "Odd: told"
    ),
    "class is a failure": (
        with_methods(__class__=property(lambda self: CommandFailure)), "Odd: told"
    ),
    "class is an OSError": (with_methods(__class__=property(lambda self: OSError)), "Odd: told"),
    "attributes raise": (with_methods(__getattribute__=raising(ValueError())), "Odd: told"),
    "OSError whose attributes raise": (
        with_methods(OSError, 2, "told", __getattribute__=raising(ValueError())),
        "Odd: [Errno 2] told",
    ),
    "OSError whose errno raises": (
        with_methods(OSError, 2, "told", errno=FAILING), "Odd: [Errno 2] told"
    ),
    "OSError whose errno is text": (
        lambda: changed(OSError(2, "told"), errno="x"), "FileNotFoundError: [Errno x] told"
    ),
    "OSError whose errno is large": (
        lambda: changed(OSError(2, "told"), errno=1 << 80),
        f"FileNotFoundError: [Errno {1 << 80}] told",
    ),
    "OSError whose filename raises": (
        with_methods(OSError, 2, "told", filename=FAILING), "Odd: [Errno 2] told"
    ),
    "cause in a circle": (in_a_circle, "RuntimeError: told"),
    "cause raises": (with_methods(__cause__=FAILING), "Odd: told"),
    "traceback raises": (with_methods(__traceback__=FAILING), "Odd: told"),
    "false": (with_methods(__bool__=lambda self: False), "Odd: told"),
    "empty": (with_methods(__len__=lambda self: 0), "Odd: told"),
    "bool raises": (with_methods(__bool__=raising(ValueError())), "Odd: told"),
    "eq raises": (
        with_methods(__eq__=raising(ValueError()), __hash__=raising(ValueError())), "Odd: told"
    ),
    "group": (
        lambda: ExceptionGroup("told", [ValueError()]), "ExceptionGroup: told (1 sub-exception)"
    ),
    "group of base exceptions": (
        lambda: BaseExceptionGroup("told", [SystemExit(1), KeyboardInterrupt()]),
        "BaseExceptionGroup: told (2 sub-exceptions)",
    ),
    "exit": (lambda: SystemExit("told"), "SystemExit: told"),
    "generator exit": (lambda: GeneratorExit("told"), "GeneratorExit: told"),
    "stop": (lambda: StopIteration("told"), "StopIteration: told"),
    "stop async": (lambda: StopAsyncIteration("told"), "StopAsyncIteration: told"),
    "base exception": (with_methods(BaseException), "Odd: told"),
    "ImportError whose text raises": (
        with_methods(ImportError, __str__=raising(ValueError())), "Odd"
    ),
    "name raises": (lambda: OddMeta("Odd", (Exception,), {})("told"), "Odd: told"),
    "name is long": (lambda: type("N" * 9999, (Exception,), {})("told"), f"{'N' * 200}…: told"),
    "name has lines": (lambda: type("N\nM", (Exception,), {})("told"), "N: told"),
}  # fmt: skip


# ---------------------------------------------------------------- where the host's code is called


def commands_that_raise(make: Make) -> list[Callable[..., object]]:
    def boom(sh: Call, *words: str) -> None:
        """Raise.

        words ...  whatever
        """
        raise make()

    def later(sh: Call) -> Iterator[str]:
        """Raise after a line."""
        yield "begun\n"
        raise make()

    def closing(sh: Call) -> Iterator[str]:
        """Raise when nobody reads."""
        try:
            while True:
                yield "y\n"
        finally:
            raise make()

    async def waiting(sh: Call) -> None:
        """Raise from a coroutine."""
        raise make()

    def entering(sh: Call) -> None:
        """Raise while a context is entered."""

        class Context:
            def __enter__(self) -> None:
                raise make()

            def __exit__(self, *exception: object) -> None:
                raise AssertionError

        with Context():
            pass

    return [boom, later, closing, waiting, entering]


def shell_of(make: Make) -> Shell:
    return Shell(commands=commands_that_raise(make))


SCRIPTS = [
    "boom", "boom | cat", "true | boom", "later", "later | cat", "closing | head -n 1", "waiting",
    "waiting | cat", "entering", "x=$(boom)", "(boom)", "cat <(boom)", "trap boom EXIT",
    "trap 'echo $(later)' EXIT; exit 3", "echo a | xargs boom", "timeout 9 boom", "boom & wait",
    "f() { boom; }; f", "boom 2>&1 | cat", "timeout 9 waiting",
]  # fmt: skip


def raises_once(make: Make, answer: object = None) -> Callable[..., Any]:
    """Return a function that raises when it is first called."""
    calls: list[object] = []

    def call(*arguments: object, **options: object) -> object:
        calls.append(arguments)
        if len(calls) == 1:
            raise make()
        return answer

    return call


def on_command(make: Make) -> tuple[Shell, Result]:
    shell = Shell(on_command=raises_once(make))
    return shell, shell.run("echo a")


def on_command_async(make: Make) -> tuple[Shell, Result]:
    call = raises_once(make)

    async def ask(*arguments: object) -> object:
        return call()

    shell = Shell(on_command=ask)
    return shell, shell.run("echo a")


def on_command_whose_answer_fails(make: Make) -> tuple[Shell, Result]:
    answers = [type("Answer", (), {"__bool__": raising(make())})()]
    shell = Shell(on_command=lambda *arguments: answers.pop() if answers else None)
    return shell, shell.run("echo a")


def clock(make: Make) -> tuple[Shell, Result]:
    call: list[Callable[[], float]] = [lambda: 5.0]
    shell = Shell(clock=lambda: call[0]())
    assert shell.run("date +%s").stdout == "5\n"
    call[0] = raises_once(make, 6.0)
    return shell, shell.run("date +%s")


class Failing:
    """Raises from the methods that are named."""

    def __init__(self, make: Make, *names: str) -> None:
        self.make, self.names, self.pieces = make, names, ["a\n"]

    def __iter__(self) -> Iterator[str]:
        if "iter" in self.names:
            raise self.make()
        return self

    def __next__(self) -> str:
        if not self.pieces:
            raise self.make()
        return self.pieces.pop()


class FailingFile:
    """A file that cannot be read."""

    def __init__(self, make: Make) -> None:
        self.make = make

    def read(self, size: int) -> str:
        raise self.make()


def stdin_iter(make: Make) -> tuple[Shell, Result]:
    shell = Shell()
    return shell, shell.run("cat", stdin=Failing(make, "iter"))


def stdin_next(make: Make) -> tuple[Shell, Result]:
    shell = Shell()
    return shell, shell.run("cat", stdin=Failing(make))


def stdin_next_without_limit(make: Make) -> tuple[Shell, Result]:
    shell = Shell(limits=Limits(seconds=None))
    return shell, shell.run("while read -r line; do echo $line; done", stdin=Failing(make))


def stdin_read(make: Make) -> tuple[Shell, Result]:
    shell = Shell()
    return shell, shell.run("cat", stdin=FailingFile(make))  # type: ignore[arg-type]


def file_system(verb: str, script: str) -> Callable[[Make], tuple[Shell, Result]]:
    def place(make: Make) -> tuple[Shell, Result]:
        calls = [False]

        def call(self: MemoryFS, *arguments: object, **options: object) -> object:
            if calls[0]:
                raise make()
            return getattr(MemoryFS, verb)(self, *arguments, **options)

        fs = type("FailingFS", (MemoryFS,), {verb: call})()
        shell = Shell({"/": MemoryFS(), "/m": fs})
        assert shell.run("mkdir /m/d; echo a > /m/f; ln -s f /m/l").ok
        calls[0] = True
        result = shell.run(script)
        calls[0] = False
        return shell, result

    return place


def stream(method: str, script: str) -> Callable[[Make], tuple[Shell, Result]]:
    def place(make: Make) -> tuple[Shell, Result]:
        calls = [False]

        class FailingStream:
            def __init__(self, real: Any) -> None:
                self.real = real

            def __getattr__(self, name: str) -> Any:
                if calls[0] and name == method:
                    return raising(make())
                return getattr(self.real, name)

            def __enter__(self) -> FailingStream:
                return self

            def __exit__(self, *exception: object) -> None:
                self.close()

        class StreamFS(MemoryFS):
            def open(self, *arguments: Any, **options: Any) -> Any:
                return FailingStream(MemoryFS.open(self, *arguments, **options))

        shell = Shell({"/": MemoryFS(), "/m": StreamFS()})
        assert shell.run("echo a > /m/f").ok
        calls[0] = True
        result = shell.run(script)
        calls[0] = False
        return shell, result

    return place


PLACES: dict[str, Callable[[Make], tuple[Shell, Result]]] = {
    "on_command": on_command, "on_command async": on_command_async,
    "answer of on_command": on_command_whose_answer_fails,
    "clock": clock, "stdin iter": stdin_iter, "stdin next": stdin_next,
    "stdin next without limit": stdin_next_without_limit, "stdin read": stdin_read,
    "stat": file_system("stat", "ls -l /m/f"), "list": file_system("list", "ls /m"),
    "open": file_system("open", "cat /m/f"), "redirection": file_system("open", "echo a > /m/g"),
    "remove": file_system("remove", "rm /m/f"), "rename": file_system("rename", "mv /m/f /m/g"),
    "make_directory": file_system("make_directory", "mkdir /m/e"),
    "remove_directory": file_system("remove_directory", "rmdir /m/d"),
    "read_link": file_system("read_link", "readlink /m/l"),
    "make_link": file_system("make_link", "ln -s a /m/k"),
    "link": file_system("link", "ln /m/f /m/h"),
    "set_mode": file_system("set_mode", "chmod 600 /m/f"),
    "set_times": file_system("set_times", "touch /m/f"),
    "make_fifo": file_system("make_fifo", "mkfifo /m/p"),
    "glob": file_system("list", "echo /m/*"),
    "test": file_system("stat", "[ -e /m/f ]"), "cd": file_system("stat", "cd /m/d"),
    "stream read": stream("read", "cat /m/f"), "stream write": stream("write", "echo a > /m/f"),
    "stream close": stream("close", "echo a > /m/f"),
}  # fmt: skip
PLACES |= {
    script: lambda make, script=script: (shell := shell_of(make), shell.run(script))  # type: ignore[misc]
    for script in SCRIPTS
}


def awaited(script: str) -> Callable[[Make], tuple[Shell, Result]]:
    """Return a place where an event loop awaits the script, and goes on after it."""

    def place(make: Make) -> tuple[Shell, Result]:
        shell = shell_of(make)

        async def main() -> Result:
            result = await shell.arun(script)
            assert (await shell.arun("echo on")).stdout == "on\n"
            return result

        return shell, asyncio.run(main())

    return place


PLACES |= {f"arun {script}": awaited(script) for script in ("boom", "waiting", "waiting | cat")}


def causes(error: BaseException | None) -> Iterator[BaseException]:
    """Yield an exception, and those during which it was raised."""
    for _ in range(9):
        if error is None:
            return
        yield error
        error = CAUSE(error) or CONTEXT(error)


CAUSE, CONTEXT = (BaseException.__dict__[name].__get__ for name in ("__cause__", "__context__"))


def fault_of(place: str, kind: str) -> str:
    """Return what is wrong with the end of a run in which a place raises."""
    make, told = EXCEPTIONS[kind]
    errors: list[BaseException] = []

    def noted() -> BaseException:
        errors.append(make())
        return errors[-1]

    shell, result = PLACES[place](noted)
    said = (result.stderr + result.stdout).splitlines()
    again = shell.run("echo again")
    shell.close()
    end = monotonic() + PATIENCE_SECONDS
    while shell.state.session.threads and monotonic() < end:  # a reader of stdin sees it ends
        give_turn(0.001)
    if not errors:
        return "the place was not reached"
    if any("Traceback" in line or len(line) > MAX_LINE for line in said):
        return "told too much"
    if (again.stdout, again.stderr, again.error) != ("again\n", "", None):
        return f"another run: {again} {again.stderr[:300]!r}"
    if shell.state.session.threads:
        return "a thread is left"
    if result.error is None and isinstance_of_type(errors[0], OSError | StopIteration):
        return ""  # a file error in the words of the command, or the end of an input
    if not any(UNEXPECTED in line for line in said):
        return f"told {said}"
    if not any(error is errors[0] for error in causes(result.error)):
        return f"the result has {type(result.error)}"
    if result.error is errors[0] and not any(told in line for line in said):
        return f"told {said}"
    return ""


def isinstance_of_type(error: BaseException, kinds: Any) -> bool:
    """Whether an exception is of these classes, whatever its `__class__` says."""
    return issubclass(type(error), kinds)


@pytest.mark.parametrize("place", PLACES)
def test_an_exception_of_the_host_is_told_in_one_line_and_the_shell_goes_on(place: str) -> None:
    faults = {kind: fault for kind in EXCEPTIONS if (fault := fault_of(place, kind))}
    faults.pop(
        "generator exit" if place.startswith("closing") else "", None
    )  # ends it as it should
    assert not faults


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (lambda: CommandFailure("x", 256), "ValueError: a status must be 0 to 255, but is 256"),
        (lambda: CommandFailure("x", -1), "ValueError: a status must be 0 to 255, but is -1"),
        (
            lambda: CommandFailure("x", "1"),
            "TypeError: a status must be a whole number, but is '1'",
        ),  # type: ignore[arg-type]
        (lambda: CommandFailure(None), "TypeError: output must be text, but is NoneType"),  # type: ignore[arg-type]
    ],
)
def test_a_failure_that_is_none_is_an_error_of_the_command(make: Make, told: str) -> None:
    result = shell_of(make).run("boom; waiting")
    for line in result.stderr.splitlines()[::2]:
        assert line.split(": ", 2)[2].startswith(told)
    assert result.stderr.count(UNEXPECTED) == 2


@pytest.mark.parametrize("status", ["x", 256, -1, 1.5, [1]])
def test_a_status_that_is_none_is_an_error_of_the_command(status: object) -> None:
    def odd(sh: Call) -> None:
        """Set a status."""
        sh.status = status  # type: ignore[assignment]

    result = keysh.run("odd; echo $?; odd | cat; x=$(odd)", commands=[odd])
    assert result.stderr.count("a status must be") == 3
    assert result.stdout == "1\n"


def test_an_endless_message_ends_with_the_run() -> None:
    def loop(self: object) -> str:
        while True:
            pass

    shell = Shell(commands=commands_that_raise(with_methods(__str__=loop)))
    result = shell.run("echo a; boom", timeout=0.1)
    assert result.limit is not None
    assert (result.limit.kind, result.stdout) == ("seconds", "a\n")
    assert shell.run("echo again").stdout == "again\n"


def test_output_is_kept_where_no_room_is_left_for_the_message() -> None:
    calls = [lambda: 5.0]
    shell = Shell(clock=lambda: calls[0](), limits=Limits(output=4))
    assert shell.run("true").ok
    calls[0] = raising(RuntimeError("told"))
    result = shell.run("echo abc; x=$EPOCHSECONDS")
    assert (result.stdout, result.limit and result.limit.kind) == ("abc\n", "output")
    assert isinstance(result.error, RuntimeError)


class Interrupts:
    """A context that a KeyboardInterrupt leaves, or hinders from being entered."""

    def __init__(self, place: str) -> None:
        self.place = place

    def __enter__(self) -> None:
        if self.place == "enter":
            raise KeyboardInterrupt

    def __exit__(self, *exception: object) -> None:
        if self.place == "exit":
            raise KeyboardInterrupt


@pytest.mark.parametrize("place", ["enter", "exit"])
@pytest.mark.parametrize(
    "script",
    ["plain", "lines", "waits", "lines | cat", "lines | head -n 1", "{ plain; } | cat",
     "true | { plain; }", "x=$(lines)", "cat <(plain)", "waits | cat"],
)  # fmt: skip
def test_an_interrupt_reaches_the_host_and_the_shell_goes_on(script: str, place: str) -> None:
    def plain(sh: Call) -> None:
        """Enter a context."""
        with Interrupts(place):
            pass

    def lines(sh: Call) -> Iterator[str]:
        """Print inside a context."""
        with Interrupts(place):
            yield "a\n"

    async def waits(sh: Call) -> None:
        """Await inside a context."""
        with Interrupts(place):
            await asyncio.sleep(0)

    for run in (Shell.run, lambda shell, text: asyncio.run(shell.arun(text))):
        shell = Shell(commands=[plain, lines, waits])
        with pytest.raises(KeyboardInterrupt):
            run(shell, script)
        again = shell.run("echo again", timeout=PATIENCE_SECONDS)
        assert (again.stdout, again.stderr, again.error) == ("again\n", "", None)
        shell.close()
        assert not shell.state.session.threads
