"""A mapper for Dask: calls are carried by `distributed` to the workers of a cluster.

Each call is pinned to a worker of our choice. Dask itself would run the calls of a worker that is
lost again, and nobody could say how often an item has run; pinned, they fail here and are tried
again as often as the scatter allows.

A cluster that adapts grows by the calls that wait. Ours never do, so while all threads are busy, or
there is no worker at all, placeholders wait for them: calls that no worker can run.
"""

from __future__ import annotations

import socket
from asyncio import CancelledError
from concurrent.futures import Future as OwnFuture
from concurrent.futures import InvalidStateError
from contextlib import suppress
from functools import partial
from threading import Event, Lock, Thread
from uuid import uuid4

from keysh.interp.run.exception_text import exception_text
from keysh.shell.scattering.item_shell import cancel_items
from keysh.shell.scattering.mapper import ClusterError, NotBegun, WorkerLost
from keysh.version import __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence
    from typing import Any

    from distributed import Client
    from distributed import Future as DaskFuture

    from keysh.shell.scattering.payload import Payload

CONNECT_SECONDS = 5
LOOK_SECONDS = 0.5  # how often it is looked which workers there are
CANCEL_SECONDS = 5
KEY_PREFIX = "keysh_items"  # by which Dask learns how long our calls take
NOWHERE = {"keysh waits for a worker": 1}  # what no worker offers


class PinnedCall:
    """A call on one worker."""

    __slots__ = ("dask_future", "future", "worker")

    def __init__(self, worker: str, dask_future: DaskFuture[Any]) -> None:
        self.worker, self.dask_future = worker, dask_future
        self.future: OwnFuture[Any] = OwnFuture()

    def fail(self, error: BaseException) -> None:
        """Let the call fail, unless it has ended."""
        with suppress(InvalidStateError):
            self.future.set_exception(error)


class DaskMapper:
    """Carries the calls of one scatter."""

    __slots__ = (
        "_calls", "_checked", "_client", "_doubtful", "_is_closed", "_lock", "_loss", "_notice",
        "_owns_client", "_payload", "_placeholders", "_shared", "_threads", "_watch",
    )  # fmt: skip

    def __init__(
        self, client: Client | str, payload: Payload, notice: Callable[[], object]
    ) -> None:
        """ClusterError if there is no scheduler. `notice` is called when `width` has changed."""
        self._owns_client = isinstance(client, str)
        self._client = connect(client) if isinstance(client, str) else client
        self._lock, self._is_closed = Lock(), Event()
        self._calls: set[PinnedCall] = set()
        self._doubtful: list[PinnedCall] = []  # cancelled by Dask: has the worker been lost?
        self._loss: ClusterError | None = None  # of the scheduler
        self._payload, self._notice = payload, notice
        self._shared: DaskFuture[Payload] | None = None
        self._checked: set[str] = set()  # workers that have this keysh
        self._placeholders: list[DaskFuture[Any]] = []
        try:
            self._threads = self._worker_threads()
            self._ask_for_workers()
        except Exception as error:  # noqa: BLE001 - of the connection, whatever it is
            self._close_client()
            raise scheduler_loss(error) from None
        except BaseException:
            self._close_client()
            raise
        self._watch = Thread(target=self._look_after_workers, name="keysh-dask", daemon=True)
        self._watch.start()

    # ------------------------------------------------------------ the cluster

    def _sent_payload(self) -> DaskFuture[Payload]:
        """Return the payload as the workers have it."""
        # Without the workers that had it, it is gone.
        if self._shared is None or self._shared.status != "finished":
            [self._shared] = self._client.scatter([self._payload], broadcast=True, hash=False)
        return self._shared

    def _worker_threads(self) -> dict[str, int]:
        """The number of threads of each worker."""
        found: dict[str, int] = self._client.run_on_scheduler(probe_of_threads())
        return found

    def _check_versions(self) -> None:
        """Check workers that are new; ClusterError if one is without this keysh."""
        new = [worker for worker in self._threads if worker not in self._checked]
        if not new:
            return
        for worker, version in self._client.run(probe_of_version(), workers=new).items():
            if version != __version__:
                has = f"keysh {version}" if version else "no keysh"
                raise ClusterError(f"the worker {worker} has {has}, and this is {__version__}")
        self._checked.update(new)

    def _ask_for_workers(self) -> None:
        """Let as many placeholders wait as there are busy threads, if all are."""
        width = self.width
        with self._lock:
            busy = len(self._calls)
        wanted = 1 if not width else busy if busy >= width else 0
        held, rest = self._placeholders[:wanted], self._placeholders[wanted:]
        if rest:
            self._client.cancel(rest)
        for _ in range(wanted - len(held)):
            held.append(self._client.submit(str, key=new_key(), pure=False, resources=NOWHERE))
        self._placeholders = held

    def _look_after_workers(self) -> None:
        """Notice workers that come, and fail the calls of those that are gone."""
        while not self._is_closed.wait(LOOK_SECONDS):
            try:
                before, self._threads = self._threads, self._worker_threads()
                self._fail_lost_calls(self._threads)
                self._ask_for_workers()
            except Exception as error:  # noqa: BLE001 - of the connection, whatever it is
                self._fail_all(scheduler_loss(error))
                return  # from now on nobody looks
            if self._threads != before:
                self._notice()

    def _fail_lost_calls(self, threads: dict[str, int]) -> None:
        """Fail the calls of workers that are gone; those that never got there begin again."""
        with self._lock:
            lost = [call for call in self._calls if call.worker not in threads]
            spared = [call for call in self._doubtful if call.worker in threads]
            self._doubtful.clear()
        begun: Collection[str] = ()
        if lost:
            keys = [call.dask_future.key for call in lost]
            begun = self._client.run_on_scheduler(probe_of_begun(), keys)
        for call in lost:
            if call.dask_future.key in begun:
                call.fail(WorkerLost(call.worker, "it left the cluster"))
            else:
                call.fail(NotBegun())
            call.dask_future.cancel()
        for call in spared:
            call.fail(NotBegun())

    def _fail_all(self, loss: ClusterError) -> None:
        with self._lock:
            self._loss, calls = loss, [*self._calls]
            self._calls.clear()
        for call in calls:
            call.fail(loss)
        self._notice()

    # ------------------------------------------------------------ a Mapper

    @property
    def width(self) -> int:
        return sum(self._threads.values()) if self._loss is None else 1  # a call that fails

    def submit(self, function: Callable[..., Any], *arguments: Any) -> OwnFuture[Any]:
        try:
            return self._submit(function, arguments)
        except Exception as error:  # noqa: BLE001 - of the connection, whatever it is
            future: OwnFuture[Any] = OwnFuture()
            future.set_exception(error if isinstance(error, NotBegun) else scheduler_loss(error))
            return future

    def _submit(self, function: Callable[..., Any], arguments: Sequence[Any]) -> OwnFuture[Any]:
        if self._loss is not None:
            raise self._loss
        try:
            self._check_versions()
            shared = self._sent_payload()
        except ClusterError:
            raise
        except Exception:  # noqa: BLE001 - of a worker that is gone, or of the scheduler
            self._threads = self._worker_threads()
            raise NotBegun from None
        passed = [shared if one is self._payload else one for one in arguments]
        with self._lock:
            if self._loss is not None:
                raise self._loss
            busy = [call.worker for call in self._calls]
            threads = self._threads
            if not threads:
                raise NotBegun
            worker = min(threads, key=lambda each: busy.count(each) / threads[each])
            dask_future = self._client.submit(
                function, *passed, worker, workers=[worker], allow_other_workers=False, pure=False,
                key=new_key(),
            )  # fmt: skip
            call = PinnedCall(worker, dask_future)
            self._calls.add(call)
        dask_future.add_done_callback(partial(self._settle, call, shared))
        call.future.add_done_callback(lambda _: self._forget(call))
        return call.future

    def _settle(
        self, call: PinnedCall, shared: DaskFuture[Payload], dask_future: DaskFuture[Any]
    ) -> None:
        """Take over what Dask says; the loss of the worker may have come first."""
        try:
            result = dask_future.result()
        except BaseException as error:  # noqa: BLE001 - raised where the result is asked for
            if isinstance(error, CancelledError) or shared.status != "finished":
                with self._lock:
                    self._doubtful.append(call)
                    loss = self._loss
                if loss is not None:
                    call.fail(loss)
            else:
                call.fail(error)
        else:
            with suppress(InvalidStateError):
                call.future.set_result(result)

    def _forget(self, call: PinnedCall) -> None:
        with self._lock:
            self._calls.discard(call)

    def cancel(self) -> None:
        with self._lock:
            workers = {call.worker for call in self._calls}
        if not workers:
            return

        def tell() -> None:
            with suppress(Exception):  # without a scheduler nothing can be reached
                self._client.run(cancel_items, self._payload.scatter, workers=[*workers])

        # A worker that hangs never answers.
        thread = Thread(target=tell, name="keysh-dask-cancel", daemon=True)
        thread.start()
        thread.join(CANCEL_SECONDS)

    def close(self) -> None:
        """End what still runs, and leave the cluster."""
        self._is_closed.set()
        with self._lock:
            futures = [call.dask_future for call in self._calls]
        try:
            if futures:
                self.cancel()
            with suppress(Exception):
                self._client.cancel(futures)
                if self._shared is not None:
                    self._shared.release()
        finally:
            self._watch.join()
            with suppress(Exception):
                self._client.cancel(self._placeholders)
            self._close_client()

    def _close_client(self) -> None:
        if self._owns_client:
            with suppress(Exception):
                self._client.close(timeout=CONNECT_SECONDS)


def new_key() -> str:
    """Return a name for a call."""
    return f"{KEY_PREFIX}-{uuid4().hex}"


def scheduler_loss(error: Exception) -> ClusterError:
    """Return what a failure to reach the scheduler means."""
    if isinstance(error, ClusterError):
        return error
    return ClusterError(f"the scheduler is gone: {exception_text(error)}")


def connect(address: str) -> Client:
    """Return a client of a scheduler."""
    try:
        from distributed import Client  # noqa: PLC0415 - an extra, and 1 s to load
        from distributed.comm import get_address_host_port  # noqa: PLC0415 - as above
    except ImportError:
        raise ClusterError("dask is not installed\nfix: pip install 'keysh[dask]'") from None
    try:
        # A client that has not found its scheduler cannot be closed without noise.
        place = get_address_host_port(address, strict=True)
        socket.create_connection(place, timeout=CONNECT_SECONDS).close()
        return Client(address, timeout=CONNECT_SECONDS, set_as_default=False, name="keysh")
    except (OSError, ValueError, TypeError) as error:
        raise ClusterError(f"the scheduler {address} is not reachable: {error}") from None


# These are functions within functions, which travel by value: a cluster may be without keysh.


def probe_of_threads() -> Callable[[Any], dict[str, int]]:
    """Return a function that tells a scheduler's workers, with their numbers of threads."""

    def threads(dask_scheduler: Any) -> dict[str, int]:
        return {address: worker.nthreads for address, worker in dask_scheduler.workers.items()}

    return threads


def probe_of_begun() -> Callable[..., list[str]]:
    """Return a function that tells which calls a scheduler has ever sent to a worker."""

    def begun(keys: Sequence[str], dask_scheduler: Any) -> list[str]:
        return [
            key for key in keys
            if any("processing" in moves[1:3] for moves in dask_scheduler.story(key))
        ]  # fmt: skip

    return begun


def probe_of_version() -> Callable[[], str]:
    """Return a function that tells the version of keysh on a worker; "" if there is none."""

    def version() -> str:
        try:
            from keysh.version import __version__ as found  # noqa: PLC0415 - on a worker
        except ImportError:
            return ""
        return found

    return version
