"""Secret patterns: the names and the forms by which a secret is known. Audit and agents use them.

A name is that of a variable, an option or a field. A form is what a value looks like wherever it
stands: a key of a known service, a private key, a token of JSON, a password in a URL.
"""

from __future__ import annotations

import re
from fnmatch import fnmatchcase

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

# Of variables, in capitals; a name is judged by its capitals too.
SECRET_NAMES = (
    "TOKEN", "*_TOKEN", "*ACCESSTOKEN", "*_KEY", "APIKEY", "*_APIKEY", "*ACCESS_KEY*",
    "*_KEY_BASE64", "*SECRET*", "*PASSWORD*", "*PASSWD*", "*PASSPHRASE*", "PASS", "*_PASS",
    "*_PWD", "PAT", "*_PAT", "*CREDENTIAL*", "JWT", "*_JWT", "*_DSN", "*_COOKIE", "*_AUTH",
    "*_BEARER", "*PRIVATE_KEY*",
)  # fmt: skip

# The name of an option, a field or a parameter; `max_tokens`, `--key` and `PWD` are none.
FIELD_NAME = (
    r"(?:[a-z0-9_.-]{0,64}(?:token|secret|passw(?:or)?d|passphrase|api[_-]?key|access[_-]?key(?:[_-]?id)?"
    r"|private[_-]?key|credentials?|signature|[_-]pwd|[_-]pat|[_-]jwt|[_-]cookie))"
)

KEY_BLOCK = "[A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?"
SCHEMES = "basic|bearer|digest|token|negotiate|apikey"
# Each form has the part in front, which stays, as group 1 if it has any, and the secret.
TOKEN_FORMS = (
    rf"-----BEGIN {KEY_BLOCK}-----.*?(?:-----END {KEY_BLOCK}-----|\Z)",
    r"\b(?:AKIA|ASIA)[A-Z0-9]{16}\b",
    r"\bgh[pousr]_[A-Za-z0-9]{20,}",
    r"\bgithub_pat_[A-Za-z0-9_]{20,}",
    r"\bgl(?:pat|ptt|dt|rt)-[A-Za-z0-9_-]{20,}",
    r"\bxox[abeoprs]-[A-Za-z0-9-]{10,}",
    r"\bxapp-[A-Za-z0-9-]{10,}",
    r"\bsk-[A-Za-z0-9_-]{20,}",
    r"\b[rs]k_(?:live|test)_[A-Za-z0-9]{16,}",
    r"\bAIza[A-Za-z0-9_-]{35}",
    r"\bya29\.[A-Za-z0-9_-]{20,}",
    r"\bnpm_[A-Za-z0-9]{36}",
    r"\bpypi-[A-Za-z0-9_-]{50,}",
    r"\bhf_[A-Za-z0-9]{30,}",
    r"\bSG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}",
    r"\bAGE-SECRET-KEY-1[A-Z0-9]{50,}",
    r"\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*",
    r"(?<=hooks\.slack\.com/services/)[A-Za-z0-9/]{20,}",
)
TOKENS = re.compile("|".join(TOKEN_FORMS), re.DOTALL)
# These have a sign in front: a colon, an equals sign, or the word `bearer`.
MARKED_FORMS = (
    r"(://[^/\s:@?#]*:)[^/\s]+(?=@)",
    r"(://)[^/\s:@?#]{20,}(?=@)",
    (
        rf"(\b(?:proxy-)?authorization[\"']?\s*[:=]\s*[\"']?(?:(?:{SCHEMES})\s+)?)"
        r"[^\s\"',;][^\"'\r\n]*"
    ),
    r"(\b(?:set-)?cookie\s*:\s*)[^\"'\r\n]+",
    r"(\bx-[a-z-]*(?:key|token|auth|secret)\s*:\s*)[^\"'\r\n]+",
    r"([?&](?:x-amz-(?:signature|credential|security-token)|sig|code|key)=)[^&\s\"']+",
    rf"((?<![a-z0-9]){FIELD_NAME}[\"']?\s*[:=]\s*)(?:\"[^\"]*\"|'[^']*'|[^\s&;\"',}}]+)",
)
MARKED = tuple(re.compile(form, re.IGNORECASE) for form in MARKED_FORMS)
BEARER = re.compile(r"(\bbearer\s+)[A-Za-z0-9._~+/=-]{8,}", re.IGNORECASE)
# The option of a command whose next word is a secret: `--password x`.
OPTION_BEFORE_SECRET = re.compile(rf"--?{FIELD_NAME}", re.IGNORECASE)
# Options of some commands that take a user and a password, or a password alone.
USER_OPTIONS = {"curl": ("-u", "--user", "-U", "--proxy-user"), "wget": ()}
PASSWORD_OPTIONS = {"sshpass": ("-p",)}

MIN_TOKEN_CHARACTERS = 16  # shorter text without a sign has no form


def is_secret_name(name: str, patterns: Iterable[str] = SECRET_NAMES) -> bool:
    """Whether a variable of this name is likely to hold a secret."""
    capitals = name.upper()
    return any(fnmatchcase(capitals, pattern) for pattern in patterns)


def has_secret(text: str) -> bool:
    """Whether a text has the form of a secret, or a part of it has."""
    return replace_forms(text, "") != text


def replace_forms(text: str, mark: str) -> str:
    """Return a text with a mark in place of each part that has the form of a secret."""
    if len(text) >= MIN_TOKEN_CHARACTERS:
        text = TOKENS.sub(mark, text)
        if " " in text:
            text = BEARER.sub(lambda match: match[1] + mark, text)
    if ":" in text or "=" in text:
        for form in MARKED:
            text = form.sub(lambda match: match[1] + mark, text)
    return text


def without_secrets(
    env: Mapping[str, str], *, keep: Iterable[str] = (), patterns: Iterable[str] = SECRET_NAMES
) -> dict[str, str]:
    """Return the variables that are no secrets by name or value, and those that `keep` lists."""
    names_to_keep = frozenset(keep)
    patterns = tuple(patterns)
    return {
        name: value
        for name, value in env.items()
        if name in names_to_keep or not (is_secret_name(name, patterns) or has_secret(value))
    }
