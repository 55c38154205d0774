"""Eight threads at once lose nothing, and do nothing twice or partially."""

from __future__ import annotations

import random
import sys
import threading
from collections.abc import Callable

from keysh.testing.conformance.kit import Kit, get, names, put, tree
from keysh.vfs.api import FileSystem

COUNT = 8


def at_once(work: Callable[[int], object]) -> list[object]:
    """Run eight threads at once; return their results, where an exception is a result."""
    barrier = threading.Barrier(COUNT)
    answers: list[object] = [None] * COUNT

    def run(number: int) -> None:
        barrier.wait()
        try:
            answers[number] = work(number)
        except Exception as error:  # noqa: BLE001 the test looks at it
            answers[number] = error

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)  # much more often than they would take turns
    threads = [threading.Thread(target=run, args=(number,)) for number in range(COUNT)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    sys.setswitchinterval(interval)
    return answers


def winners(answers: list[object], lost: type[Exception]) -> list[int]:
    """Return the threads without an exception; all others must have the expected one."""
    assert {type(answer) for answer in answers if isinstance(answer, Exception)} <= {lost}, answers
    return [number for number, answer in enumerate(answers) if not isinstance(answer, Exception)]


class Threads(Kit):
    def test_create_files_concurrently(self, fs: FileSystem) -> None:
        def work(number: int) -> None:
            for turn in range(40):
                put(fs, f"/{number}-{turn}", b"%d" % turn)

        assert at_once(work) == [None] * COUNT
        expected = {f"/{n}-{turn}": b"%d" % turn for n in range(COUNT) for turn in range(40)}
        assert tree(fs) == expected

    def test_one_thread_creates_the_file(self, fs: FileSystem) -> None:
        for turn in range(20):

            def work(number: int, path: str = f"/{turn}") -> None:
                with fs.open(path, "x") as stream:
                    stream.write(b"%d" % number)

            (winner,) = winners(at_once(work), FileExistsError)
            assert get(fs, f"/{turn}") == b"%d" % winner

    def test_one_thread_creates_the_directory(self, fs: FileSystem) -> None:
        for turn in range(20):
            answers = at_once(lambda _, path=f"/{turn}": fs.make_directory(path))  # type: ignore[misc]
            assert len(winners(answers, FileExistsError)) == 1

    def test_one_thread_removes(self, fs: FileSystem) -> None:
        for _ in range(20):
            put(fs, "/f")
            assert len(winners(at_once(lambda _: fs.remove("/f")), FileNotFoundError)) == 1

    def test_one_thread_renames(self, fs: FileSystem) -> None:
        for _ in range(20):
            put(fs, "/token")
            answers = at_once(lambda number: fs.rename("/token", f"/{number}"))
            (winner,) = winners(answers, FileNotFoundError)
            assert names(fs) == [str(winner)]
            fs.remove(f"/{winner}")

    def test_appends_are_not_lost(self, fs: FileSystem) -> None:
        self.require_claims("has_append")

        def work(number: int) -> None:
            with fs.open("/log", "a") as stream:
                for turn in range(100):
                    stream.write(b"<%d %d>" % (number, turn))

        assert at_once(work) == [None] * COUNT
        written = get(fs, "/log").removeprefix(b"<").removesuffix(b">").split(b"><")
        assert sorted(written) == sorted(
            b"%d %d" % (number, turn) for number in range(COUNT) for turn in range(100)
        )

    def test_replacing_is_atomic(self, fs: FileSystem) -> None:
        texts = [bytes([number]) * 5000 for number in range(COUNT)]
        put(fs, "/f", texts[0])

        def work(number: int) -> set[bytes]:
            seen = set()
            for turn in range(30):
                if number % 2:
                    put(fs, f"/{number}", texts[number])
                    fs.rename(f"/{number}", "/f")
                elif turn % 3:
                    seen.add(get(fs, "/f"))
                else:
                    names(fs)
            return seen

        for answer in at_once(work):
            assert isinstance(answer, set), answer
            assert answer <= set(texts)
        assert names(fs) == ["f"]

    def test_list_while_directories_come_and_go(self, fs: FileSystem) -> None:
        for number in range(100):
            fs.make_directory(f"/{number}")

        def work(number: int) -> None:
            for turn in range(50):
                if number % 2:
                    fs.make_directory(f"/{number}-{turn}")
                    fs.remove_directory(f"/{number}-{turn}")
                else:
                    assert {f"{number}" for number in range(100)} <= {*names(fs)}

        assert at_once(work) == [None] * COUNT
        assert len(names(fs)) == 100

    def test_remaining_tree_is_consistent(self, fs: FileSystem) -> None:
        """Eight threads create, move and remove a few names; then the tree must be consistent."""
        places = ["/a", "/b", "/a/c", "/a/d", "/b/c", "/b/d", "/a/c/e", "/b/d/e"]

        def work(number: int) -> None:
            chance = random.Random(number)
            for _ in range(150):
                one, other = chance.choices(places, k=2)
                verb = chance.choice(["make", "put", "put", "move", "move", "remove", "list"])
                try:
                    if verb == "make":
                        fs.make_directory(one)
                    elif verb == "put":
                        put(fs, one, one.encode())
                    elif verb == "move":
                        fs.rename(one, other)
                    elif verb == "list":
                        names(fs, one)
                    elif chance.random() < 0.5:
                        fs.remove(one)
                    else:
                        fs.remove_directory(one)
                except OSError:
                    pass  # somebody else was there first

        assert at_once(work) == [None] * COUNT
        left = tree(fs)
        if self.counts_subdirectories:
            for path in ["/", *(path for path, what in left.items() if what is None)]:
                inside = [x for x in left if x.rpartition("/")[0] == path.rstrip("/")]
                below = [x for x in inside if left[x] is None]
                assert fs.stat(path).links == 2 + len(below)
        for path in sorted(left, key=len, reverse=True):
            (fs.remove_directory if left[path] is None else fs.remove)(path)
        assert names(fs) == []
