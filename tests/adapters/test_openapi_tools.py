"""The operations of an OpenAPI document as commands, with a real HTTP service."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("httpcore", reason="there is no client of HTTP")

from keysh import Limits, Rules, Shell
from keysh.adapters.tools import McpServer, OpenApi
from keysh.adapters.tools.openapi_document import base_of_servers

ID = {"type": ["integer", "string"]}
STRING, INTEGER = {"type": "string"}, {"type": "integer"}
PET = {"$ref": "#/components/schemas/Pet"}


def query(name: str, schema: object, **more: object) -> dict[str, object]:
    return {"name": name, "in": "query", "schema": schema, **more}


def body(schema: object, content_type: str = "application/json", **more: object) -> dict[str, Any]:
    return {"requestBody": {"content": {content_type: {"schema": schema}}, **more}}


DOCUMENT: dict[str, Any] = {
    "openapi": "3.1.0",
    "info": {"title": "Petstore", "version": "1"},
    "servers": [{"url": "/{stage}", "variables": {"stage": {"default": "v1"}}}],
    "paths": {
        "/pets": {
            "get": {
                "operationId": "list-pets",
                "summary": "List pets.",
                "parameters": [
                    query("status", {"enum": ["sold", "free"]}, description="which ones"),
                    query("tag", {"type": "array", "items": STRING}),
                    query("ids", {"type": "array", "items": INTEGER}, explode=False),
                    query("sizes", {"type": "array", "items": INTEGER}, style="pipeDelimited",
                          explode=False),
                    query("filter", {"type": "object", "properties": {"age": INTEGER}},
                          style="deepObject"),
                    query("page", {"anyOf": [INTEGER, {"type": "null"}]}),
                    {"name": "where", "in": "query", "content": {"application/json": {}}},
                    {"name": "X-Trace", "in": "header", "schema": STRING},
                    {"name": "Authorization", "in": "header", "schema": STRING},
                    {"name": "session", "in": "cookie", "schema": STRING},
                ],
            },
            "post": {
                "operationId": "addPet",
                **body({"allOf": [PET, {"properties": {"note": {"type": ["string", "null"]}}}]},
                       required=True),
            },
        },
        "/pets/{id}": {
            "parameters": [{"$ref": "#/components/parameters/Id"}],
            "get": {"operationId": "getPet"},
            "put": {
                "operationId": "renamePet",
                **body({"type": "object", "properties": {"id": STRING, "name": STRING}},
                       "application/x-www-form-urlencoded"),
            },
            "delete": {},
        },
        "/notes": {
            "post": {"operationId": "note", **body(STRING, "text/plain", required=True)},
            "put": {"operationId": "many", **body({"type": "array", "items": PET}, required=True)},
            "patch": {"operationId": "upload", **body({}, "multipart/form-data")},
        },
        "/large": {"get": {"operationId": "large"}},
        "/slow": {"get": {"operationId": "slow"}},
        "/text": {"get": {"operationId": "text"}},
        "/broken": {"get": {"operationId": "broken"}},
        "/moved": {"get": {"operationId": "moved"}},
    },
    "components": {
        "parameters": {
            "Id": {"name": "id", "in": "path", "required": True, "schema": ID}
        },
        "schemas": {
            "Pet": {
                "type": "object",
                "required": ["name"],
                "properties": {
                    "name": {"type": "string", "maxLength": 10, "pattern": "^[A-Z]"},
                    "kind": {"$ref": "#/components/schemas/Kind"},
                    "parent": {"$ref": "#/components/schemas/Pet"},
                },
            },
            "Kind": {"type": "string", "enum": ["cat", "dog"], "description": "its kind"},
        },
    },
}  # fmt: skip


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    document = tmp_path_factory.mktemp("service") / "spec.json"
    document.write_text(json.dumps(DOCUMENT))
    program = str(Path(__file__).parent / "http_service.py")
    with socket.create_server(("127.0.0.1", 0)) as listener:  # where calls wait until it has begun
        words = [sys.executable, "-S", "-E", program, str(listener.fileno()), str(document)]
        with subprocess.Popen(words, pass_fds=[listener.fileno()], env={}) as server:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}"
            server.kill()


@pytest.fixture
def shell(url: str) -> Iterator[Shell]:
    pets = OpenApi(DOCUMENT, name="pets", base_url=f"{url}/v1/", auth="secret")
    with Shell(tools=[pets]) as made:
        yield made


PARTS = {
    "pets list-pets": {"method": "GET", "path": "/v1/pets"},
    "pets list-pets status=sold tag=a tag='b c' | cat":
        {"path": "/v1/pets?status=sold&tag=a&tag=b%20c"},
    "pets list-pets ids=[1, 2] sizes=[3, 4]": {"path": "/v1/pets?ids=1%2C2&sizes=3%7C4"},
    "pets list-pets filter={age: 3} page=null": {"path": "/v1/pets?filter[age]=3&page=null"},
    "pets list-pets where={a: b}": {"path": "/v1/pets?where=%7B%22a%22%3A%22b%22%7D"},
    "pets list-pets X_Trace=t session='a b'": {"trace": "t", "cookie": "session=a%20b"},
    "pets getPet 5": {"path": "/v1/pets/5", "auth": "Bearer secret"},
    "pets getPet id='a/../b?c'": {"path": "/v1/pets/a%2F..%2Fb%3Fc"},
    "pets addPet name=Tom kind=cat note=null":
        {"method": "POST", "body": '{"name":"Tom","kind":"cat","note":null}',
         "type": "application/json"},
    "pets addPet Tom parent={name: Ann}": {"body": '{"name":"Tom","parent":{"name":"Ann"}}'},
    "pets renamePet 5 name='a b' body_id=6":
        {"path": "/v1/pets/5", "body": "id=6&name=a+b",
         "type": "application/x-www-form-urlencoded"},
    "pets note 'two words'": {"body": "two words", "type": "text/plain"},
    "pets many body=[{name: A}]": {"body": '[{"name":"A"}]'},
}  # fmt: skip
REFUSALS = {
    "pets list-pets status=x": "status must be one of sold, free, but is 'x'",
    "pets list-pets filter={age: x}": "filter.age must be a whole number",
    "pets list-pets Authorization=x": "has no parameter 'Authorization'",
    "pets addPet kind=cat": "missing operand",
    "pets addPet Thomas-Henry": "name must be text of at most 10 characters",
    "pets addPet tom": "name must be text that matches ^[A-Z], but is 'tom'",
    "pets addPet Tom kind=cow": "kind must be one of cat, dog, but is 'cow'",
    "pets addPet Tom parent={kind: cat}": "parent must be a record with name, but has kind",
    "pets getPet": "missing operand",
    "pets upload": "there is no tool 'upload'",
}


def test_arguments_go_where_the_document_says(shell: Shell) -> None:
    for script, parts in PARTS.items():
        result = shell.run(script)
        assert result.stderr == "", script
        asked = json.loads(result.stdout)
        assert {key: asked.get(key) for key in parts} == parts, script


def test_arguments_are_checked_before_the_run(shell: Shell) -> None:
    for script, message in REFUSALS.items():
        result = shell.run(f"echo begun; {script}")
        assert (result.code, result.stdout) == (2, ""), script
        assert message in result.stderr, script


def test_answers_are_values_texts_or_nothing(shell: Shell) -> None:
    assert shell.run("x=$(pets getPet 5); echo ${x[method]}").stdout == "GET\n"
    assert shell.run("pets text").stdout_bytes == b"a\xff\n"
    assert shell.run("pets delete_pets_id 5 && echo gone").stdout == "gone\n"


def test_failures_have_the_message_of_the_service(shell: Shell) -> None:
    missing = shell.run("pets getPet 9 || echo $?")
    assert missing.stdout == "1\n"
    assert missing.stderr == "pets: HTTP 404: there is no \\x1b[31mpet 9\n"
    assert shell.run("pets broken").stderr == "pets: HTTP 500: it broke\n"
    assert shell.run("pets moved").stderr == "pets: HTTP 302\n"  # and nobody went there


def test_no_argument_leads_to_another_path(shell: Shell) -> None:
    for value in ("..", ".", ""):
        result = shell.run(f"pets getPet id='{value}'")
        assert (result.code, result.stdout) == (1, "")
        assert "id must be a part of a path" in result.stderr
    split = shell.run("x=$'a\\nB: c'; pets list-pets X_Trace=$x")
    assert "X-Trace must be text of visible ASCII" in split.stderr


def test_any_bytes_are_sent(shell: Shell) -> None:
    for script, key, sent in (
        ("pets list-pets session=$x", "cookie", "session=a%FF"),
        ("pets list-pets tag=$x", "path", "/v1/pets?tag=a%FF"),
        ("f={}; f[$x]=1; pets list-pets filter=$f", "path", "/v1/pets?filter[a%FF]=1"),
        ("pets renamePet 5 name=$x", "body", "name=a%FF"),
        ("pets getPet $x", "path", "/v1/pets/a%FF"),
    ):
        result = shell.run(f"x=$'a\\xff'; {script}")
        assert result.stderr == "", script
        assert json.loads(result.stdout)[key] == sent


def test_what_cannot_be_called_is_left_out_and_listed(url: str) -> None:
    def header(name: str, where: str = "header") -> dict[str, object]:
        return {"parameters": [{"name": name, "in": where, "schema": STRING}]}

    document = {
        "openapi": "3.1.0",
        "paths": {
            "/own": {"get": {"operationId": "own", **header("Content-Length")}},
            "/bad": {"get": header("A\r\nB"), "put": header("a; b", "cookie")},
            "/upload": {"post": body({}, "multipart/form-data")},
            "@other.example/": {"get": {"operationId": "other"}},
        },
    }
    with Shell(tools=[OpenApi(document, name="odd", base_url=url)]) as shell:
        listing = shell.run("odd").stdout
        assert "note: GET '/bad' is left out: its header 'A\\nB' cannot be sent\n" in listing
        assert "note: PUT '/bad' is left out: its cookie 'a; b' cannot be sent\n" in listing
        assert "note: POST '/upload' is left out: its body is multipart/form-data" in listing
        assert "note: the path '@other.example/' is left out: it must begin with /\n" in listing
        assert "has no parameter 'Content_Length'" in shell.run("odd own Content_Length=5").stderr


def test_the_server_of_a_document() -> None:
    variables = {"a": {"default": "{b}"}, "b": {"default": "x"}, "c": {"default": "y" * 3000}}
    for url, base in (
        ("https://{b}/{a}/{none}", "https://x/{b}/{none}"),  # a value is no template
        ("{c}" * 3, "y" * 6000),
        (5, "/"),
    ):
        assert base_of_servers({"servers": [{"url": url, "variables": variables}]}) == base
    with pytest.raises(ValueError, match="is too long"):
        base_of_servers({"servers": [{"url": "{c}" * 1000}]})


def test_limits_and_time_hold(url: str) -> None:
    options = {"name": "pets", "base_url": f"{url}/v1"}
    with Shell(tools=[OpenApi(DOCUMENT, max_bytes=1_000_000, **options)]) as shell:
        assert shell.run("pets large").stderr == "pets: Maximum file size exceeded\n"
    with Shell(tools=[OpenApi(DOCUMENT, **options)], limits=Limits(value=1_000_000)) as shell:
        result = shell.run("pets large")
        assert result.limit is not None
        assert result.limit.kind == "value"
    with Shell(tools=[OpenApi(DOCUMENT, seconds=0.2, **options)]) as shell:
        assert "timed out" in shell.run("pets slow").stderr
        assert shell.run("timeout 0.05 pets slow").code == 124


@pytest.mark.parametrize(
    "path", ["endless-lines", "endless-events", "v1/broken", "v1/text", "forgetful"]
)
def test_a_url_that_is_no_server_of_tools(path: str, url: str) -> None:
    with Shell(tools=[McpServer(f"{url}/{path}", name="odd", max_bytes=1_000_000)]) as shell:
        result = shell.run("echo begun; odd x")
        assert (result.code, result.stdout) == (1, "begun\n")
        expected = {
            "endless-lines": "odd: Exceeded the maximum allowed file size (1000000)\n",
            "endless-events": "odd: Exceeded the maximum allowed file size (1000000)\n",
            "v1/broken": "odd: HTTP 500: it broke\n",
            "forgetful": "odd: the server has forgotten the session\n",
            "v1/text": "odd: the server answered with neither a result nor an error\n",
        }
        assert result.stderr == expected[path]


def test_rules_judge_each_request(url: str) -> None:
    rules = Rules([
        {"hosts": ["127.0.0.1:*"], "methods": ["DELETE"], "decision": "deny"},
    ])  # fmt: skip
    pets = OpenApi(DOCUMENT, name="pets", base_url=f"{url}/v1")
    with Shell(tools=[pets], rules=rules) as shell:
        assert shell.run("pets getPet 5").code == 0
        denied = shell.run("pets delete_pets_id 5")
        assert denied.code == 126
        assert "denied by rule 1" in denied.stderr


def test_a_document_is_fetched_when_it_is_needed(url: str) -> None:
    with Shell(tools=[OpenApi(f"{url}/spec.json", name="pets", auth=("amy", "pw"))]) as shell:
        asked = json.loads(shell.run("pets getPet 5").stdout)
        assert asked["auth"] == "Basic YW15OnB3"
    with Shell(tools=[OpenApi(f"{url}/elsewhere.json", name="pets")]) as shell:
        refused = shell.run("pets getPet 5")
        assert "the document names a server elsewhere, http://169.254.169.254/" in refused.stderr
    with Shell(tools=[OpenApi(f"{url}/v1/nothing", name="pets")]) as shell:
        assert "must be a record with paths" in shell.run("pets x").stderr


def test_a_document_in_a_file(tmp_path: Path, url: str) -> None:
    pytest.importorskip("yaml")
    file = tmp_path / "pets.yaml"
    file.write_text(
        f"openapi: 3.0.3\nservers: [{{url: '{url}/v1'}}]\npaths:\n  /pets:\n    get:\n"
        "      operationId: list\n      parameters:\n"
        "      - {name: page, in: query, schema: {type: integer, nullable: true}}\n"
    )
    with Shell(tools=[OpenApi(file)]) as shell:
        assert '"path":"/v1/pets?page=2"' in shell.run("pets list page=2").stdout
        assert '"path":"/v1/pets?page=null"' in shell.run("pets list page=null").stdout


@pytest.mark.parametrize(
    ("document", "message"),
    [
        ({"swagger": "2.0", "paths": {}}, "must be of OpenAPI 3"),
        ({"openapi": "3.1.0"}, "must be a record with paths"),
        ({"openapi": "3.1.0", "paths": {}, "info": {"title": "x"}}, "names no server"),
        (5, "spec must be a path, a URL or a document"),
    ],
)
def test_mistakes_in_a_document(document: Any, message: str) -> None:
    with pytest.raises((TypeError, ValueError), match=message):
        OpenApi(document)


@pytest.mark.parametrize("text", ["{", "a: [1\n", '{"a":' * 5000, "a: !!python/name:os.system\n"])
def test_documents_that_cannot_be_read(text: str, tmp_path: Path) -> None:
    pytest.importorskip("yaml")
    file = tmp_path / "bad.yaml"
    file.write_text(text)
    with pytest.raises(ValueError, match="the document"):
        OpenApi(file, base_url="http://localhost/")
