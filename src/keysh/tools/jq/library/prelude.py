"""The library functions that are written in jq, by name and arity."""

from __future__ import annotations

# Each definition begins a line; indented lines continue it.
PRELUDE_SOURCE = r"""
def map_values(f): .[] |= f;
def recurse(f; condition): recurse(f | select(condition));
def recurse_down: recurse;
def with_entries(f): to_entries | map(f) | from_entries;
def paths(test): path(.. | select(test)) | select(length > 0);
def leaf_paths: paths(scalars);
def isfinite: type == "number" and (isinfinite | not);
def isvalid(f): try (f | true) catch false;
def arrays: select(type == "array");
def objects: select(type == "object");
def iterables: select(type | . == "array" or . == "object");
def booleans: select(type == "boolean");
def numbers: select(type == "number");
def normals: select(isnormal);
def finites: select(isfinite);
def strings: select(type == "string");
def nulls: select(. == null);
def values: select(. != null);
def scalars: select(type | . != "array" and . != "object");
def first: .[0];
def last: .[-1];
def nth($n): .[$n];
def in(whole): . as $key | whole | has($key);
def add(f): reduce f as $x (null; . + $x);
def debug(message): (message | debug | empty), .;
def dateadd(unit; $n): . + $n;
def datesub(unit; $n): . - $n;
def ascii: [.] | implode;
def combinations($n): . as $items | [range($n) | $items] | combinations;
def truncate_stream(stream): . as $depth | null | stream | . as $event
    | if (.[0] | length) > $depth
    then [.[0][$depth:]] + .[1:]
    else empty end;
def fromstream(events): foreach events as $event ({}; if .done
    then {}
    else . end
    | if $event | length == 2
    then .done = ($event[0] | length == 0) | .value |= setpath($event[0]; $event[1])
    else .done = ($event[0] | length == 1) end;
    if .done then .value
    else empty end);
def INDEX(stream; key): reduce stream as $row ({}; .[$row | key | tostring] |= $row);
def INDEX(key): INDEX(.[]; key);
def JOIN($index; key): [.[] | [., $index[key]]];
def JOIN($index; stream; key): stream | [., $index[key]];
def JOIN($index; stream; key; join): stream | [., $index[key]] | join;
def IN(stream): any(stream == .; .);
def IN(source; stream): any(source == stream; .);
"""


def definition_key(definition: str) -> str:
    """Return `name/arity` of a definition."""
    head = definition.partition(":")[0]
    name, bracket, parameters = head.partition("(")
    return f"{name}/{parameters.count(';') + 1 if bracket else 0}"


PRELUDE = {
    definition_key(definition): f"def {definition}"
    for definition in PRELUDE_SOURCE.split("\ndef ")[1:]
}
