"""Connections: the streams and descriptors of a state."""

from __future__ import annotations

from keysh.interp.streams.descriptors import Descriptor

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.streams.descriptors import Saved
    from keysh.interp.streams.streams import Reader, Writer


class Connections:
    """The three streams, which commands use, and the descriptors, which redirections change.

    `redirect_saves` holds what the enclosing commands with redirections will restore.
    `holds_streams` says whether a descriptor may be an open file, which a fork then uses, too.
    """

    __slots__ = ("descriptors", "err", "holds_streams", "out", "redirect_saves", "stdin")

    stdin: Reader
    out: Writer
    err: Writer
    descriptors: dict[int, Descriptor]
    holds_streams: bool
    redirect_saves: list[Saved]

    def set_streams(self, stdin: Reader, out: Writer, err: Writer) -> None:
        """Replace the three streams."""
        self.stdin, self.out, self.err = stdin, out, err
        self.descriptors[0] = Descriptor(reader=stdin)
        self.descriptors[1] = Descriptor(writer=out)
        self.descriptors[2] = Descriptor(writer=err)

    def standard_descriptors(self) -> tuple[Descriptor, Descriptor, Descriptor]:
        """Return the descriptors of the three streams, in the order of their numbers."""
        return self.descriptors[0], self.descriptors[1], self.descriptors[2]

    def set_stdin(self, reader: Reader) -> None:
        """Replace standard input."""
        self.stdin = reader
        self.descriptors[0] = Descriptor(reader=reader)

    def set_out(self, writer: Writer) -> None:
        """Replace standard output."""
        self.out = writer
        self.descriptors[1] = Descriptor(writer=writer)
