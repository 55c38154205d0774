"""Launching: from what is wanted to a process that runs, or to NotStarted with nothing left."""

from __future__ import annotations

import errno
import os

from keysh.process.environment import arguments_of, environment_of
from keysh.process.launcher import limiting, on_terminal, renumbering
from keysh.process.pipes import Ends
from keysh.process.resolve import fault_of, path_of, place, resolve, unusable
from keysh.process.result import NotStarted
from keysh.process.spec import Marker

TYPE_CHECKING = False
if TYPE_CHECKING:
    from subprocess import Popen

    from keysh.process.spec import ProcessSpec

HIGH = 63  # descriptors that get another number wait above it, and above those that are wanted

# What the machine, and not the program or its arguments, is short of.
SHORT = (errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.EAGAIN, errno.ENOSPC)


class Launched:
    """A process that has just been started."""

    __slots__ = ("directory", "ends", "folder", "path", "popen")

    def __init__(self) -> None:
        self.path = ""  # of the file that was executed
        self.directory: str | None = None  # the one it was started in, as Popen is told
        self.folder = ""  # the same where it is private
        self.ends = Ends()
        self.popen: Popen[bytes]


def launch(spec: ProcessSpec, tag: str) -> Launched:
    """Start a process. The caller owns our ends of its streams, and has to wait for it."""
    made = Launched()
    try:
        start(spec, tag, made)
    except BaseException as error:
        made.ends.close_mine()
        remove_folder(made.folder)
        if isinstance(error, OSError):
            raise told(error, spec, made) from error
        raise
    finally:
        made.ends.close_theirs()
    return made


def start(spec: ProcessSpec, tag: str, made: Launched) -> None:
    """Everything that may fail, in an order in which the cheap refusals come first."""
    if not spec.argv:
        raise NotStarted("arguments", errno.EINVAL, "argv", "is empty")
    argv = arguments_of(spec.argv)
    env = environment_of(spec.policy.cleaned(spec.env) if spec.policy else spec.env, tag)
    made.directory = directory = directory_of(spec, made)
    if spec.policy is not None and not (spec.has_own_directory or made.folder):
        spec.policy.judge_directory(directory or os.curdir, spec.argv[0])
    made.path = path = file_of(spec, directory)
    words = limiting(spec)
    if spec.ulimits:
        from keysh.process.rlimits import setting  # noqa: PLC0415 - only where limits were set

        words += setting(spec.ulimits)
    numbers = numbers_of(spec, made.ends)
    made.ends.open(spec)
    if made.ends.is_terminal:
        words += on_terminal(os.ttyname(made.ends.stdin))
    if any(held != wanted for held, wanted in numbers.items()):
        words += renumbering({held: wanted for held, wanted in numbers.items() if held != wanted})
    if words:
        if path == spec.file and (fault := fault_of(place(path, directory))):
            raise unusable(spec.argv[0], fault, [path])  # the launcher would fail in its own words
        argv = [*map(os.fsencode, words), os.fsencode(path), *argv[1:]]
        path = words[0]
    from subprocess import Popen  # noqa: PLC0415 - 8 ms that only real processes need

    def popen(directory: str | None) -> Popen[bytes]:
        return Popen(
            argv,
            executable=path,
            stdin=made.ends.stdin,
            stdout=made.ends.stdout,
            stderr=made.ends.stderr,
            cwd=directory,
            env=env,
            pass_fds=tuple(numbers),
            start_new_session=spec.session,
            process_group=None if spec.session else spec.group,
            umask=spec.umask,
        )

    try:
        made.popen = popen(directory)
    except PermissionError as error:
        # Some hosts are closed to all others, even their children, which have only themselves.
        if not isinstance(spec.directory, int) or error.filename != directory:
            raise
        # Its own streams will have the first three numbers.
        held = spec.directory if spec.directory > 2 else made.ends.hold(raised(spec.directory, 3))
        made.popen = popen(path_of(held, "self"))


def directory_of(spec: ProcessSpec, made: Launched) -> str | None:
    """A path of the directory to start in; None for this program's own."""
    given = spec.directory
    if given is None:
        return None
    if isinstance(given, Marker):
        from tempfile import mkdtemp  # noqa: PLC0415 - only where it is asked for

        made.folder = mkdtemp(prefix="keysh-")
        return made.folder
    if isinstance(given, str):
        fault = fault_of_directory(given)
        if fault:
            raise NotStarted("directory", fault, given)
        return given
    try:
        is_there = os.fstat(given).st_nlink > 0
    except OSError as error:
        raise NotStarted("directory", error.errno or errno.EBADF, f"descriptor {given}") from None
    if not is_there:
        raise NotStarted("directory", errno.ENOENT, f"descriptor {given}")
    return path_of(given)


def fault_of_directory(path: str) -> int:
    """The errno with which starting in a directory would fail; 0 for none."""
    try:
        is_directory = os.path.isdir(path)
        if not is_directory:
            os.stat(path)
            return errno.ENOTDIR
    except OSError as error:
        return error.errno or errno.EIO
    except ValueError:  # a character that no path has
        return errno.ENOENT
    return 0 if os.access(path, os.X_OK) else errno.EACCES


def file_of(spec: ProcessSpec, directory: str | None) -> str:
    """The file to execute; under a policy the real one, which it has judged."""
    if spec.file is not None and spec.policy is None:
        return spec.file  # looked at if it cannot be executed
    search = spec.env.get("PATH", "") if spec.path is None else spec.path
    path = resolve(spec.argv[0], search, directory)
    if spec.policy is None:
        return path
    return spec.policy.judge(place(path, directory), spec.argv, search, spec.writable, directory)


def numbers_of(spec: ProcessSpec, ends: Ends) -> dict[int, int]:
    """The extra descriptors: by the number that is handed on, the one that the program wants."""
    numbers = {}
    least = max([HIGH, *spec.descriptors]) + 1
    for wanted, given in spec.descriptors.items():
        held = given if given == wanted else ends.hold(raised(given, least))
        numbers[held] = wanted
    return numbers


def raised(fd: int, least: int) -> int:
    """The same open file by another number, `least` or above."""
    import fcntl  # noqa: PLC0415 - only where numbers clash

    return fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, least)


def told(error: OSError, spec: ProcessSpec, made: Launched) -> NotStarted:
    """What went wrong, in the words of whoever asked for the process."""
    number, name = error.errno or errno.EIO, spec.argv[0]
    if number in SHORT:
        return NotStarted("resources", number, name)
    if number == errno.E2BIG:
        return NotStarted("arguments", number, name)
    if made.directory is not None and error.filename == made.directory:
        return NotStarted("directory", number, str(spec.directory))
    fault = fault_of(place(made.path, made.directory))
    if fault and made.path == spec.file:
        return unusable(name, fault, [made.path])
    if number == errno.ENOENT:  # the file itself was there a moment ago
        return NotStarted("not_found", number, name, "its interpreter was not found", [made.path])
    return NotStarted("not_executable", number, name, tried=[made.path])


def remove_folder(folder: str) -> None:
    """Remove a private directory with all it has come to hold."""
    if not folder:
        return
    try:
        os.rmdir(folder)
    except OSError:
        from subprocess import DEVNULL, call  # noqa: PLC0415 - loaded by then

        # `rm` has no bound on depth, and follows nothing.
        call(["rm", "-rf", "--", folder], stdin=DEVNULL, stdout=DEVNULL, stderr=DEVNULL)
