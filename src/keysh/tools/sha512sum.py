"""sha512sum - SHA512 digests of files."""

from __future__ import annotations

from keysh.gnu.checksums import digest_command

sha512sum = digest_command("sha512sum", "sha512")
