"""Ways out of a confined Python program, each with a name.

    ways_out.py NAME INSIDE OUTSIDE PID PORT SOCKET SHM

The arguments and the status are those of ways_out.c: 0 if the way leads out, 10 if it is closed.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import fcntl
import glob
import mmap
import os
import resource
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

OUT, CLOSED = 0, 10
REFUSALS = (
    errno.EPERM, errno.EACCES, errno.ENOSYS, errno.EXDEV, errno.EAFNOSUPPORT, errno.EPROTONOSUPPORT
)  # fmt: skip

NAME, *TEXTS = sys.argv[1:] if __name__ == "__main__" else [""]
INSIDE, OUTSIDE, HOST, PORT, SOCKET = (
    (TEXTS[0], TEXTS[1], int(TEXTS[2]), int(TEXTS[3]), TEXTS[4]) if TEXTS else ("", "", 0, 0, "")
)
SECRET, TARGET = f"{OUTSIDE}/secret", f"{OUTSIDE}/target"
LIBC = ctypes.CDLL(None, use_errno=True)


def secret_in(path: str) -> bool:
    return "SECRET" in Path(path).read_text()


def link_to_secret() -> bool:
    link = Path(INSIDE, "python-link")
    link.unlink(missing_ok=True)
    link.symlink_to(SECRET)
    return "SECRET" in link.read_text()


def descriptor_of_folder() -> bool:
    folder = os.open(OUTSIDE, os.O_PATH)
    return b"SECRET" in os.read(os.open("secret", os.O_RDONLY, dir_fd=folder), 100)


def change_directory() -> bool:
    os.chdir(OUTSIDE)
    return secret_in("secret")


def hard_link() -> bool:
    path = Path(INSIDE, "python-hard")
    path.unlink(missing_ok=True)
    os.link(SECRET, path)
    return secret_in(str(path))


def copy_tree() -> bool:
    kept = shutil.ignore_patterns("made*")
    shutil.copytree(OUTSIDE, f"{INSIDE}/copied", dirs_exist_ok=True, ignore=kept)
    return secret_in(f"{INSIDE}/copied/secret")


def memory_program() -> bool:
    fd = os.memfd_create("way")
    os.write(fd, Path(INSIDE, "program").read_bytes())
    return subprocess.run([f"/proc/self/fd/{fd}", "succeed"], pass_fds=[fd]).returncode == 0


def call(name: str, *arguments: object) -> bool:
    """Call a function of the C library, whose errors are exceptions."""
    if getattr(LIBC, name)(*arguments) < 0:
        raise OSError(ctypes.get_errno(), name)
    return True


def connected(family: int, kind: int, address: object) -> bool:
    with socket.socket(family, kind) as one:
        one.connect(address)  # type: ignore[arg-type]
    return True


def database() -> bool:
    with contextlib.closing(sqlite3.connect(f"{OUTSIDE}/data.db")) as one:
        one.execute("create table way(x)")
    return True


def child_reads(*words: str) -> bool:
    ran = subprocess.run(words, capture_output=True, text=True, check=False)
    return "SECRET" in ran.stdout


def forked_child_reads() -> bool:
    child = os.fork()
    if not child:
        status = CLOSED
        with contextlib.suppress(OSError):
            status = OUT if secret_in(SECRET) else CLOSED
        os._exit(status)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == OUT


def detached_child_writes() -> bool:
    ran = subprocess.run(
        ["/bin/sh", "-c", f"echo x > {OUTSIDE}/detached"], start_new_session=True, check=False
    )
    return ran.returncode == 0


def setting_of_host() -> bool:
    limits = resource.prlimit(HOST, resource.RLIMIT_CORE)
    resource.prlimit(HOST, resource.RLIMIT_CORE, limits)
    return True


def mapped_file() -> bool:
    with open(SECRET, "rb") as file, mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ) as data:
        return b"SECRET" in data[:]


def shared_memory() -> bool:
    # As `multiprocessing.shared_memory` opens it.
    return bool(os.open("/dev/shm/keysh-way-out", os.O_CREAT | os.O_RDWR, 0o600)) or True


def file_of_kernel(path: str, flags: int = os.O_RDONLY) -> bool:
    os.close(os.open(path, flags))
    return True


def loaded_library() -> bool:
    ctypes.CDLL(f"{OUTSIDE}/library.so")
    return True


def imported_module() -> bool:
    sys.path.insert(0, OUTSIDE)
    import way_module  # type: ignore[import-not-found]

    return bool(way_module.SECRET)


WAYS: dict[str, Callable[[], object]] = {
    "read": lambda: secret_in(SECRET),
    "read_from_directory": change_directory,
    "read_by_link": link_to_secret,
    "read_by_descriptor": descriptor_of_folder,
    "read_by_hard_link": hard_link,
    "read_by_map": mapped_file,
    "read_by_root": lambda: secret_in(f"/proc/self/root{SECRET}"),
    "read_by_task": lambda: secret_in(f"/proc/thread-self/root{SECRET}"),
    "read_by_host": lambda: secret_in(f"/proc/{HOST}/root{SECRET}"),
    "read_by_child": lambda: child_reads("/bin/cat", SECRET),
    "read_by_shell": lambda: child_reads("/bin/sh", "-c", f"cat < {SECRET}"),
    "read_by_fork": forked_child_reads,
    "copy_tree": copy_tree,
    "list": lambda: os.listdir(OUTSIDE),
    "find": lambda: glob.glob(f"{OUTSIDE}/*")[0],
    "write": lambda: Path(TARGET).write_text("x"),
    "write_detached": detached_child_writes,
    "create": lambda: Path(OUTSIDE, "python-new").write_text("x"),
    "create_temporary": lambda: os.rmdir(tempfile.mkdtemp(dir="/tmp")) or True,
    "create_database": database,
    "remove": lambda: os.unlink(TARGET) or True,
    "move_out": lambda: os.rename(f"{INSIDE}/movable", f"{OUTSIDE}/movable") or True,
    "move_in": lambda: os.rename(TARGET, f"{INSIDE}/taken") or True,
    "truncate": lambda: os.truncate(TARGET, 0) or True,
    "change_mode": lambda: os.chmod(TARGET, 0o777) or True,
    "change_owner": lambda: os.chown(TARGET, os.getuid(), -1) or True,
    "change_times": lambda: os.utime(TARGET) or True,
    "set_attribute": lambda: os.setxattr(TARGET, "user.way", b"x") or True,
    "run": lambda: subprocess.run([f"{OUTSIDE}/program", "succeed"], check=True),
    "run_memory": memory_program,
    "load_library": loaded_library,
    "import_module": imported_module,
    "signal": lambda: os.kill(HOST, 0) or True,
    "signal_descriptor": lambda: signal.pidfd_send_signal(os.pidfd_open(HOST), 0) or True,
    "set_priority": lambda: os.setpriority(os.PRIO_PROCESS, HOST, 0) or True,
    "set_affinity": lambda: os.sched_setaffinity(HOST, os.sched_getaffinity(HOST)) or True,
    "set_limit": setting_of_host,
    "trace": lambda: call("ptrace", 0x4206, HOST, None, None),
    "read_environment": lambda: file_of_kernel(f"/proc/{HOST}/environ"),
    "read_memory": lambda: file_of_kernel(f"/proc/{HOST}/mem"),
    "read_mounts": lambda: file_of_kernel("/proc/mounts"),
    "open_descriptor": lambda: file_of_kernel(f"/proc/{HOST}/fd/0"),
    "use_shared_memory": shared_memory,
    "set_kernel": lambda: file_of_kernel("/proc/sys/kernel/core_pattern", os.O_WRONLY),
    "connect": lambda: connected(socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", PORT)),
    "connect_datagram": lambda: connected(socket.AF_INET, socket.SOCK_DGRAM, ("127.0.0.1", PORT)),
    "connect_unix": lambda: connected(socket.AF_UNIX, socket.SOCK_STREAM, SOCKET),
    "connect_abstract": lambda: connected(socket.AF_UNIX, socket.SOCK_STREAM, f"\0{SOCKET}"),
    "raw_socket": lambda: socket.socket(socket.AF_INET, socket.SOCK_RAW, 1),
    "netlink": lambda: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0),
    "packet_socket": lambda: socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0),
    "terminal": lambda: os.openpty(),
    "type_for_terminal": lambda: fcntl.ioctl(0, 0x5412, b"x"),
    "change_root": lambda: os.chroot(OUTSIDE) or True,
    "unshare": lambda: call("unshare", 0x20000),
    "unshare_users": lambda: call("unshare", 0x10000000),
    "mount": lambda: call("mount", b"x", b"/nowhere", b"tmpfs", 0, None),
    "enter_namespace": lambda: call("setns", os.pidfd_open(HOST), 0x4000000),
    "set_host_name": lambda: call("sethostname", os.uname().nodename.encode(), -1),
    "watch": lambda: call("inotify_init1", 0),
}  # fmt: skip


def main() -> int:
    if not TEXTS:
        print(*WAYS, sep="\n")
        return 0
    try:
        return OUT if WAYS[NAME]() else CLOSED
    except OSError as error:
        return CLOSED if error.errno in REFUSALS or error.errno is None else OUT
    except (sqlite3.OperationalError, shutil.Error, ModuleNotFoundError, IndexError):
        return CLOSED
    except subprocess.CalledProcessError:
        return CLOSED


if __name__ == "__main__":
    sys.exit(main())
