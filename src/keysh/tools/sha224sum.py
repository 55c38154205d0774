"""sha224sum - SHA224 digests of files."""

from __future__ import annotations

from keysh.gnu.checksums import digest_command

sha224sum = digest_command("sha224sum", "sha224")
