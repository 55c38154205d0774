"""The output of a run: kept for the result, and passed to the host as it comes."""

from __future__ import annotations

from keysh.interp.run.budget import STATUS_OUTPUT_LIMIT
from keysh.interp.run.control_flow import ControlFlow, LimitReached
from keysh.text.chunks import bytes_of_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


class Output:
    """Both output streams of a run; a run that exceeds the limit is ended."""

    __slots__ = ("err", "error", "max_bytes", "on_output", "out", "size")

    def __init__(self) -> None:
        self.out: list[str] = []
        self.err: list[str] = []
        self.size = 0
        self.max_bytes: int | None = None
        self.on_output: Callable[[str, str], object] | None = None
        self.error: BaseException | None = None  # raised by `on_output`

    def begin(self, max_bytes: int | None, on_output: Callable[[str, str], object] | None) -> None:
        """Start a run."""
        self.out, self.err, self.error = [], [], None
        self.size, self.max_bytes, self.on_output = 0, max_bytes, on_output

    def put(self, text: str) -> None:
        """Add text to standard output."""
        self.size += len(text) if text.isascii() else len(bytes_of_text(text))
        if self.max_bytes is not None and self.size > self.max_bytes:
            raise self.limit_reached(text, self.out)
        self.out.append(text)
        if self.on_output is not None:
            self.pass_to_host("stdout", text)

    def put_error(self, text: str) -> None:
        """Add text to standard error."""
        self.size += len(text) if text.isascii() else len(bytes_of_text(text))
        if self.max_bytes is not None and self.size > self.max_bytes:
            raise self.limit_reached(text, self.err)
        self.err.append(text)
        if self.on_output is not None:
            self.pass_to_host("stderr", text)

    def pass_to_host(self, stream: str, text: str) -> None:
        """Pass text to the host's callback; end the run if that raises."""
        assert self.on_output is not None
        try:
            self.on_output(stream, text)
        except (ControlFlow, KeyboardInterrupt):
            raise
        except BaseException as error:  # noqa: BLE001 - the host finds it in the result
            from keysh.interp.run.exception_text import exception_text  # noqa: PLC0415 - rare

            self.on_output, self.error = None, error
            raise LimitReached("on_output", exception_text(error), None, 1) from None

    def limit_reached(self, text: str, pieces: list[str]) -> LimitReached:
        """Keep the start of a text that still fits, and return the exception that ends the run."""
        assert self.max_bytes is not None
        used, self.size = self.size, self.max_bytes
        data = bytes_of_text(text)
        fits = len(data) - (used - self.max_bytes)
        while 0 < fits < len(data) and data[fits] & 0xC0 == 0x80:
            fits -= 1  # never split a character
        if fits > 0:
            pieces.append(data[:fits].decode("utf-8", "surrogateescape"))
        return LimitReached("output", used, self.max_bytes, STATUS_OUTPUT_LIMIT)
