"""Command status: set `$?`, apply `set -e` and the ERR trap, report a command's diagnostic."""

from __future__ import annotations

from keysh.interp.run.options import ENDS_ON_FAILURE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.run.closures import Body
    from keysh.interp.run.runtime_diagnostic import RuntimeDiagnostic
    from keysh.interp.run.site import Site
    from keysh.interp.state.state import State


def settle(state: State, status: int, site: Site, tested: bool) -> int:
    """Set `$?`. A failure that nothing tests runs the ERR trap and, under `set -e`, ends the run.

    Closures that run often set a status of 0 themselves, which saves the call.
    """
    state.status = status
    if status and not tested and state.flags & ENDS_ON_FAILURE:
        from keysh.interp.engine.errexit import handle_failure  # noqa: PLC0415 - few scripts ask for it

        return handle_failure(state, status, site)
    return status


def fail(
    state: State, problem: RuntimeDiagnostic, site: Site, tested: bool, *, keeps_line: bool = False
) -> int:
    """Report a diagnostic of a command's own words or expression, and settle its status.

    `keeps_line`: in bash the command only fails, and the rest of its line is run.
    """
    if keeps_line and site.source.dialect.is_lenient:
        problem.is_of_operand = True
    return settle(state, site.report(state, problem), site, tested)


# How `set -e` knows what is tested: `state.is_tested` counts the tested commands around the one
# that runs, and above 0 `handle_failure` ignores failures. A command compiled as `tested` leaves
# its own status to what tests it (`if`, `&&`, `!`); functions and substitutions inside it are
# compiled as untested, so `without_errexit` raises the count around it. A stage of a pipeline is
# compiled as tested because the pipeline settles its status, yet what it runs inside is not
# tested: `with_errexit` lowers the count again.


def without_errexit(body: Body) -> Body:
    """Run a command whose status is tested: failures inside it do not end the run."""

    def run(state: State) -> int:
        state.is_tested += 1
        try:
            return body(state)
        finally:
            state.is_tested -= 1

    run.tested_body = body  # type: ignore[attr-defined]
    return run


def with_errexit(body: Body) -> Body:
    """Run a command compiled as tested whose own status is tested, and nothing inside it."""
    tested_body: Body | None = getattr(body, "tested_body", None)
    if tested_body is not None:  # the two would cancel each other out
        return tested_body

    def run(state: State) -> int:
        state.is_tested -= 1
        try:
            return body(state)
        finally:
            state.is_tested += 1

    return run
