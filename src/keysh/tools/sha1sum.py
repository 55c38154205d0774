"""sha1sum - SHA1 digests of files."""

from __future__ import annotations

from keysh.gnu.checksums import digest_command

sha1sum = digest_command("sha1sum", "sha1")
