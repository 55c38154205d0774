"""Schemas of servers that may be hostile: the work for one question has an end."""

from __future__ import annotations

from keysh.adapters.tools.json_schema import JsonSchema
from keysh.adapters.tools.mcp_messages import message_of_bytes, own_answer
from keysh.adapters.tools.schema_type import SchemaType

ITSELF = {"$ref": "#"}
MANY = {f"p{number}": {"type": "string"} for number in range(20_000)}
WORDS = [str(number) for number in range(200_000)]


def test_a_schema_with_too_many_parts_is_left_to_the_server() -> None:
    many = JsonSchema({"properties": MANY, "required": [*MANY], "enum": WORDS, "items": ITSELF})
    assert many.properties() == {}
    assert many.required_names() == set()
    assert many.types() == frozenset()
    assert many.fault_in("none of them") is None
    assert JsonSchema({**MANY, "type": "integer"}).fault_in("x") is None  # so many keywords


def test_a_schema_that_contains_itself_is_no_trap() -> None:
    for keyword in ("allOf", "anyOf", "oneOf"):
        schema = JsonSchema({keyword: [ITSELF] * 50, "properties": {"a": {}}})
        assert schema.types() == frozenset()
        assert schema.properties().keys() <= {"a"}
        assert schema.fault_in({"a": 1}) is None
    record = {"type": "object", "properties": {"child": ITSELF, "age": {"type": "integer"}}}
    deep: object = {"age": "x"}
    for _ in range(20):
        deep = {"child": deep}
    fault = JsonSchema(record).fault_in(deep)
    assert fault is not None
    assert fault.path == ".child" * 20 + ".age"


def test_references_lead_nowhere_else() -> None:
    for reference in ("#/enum/" + "9" * 5000, "#/" + "a/" * 5000, "other.json", "#/enum/x", ""):
        schema = JsonSchema({"$ref": reference, "enum": [{"type": "string"}], "a": {}})
        assert schema.fault_in(5) is None or schema.words()
        assert JsonSchema({"$ref": reference}).keywords() == {}


def test_a_long_list_is_read_and_judged_item_by_item() -> None:
    kind = SchemaType(JsonSchema({"type": "array", "items": {"type": "integer"}}))
    assert kind.take(["1", "2"] * 10_000) == [1, 2] * 10_000


def test_requests_of_a_server_are_answered_if_their_ids_are_short() -> None:
    answer = own_answer({"method": "ping", "id": "a"})
    assert answer == {"jsonrpc": "2.0", "id": "a", "result": {}}
    for number in ("x" * 2000, None, [1], 1.5):
        assert own_answer({"method": "ping", "id": number}) is None


def test_half_a_character_loses_no_message() -> None:
    line = rb'{"a": "x\ud83d", "b": "\ud83d\ude00 \uDC00", "c": "\\ud83d"}'
    message = message_of_bytes(line)
    assert message is not None
    assert message["a"] == "x\ufffd"
    assert message["b"] == "\U0001f600 \ufffd"
    assert message["c"] == r"\ud83d"
    assert message_of_bytes(rb'{"a": "\ud83d", "b": ' + b"[" * 100_000) is None
