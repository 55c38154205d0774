"""Alphabets: the tables of POSIX's dd for EBCDIC, and the tables that conversions make together."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection

LOWER = bytes(range(256)).lower()
UPPER = bytes(range(256)).upper()
TO_EBCDIC = bytes.fromhex(
    "00010203372d2e2f1605250b0c0d0e0f101112133c3d322618193f271c1d1e1f"
    "405a7f7b5b6c507d4d5d5c4e6b604b61f0f1f2f3f4f5f6f7f8f97a5e4c7e6e6f"
    "7cc1c2c3c4c5c6c7c8c9d1d2d3d4d5d6d7d8d9e2e3e4e5e6e7e8e9ade0bd9a6d"
    "79818283848586878889919293949596979899a2a3a4a5a6a7a8a9c04fd05f07"
    "202122232415061728292a2b2c090a1b30311a333435360838393a3b04143ee1"
    "4142434445464748495152535455565758596263646566676869707172737475"
    "767778808a8b8c8d8e8f906a9b9c9d9e9fa0aaabac4aaeafb0b1b2b3b4b5b6b7"
    "b8b9babbbca1bebfcacbcccdcecfdadbdcdddedfeaebecedeeeffafbfcfdfeff"
)
IBM = {0x5E: 0x5F, 0x7E: 0xA1, 0xCB: 0x9A, 0xD5: 0xAD, 0xE5: 0xBD}  # where that one differs
TO_IBM = bytes(IBM.get(code, byte) for code, byte in enumerate(TO_EBCDIC))
FROM_EBCDIC = bytes(map(TO_EBCDIC.index, range(256)))
# In the order in which they are used.
TABLES = {"ascii": FROM_EBCDIC, "lcase": LOWER, "ucase": UPPER, "ebcdic": TO_EBCDIC, "ibm": TO_IBM}


def table_of(conversions: Collection[str]) -> bytes | None:
    """What becomes of each byte; None where all stay what they are."""
    wanted = [table for name, table in TABLES.items() if name in conversions]
    made = bytes(range(256))
    for table in wanted:
        made = made.translate(table)
    return made if wanted else None
