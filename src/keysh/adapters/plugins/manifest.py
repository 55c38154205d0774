"""Manifest: what a plugin's `tool.toml` says, every field looked at before anything is believed.

[tool]         name, version, description
[exec]         binary: a program in the same folder
[transport]    for other hosts; kept as it is
[[parameters]] name, type, description, required, default
"""

from __future__ import annotations

import os
import re

from keysh.diagnostics.errors import KeyshError
from keysh.values import ABSENT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

FILE = "tool.toml"
MOST = 1 << 20  # bytes of a manifest

COMMAND_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*")
PARAMETER_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")

# JSON Schema's types, and what Python reads a value of each as.
TYPES: Mapping[str, tuple[type, ...]] = {
    "string": (str,), "integer": (int,), "number": (int, float), "boolean": (bool,),
    "array": (list,), "object": (dict,),
}  # fmt: skip
WORDS = {str: "text", dict: "a table", list: "a list of tables", bool: "true or false"}


class ManifestError(KeyshError):
    """A manifest that is not used: the file, the field (empty for the whole), and the reason."""

    def __init__(self, file: str, field: str, reason: str) -> None:
        super().__init__(": ".join(part for part in (file, field, reason) if part))
        self.file, self.field, self.reason = file, field, reason


class ToolParameter:
    """One parameter; `default` is ABSENT where there is none."""

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
    """What a tool is called, what it takes, and the name of its program."""

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
    """The manifest in a file; ManifestError names the field that is wrong."""
    import tomllib  # noqa: PLC0415 - only where there are plugins

    try:
        with open(file, "rb") as stream:
            data = stream.read(MOST + 1)
        if len(data) > MOST:
            raise ManifestError(file, "", f"is over {MOST} bytes")
        content = tomllib.loads(data.decode())
    except OSError as error:
        raise ManifestError(file, "", error.strerror or str(error)) from None
    except UnicodeDecodeError:
        raise ManifestError(file, "", "is not UTF-8") from None
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise ManifestError(file, "", f"is not TOML: {error}") from None
    return Fields(file).manifest(content)


class Fields:
    """Reads the fields of one file."""

    def __init__(self, file: str) -> None:
        self._file = file

    def manifest(self, content: dict[str, Any]) -> Manifest:
        """All of them."""
        tool = self._field(content, "tool", dict)
        execution = self._field(content, "exec", dict)
        given = content.get("parameters", [])
        if not isinstance(given, list) or not all(isinstance(one, dict) for one in given):
            raise self._misfit("parameters", WORDS[list], given)
        transport = content.get("transport")
        if transport is not None and not isinstance(transport, dict):
            raise self._misfit("transport", WORDS[dict], transport)
        parameters = [self._parameter(one, f"parameters[{i}]") for i, one in enumerate(given)]
        names = [one.name for one in parameters]
        for i, name in enumerate(names):
            if name in names[:i]:
                raise ManifestError(self._file, f"parameters[{i}].name", f"{name} is given twice")
        return Manifest(
            self._name(tool, "tool", COMMAND_NAME),
            self._field(tool, "tool.version", str),
            self._field(tool, "tool.description", str),
            self._binary(self._field(execution, "exec.binary", str)),
            parameters,
            transport,
        )

    def _parameter(self, given: dict[str, Any], place: str) -> ToolParameter:
        name = self._name(given, place, PARAMETER_NAME)
        kind = self._field(given, f"{place}.type", str)
        if kind not in TYPES:
            raise self._misfit(f"{place}.type", f"one of {', '.join(TYPES)}", kind)
        required = self._field(given, f"{place}.required", bool, False)
        default = given.get("default", ABSENT)
        if default is not ABSENT and not fits(default, kind):
            raise self._misfit(f"{place}.default", f"of type {kind}", default)
        description = self._field(given, f"{place}.description", str)
        return ToolParameter(name, kind, description, required=required, default=default)

    def _name(self, given: dict[str, Any], place: str, form: re.Pattern[str]) -> str:
        name: str = self._field(given, f"{place}.name", str)
        if not form.fullmatch(name):
            raise self._misfit(f"{place}.name", "letters, digits and _, a letter first", name)
        return name

    def _binary(self, name: str) -> str:
        """The real path of the program, which must lie in the manifest's own folder."""
        folder = os.path.realpath(os.path.dirname(self._file))
        path = os.path.realpath(os.path.join(folder, name)) if "\0" not in name else ""
        if not path.startswith(folder.rstrip("/") + "/"):
            raise ManifestError(self._file, "exec.binary", f"{name!r} lies outside its folder")
        if not os.path.isfile(path):
            raise ManifestError(self._file, "exec.binary", f"{name!r} is no file")
        if not os.access(path, os.X_OK):
            raise ManifestError(self._file, "exec.binary", f"{name!r} is not executable")
        return path

    def _field(self, given: dict[str, Any], place: str, kind: type, default: Any = ABSENT) -> Any:
        value = given.get(place.rpartition(".")[2], default)
        if value is ABSENT:
            raise ManifestError(self._file, place, "is missing")
        if not isinstance(value, kind):
            raise self._misfit(place, WORDS[kind], value)
        return value

    def _misfit(self, place: str, must: str, value: object) -> ManifestError:
        return ManifestError(self._file, place, f"must be {must}, but is {value!r}")


def fits(value: object, kind: str) -> bool:
    """Whether a value is of a type; true and false are no numbers."""
    if isinstance(value, bool):
        return kind == "boolean"
    return isinstance(value, TYPES[kind])
