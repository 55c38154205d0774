"""compopt - change the options of a completion."""

from __future__ import annotations

from keysh.interp.state.completion_specs import COMPLETION_OPTIONS
from keysh.interp.state.state_of_call import state_of
from keysh.schema.arguments import raw_texts
from keysh.schema.declare import Refusals, command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call
    from keysh.schema.types import Raw

STATUS_USAGE = 2
SPECIAL_NAMES = ("-D", "-E", "-I")
USAGE = "compopt: usage: compopt [-o|+o option] [-DEI] [name ...]\n"


@command(refusals=Refusals(usage_status=STATUS_USAGE))
def compopt(sh: Call, *words: Raw) -> str:
    """Change or print the options of completions that complete has set.

    words ...  -o NAME turns an option on, +o NAME off; then the commands,
               or -D, -E, -I as in complete

    Without commands a completion that is under way is meant; there is none.
    """
    state = state_of(sh)
    texts, changes = raw_texts(words), {}
    names = []
    while texts and texts[0][:1] in ("-", "+"):
        text = texts.pop(0)
        if text == "--":
            break
        if text in SPECIAL_NAMES:
            names.append(text)
        elif text in ("-o", "+o") and texts:
            option = texts.pop(0)
            if option not in COMPLETION_OPTIONS:
                raise sh.fail(f"{option}: invalid option name", STATUS_USAGE)
            changes[option] = text == "-o"
        else:
            reason = "option requires an argument" if text in ("-o", "+o") else "invalid option"
            sh.warn(f"{text}: {reason}")
            sh.err.write(USAGE)
            sh.status = STATUS_USAGE
            return ""
    names = names or texts
    if not names:
        raise sh.fail("not currently executing completion function")
    lines = ""
    for name in names:
        spec = state.completions.get(name)
        if spec is None:
            sh.warn(f"{name}: no completion specification")
        elif changes:
            state.completions = {**state.completions, name: spec.with_options(changes)}
        else:
            lines += f"{spec.option_line(name)}\n"
    return lines
