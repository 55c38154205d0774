"""sha256sum - SHA256 digests of files."""

from __future__ import annotations

from keysh.gnu.checksums import digest_command

sha256sum = digest_command("sha256sum", "sha256")
