"""A small server of the Model Context Protocol on its standard streams: `python -S FILE`.

It does what its tools are named after, also what no good server does.
"""

import json
import os
import sys
import threading
import time

STRING, NUMBER = {"type": "string"}, {"type": "number"}
LOOP = {"$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}}
BOMB = {"anyOf": [{"$ref": "#/$defs/bomb"}] * 50}
DEEP = {"allOf": [{"$ref": "#/$defs/deep"}] * 9}


def tool(name, description="", required=(), **properties):
    schema = {"type": "object", "properties": properties, "required": list(required)}
    return {"name": name, "description": description, "inputSchema": schema}


TOOLS = [
    tool(
        "forecast",
        "The forecast of a city.\nMore of it.",
        ["city"],
        city=STRING,
        days={"type": "integer", "minimum": 1, "maximum": 10, "description": "how many"},
        unit={"enum": ["C", "F"], "default": "C"},
        tags={"type": "array", "items": STRING},
        sizes={"type": "array", "items": {"type": "integer"}},
        raw={"type": "boolean"},
        near={"type": ["object", "null"], "properties": {"km": NUMBER}, "required": ["km"]},
        **{"start-date": STRING},
    ),
    tool("fail", "", ["why"], why=STRING),
    tool("refuse"),
    tool("die"),
    tool("pid"),
    tool("wait", "", ["seconds"], seconds=NUMBER),
    tool("cancelled"),
    tool("large", "", ["size"], size={"type": "integer"}),
    tool("endless"),
    tool("picture"),
    tool("deep"),
    tool("free"),
    tool("rm"),
    tool("../x y"),
    tool("__"),
    tool("x-y", "a \x1b[31mred\x1b[0m\u202e one"),
    tool("x-y", "the second of its name"),
    tool("twins", **{"a-b": STRING, "a.b": STRING}),
    tool("change"),
    tool("mute"),
]
LOOPS = {"name": "loops", "inputSchema": {"$ref": "#/$defs/a", **LOOP}}
BOMBS = tool("bombs", "", ["x"], x={"$ref": "#/$defs/bomb"}, y={"$ref": "#/$defs/deep"})
BOMBS["inputSchema"]["$defs"] = {"bomb": BOMB, "deep": DEEP}
TRAPS = tool(
    "traps", "", [],
    x={"$ref": f"#/properties/word/enum/{'9' * 5000}"},
    word={"enum": ["a\x1b[31mred\n", "b" * 1000, "plain"]},
    near={"type": "object", "required": ["\x1b[2J"]},
    text={"type": "string", "pattern": "^\x1b"},
)  # fmt: skip
TOOLS += [LOOPS, BOMBS, TRAPS]
CANCELLED, LOCK = [], threading.Lock()


def send(record):
    with LOCK:
        sys.stdout.write(json.dumps(record) + "\n")
        sys.stdout.flush()


def text_result(text):
    return {"content": [{"type": "text", "text": text}]}


def result_of(name, arguments):
    if name == "fail":
        return {**text_result(arguments["why"]), "isError": True}
    if name == "die":
        print(f"cannot open {__file__}", file=sys.stderr, flush=True)
        os._exit(3)
    if name == "pid":
        return text_result(str(os.getpid()))
    if name == "wait":
        time.sleep(arguments["seconds"])
        return text_result("waited")
    if name == "cancelled":
        return text_result(str(len(CANCELLED)))
    if name == "large":
        return text_result("x" * arguments["size"])
    if name == "picture":
        return {"content": [{"type": "image", "data": "AA==", "mimeType": "image/png"}]}
    if name == "deep":
        return text_result("[" * 100_000)
    if name == "endless":
        while True:
            sys.stdout.write("x" * 100_000)
    return {"content": [], "structuredContent": {"tool": name, **arguments}}


def answer(number, params):
    name = params["name"]
    if name == "mute":
        return
    if name == "refuse":
        send({"jsonrpc": "2.0", "id": number, "error": {"code": -32602, "message": "not \x07 now"}})
        return
    if name == "change":
        TOOLS.append(tool("fresh"))
        send({"jsonrpc": "2.0", "method": "notifications/tools/list_changed"})
    send({"jsonrpc": "2.0", "id": number, "result": result_of(name, params["arguments"])})


def main():
    for line in sys.stdin:
        record = json.loads(line)
        method, number = record.get("method"), record.get("id")
        if method == "initialize" and "silent" not in sys.argv:
            print("this is no message")
            send({"jsonrpc": "2.0", "id": "ours", "method": "ping"})
            result = {
                "protocolVersion": "2025-06-18", "capabilities": {"tools": {}},
                "serverInfo": {"name": "raw", "version": "1"},
            }  # fmt: skip
            send({"jsonrpc": "2.0", "id": number, "result": result})
        elif method == "tools/list":
            half = len(TOOLS) // 2
            is_second = record.get("params", {}).get("cursor") == "second"
            page = {"tools": TOOLS[half:]} if is_second else {
                "tools": TOOLS[:half], "nextCursor": "second"
            }  # fmt: skip
            send({"jsonrpc": "2.0", "id": number, "result": page})
        elif method == "tools/call":
            threading.Thread(target=answer, args=(number, record["params"]), daemon=True).start()
        elif method == "notifications/cancelled":
            CANCELLED.append(record["params"]["requestId"])


main()
