"""StageCall: the call of a stage that the next one pulls."""

from __future__ import annotations

from keysh.interp.state.call import Call

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.run.site import Site
    from keysh.interp.state.call_state import CallState
    from keysh.interp.streams.streams import Reader, Writer


class StageCall(Call):
    """A call that prints messages while its state runs the next stage."""

    __slots__ = ("site",)

    def __init__(
        self, name: str, state: CallState, stdin: Reader, out: Writer, err: Writer, site: Site
    ) -> None:
        super().__init__(name, state, stdin, out, err)
        self.site = site
