"""Commands: one file each, named as the command is; the folder's listing is the registry."""

from __future__ import annotations

# Names that no file can have, and the file that answers to them.
FILES = {"[": "test"}
