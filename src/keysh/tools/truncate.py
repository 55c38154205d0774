"""truncate - make files shorter or longer."""

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
IO_BLOCK_BYTES = 4096  # bytes, what --io-blocks counts


@command
def truncate(
    sh: Call,
    *files: Path,
    create: bool = True,
    io_blocks: bool = False,
    reference: Path | None = None,
    size: str | None = None,
) -> None:
    """Make files shorter, or longer with zeros, to a size.

    files ...               the files; one that is missing is made
    -c, --no-create         make no files
    -o, --io-blocks         the size counts blocks of 4096 bytes
    -r, --reference FILE    the size of this file
    -s, --size SIZE         10K, 10KB; +SIZE longer by so much, -SIZE shorter, <SIZE at most,
                            >SIZE at least, /SIZE down and %SIZE up to a multiple
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
    """The sign of a size and its number of bytes. A sign counts for what comes behind it, too."""
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
    """The number that a size tells, of whatever sign."""
    digits = text[1:] if text[:1] in ("+", "-") else text
    try:
        if digits[-1:] in ("c", "w", "b") or (digits != text and not digits[:1].isdecimal()):
            raise UnfitValue("a size", text)
        value: int = SIZE.parse(digits)
    except UnfitValue:
        raise sh.fail(f"Invalid number: {locale_quoted_text(text)}") from None
    if value > MAX_FILE_BYTES:
        says = "Value too large for defined data type"
        raise sh.fail(f"Invalid number: {locale_quoted_text(text)}: {says}")
    return -value if text[:1] == "-" else value


def resize(sh: Call, file: str, base: int | None, sign: str, number: int, *, creates: bool) -> None:
    """Give one file its size."""
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


def new_size(before: int, sign: str, number: int, is_reference: bool) -> int:
    """The size that a file is to have."""
    if not sign:
        return before if is_reference else number
    if sign == "+":
        return max(before + number, 0)
    if sign == "<":
        return min(before, number)
    if sign == ">":
        return max(before, number)
    return (before + (number - 1 if sign == "%" else 0)) // number * number
