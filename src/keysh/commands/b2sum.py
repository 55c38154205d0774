"""b2sum - BLAKE2b digests of files."""

from __future__ import annotations

from keysh.runtime.checksums import digest_command

b2sum = digest_command("b2sum", "blake2b", "BLAKE2b")
