"""Launching: from what is wanted to a process that runs, or to NotStarted with nothing left."""

from __future__ import annotations

import errno
import os

from keysh.process.environment import encoded_arguments, encoded_environment
from keysh.process.launcher import limit_words, renumber_words, terminal_words
from keysh.process.pipes import ProcessPipes
from keysh.process.resolve import directory_path, execution_errno, path_from, resolve, unusable_file
from keysh.process.result import NotStarted
from keysh.process.spec import StreamMarker

TYPE_CHECKING = False
if TYPE_CHECKING:
    from subprocess import Popen

    from keysh.process.spec import ProcessSpec

MIN_HELD_DESCRIPTOR = (
    63  # descriptors that get another number wait above it, and above those that are wanted
)

# What the machine, and not the program or its arguments, is short of.
RESOURCE_ERRNOS = (errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.EAGAIN, errno.ENOSPC)


class LaunchedProcess:
    """A process that has just been started."""

    __slots__ = ("directory", "ends", "folder", "path", "popen")

    def __init__(self) -> None:
        self.path = ""  # of the file that was executed
        self.directory: str | None = None  # the one it was started in, as Popen is told
        self.folder = ""  # the same where it is private
        self.ends = ProcessPipes()
        self.popen: Popen[bytes]


def launch(spec: ProcessSpec, tag: str) -> LaunchedProcess:
    """Start a process. The caller owns our ends of its streams, and has to wait for it."""
    made = LaunchedProcess()
    try:
        start_process(spec, tag, made)
    except BaseException as error:
        made.ends.close_our_ends()
        remove_private_directory(made.folder)
        if isinstance(error, OSError):
            raise not_started_error(error, spec, made) from error
        raise
    finally:
        made.ends.close_child_ends()
    return made


def start_process(spec: ProcessSpec, tag: str, made: LaunchedProcess) -> None:
    """Everything that may fail, in an order in which the cheap refusals come first."""
    if not spec.argv:
        raise NotStarted("arguments", errno.EINVAL, "argv", "is empty")
    argv = encoded_arguments(spec.argv)
    env = encoded_environment(spec.policy.cleaned(spec.env) if spec.policy else spec.env, tag)
    made.directory = directory = directory_of(spec, made)
    if spec.policy is not None and not (spec.has_own_directory or made.folder):
        spec.policy.judge_directory(directory or os.curdir, spec.argv[0])
    made.path = path = executable_of(spec, directory)
    words = limit_words(spec)
    if spec.ulimits:
        from keysh.process.rlimits import ulimit_words  # noqa: PLC0415 - only where limits were set

        words += ulimit_words(spec.ulimits)
    numbers = descriptor_numbers(spec, made.ends)
    made.ends.open(spec)
    if made.ends.is_terminal:
        words += terminal_words(os.ttyname(made.ends.stdin))
    if any(held != wanted for held, wanted in numbers.items()):
        words += renumber_words(
            {held: wanted for held, wanted in numbers.items() if held != wanted}
        )
    if words:
        if path == spec.file and (fault := execution_errno(path_from(path, directory))):
            raise unusable_file(
                spec.argv[0], fault, [path]
            )  # the launcher would fail in its own words
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
        held = (
            spec.directory
            if spec.directory > 2
            else made.ends.hold(duplicate_above(spec.directory, 3))
        )
        made.popen = popen(directory_path(held, "self"))


def directory_of(spec: ProcessSpec, made: LaunchedProcess) -> str | None:
    """A path of the directory to start in; None for this program's own."""
    given = spec.directory
    if given is None:
        return None
    if isinstance(given, StreamMarker):
        from tempfile import mkdtemp  # noqa: PLC0415 - only where it is asked for

        made.folder = mkdtemp(prefix="keysh-")
        return made.folder
    if isinstance(given, str):
        fault = directory_errno(given)
        if fault:
            raise NotStarted("directory", fault, given)
        return given
    try:
        is_there = os.fstat(given).st_nlink > 0
    except OSError as error:
        raise NotStarted("directory", error.errno or errno.EBADF, f"descriptor {given}") from None
    if not is_there:
        raise NotStarted("directory", errno.ENOENT, f"descriptor {given}")
    return directory_path(given)


def directory_errno(path: str) -> int:
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


def executable_of(spec: ProcessSpec, directory: str | None) -> str:
    """The file to execute; under a policy the real one, which it has judged."""
    if spec.file is not None and spec.policy is None:
        return spec.file  # looked at if it cannot be executed
    search = spec.env.get("PATH", "") if spec.path is None else spec.path
    path = resolve(spec.argv[0], search, directory)
    if spec.policy is None:
        return path
    return spec.policy.judge(
        path_from(path, directory), spec.argv, search, spec.writable, directory
    )


def descriptor_numbers(spec: ProcessSpec, ends: ProcessPipes) -> dict[int, int]:
    """The extra descriptors: by the number that is handed on, the one that the program wants."""
    numbers = {}
    least = max([MIN_HELD_DESCRIPTOR, *spec.descriptors]) + 1
    for wanted, given in spec.descriptors.items():
        held = given if given == wanted else ends.hold(duplicate_above(given, least))
        numbers[held] = wanted
    return numbers


def duplicate_above(fd: int, least: int) -> int:
    """The same open file by another number, `least` or above."""
    import fcntl  # noqa: PLC0415 - only where numbers clash

    return fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, least)


def not_started_error(error: OSError, spec: ProcessSpec, made: LaunchedProcess) -> NotStarted:
    """What went wrong, in the words of whoever asked for the process."""
    number, name = error.errno or errno.EIO, spec.argv[0]
    if number in RESOURCE_ERRNOS:
        return NotStarted("resources", number, name)
    if number == errno.E2BIG:
        return NotStarted("arguments", number, name)
    if made.directory is not None and error.filename == made.directory:
        return NotStarted("directory", number, str(spec.directory))
    fault = execution_errno(path_from(made.path, made.directory))
    if fault and made.path == spec.file:
        return unusable_file(name, fault, [made.path])
    if number == errno.ENOENT:  # the file itself was there a moment ago
        return NotStarted("not_found", number, name, "its interpreter was not found", [made.path])
    return NotStarted("not_executable", number, name, tried=[made.path])


def remove_private_directory(folder: str) -> None:
    """Remove a private directory with all it has come to hold."""
    if not folder:
        return
    try:
        os.rmdir(folder)
    except OSError:
        from subprocess import DEVNULL, call  # noqa: PLC0415 - loaded by then

        # `rm` has no bound on depth, and follows nothing.
        call(["rm", "-rf", "--", folder], stdin=DEVNULL, stdout=DEVNULL, stderr=DEVNULL)
