"""csv - convert CSV to records and records to CSV."""

from __future__ import annotations

from keysh.interp.state.call import UsageFailure
from keysh.schema.declare import command
from keysh.text.chunks import bare_lines
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
    r"""Read CSV and print one JSON record per line; or read such lines and write CSV.

    files ...             files to read, - for standard input
    -w, --write           read records or lists as JSON lines and print CSV
    -c, --columns NAMES   comma-separated column names to read or write
    -d, --delimiter CHAR  field separator; \t is a tab
    -q, --quote CHAR      quotation mark
    -n, --no-header       the table has no header; rows are lists unless --columns
                          names them
    -t, --text            keep numbers, true, false and empty fields as strings

    An unquoted field is a number if it is valid JSON, true, false, or null if
    empty. A quoted field is a string. On output a field is quoted where that is
    needed to read it back. All rows must have the same number of fields.
    """
    try:
        form = CsvFormat(delimiter, quote, is_text=text)
        names = None if columns is None else form.column_names(columns)
    except CsvError as error:
        raise UsageFailure(str(error)) from None
    table = CsvTable(form, names, has_header=not no_header)  # shared by all files
    for source in sh.inputs(files):
        where = f"{message_name(source.name)}: " if files else ""
        try:
            if write:
                yield from csv_chunks(source.lines(), table)
            else:
                lines = bare_lines(source.chunks(), sh.check_size)
                yield from CsvReader(form, names, sh.tick, has_header=not no_header).rows(lines)
        except CsvError as error:
            raise sh.fail(f"{where}{error}") from None
        except RecursionError:
            raise sh.fail(f"{where}the values are nested too deeply") from None
