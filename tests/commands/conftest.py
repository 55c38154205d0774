"""The conformance class is no test module, and its assertions are to explain themselves too."""

import pytest

pytest.register_assert_rewrite(
    "commands.comparison", "commands.conformance", "commands.command_runner"
)
