"""The engines of a shell beyond its own threads."""

from __future__ import annotations

from keysh.interp.state.call import CommandFailure
from keysh.shell.scattering.chunk_engine import ChunkEngine, MappedChunks
from keysh.shell.scattering.mapper import ClusterError
from keysh.shell.scattering.payload import payload_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from keysh.interp.scatter.engine import Engine
    from keysh.interp.scatter.mailbox import Mailbox
    from keysh.interp.scatter.options import ScatterOptions
    from keysh.interp.state.state import State
    from keysh.shell.run_options import ShellOptions
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
        return ChunkEngine(processes, processes.width, mailbox, processes.close)
    host: ShellOptions = state.session.host
    if options.on is None and host.mapper is None:
        raise CommandFailure("engine=dask needs a scheduler\nfix: on=tcp://HOST:8786", 2)
    payload = payload_of(state, host, words, options)
    if options.on is None and not hasattr(host.mapper, "run_on_scheduler"):
        mapper: Mapper = host.mapper
        chunks = MappedChunks(mapper, payload)
        return ChunkEngine(chunks, options.workers or mapper.width, mailbox, leave_open)
    from keysh.shell.scattering.dask_mapper import DaskMapper  # noqa: PLC0415 - few shells have a cluster

    try:
        dask = DaskMapper(options.on or host.mapper, payload)
    except ClusterError as error:
        raise CommandFailure(str(error)) from None
    chunks = MappedChunks(dask, payload)
    return ChunkEngine(chunks, options.workers or dask.width, mailbox, dask.close)


def leave_open() -> None:
    """A mapper of the host is the host's to close."""
