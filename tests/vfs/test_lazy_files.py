"""Lazy files of a MemoryFS are loaded once, when needed, whoever reads them."""

from __future__ import annotations

import errno
import threading
from collections.abc import Callable

import pytest

from keysh.testing.conformance.kit import fails, get, names, put
from keysh.testing.conformance.thread_tests import at_once
from keysh.vfs.memory.filesystem import MemoryFS
from vfs.counted_loader import Source


class TestLazyFiles:
    @pytest.mark.parametrize(
        "act",
        [
            lambda fs: fs.stat("/f"),
            lambda fs: get(fs, "/f"),
            lambda fs: fs.open("/f").seek(0, 2),
            lambda fs: fs.open("/f", "a").write(b"!"),
            lambda fs: fs.open("/f", "rw").truncate(4),
        ],
        ids=["stat", "read", "seek", "append", "truncate"],
    )
    def test_loader_is_called_once(self, act: Callable[[MemoryFS], object]) -> None:
        source = Source()
        fs = MemoryFS({"/f": source})
        act(fs)
        assert source.calls == 1
        assert get(fs, "/f").startswith(b"lazy")
        assert fs.stat("/f").size == len(get(fs, "/f")) == fs.bytes_used
        assert source.calls == 1

    def test_loader_is_not_called_unless_needed(self) -> None:
        source = Source()
        fs = MemoryFS({"/d/f": source, "/d/g": source})
        names(fs, "/d")
        fs.rename("/d/f", "/d/h")
        fs.link("/d/h", "/d/i")
        fs.set_mode("/d/i", 0o600)
        fs.open("/d/i").close()
        fs.remove("/d/g")
        fs.snapshot()
        assert source.calls == 0
        put(fs, "/d/h", b"new")
        assert get(fs, "/d/i") == b"new"
        assert source.calls == 0

    @pytest.mark.parametrize("content", ["é\udcff", b"\xc3\xa9\xff", bytearray(b"\xc3\xa9\xff")])
    def test_loader_returns_text_or_bytes(self, content: object) -> None:
        assert get(MemoryFS({"/f": Source(content)}), "/f") == b"\xc3\xa9\xff"

    def test_failure_is_an_errno_and_may_be_retried(self) -> None:
        source = Source("at last", failures=2)
        fs = MemoryFS({"/f": source})
        with fails(errno.EIO, "/f"):
            fs.stat("/f")
        with fs.open("/f") as stream:
            with pytest.raises(OSError, match="Input/output error: '/f'") as caught:
                stream.read()
            assert repr(caught.value.__cause__) == "LookupError('not yet, 2')"
            assert stream.read() == b"at last"
        assert source.calls == 3

    @pytest.mark.parametrize("content", [None, 5, "\ud800"])
    def test_invalid_content_is_a_failure(self, content: object) -> None:
        with fails(errno.EIO, "/f"):
            MemoryFS({"/f": Source(content)}).stat("/f")

    def test_interrupt_propagates_and_allows_a_retry(self) -> None:
        def source() -> str:
            if not calls:
                calls.append(1)
                raise KeyboardInterrupt
            return "lazy"

        calls: list[int] = []
        fs = MemoryFS({"/f": source})
        with pytest.raises(KeyboardInterrupt):
            fs.stat("/f")
        assert get(fs, "/f") == b"lazy"

    def test_eight_threads_call_the_loader_once(self) -> None:
        began, go_on = threading.Event(), threading.Event()

        def source() -> str:
            calls.append(1)
            began.set()
            go_on.wait()
            return "lazy"

        calls: list[int] = []
        fs = MemoryFS({"/f": source, "/g": "other"})

        def work(number: int) -> bytes:
            if number:
                return get(fs, "/f") if number % 2 else bytes(fs.stat("/f").size)
            began.wait()
            other = get(fs, "/g")  # the file system is free meanwhile
            put(fs, "/h")
            go_on.set()
            return other

        assert at_once(work) == [b"other"] + [b"lazy", bytes(4)] * 3 + [b"lazy"]
        assert len(calls) == 1

    def test_loader_may_read_other_files_but_not_its_own(self) -> None:
        fs = MemoryFS(
            {
                "/a": "a",
                "/b": lambda: get(fs, "/a") + b"b",
                "/c": lambda: get(fs, "/b") + b"c",
                "/own": lambda: get(fs, "/own"),
                "/x": lambda: get(fs, "/y"),
                "/y": lambda: get(fs, "/x"),
            }
        )
        assert get(fs, "/c") == b"abc"
        for path in ("/own", "/x"):
            with pytest.raises(OSError, match=path) as caught:
                get(fs, path)
            cause: BaseException = caught.value
            while cause.__cause__:
                assert getattr(cause, "errno", None) == errno.EIO
                cause = cause.__cause__
            assert getattr(cause, "errno", None) == errno.EDEADLK

    def test_file_may_be_replaced_while_loading(self) -> None:
        def source() -> str:
            put(fs, "/f", b"new")
            return "too late"

        fs = MemoryFS({"/f": source})
        assert get(fs, "/f") == b"new"
        assert fs.bytes_used == 3

    def test_file_may_be_removed_while_loading(self) -> None:
        fs = MemoryFS({"/f": lambda: fs.remove("/f") or "gone"})  # type: ignore[func-returns-value]
        with fails(errno.ENOENT, "/f"):
            fs.stat("/f")
        assert (fs.bytes_used, fs.files_used) == (0, 0)

    def test_size_counts_once_loaded(self) -> None:
        source = Source(b"12345")
        fs = MemoryFS({"/f": source, "/g": b"123456"}, max_bytes=10)
        assert fs.bytes_used == 6
        with fails(errno.ENOSPC, "/f"):
            get(fs, "/f")
        put(fs, "/g", b"12345")
        assert get(fs, "/f") == b"12345"
        assert (fs.bytes_used, source.calls) == (10, 1)
