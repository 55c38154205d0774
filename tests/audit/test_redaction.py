"""Redaction: what must be hidden, what must stay, and how known secrets are found again."""

from __future__ import annotations

import base64
from urllib.parse import quote

import pytest

from keysh.audit import redaction
from keysh.audit.redaction import FIRST_LEARNED_VALUES, MARK, MAX_LEARNED_VALUES, Redactor
from keysh.audit.secret_patterns import has_secret, is_secret_name, without_secrets

pytestmark = pytest.mark.quick

JWT = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gF"
PRIVATE_KEY = (
    "-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXk\n-----END OPENSSH PRIVATE KEY-----"
)

SECRET_VARIABLES = [
    "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "GITHUB_PAT", "GH_TOKEN",
    "GITHUB_TOKEN", "TOKEN", "token", "NPM_TOKEN", "DB_PASSWD", "DB_PASSWORD", "DB_PASS",
    "DB_PWD", "MYSQL_PWD", "PGPASSWORD", "MY_SECRETS", "CLIENT_SECRET",
    "GOOGLE_APPLICATION_CREDENTIALS", "GCP_CREDENTIALS", "API_KEY", "OPENAI_API_KEY", "APIKEY",
    "SSH_PASSPHRASE", "PAT", "SIGNING_PRIVATE_KEY_PEM", "SENTRY_DSN", "SESSION_COOKIE",
    "DOCKER_AUTH", "JWT", "APP_JWT", "AZURE_DEVOPS_PAT",
]  # fmt: skip
PLAIN_VARIABLES = [
    "PATH", "HOME", "PWD", "OLDPWD", "KEYS", "TOKEN_RING", "TOKENIZERS_PARALLELISM",
    "MAX_TOKENS", "KEYBOARD", "COMPASS", "PATTERN", "SSH_AUTH_SOCK", "XAUTHORITY", "LANG",
    "TERM", "EDITOR", "DATABASE_HOST", "MONKEY", "PATIENCE", "PASSENGERS", "AUTHOR", "KEY",
]  # fmt: skip


@pytest.mark.parametrize("name", SECRET_VARIABLES)
def test_names_of_secrets(name: str) -> None:
    assert is_secret_name(name)


@pytest.mark.parametrize("name", PLAIN_VARIABLES)
def test_other_names(name: str) -> None:
    assert not is_secret_name(name)


# The text, and what is left of it.
HIDDEN = [
    ("AKIAIOSFODNN7EXAMPLE", MARK),
    ("key ASIAIOSFODNN7EXAMPLE.", f"key {MARK}."),
    (f"ghp_{'a1B2' * 9}", MARK),
    (f"x github_pat_{'a1_B2' * 9} y", f"x {MARK} y"),
    (f"glpat-{'x' * 20}", MARK),
    ("xoxb-123456789012-abcdefABCDEF", MARK),
    (f"sk-ant-{'a' * 30}", MARK),
    (f"sk_live_{'a' * 24}", MARK),
    (f"AIza{'B' * 35}", MARK),
    (f"npm_{'c' * 36}", MARK),
    (JWT, MARK),
    (f"jwt {JWT}!", f"jwt {MARK}!"),
    (PRIVATE_KEY, MARK),
    (f"a\n{PRIVATE_KEY}\nb", f"a\n{MARK}\nb"),
    (PRIVATE_KEY[:45], MARK),
    ("https://amy:hunter2@example.com/a", f"https://amy:{MARK}@example.com/a"),
    ("postgres://u:p@ss@db:5432/app", f"postgres://u:{MARK}@db:5432/app"),
    ("redis://:hunter2@cache", f"redis://:{MARK}@cache"),
    (f"https://{'t' * 30}@example.com", f"https://{MARK}@example.com"),
    ("Authorization: Bearer abcdef123456", f"Authorization: Bearer {MARK}"),
    ("authorization: Basic YW15Omh1bnRlcjI=", f"authorization: Basic {MARK}"),
    ("Authorization: s3cr3t", f"Authorization: {MARK}"),
    ("Proxy-Authorization: Digest username=amy", f"Proxy-Authorization: Digest {MARK}"),
    ("use bearer abcdef123456 now", f"use bearer {MARK} now"),
    ("Cookie: sid=1; x=2", f"Cookie: {MARK}"),
    ("Set-Cookie: sid=1", f"Set-Cookie: {MARK}"),
    ("X-Api-Key: abc", f"X-Api-Key: {MARK}"),
    ("X-Vault-Token: s.1", f"X-Vault-Token: {MARK}"),
    ("https://x/?token=abc&page=2", f"https://x/?token={MARK}&page=2"),
    ("https://x/?page=2&api_key=abc", f"https://x/?page=2&api_key={MARK}"),
    ("https://x/?X-Amz-Signature=00ff", f"https://x/?X-Amz-Signature={MARK}"),
    ("https://b/?sv=1&sig=abc%3D", f"https://b/?sv=1&sig={MARK}"),
    ("--password=hunter2", f"--password={MARK}"),
    ("DB_PASSWD=hunter2", f"DB_PASSWD={MARK}"),
    ("TOKEN=abc make", f"TOKEN={MARK} make"),
    ("AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG", f"AWS_SECRET_ACCESS_KEY={MARK}"),
    ('{"password": "a b", "n": 1}', f'{{"password": {MARK}, "n": 1}}'),
    ("password: hunter2", f"password: {MARK}"),
    ("client_secret='a b' x", f"client_secret={MARK} x"),
    ("https://hooks.slack.com/services/T000/B000/" + "x" * 24, f"https://hooks.slack.com/services/{MARK}"),
]  # fmt: skip
KEPT = [
    "", "hi", "echo hi", "ls -l /usr/lib/python3/dist-packages", "https://example.com/a?page=2",
    "https://example.com:8443/a@b", "git@github.com:amy/x.git", "max_tokens=4096", "PWD=/home/amy",
    "--key=2", "monkey=3", "-k 1,2", "key: value", "user:group", "a=b", "token", "password",
    "--password-file x", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "0123456789abcdef0123456789abcdef01234567", "sk-short", "ghp_short", "s/a:b/c=d/",
    "550e8400-e29b-41d4-a716-446655440000", "2026-11-20T06:34:10Z", "{print $1}", "x://y",
    "the bearer of news", "AKIA", "eyJ.eyJ.", "a" * 500, "time=12:30", "passwords.txt",
    "--color=auto", "tokens=[1,2]", "keyboard=us", "mailto:amy@example.com",
]  # fmt: skip


@pytest.mark.parametrize(("text", "rest"), HIDDEN)
def test_secret_is_hidden(text: str, rest: str) -> None:
    assert Redactor().redact(text) == rest
    assert has_secret(text)


@pytest.mark.parametrize("text", KEPT)
def test_other_text_is_kept(text: str) -> None:
    assert Redactor().redact(text) == text


WORDS = [
    ("curl", ["-u", "amy:hunter2", "https://x"], ["-u", f"amy:{MARK}", "https://x"]),
    ("curl", ["-uamy:hunter2"], [f"-uamy:{MARK}"]),
    ("sort", ["-u", "a:b"], ["-u", "a:b"]),
    ("x", ["--password", "hunter2", "y"], ["--password", MARK, "y"]),
    ("x", ["--api-key", "k"], ["--api-key", MARK]),
    ("x", ["--token"], ["--token"]),
    ("sshpass", ["-p", "hunter2", "ssh"], ["-p", MARK, "ssh"]),
    ("sshpass", ["-phunter2"], [f"-p{MARK}"]),
    ("mkdir", ["-p", "a"], ["-p", "a"]),
    ("x", ["--max-tokens", "9"], ["--max-tokens", "9"]),
]


@pytest.mark.parametrize(("name", "words", "rest"), WORDS)
def test_arguments(name: str, words: list[str], rest: list[str]) -> None:
    assert Redactor().redact_words(name, words) == rest


SECRET = "hunter2/+ é&?=x"


@pytest.mark.parametrize("before", ["", "a", "ab", "abc", "user:"])
@pytest.mark.parametrize("after", ["", "z", "zz"])
def test_known_secret_is_found_in_other_notations(before: str, after: str) -> None:
    redactor = Redactor([SECRET])
    data = f"{before}{SECRET}{after}".encode()
    for text in (
        f"{before}{SECRET}{after}", quote(f"{before}{SECRET}{after}", safe=""), data.hex(),
        base64.b64encode(data).decode(), base64.urlsafe_b64encode(data).decode(),
    ):  # fmt: skip
        assert MARK in redactor.redact(text)
        assert "nter2" not in redactor.redact(text)
    whole = base64.b64encode(data).decode()
    rest = redactor.redact(whole).split(MARK)
    assert max(map(len, rest)) <= len(before) * 4 // 3 + 5, "only the edges are left"


def test_lines_of_a_known_secret_are_found_alone() -> None:
    redactor = Redactor(["first line of it\nsecond line of it\nx"])
    assert redactor.redact("echo 'second line of it'") == f"echo '{MARK}'"


def test_values_of_secret_variables_are_learned() -> None:
    redactor = Redactor()
    variables: dict[str, object] = {"PATH": "/usr/bin", "GH_TOKEN": "abcdef", "N_TOKEN": "123456"}
    redactor.learn(variables)
    assert redactor.redact("/usr/bin abcdef 123456") == f"/usr/bin {MARK} 123456"
    variables["GH_TOKEN"] = "ghijkl"
    redactor.learn(variables)
    assert redactor.redact("abcdef ghijkl") == f"{MARK} {MARK}"
    variables["DB_PASS"] = "short"
    redactor.learn(variables)
    assert redactor.redact("short") == "short"


def test_of_very_many_values_the_first_and_the_last_are_known() -> None:
    redactor = Redactor(["fixed-one"])
    first = {"HOST_TOKEN": "host-value"}
    for number in range(MAX_LEARNED_VALUES + 10):
        redactor.learn({**first, "N_TOKEN": f"value-{number:03}-end"})
    hidden = f"fixed-one host-value value-000-end value-{number:03}-end"
    assert redactor.redact(hidden) == " ".join([MARK] * 4)
    assert redactor.redact("value-105-end") == "value-105-end"
    held = {f"X{n}_TOKEN": f"held-{n:03}" for n in range(MAX_LEARNED_VALUES + 10)}
    redactor.learn(held)
    known = [value for value in held.values() if redactor.redact(value) == MARK]
    redactor.learn(held)  # what was forgotten is not learned again and again
    assert [value for value in held.values() if redactor.redact(value) == MARK] == known
    assert known == [*held.values()][-FIRST_LEARNED_VALUES:]
    redactor.learn({"A_TOKEN": "long" * 1025})
    assert redactor.redact("long" * 1025) == "long" * 1025


def test_own_patterns() -> None:
    redactor = Redactor(patterns=[r"(customer )\d+", r"\bXX\w+"])
    assert redactor.redact("customer 123 XXabc") == f"customer {MARK} {MARK}"


def test_wrong_secrets_are_refused() -> None:
    with pytest.raises(ValueError, match="a secret must have 4 characters, but has 2"):
        Redactor(["ab"])
    with pytest.raises(TypeError, match="must be lists of str"):
        Redactor("secret")
    with pytest.raises(TypeError, match="but is a int"):
        Redactor([12345])  # type: ignore[list-item]


def test_variables_with_secrets_in_their_values_are_removed() -> None:
    env = {
        "DATABASE_URL": "postgres://u:pw@db/x", "PROXY": "http://proxy:8080", "CONFIG": PRIVATE_KEY,
        "HEADER": "Authorization: Bearer abcdef123456", "X": JWT, "GITHUB_PAT": "x", "LANG": "C",
    }  # fmt: skip
    assert set(without_secrets(env)) == {"PROXY", "LANG"}
    assert set(without_secrets(env, keep=["DATABASE_URL"])) == {"PROXY", "LANG", "DATABASE_URL"}


def test_names_of_variables_do_not_grow_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(redaction, "MAX_SEEN_NAMES", 10)
    redactor = Redactor()
    for number in range(100):
        redactor.learn({f"name{number}": "", "API_TOKEN": f"hush-hush-{number}"})
    assert len(redactor._names) <= 12
    assert redactor.redact("hush-hush-99 hush-hush-0") == f"{MARK} {MARK}"
