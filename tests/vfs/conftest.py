"""The conformance class is no test module, and its assertions are to explain themselves too."""

from __future__ import annotations

import pytest

pytest.register_assert_rewrite("vfs.conforming")
