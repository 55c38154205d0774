"""RuntimeDiagnostic: an error with code, fact and fix that fails a command or ends the run."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.diagnostics.diagnostic import Diagnostic
    from keysh.diagnostics.source import Source
    from keysh.syntax.node import Node

# A loop, a redirection, a `[[ … =~ … ]]`, a FIFO and an unknown command: in bash they only fail.
CODES_OF_COMMANDS = frozenset(("E118", "E212", "E213", "E214", "E301"))


class RuntimeDiagnostic(Exception):
    """A run-time error of the E2xx family, or E301 with its own status.

    The location may be unknown where it is raised; the closure of the node adds it on the way up.
    `is_final`: the shell or subshell ends, as for an unset variable under `set -u`.
    `is_of_operand`: a builtin, or an expression that is a command, complains of its own operand,
    which sh lets fail. `fails_in_sh`: so does sh here, and goes on. `is_of_attribute`: a value does
    not suit `declare -i`, which in bash is no mere failure of the builtin that assigns it.
    `is_bad_literal`: a number of an expression, which knows the expression's whole text.
    """

    def __init__(
        self,
        code: str,
        fact: str,
        datum: str = "",
        fix: str = "",
        *,
        is_final: bool = False,
        status: int = 1,
        fails_in_sh: bool = False,
    ) -> None:
        super().__init__(code, fact, datum)
        self.code, self.fact, self.datum, self.fix = code, fact, datum, fix
        self.is_final, self.status = is_final, status
        self.is_of_operand, self.fails_in_sh = False, fails_in_sh
        self.is_of_attribute = self.is_bad_literal = False
        self.command_name = ""  # of the builtin that evaluates an expression
        self.start = self.end = -1

    @property
    def is_refusal(self) -> bool:
        """Whether the whole run ends, because keysh declines to guess."""
        from keysh.diagnostics.diagnostic import REFUSALS  # noqa: PLC0415 - only for an error

        return self.code in REFUSALS and not self.is_of_operand and not self.fails_in_sh

    @property
    def discards_line(self) -> bool:
        """Whether bash skips the rest of the line, as where an expansion or an assignment fails."""
        return not self.is_of_operand and self.code not in CODES_OF_COMMANDS

    def with_location(self, node: Node) -> RuntimeDiagnostic:
        """Add the location of `node`, unless a more precise one is known; return self."""
        if self.start < 0:
            self.start, self.end = node.start, node.end
        return self

    def diagnostic(self, source: Source, node: Node) -> Diagnostic:
        """Return the printable diagnostic."""
        from keysh.diagnostics.diagnostic import Diagnostic  # noqa: PLC0415 - only for an error

        self.with_location(node)
        return Diagnostic(self.code, source, self.start, self.end, self.fact, self.datum, self.fix)


# UTF-8: what must be text holds no stray bytes.


def require_utf8(text: str, fact: str, fix: str) -> None:
    """Raise E202 if the text contains bytes that are not UTF-8; the datum is the first of them."""
    if text.isascii():
        return
    try:
        text.encode()
    except UnicodeEncodeError as error:
        stray = ord(text[error.start])
        # Undecodable bytes are U+DC80 to U+DCFF; other surrogates can only come from `\u`.
        shown = f"byte {stray & 0xFF:#04x}" if stray >= 0xDC80 else f"U+{stray:04X}"
        raise RuntimeDiagnostic("E202", fact, shown, fix) from None
