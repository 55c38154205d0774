"""SessionState: what the host keeps of an isolated shell: how it begins, and its last image."""

from __future__ import annotations

from threading import Lock

from keysh.shell.isolation.frames import (
    IMAGE_HEAD_BYTES,
    MAX_DATA_BYTES,
    FrameError,
    PipeClosed,
    bounds_from_worker,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from keysh.interp.run.limits import Limits
    from keysh.shell.isolation.host.host_calls import HostCalls
    from keysh.shell.isolation.worker_process import WorkerProcess

# A worker has this long to load a shell, and to make an image of it.
MOVE_SECONDS = 30.0


class SessionState:
    """A session between two workers."""

    __slots__ = (
        "_bounds", "_files", "_record", "_rules", "calls", "entries", "image", "image_lock",
        "is_closed", "is_stale", "lost_runs",
    )  # fmt: skip

    def __init__(
        self, record: dict[str, Any], files: dict[str, bytes], limits: Limits, calls: HostCalls,
        rules: bytes,
    ) -> None:  # fmt: skip
        """`record` is what a worker is told to load; `files` are the first ones."""
        self._record, self._files, self.calls, self._rules = record, files, calls, rules
        self.image: bytes | None = None  # the last one; without any the session begins anew
        self.image_lock = Lock()  # held while the image is on its way
        self.is_stale = False  # whether the shell has changed since
        self.lost_runs = 0  # that changed something since, and would be lost with the worker
        self.is_closed = False
        self.entries = 0  # runs that the history has had; a new worker knows nothing of them
        file_bytes = MAX_DATA_BYTES if limits.file_bytes is None else limits.file_bytes
        output = MAX_DATA_BYTES if limits.output is None else limits.output
        self._bounds = bounds_from_worker(file_bytes + output + IMAGE_HEAD_BYTES)

    @property
    def bounds(self) -> dict[int, tuple[int, int]]:
        """The most bytes of each kind of frame that a worker may send for this session."""
        return self._bounds

    def keep_image(self, image: bytes) -> None:
        """Keep the image of the shell as it is now."""
        self.image, self.is_stale, self.lost_runs = image, False, 0
        self._files = {}

    def note_entry(self, number: Any) -> None:
        """Note the number of the last run in the history; FrameError if a worker has sent none."""
        if number.__class__ is not int or number <= self.entries:
            raise FrameError("a run without a number")
        self.entries = int(str(number))

    def enter(self, worker: WorkerProcess) -> None:
        """Load the shell in a worker that holds none."""
        with self.image_lock:
            record, data = self._load_message()
            self._begin(worker)
            worker.peer.request("load", record, data)
            worker.live, self.is_stale, self.lost_runs = self, False, 0

    def _begin(self, worker: WorkerProcess) -> None:
        worker.begin(self.calls.serve, None, self._bounds, MOVE_SECONDS)
        self.calls.bridge.peer = worker.peer

    def _load_message(self) -> tuple[dict[str, Any], bytes]:
        files: list[list[Any]] | None = None
        data = self.image
        options = self._record["options"]
        if data is None:
            files = [[path, len(content)] for path, content in self._files.items()]
            data = b"".join(self._files.values())
        else:
            # These are for a new shell; the image has them.
            options = {
                name: value
                for name, value in options.items()
                if name not in ("cwd", "env", "args", "name")
            }
        commands = [[name, style] for name, style in self.calls.command_styles().items()]
        rules = self._rules
        record = {
            **self._record, "options": options, "files": files, "commands": commands,
            "doors": self.calls.worker_options(), "rules": len(rules),
        }  # fmt: skip
        if record["journal"] is not None:
            record["journal"] = {**record["journal"], "entries": self.entries}
        return record, rules + data

    def leave(self, worker: WorkerProcess) -> bool:
        """Take the shell out of a worker, into the image; return whether the worker still lives.

        The caller holds the image lock, which this releases.
        """
        try:
            worker.live = None
            self._begin(worker)
            if self.is_stale and not self.is_closed:
                self.keep_image(worker.peer.request("image")[1])
            worker.peer.request("end")
            self.calls.close()
        except (PipeClosed, FrameError):
            worker.kill()
            return False
        except Exception:  # noqa: BLE001 - no image can be made: the shell is as it was
            return True
        finally:
            self.image_lock.release()
        return True

    def end_in(self, worker: WorkerProcess) -> bool:
        """End the shell in a worker; return whether the worker still lives."""
        self.is_closed = True
        self.image_lock.acquire()
        return self.leave(worker)
