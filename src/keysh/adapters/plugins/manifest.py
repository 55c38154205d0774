"""Read and validate the manifest of a plugin, `tool.toml`.

[tool]         name, version, description
[exec]         binary: a program in the same folder
[transport]    for other hosts; not validated
[[parameters]] name, type, description, required, default
"""

from __future__ import annotations

import os
import re

from keysh.diagnostics.exceptions import KeyshError
from keysh.values import ABSENT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

MANIFEST_NAME = "tool.toml"
MAX_MANIFEST_BYTES = 1 << 20

COMMAND_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*")
PARAMETER_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")

# The Python types of the values of each JSON Schema type.
JSON_TYPES: Mapping[str, tuple[type, ...]] = {
    "string": (str,), "integer": (int,), "number": (int, float), "boolean": (bool,),
    "array": (list,), "object": (dict,),
}  # fmt: skip
TYPE_WORDS = {str: "text", dict: "a table", list: "a list of tables", bool: "true or false"}


class ManifestError(KeyshError):
    """An invalid manifest: the file, the field (empty for the whole file), and the reason."""

    def __init__(self, file: str, field: str, reason: str) -> None:
        super().__init__(": ".join(part for part in (file, field, reason) if part))
        self.file, self.field, self.reason = file, field, reason


class ToolParameter:
    """A parameter; `default` is ABSENT if it has none."""

    __slots__ = ("default", "description", "name", "required", "type")

    def __init__(
        self,
        name: str,
        type: str,
        description: str,
        *,
        required: bool = False,
        default: object = ABSENT,
    ) -> None:
        self.name, self.type, self.description = name, type, description
        self.required, self.default = required, default


class Manifest:
    """The name of a tool, its parameters and the path of its program."""

    __slots__ = ("binary", "description", "name", "parameters", "transport", "version")

    def __init__(
        self,
        name: str,
        version: str,
        description: str,
        binary: str,
        parameters: list[ToolParameter],
        transport: dict[str, Any] | None = None,
    ) -> None:
        self.name, self.version, self.description = name, version, description
        self.binary, self.parameters, self.transport = binary, parameters, transport


def read_manifest(file: str) -> Manifest:
    """Read a manifest; raise ManifestError, which names the invalid field."""
    import tomllib  # noqa: PLC0415 - only where there are plugins

    try:
        with open(file, "rb") as stream:
            data = stream.read(MAX_MANIFEST_BYTES + 1)
        if len(data) > MAX_MANIFEST_BYTES:
            raise ManifestError(file, "", f"is over {MAX_MANIFEST_BYTES} bytes")
        content = tomllib.loads(data.decode())
    except OSError as error:
        raise ManifestError(file, "", error.strerror or str(error)) from None
    except UnicodeDecodeError:
        raise ManifestError(file, "", "is not UTF-8") from None
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise ManifestError(file, "", f"is not TOML: {error}") from None
    except ValueError:
        raise ManifestError(file, "", "is not TOML: a number has too many digits") from None
    return ManifestParser(file).manifest(content)


class ManifestParser:
    """Parses the fields of one file."""

    def __init__(self, file: str) -> None:
        self._file = file

    def manifest(self, content: dict[str, Any]) -> Manifest:
        """Return the manifest with the fields of a file."""
        tool = self._field(content, "tool", dict)
        execution = self._field(content, "exec", dict)
        tables = content.get("parameters", [])
        if not isinstance(tables, list) or not all(isinstance(one, dict) for one in tables):
            raise self._type_error("parameters", TYPE_WORDS[list], tables)
        transport = content.get("transport")
        if transport is not None and not isinstance(transport, dict):
            raise self._type_error("transport", TYPE_WORDS[dict], transport)
        parameters = [self._parameter(one, f"parameters[{i}]") for i, one in enumerate(tables)]
        names = [one.name for one in parameters]
        for i, name in enumerate(names):
            if name in names[:i]:
                raise ManifestError(self._file, f"parameters[{i}].name", f"{name} is given twice")
        return Manifest(
            self._name(tool, "tool", COMMAND_NAME),
            self._field(tool, "tool.version", str),
            self._description(tool),
            self._binary(self._field(execution, "exec.binary", str)),
            parameters,
            transport,
        )

    def _parameter(self, table: dict[str, Any], field: str) -> ToolParameter:
        name = self._name(table, field, PARAMETER_NAME)
        kind = self._field(table, f"{field}.type", str)
        if kind not in JSON_TYPES:
            raise self._type_error(f"{field}.type", f"one of {', '.join(JSON_TYPES)}", kind)
        required = self._field(table, f"{field}.required", bool, False)
        default = table.get("default", ABSENT)
        if default is not ABSENT and not fits(default, kind):
            raise self._type_error(f"{field}.default", f"of type {kind}", default)
        description = self._field(table, f"{field}.description", str)
        return ToolParameter(name, kind, description, required=required, default=default)

    def _description(self, tool: dict[str, Any]) -> str:
        text: str = self._field(tool, "tool.description", str)
        if not text.strip():
            raise self._type_error("tool.description", "a text that is not blank", text)
        return text

    def _name(self, table: dict[str, Any], field: str, pattern: re.Pattern[str]) -> str:
        name: str = self._field(table, f"{field}.name", str)
        if not pattern.fullmatch(name):
            raise self._type_error(f"{field}.name", "letters, digits and _, a letter first", name)
        return name

    def _binary(self, name: str) -> str:
        """Return the real path of the program, which must be in the folder of the manifest."""
        folder = os.path.realpath(os.path.dirname(self._file))
        path = os.path.realpath(os.path.join(folder, name)) if "\0" not in name else ""
        if not path.startswith(folder.rstrip("/") + "/"):
            raise ManifestError(self._file, "exec.binary", f"{name!r} is outside its folder")
        if not os.path.isfile(path):
            raise ManifestError(self._file, "exec.binary", f"{name!r} is not a file")
        if not os.access(path, os.X_OK):
            raise ManifestError(self._file, "exec.binary", f"{name!r} is not executable")
        return path

    def _field(self, table: dict[str, Any], field: str, kind: type, default: Any = ABSENT) -> Any:
        value = table.get(field.rpartition(".")[2], default)
        if value is ABSENT:
            raise ManifestError(self._file, field, "is missing")
        if not isinstance(value, kind):
            raise self._type_error(field, TYPE_WORDS[kind], value)
        return value

    def _type_error(self, field: str, must: str, value: object) -> ManifestError:
        return ManifestError(self._file, field, f"must be {must}, but is {value!r}")


def fits(value: object, kind: str) -> bool:
    """Whether a value has a JSON Schema type; true and false are not numbers."""
    if isinstance(value, bool):
        return kind == "boolean"
    return isinstance(value, JSON_TYPES[kind])
