"""No operation of a LocalFS reaches files outside its root.

Around the root stands a machine: a folder `outside` with a secret in it. Each test tries a way to
it; at the end of every one the folder must be as it was, and no answer may have come from it.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from keysh.vfs.api import LinkInPath
from keysh.vfs.local import descent
from keysh.vfs.local import filesystem as local
from keysh.vfs.local.filesystem import LocalFS
from vfs.timeout import hang_guard  # noqa: F401 - a fixture

pytestmark = pytest.mark.usefixtures("hang_guard")

SECRET = b"the secret"


class Machine:
    """The root, the files outside it, and their initial state."""

    def __init__(self, folder: Path) -> None:
        self.root, self.outside = folder / "root", folder / "outside"
        for place, text in ((self.root / "victim", b"inside"), (self.outside, SECRET)):
            (place / "sub").mkdir(parents=True)
            (place / "empty").mkdir()
            (place / "file").write_bytes(text)
            (place / "sub/file").write_bytes(text)
            (place / "link").symlink_to(text.decode())
        (self.root / "own").write_bytes(b"own")
        (self.outside / "only-outside").write_bytes(SECRET)
        self.inodes = {os.lstat(path).st_ino for path in [self.outside, *self.outside.rglob("*")]}
        self.before = self.look()

    def look(self) -> dict[str, tuple[object, ...]]:
        """Return everything that a change would affect, for each path outside."""
        seen: dict[str, tuple[object, ...]] = {}
        for path in [self.outside, *sorted(self.outside.rglob("*"))]:
            at = os.lstat(path)
            text = path.read_bytes() if stat.S_ISREG(at.st_mode) else b""
            links, changes = (at.st_ino, at.st_nlink), (at.st_mtime_ns, at.st_ctime_ns)
            seen[str(path)] = (text, at.st_mode, links, changes)
        return seen


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """Use memory if possible: a disk's journal would serialize the race."""
    memory = "/dev/shm"
    if not os.access(memory, os.W_OK):
        yield tmp_path
        return
    with tempfile.TemporaryDirectory(dir=memory) as made:
        yield Path(made)


@pytest.fixture
def machine(folder: Path) -> Iterator[Machine]:
    made = Machine(folder)
    yield made
    assert made.look() == made.before


@pytest.fixture(params=["O_PATH", "O_RDONLY"])
def fs(
    machine: Machine, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> Iterator[LocalFS]:
    """Opened both as Linux does and as systems do that have no O_PATH."""
    if request.param == "O_RDONLY":
        passing = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW
        for module in (descent, local):
            monkeypatch.setattr(module, "PASS_FLAGS", passing)
    with LocalFS(machine.root) as opened:
        yield opened


def read(fs: LocalFS, path: str) -> bytes:
    with fs.open(path) as stream:
        return stream.read()


def write(fs: LocalFS, path: str, access: str = "w") -> None:
    with fs.open(path, access) as stream:  # type: ignore[arg-type]
        stream.write(b"written")


def enter(fs: LocalFS, path: str) -> int:
    """Return the inode of a directory by its descriptor."""
    descriptor = fs.open_directory(path)
    try:
        return os.fstat(descriptor).st_ino
    finally:
        os.close(descriptor)


# Every verb, through the path of a directory. The names are there, inside and outside.
VERBS: dict[str, Callable[[LocalFS, str], object]] = {
    "stat": lambda fs, at: fs.stat(f"{at}/file").inode,
    "read": lambda fs, at: read(fs, f"{at}/file"),
    "read deep": lambda fs, at: read(fs, f"{at}/sub/file"),
    "list": lambda fs, at: {entry.name for entry in fs.list(at)},
    "list deep": lambda fs, at: {entry.name for entry in fs.list(f"{at}/sub")},
    "write": lambda fs, at: write(fs, f"{at}/file"),
    "append": lambda fs, at: write(fs, f"{at}/sub/file", "a"),
    "read and write": lambda fs, at: write(fs, f"{at}/file", "rw"),
    "make": lambda fs, at: write(fs, f"{at}/new", "x"),
    "make deep": lambda fs, at: write(fs, f"{at}/sub/new"),
    "make_directory": lambda fs, at: fs.make_directory(f"{at}/made"),
    "remove_directory": lambda fs, at: fs.remove_directory(f"{at}/empty"),
    "remove": lambda fs, at: fs.remove(f"{at}/sub/file"),
    "rename inside": lambda fs, at: fs.rename(f"{at}/file", f"{at}/renamed"),
    "rename out of it": lambda fs, at: fs.rename(f"{at}/file", "/taken"),
    "rename into it": lambda fs, at: fs.rename("/own", f"{at}/file"),
    "link out of it": lambda fs, at: fs.link(f"{at}/file", "/taken"),
    "link into it": lambda fs, at: fs.link("/own", f"{at}/new"),
    "make_link": lambda fs, at: fs.make_link("text", f"{at}/sub/made"),
    "read_link": lambda fs, at: fs.read_link(f"{at}/link"),
    "set_mode": lambda fs, at: fs.set_mode(f"{at}/file", 0o600),
    "set_times": lambda fs, at: fs.set_times(f"{at}/file", 1, 2),
    "real_path": lambda fs, at: fs.real_path(f"{at}/file"),
    "open_directory": enter,
    "open_directory deep": lambda fs, at: enter(fs, f"{at}/sub"),
}


def is_from_outside(answer: object, machine: Machine) -> bool:
    """Whether a result reveals anything outside the root."""
    if isinstance(answer, int):
        return answer in machine.inodes
    return answer == SECRET or answer == SECRET.decode() or "only-outside" in str(answer)


@pytest.mark.parametrize("name", VERBS)
def test_verb_works_inside(fs: LocalFS, machine: Machine, name: str) -> None:
    assert not is_from_outside(VERBS[name](fs, "/victim"), machine)


# Static ways in.


@pytest.mark.parametrize(
    "path",
    [
        "/../outside", "/..", "/victim/../../outside", "/victim/sub/../../../outside", "//outside",
        "/./../outside", "/victim/..", "../outside", "..", "outside", "/.", "/victim/", "//",
        "/victim//sub", "/victim/./sub", "/\0/../outside", "/victim/\0", "/victim/sub/.",
    ],
)  # fmt: skip
def test_path_that_is_not_normal_is_refused(fs: LocalFS, path: str) -> None:
    for name, act in VERBS.items():
        if name != "real_path":  # it has no errors
            with pytest.raises(OSError, match=os.strerror(errno.EINVAL)):
                act(fs, path)
    for act in (fs.stat, fs.list, fs.read_link):
        with pytest.raises(OSError, match=os.strerror(errno.EINVAL)):
            act(path)
    assert fs.real_path(path) is None


@pytest.mark.parametrize("path", ["/...", "/..victim", "/victim/...", "/.victim", "/victim.."])
def test_names_that_begin_with_dots_are_names(fs: LocalFS, path: str) -> None:
    write(fs, path)
    assert read(fs, path) == b"written"


@pytest.mark.parametrize(
    "target", ["{outside}", "../outside", "../root/../outside", "victim/../.."]
)
def test_link_to_a_directory_is_not_followed(fs: LocalFS, machine: Machine, target: str) -> None:
    target = target.format(outside=machine.outside)
    (machine.root / "way").symlink_to(target)
    for act in VERBS.values():
        with pytest.raises(LinkInPath) as caught:
            act(fs, "/way")
        assert (caught.value.path, caught.value.target) == ("/way", target)


def test_remaining_path_after_a_link(fs: LocalFS) -> None:
    fs.make_link("t", "/victim/way")
    for path in ("", "/a", "/a/b"):
        with pytest.raises(LinkInPath) as caught:
            fs.list(f"/victim/way{path}")
        assert (caught.value.path, caught.value.rest) == ("/victim/way", path)


@pytest.mark.parametrize("access", ["r", "w", "a", "rw"])
def test_link_to_a_file_is_not_opened(fs: LocalFS, machine: Machine, access: str) -> None:
    for target in (str(machine.outside / "file"), "../outside/file"):
        fs.make_link(target, "/way")
        with pytest.raises(LinkInPath):
            write(fs, "/way", access)
        with pytest.raises(LinkInPath):
            fs.set_mode("/way", 0)
        with pytest.raises(LinkInPath):
            fs.real_path("/way")
        fs.remove("/way")


def test_creating_a_file_replaces_or_refuses_a_link(fs: LocalFS, machine: Machine) -> None:
    secret = str(machine.outside / "file")
    for act in (
        lambda: write(fs, "/way", "x"),
        lambda: fs.make_directory("/way"),
        lambda: fs.make_link("t", "/way"),
        lambda: fs.link("/victim/file", "/way"),
    ):
        fs.make_link(secret, "/way")
        with pytest.raises(FileExistsError):
            act()
        fs.remove("/way")
    fs.make_link(secret, "/way")
    fs.rename("/victim/file", "/way")
    assert read(fs, "/way") == b"inside"


def test_verbs_that_act_on_the_link_itself(fs: LocalFS, machine: Machine) -> None:
    fs.make_link(str(machine.outside / "file"), "/way")
    fs.link("/way", "/second")
    fs.rename("/way", "/third")
    fs.set_times("/third", 1, 2)
    assert fs.stat("/second").is_link
    assert fs.stat("/second").modified == 2
    fs.remove("/second")
    with pytest.raises(NotADirectoryError):
        fs.remove_directory("/third")


def test_chain_of_links_leading_outside_is_reported_link_by_link(
    fs: LocalFS, machine: Machine
) -> None:
    fs.make_link(str(machine.outside), "/link0")
    for number in range(1, 41):
        fs.make_link(f"link{number - 1}", f"/link{number}")
    path, turns = "/link40", 0
    while path.startswith("/link"):
        with pytest.raises(LinkInPath) as caught:
            fs.list(path)
        assert caught.value.path == path
        path = caught.value.target if turns == 40 else f"/{caught.value.target}"
        turns += 1
    assert (turns, path) == (41, str(machine.outside))
    # The target is a path of the virtual tree, where there is no such thing.
    with pytest.raises(FileNotFoundError):
        fs.list(path)


def test_loop_of_links_is_reported_at_once(fs: LocalFS) -> None:
    fs.make_link("b", "/a")
    fs.make_link("a", "/b")
    fs.make_link("self", "/self")
    for path in ("/a", "/b/x", "/self/x/y"):
        with pytest.raises(LinkInPath):
            read(fs, path)


def test_kernel_links_are_links() -> None:
    with LocalFS("/") as fs:
        for path in ("/proc/self/root/etc", "/proc/self/cwd/x", "/proc/self/fd/0"):
            with pytest.raises(LinkInPath):
                fs.open(path)


def test_hard_link_cannot_name_a_file_outside(fs: LocalFS, machine: Machine) -> None:
    fs.make_link(str(machine.outside), "/way")
    fs.make_link(str(machine.outside / "file"), "/direct")
    with pytest.raises(LinkInPath):
        fs.link("/way/file", "/taken")
    fs.link("/direct", "/taken")
    assert fs.stat("/taken").is_link


def test_root_may_be_a_link(machine: Machine, tmp_path: Path) -> None:
    (tmp_path / "way").symlink_to(machine.root)
    with LocalFS(tmp_path / "way") as fs:
        assert read(fs, "/victim/file") == b"inside"


# Changes between two steps of one operation. A hook simulates the unlucky moment.


@contextlib.contextmanager
def before(
    monkeypatch: pytest.MonkeyPatch, function: str, name: str, act: Callable[[], object]
) -> Iterator[None]:
    """Call a function once, immediately before `os.function` is called for a name."""
    real, due = getattr(os, function), [act]

    def hooked(at: object, *arguments: object, **options: object) -> object:
        if at == name and due:
            due.pop()()
        return real(at, *arguments, **options)

    with monkeypatch.context() as patch:
        patch.setattr(os, function, hooked)
        yield
    assert not due, "the moment never came"


def replace(path: Path, target: Path) -> None:
    """Replace a file by a link, after moving the file aside."""
    path.rename(path.with_name("parked"))
    path.symlink_to(target)


def test_directory_swapped_before_it_is_entered(
    fs: LocalFS, machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    swap = lambda: replace(machine.root / "victim", machine.outside)  # noqa: E731
    with before(monkeypatch, "open", "victim", swap), pytest.raises(LinkInPath):
        read(fs, "/victim/sub/file")


def test_directory_swapped_after_it_was_entered(
    fs: LocalFS, machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    swap = lambda: replace(machine.root / "victim", machine.outside)  # noqa: E731
    with before(monkeypatch, "open", "sub", swap):
        write(fs, "/victim/sub/file")
    assert (machine.root / "parked/sub/file").read_bytes() == b"written"


def test_parent_renamed_while_a_path_is_walked(
    fs: LocalFS, machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    fs.make_directory("/away")
    move = lambda: fs.rename("/victim", "/away/victim")  # noqa: E731
    with before(monkeypatch, "open", "sub", move):
        assert read(fs, "/victim/sub/file") == b"inside"


@pytest.mark.parametrize("access", ["r", "w", "a", "rw"])
def test_file_swapped_for_a_link_before_it_is_opened(
    fs: LocalFS, machine: Machine, monkeypatch: pytest.MonkeyPatch, access: str
) -> None:
    swap = lambda: replace(machine.root / "victim/file", machine.outside / "file")  # noqa: E731
    with before(monkeypatch, "open", "file", swap), pytest.raises(LinkInPath):
        write(fs, "/victim/file", access)


@pytest.mark.parametrize("access", ["r", "w", "a", "rw"])
def test_file_swapped_for_a_fifo_before_it_is_opened(
    fs: LocalFS, machine: Machine, monkeypatch: pytest.MonkeyPatch, access: str
) -> None:
    def swap() -> None:
        (machine.root / "victim/file").unlink()
        os.mkfifo(machine.root / "victim/file")

    # The fifo has no reader, so it cannot even be opened for writing.
    number = errno.ENXIO if access in "wa" else errno.EACCES
    with (
        before(monkeypatch, "open", "file", swap),
        pytest.raises(OSError, match=f"{os.strerror(number)}: '/victim/file'"),
    ):
        write(fs, "/victim/file", access)


def test_file_swapped_for_a_link_before_its_mode_is_set(
    fs: LocalFS, machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    by_name = os.chmod in os.supports_follow_symlinks
    swap = lambda: replace(machine.root / "victim/file", machine.outside / "file")  # noqa: E731
    # Where one call does it, that acts on the link itself.
    refused = contextlib.nullcontext() if by_name else pytest.raises(LinkInPath)
    with before(monkeypatch, "chmod" if by_name else "open", "file", swap), refused:
        fs.set_mode("/victim/file", 0)
