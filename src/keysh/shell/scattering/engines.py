"""The engines of a shell beyond its own threads."""

from __future__ import annotations

from keysh.interp.state.call import CommandFailure
from keysh.shell.scattering.chunk_engine import ChunkEngine, MappedChunks, WorkersChanged
from keysh.shell.scattering.mapper import ClusterError
from keysh.shell.scattering.payload import payload_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from keysh.interp.scatter.engine import Engine
    from keysh.interp.scatter.mailbox import Mailbox
    from keysh.interp.scatter.options import ScatterOptions
    from keysh.interp.state.state import State
    from keysh.shell.run_options import ShellSettings
    from keysh.shell.scattering.mapper import Mapper


def engine_of(
    state: State,
    words: Sequence[object],
    options: ScatterOptions,
    mailbox: Mailbox,
) -> Engine:
    """Return the engine that the options name; CommandFailure if it cannot run the items."""
    if options.engine == "processes":
        from keysh.shell.scattering.process_mapper import ProcessMapper  # noqa: PLC0415 - brings in workers

        processes = ProcessMapper(state, words, options)
        return ChunkEngine(processes, None, mailbox, processes.close, nothing)
    host: ShellSettings = state.session.host
    if options.on is None and host.mapper is None:
        raise CommandFailure("engine=dask needs a scheduler\nfix: on=tcp://HOST:8786", 2)
    payload = payload_of(state, host, words, options)
    if options.on is None and not hasattr(host.mapper, "run_on_scheduler"):
        mapper: Mapper = host.mapper
        chunks = MappedChunks(mapper, payload)
        return ChunkEngine(chunks, options.workers, mailbox, nothing, nothing)
    from keysh.shell.scattering.dask_mapper import DaskMapper  # noqa: PLC0415 - few shells have a cluster

    def notice_workers() -> None:
        mailbox.put(WorkersChanged())

    def tell_of_wait() -> None:
        state.err.write("scatter: the cluster has no workers yet, waiting for one\n")
        state.err.flush()

    try:
        dask = DaskMapper(options.on or host.mapper, payload, notice_workers)
    except ClusterError as error:
        raise CommandFailure(str(error)) from None
    chunks = MappedChunks(dask, payload)
    return ChunkEngine(chunks, options.workers, mailbox, dask.close, tell_of_wait)


def nothing() -> None:
    """A mapper of the host is the host's to close; there are always workers."""
