"""sha384sum - SHA384 digests of files."""

from __future__ import annotations

from keysh.gnu.checksums import digest_command

sha384sum = digest_command("sha384sum", "sha384")
