"""Launching: from a ProcessSpec to a running process, or to NotStarted with nothing left behind."""

from __future__ import annotations

import errno
import os

from keysh.diagnostics.uncopied import Uncopied
from keysh.process.environment import encoded_arguments, encoded_environment
from keysh.process.exit import ExitWatch
from keysh.process.launcher import (
    cgroup_words,
    collects_ends,
    gate_words,
    held_words,
    limit_words,
    renumber_words,
    terminal_words,
)
from keysh.process.resolve import directory_path, execution_errno, path_from, resolve, unusable_file
from keysh.process.result import NotStarted
from keysh.process.spec import StreamMarker
from keysh.process.streams.pipes import ProcessPipes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from subprocess import Popen

    from keysh.process.confine.launching_thread import LaunchingThread
    from keysh.process.spec import ProcessSpec
    from keysh.process.tree.process_limit import ProcessLimit

# Descriptors that are renumbered are held above this, and above the numbers that are wanted.
MIN_HELD_DESCRIPTOR = 63

# Errors that mean the machine, not the program, lacks something.
RESOURCE_ERRNOS = (errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.EAGAIN, errno.ENOSPC)


class LaunchedProcess(Uncopied):
    """A process that has just been started."""

    __slots__ = (
        "directory", "ends", "exit", "folder", "held", "is_confined", "path", "popen", "unenforced",
    )  # fmt: skip

    def __init__(self) -> None:
        self.path = ""  # the path of the file that was executed
        self.directory: str | None = None  # the directory it was started in, as given to Popen
        self.folder = ""  # the same if it is private
        self.ends = ProcessPipes()
        self.held = -1  # a pipe that it reads before it begins
        self.is_confined = False  # by the kernel
        self.unenforced: tuple[str, ...] = ()  # what the kernel does not hold
        self.popen: Popen[bytes]
        self.exit: ExitWatch


def launch(spec: ProcessSpec, tag: str, limit: ProcessLimit | None) -> LaunchedProcess:
    """Start a process. The caller owns our ends of its streams and must wait for it."""
    launched = LaunchedProcess()
    try:
        start_process(spec, tag, limit, launched)
    except BaseException as error:
        launched.ends.close_our_ends()
        remove_private_directory(launched.folder)
        if limit is not None:
            limit.release()
        if isinstance(error, OSError):
            raise not_started_error(error, spec, launched) from error
        raise
    finally:
        launched.ends.close_child_ends()
    return launched


def start_process(
    spec: ProcessSpec, tag: str, limit: ProcessLimit | None, launched: LaunchedProcess
) -> None:
    """Do all that may fail, the cheap checks first."""
    if not spec.argv:
        raise NotStarted("arguments", errno.EINVAL, "argv", "is empty")
    argv = encoded_arguments(spec.argv)
    env = encoded_environment(spec.policy.cleaned(spec.env) if spec.policy else spec.env, tag)
    launched.directory = directory = directory_of(spec, launched)
    if spec.policy is not None and not (spec.has_own_directory or launched.folder):
        spec.policy.judge_directory(directory or os.curdir, spec.argv[0])
    launched.path = path = executable_of(spec, directory)
    words = limit_words(spec)
    numbers = descriptor_numbers(spec, launched.ends)
    launched.ends.open(spec)
    thread = launching_thread(spec, launched)
    words += launcher_words(spec, limit, numbers, launched)
    from subprocess import Popen  # noqa: PLC0415 - 8 ms that only real processes need

    if words:
        if path == spec.file and (fault := execution_errno(path_from(path, directory))):
            # Fail here: the launcher would report this in its own words.
            raise unusable_file(spec.argv[0], fault, [path])
        argv = [*map(os.fsencode, words), os.fsencode(path), *argv[1:]]
        path = words[0]

    def popen(directory: str | None) -> Popen[bytes]:
        if thread is None:
            return popen_here(directory)
        return thread.call(lambda: popen_here(directory), abandon_process)

    def popen_here(directory: str | None) -> Popen[bytes]:
        return Popen(
            argv,
            executable=path,
            stdin=launched.ends.stdin,
            stdout=launched.ends.stdout,
            stderr=launched.ends.stderr,
            cwd=directory,
            env=env,
            pass_fds=tuple(numbers),
            start_new_session=spec.session,
            process_group=None if spec.session else spec.group,
            umask=spec.umask,
        )

    if launched.is_confined and isinstance(spec.directory, int):
        launched.directory = directory = own_directory_path(spec.directory, launched)
    try:
        launched.popen = popen(directory)
    except PermissionError as error:
        # Some hosts deny access to their /proc entry, even to children; a child uses its own.
        if (
            launched.is_confined
            or not isinstance(spec.directory, int)
            or error.filename != directory
        ):
            raise
        launched.popen = popen(own_directory_path(spec.directory, launched))
    launched.exit = ExitWatch(launched.popen, launched.held)
    if launched.is_confined and limit is not None:
        limit.enter(launched.popen.pid)


def launching_thread(spec: ProcessSpec, launched: LaunchedProcess) -> LaunchingThread | None:
    """The confined thread that starts the process, if its policy confines it."""
    rule = None if spec.policy is None else spec.policy.confinement
    if rule is None:
        return None
    own = [spec.directory] if spec.has_own_directory and isinstance(spec.directory, str) else []
    if launched.folder:
        own.append(launched.folder)
    terminals = [os.ttyname(launched.ends.stdin)] if launched.ends.is_terminal else []
    thread, launched.unenforced = rule.launching_thread(spec.confinement, own, terminals)
    launched.is_confined = thread is not None
    return thread


def abandon_process(popen: Popen[bytes]) -> None:
    """End a process that nobody waits for any more."""
    popen.kill()
    popen.wait()


def own_directory_path(directory: int, launched: LaunchedProcess) -> str:
    """The path of an open directory for the process itself; its first three are its streams."""
    fd = directory if directory > 2 else launched.ends.hold(duplicate_above(directory, 3))
    return directory_path(fd, "self")


def launcher_words(
    spec: ProcessSpec,
    limit: ProcessLimit | None,
    numbers: dict[int, int],
    launched: LaunchedProcess,
) -> list[str]:
    """The words in front of the program, after those of its limits."""
    words = []
    if spec.ulimits:
        from keysh.process.rlimits import ulimit_words  # noqa: PLC0415 - only where limits were set

        words += ulimit_words(spec.ulimits)
    if launched.ends.is_terminal:
        words += terminal_words(os.ttyname(launched.ends.stdin))
    moves = {fd: wanted for fd, wanted in numbers.items() if fd != wanted}
    if moves:
        words += renumber_words(moves, spec.argv[0])
    is_watched = spec.session and collects_ends()  # the handler of a prompt waits for nothing
    if launched.is_confined:
        if is_watched or (limit is not None and limit.members_file):
            # It can neither open our descriptors nor enter a cgroup: it waits, and is moved.
            reading, _ = map(launched.ends.hold, os.pipe())
            # It must not be a number that the program expects for something else.
            passed = launched.ends.hold(duplicate_above(reading, least_held_descriptor(spec)))
            if gate := gate_words(spec, passed):
                words += gate
                numbers[passed] = passed
        return words
    if is_watched:
        reading, writing = os.pipe()
        launched.held = launched.ends.adopt(reading)
        launched.ends.hold(writing)
        words += held_words(spec, reading)
    if limit is not None and limit.members_file:
        words += cgroup_words(spec, limit.members_file)
    return words


def directory_of(spec: ProcessSpec, launched: LaunchedProcess) -> str | None:
    """The path of the directory to start in; None for this process's own."""
    directory = spec.directory
    if directory is None:
        return None
    if isinstance(directory, StreamMarker):
        from tempfile import mkdtemp  # noqa: PLC0415 - only where it is asked for

        launched.folder = mkdtemp(prefix="keysh-")
        return launched.folder
    if isinstance(directory, str):
        fault = directory_errno(directory)
        if fault:
            raise NotStarted("directory", fault, directory)
        return directory
    try:
        is_there = os.fstat(directory).st_nlink > 0
    except OSError as error:
        raise NotStarted(
            "directory", error.errno or errno.EBADF, f"descriptor {directory}"
        ) from None
    if not is_there:
        raise NotStarted("directory", errno.ENOENT, f"descriptor {directory}")
    return directory_path(directory)


def directory_errno(path: str) -> int:
    """The errno with which starting in a directory would fail; 0 if it would not."""
    try:
        is_directory = os.path.isdir(path)
        if not is_directory:
            os.stat(path)
            return errno.ENOTDIR
    except OSError as error:
        return error.errno or errno.EIO
    except ValueError:  # contains a NUL
        return errno.ENOENT
    return 0 if os.access(path, os.X_OK) else errno.EACCES


def executable_of(spec: ProcessSpec, directory: str | None) -> str:
    """The file to execute. With a policy, the real file that it has judged."""
    if spec.file is not None and spec.policy is None:
        return spec.file  # checked only if executing it fails
    search = spec.env.get("PATH", "") if spec.path is None else spec.path
    path = resolve(spec.argv[0], search, directory)
    if spec.policy is None:
        return path
    return spec.policy.judge(
        path_from(path, directory), spec.argv, search, spec.writable, directory
    )


def descriptor_numbers(spec: ProcessSpec, ends: ProcessPipes) -> dict[int, int]:
    """The extra descriptors: {the number passed on: the number that the program expects}."""
    numbers = {}
    least = least_held_descriptor(spec)
    for wanted, fd in spec.descriptors.items():
        passed = fd if fd == wanted else ends.hold(duplicate_above(fd, least))
        numbers[passed] = wanted
    return numbers


def least_held_descriptor(spec: ProcessSpec) -> int:
    """A number above all that the program expects."""
    return max([MIN_HELD_DESCRIPTOR, *spec.descriptors]) + 1


def duplicate_above(fd: int, least: int) -> int:
    """Duplicate a descriptor to a number of at least `least`."""
    import fcntl  # noqa: PLC0415 - only where numbers clash

    return fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, least)


def not_started_error(error: OSError, spec: ProcessSpec, launched: LaunchedProcess) -> NotStarted:
    """Describe why the start failed."""
    number, name = error.errno or errno.EIO, spec.argv[0]
    if number in RESOURCE_ERRNOS:
        return NotStarted("resources", number, name)
    if number == errno.E2BIG:
        return NotStarted("arguments", number, name)
    if launched.directory is not None and error.filename == launched.directory:
        return NotStarted("directory", number, str(spec.directory))
    fault = execution_errno(path_from(launched.path, launched.directory))
    if fault and launched.path == spec.file:
        return unusable_file(name, fault, [launched.path])
    if number == errno.ENOENT:  # the file itself existed a moment ago
        return NotStarted(
            "not_found", number, name, "its interpreter was not found", [launched.path]
        )
    return NotStarted("not_executable", number, name, tried=[launched.path])


def remove_private_directory(folder: str) -> None:
    """Remove a private directory with all its contents."""
    if not folder:
        return
    try:
        os.rmdir(folder)
    except OSError:
        from subprocess import DEVNULL, call  # noqa: PLC0415 - loaded by then

        # `rm` handles any depth and follows no links. A program may have taken permissions away.
        for words in (["rm", "-rf"], ["chmod", "-R", "u+rwX"], ["rm", "-rf"]):
            call([*words, "--", folder], stdin=DEVNULL, stdout=DEVNULL, stderr=DEVNULL)
            if not os.path.lexists(folder):
                return
