"""md5sum - MD5 digests of files."""

from __future__ import annotations

from keysh.gnu.checksums import digest_command

md5sum = digest_command("md5sum", "md5")
