"""Rewrite the assertions of these helper modules as well, so that failures explain themselves."""

import pytest

pytest.register_assert_rewrite(
    "commands.comparison", "commands.conformance", "commands.command_runner"
)
