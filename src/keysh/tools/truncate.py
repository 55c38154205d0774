"""truncate - shrink or extend files."""

from __future__ import annotations

from keysh.interp.state.call import UsageFailure, os_error_text
from keysh.schema.declare import command
from keysh.schema.types import SIZE, UnfitValue
from keysh.text.gnu_quoting import locale_quoted_text, quoted_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call
    from keysh.schema.types import Path

SIZE_MODIFIERS = ("<", ">", "/", "%")
MAX_FILE_BYTES = 2**63 - 1
IO_BLOCK_BYTES = 4096  # for --io-blocks


@command(compatible="GNU coreutils 9.1")
def truncate(
    sh: Call,
    *files: Path,
    create: bool = True,
    io_blocks: bool = False,
    reference: Path | None = None,
    size: str | None = None,
) -> None:
    """Shrink files, or extend them with zeros, to a size.

    files ...             the files; missing ones are created
    -c, --no-create       do not create files
    -o, --io-blocks       SIZE counts blocks of 4096 bytes
    -r, --reference FILE  base the size on FILE
    -s, --size SIZE       set the size: 10K, 10KB; +SIZE extend by, -SIZE reduce by,
                          <SIZE at most, >SIZE at least, /SIZE round down and %SIZE
                          round up to a multiple
    """
    if size is None and reference is None:
        raise UsageFailure("you must specify either '--size' or '--reference'")
    if io_blocks and size is None:
        raise UsageFailure("'--io-blocks' was specified but '--size' was not")
    sign, number = parse_sizes(sh, [value for name, value in sh.given if name == "size"])
    if io_blocks:
        number *= IO_BLOCK_BYTES
    if reference is not None and size is not None and not sign:
        raise UsageFailure("you must specify a relative '--size' with '--reference'")
    if not files:
        raise UsageFailure("missing file operand")
    base = None
    if reference is not None:
        try:
            base = sh.fs.stat(sh.path(reference), follow=True).size
        except OSError as error:
            raise sh.fail(f"cannot stat {quoted_name(reference)}: {os_error_text(error)}") from None
    for file in files:
        sh.tick()
        resize(sh, file, base, sign, number, creates=create)


def parse_sizes(sh: Call, texts: list[str]) -> tuple[str, int]:
    """Return the modifier and the number of bytes; a modifier applies to later sizes too."""
    sign, number = "", 0
    for text in texts:
        bare = text.lstrip()
        if bare[:1] in SIZE_MODIFIERS:
            sign, bare = bare[:1], bare[1:].lstrip()
        if bare[:1] in ("+", "-"):
            if sign:
                raise UsageFailure("multiple relative modifiers specified")
            sign = "+"
        number = parse_bytes(sh, bare)
        if sign in ("/", "%") and not number:
            raise sh.fail("division by zero")
    return sign, number


def parse_bytes(sh: Call, text: str) -> int:
    """Parse a size with an optional sign."""
    digits = text[1:] if text[:1] in ("+", "-") else text
    try:
        if digits[-1:] in ("c", "w", "b") or (digits != text and not digits[:1].isdecimal()):
            raise UnfitValue("a size", text)
        value: int = SIZE.parse(digits)
    except UnfitValue:
        raise sh.fail(f"Invalid number: {locale_quoted_text(text)}") from None
    if value > MAX_FILE_BYTES:
        message = "Value too large for defined data type"
        raise sh.fail(f"Invalid number: {locale_quoted_text(text)}: {message}")
    return -value if text[:1] == "-" else value


def resize(sh: Call, file: str, base: int | None, sign: str, number: int, *, creates: bool) -> None:
    """Set the size of one file."""
    try:
        if not creates:
            sh.fs.stat(sh.path(file), follow=True)
        stream = sh.open(file, "a")
    except FileNotFoundError as error:
        if creates:
            sh.warn(f"cannot open {quoted_name(file)} for writing: {os_error_text(error)}")
        return
    except OSError as error:
        sh.warn(f"cannot open {quoted_name(file)} for writing: {os_error_text(error)}")
        return
    with stream:
        size = new_size(stream.seek(0, 2) if base is None else base, sign, number, base is not None)
        if size > MAX_FILE_BYTES:
            sh.warn(f"overflow extending size of file {quoted_name(file)}")
            return
        try:
            stream.truncate(size)
        except OSError as error:
            sh.warn(
                f"failed to truncate {quoted_name(file)} at {size} bytes: {os_error_text(error)}"
            )


def new_size(current: int, sign: str, number: int, is_reference: bool) -> int:
    if not sign:
        return current if is_reference else number
    if sign == "+":
        return max(current + number, 0)
    if sign == "<":
        return min(current, number)
    if sign == ">":
        return max(current, number)
    return (current + (number - 1 if sign == "%" else 0)) // number * number
