"""csv - tables of text as records, and records as tables."""

from __future__ import annotations

from keysh.interp.state.call import UsageFailure
from keysh.schema.declare import command
from keysh.text.gnu_quoting import message_name
from keysh.tools.csv.form import CsvError, CsvFormat
from keysh.tools.csv.reader import CsvReader
from keysh.tools.csv.writer import CsvTable, csv_chunks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from keysh.interp.state.call import Call
    from keysh.schema.types import Path


@command
def csv(
    sh: Call,
    *files: Path,
    write: bool = False,
    columns: str | None = None,
    delimiter: str = ",",
    quote: str = '"',
    no_header: bool = False,
    text: bool = False,
) -> Iterator[object]:
    """Read CSV as records, one line of JSON each; or write CSV from such lines.

    files ...             files to read, - for standard input
    -w, --write           read records or lists as JSON lines, and print CSV
    -c, --columns NAMES   the names of the columns, with commas between them; those to write
    -d, --delimiter CHAR  what stands between fields; \\t is a tab
    -q, --quote CHAR      what stands around a field that holds one of these characters
    -n, --no-header       no line of names: rows are lists, unless --columns names them
    -t, --text            numbers, true, false and empty fields are text too

    A field without quotes is a number where JSON has it, true, false, or null where it is empty;
    one in quotes is text. Writing puts quotes where reading needs them. All rows must have as many
    fields.
    """
    try:
        form = CsvFormat(delimiter, quote, is_text=text)
        names = None if columns is None else form.column_names(columns)
    except CsvError as error:
        raise UsageFailure(str(error)) from None
    table = CsvTable(form, names, has_header=not no_header)  # one, of all files
    for source in sh.inputs(files):
        where = f"{message_name(source.name)}: " if files else ""
        try:
            if write:
                yield from csv_chunks(source.chunks(), table)
            else:
                yield from CsvReader(form, names, has_header=not no_header).rows(source.chunks())
        except CsvError as error:
            raise sh.fail(f"{where}{error}") from None
        except RecursionError:
            raise sh.fail(f"{where}values are nested too deeply") from None
