"""What pgrep and pkill declare and do alike: the options that select processes by name."""

from __future__ import annotations

from keysh.builtins.ps.process import list_processes
from keysh.gnu.owners import SHELL_USER_NUMBER, user_name
from keysh.interp.state.call import UsageFailure
from keysh.interp.state.state_of_call import state_of
from keysh.schema.arguments import option_words
from keysh.text.regex.regex import RegexError, regex_of
from keysh.text.shell_numbers import bounded_number, is_digits

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from keysh.builtins.ps.process import ProcessEntry
    from keysh.interp.state.call import Call

USAGE_STATUS = 2
SELECTION_HELP = """pattern                an extended regular expression
    -c, --count            print only how many there are
    -u, --euid LIST        only processes of these users
    -U, --uid LIST         same: the shell has one user
    -x, --exact            the pattern must match the whole name
    -f, --full             match the whole command line, not the name
    -i, --ignore-case      match without regard to case
    -n, --newest           only the one that started last
    -o, --oldest           only the one that started first
    -O, --older SECONDS    only those that have run longer than SECONDS
    -P, --parent LIST      only processes with these parents
    -F, --pidfile FILE     only the process whose number is in FILE"""
REFUSED_OPTIONS = (
    "-g, --pgroup LIST  jobs have no process groups; -G, --group LIST  jobs have no groups;"
    " -s, --session LIST  jobs have no sessions; -t, --terminal LIST  jobs have no terminals;"
    " -r, --runstates LIST  the shell does not know them; -L, --logpidfile  the file has no locks;"
    " --cgroup LIST  jobs have no groups; --ns PID  jobs have no namespaces;"
    " --nslist LIST  jobs have no namespaces"
)
IGNORED_OPTIONS = "-A, --ignore-ancestors"
CRITERIA = ("parent", "euid", "uid", "older", "pidfile")


def machine_status(sh: Call, pattern: str | None) -> int | None:
    """Run the machine's program of the call's name, if any may run; return its status."""
    words = [] if pattern is None else ["--", pattern]
    return sh.run_hidden_program([sh.name, *option_words(sh.given), *words])


def selected_processes(sh: Call, pattern: str | None) -> list[ProcessEntry]:
    """Return the processes that the pattern and the options of the call select."""
    options: dict[str, Any] = dict(sh.given)
    if pattern is None and not any(name in options for name in CRITERIA):
        raise UsageFailure("no matching criteria specified")
    try:
        regex = regex_of(pattern or "", "extended", ignore_case=bool(options.get("ignore_case")))
    except RegexError as error:
        raise sh.fail(f"{error}", USAGE_STATUS) from None
    criteria: dict[str, list[str]] = {
        name: options[name].split(",") for name in ("parent", "euid", "uid") if name in options
    }
    if "pidfile" in options:
        criteria["pid"] = [pid_in_file(sh, options["pidfile"])]
    own_names = (user_name(sh), str(SHELL_USER_NUMBER))
    chosen = []
    for process in list_processes(sh, state_of(sh)):
        facts = {
            "parent": (str(process.parent),), "pid": (str(process.pid),),
            "euid": own_names, "uid": own_names,
        }  # fmt: skip
        text = process.args if options.get("full") else process.name
        span = regex.search(text, 0, sh.tick)
        is_match = span is not None and (not options.get("exact") or span.span() == (0, len(text)))
        is_match &= all(any(fact in wanted for fact in facts[name])
                        for name, wanted in criteria.items())  # fmt: skip
        is_match &= process.elapsed_seconds() > options.get("older", -1)
        if is_match is not bool(options.get("inverse")):
            chosen.append(process)
    if options.get("newest") or options.get("oldest"):
        chosen.sort(key=lambda process: process.start)
        return chosen[-1:] if options.get("newest") else chosen[:1]
    return chosen


def pid_in_file(sh: Call, path: str) -> str:
    """Return the number at the beginning of a file."""
    try:
        with sh.open(path) as stream:
            first_word = stream.read(64).decode("latin-1").split()[:1]
    except OSError:
        first_word = []
    if not first_word or not is_digits(first_word[0]):
        raise UsageFailure("pidfile not valid")
    return str(bounded_number(first_word[0]))
