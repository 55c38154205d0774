"""Rewrite the assertions of the conformance class as well, so that failures explain themselves."""

from __future__ import annotations

import pytest

pytest.register_assert_rewrite("vfs.conforming")
