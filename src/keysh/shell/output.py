"""Output: what a run prints, kept for its result and told to the host as it comes."""

from __future__ import annotations

from keysh.diagnostics.errors import exception_text
from keysh.interp.run.control_flow import LimitReached
from keysh.interp.run.limits import STATUS_OUTPUT_LIMIT
from keysh.text.chunks import bytes_of_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


class Output:
    """Both streams of a run. What goes beyond the limit is not kept, and the run says so."""

    __slots__ = ("err", "error", "most", "on_output", "out", "size")

    def __init__(self) -> None:
        self.out: list[str] = []
        self.err: list[str] = []
        self.size = 0
        self.most: int | None = None
        self.on_output: Callable[[str, str], object] | None = None
        self.error: Exception | None = None  # what `on_output` has raised

    def begin(self, most: int | None, on_output: Callable[[str, str], object] | None) -> None:
        """Begin a run."""
        self.out, self.err, self.error = [], [], None
        self.size, self.most, self.on_output = 0, most, on_output

    def put(self, text: str) -> None:
        """A piece of standard output."""
        self.size += len(text) if text.isascii() else len(bytes_of_text(text))
        if self.most is not None and self.size > self.most:
            raise self.full(text, self.out)
        self.out.append(text)
        if self.on_output is not None:
            self.tell("stdout", text)

    def put_error(self, text: str) -> None:
        """A piece of standard error."""
        self.size += len(text) if text.isascii() else len(bytes_of_text(text))
        if self.most is not None and self.size > self.most:
            raise self.full(text, self.err)
        self.err.append(text)
        if self.on_output is not None:
            self.tell("stderr", text)

    def tell(self, stream: str, text: str) -> None:
        """Tell the host. Where that fails the run ends: nobody hears it any more."""
        assert self.on_output is not None
        try:
            self.on_output(stream, text)
        except Exception as error:  # noqa: BLE001 - the host finds it on the result
            self.on_output, self.error = None, error
            raise LimitReached("on_output", exception_text(error), None, 1) from None

    def full(self, text: str, pieces: list[str]) -> LimitReached:
        """What ends the run; the beginning of the piece that fits is kept."""
        assert self.most is not None
        used, self.size = self.size, self.most
        data = bytes_of_text(text)
        fits = len(data) - (used - self.most)
        while 0 < fits < len(data) and data[fits] & 0xC0 == 0x80:
            fits -= 1  # no half of a character
        if fits > 0:
            pieces.append(data[:fits].decode("utf-8", "surrogateescape"))
        return LimitReached("output", used, self.most, STATUS_OUTPUT_LIMIT)
