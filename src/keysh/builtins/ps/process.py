"""Processes: the shell itself and its jobs, as a machine would know them."""

from __future__ import annotations

from keysh.gnu.file_facts import iso_time
from keysh.gnu.owners import SHELL_USER_NUMBER, user_name
from keysh.text.dates.moment import Moment
from keysh.text.dates.strftime import format_moment
from keysh.text.dates.time_zone import find_zone
from keysh.vfs.paths import last_step

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call
    from keysh.interp.state.state import State

DAY, HOUR, MINUTE = 86400, 3600, 60
NANOSECONDS_PER_SECOND = 1_000_000_000  # nanoseconds
INIT_PID = 1  # the process that a shell hangs from, as far as a script is told
MAX_NAME_CHARACTERS = 15  # of a command, as Linux keeps it


class ProcessEntry:
    """What is told of one; what keysh does not count is nothing, 0 or `-`."""

    __slots__ = ("args", "name", "now", "parent", "pid", "prefix", "session", "start", "state")

    def __init__(self, pid: int, parent: int, args: str, state: str, start: int, now: int) -> None:
        self.pid, self.parent, self.args, self.state = pid, parent, args, state
        self.start, self.now = start, now  # in nanoseconds since 1970
        self.name = last_step(args.split(" ", 1)[0])[:MAX_NAME_CHARACTERS]
        self.session = pid
        self.prefix = ""  # what draws it below another

    def elapsed_seconds(self) -> int:
        """Seconds since it has begun."""
        return max(0, (self.now - self.start) // NANOSECONDS_PER_SECOND)

    def row(self) -> dict[str, object]:
        """The process as a row of JSON."""
        return {"pid": self.pid, "ppid": self.parent, "state": self.state[0],
                "started": iso_time(self.start), "command": self.args}  # fmt: skip


class ColumnValues:
    """How a process is shown: what depends on whose shell it is, and on its clock."""

    def __init__(self, sh: Call) -> None:
        self.user = user_name(sh)
        self._zone = find_zone(sh.env.get("TZ"))

    def value(self, process: ProcessEntry, key: str) -> str | int:
        """What a column shows."""
        numbers = {
            "pid": process.pid, "ppid": process.parent, "pgid": process.pid,
            "sid": process.session, "uid": SHELL_USER_NUMBER, "etimes": process.elapsed_seconds(),
        }  # fmt: skip
        if key in numbers:
            return numbers[key]
        texts = {
            "user": self.user, "comm": process.prefix + process.name, "state": process.state[0],
            "args": process.prefix + process.args, "stat": process.state, "tty": "?",
            "time": "00:00:00", "bsdtime": "0:00", "percent": "0.0", "none": "-", "class": "TS",
            "wide": f"- {0:5}", "etime": elapsed_text(process.elapsed_seconds()),
        }  # fmt: skip
        if key in texts:
            return texts[key]
        if key in TIME_FORMATS:
            return self._time(process, key)
        return CONSTANT_VALUES[key]

    def rank(self, process: ProcessEntry, key: str) -> tuple[bool, str | int]:
        """What a process is sorted by."""
        found = self.value(process, key)
        return isinstance(found, str), found

    def _time(self, process: ProcessEntry, key: str) -> str:
        """When it has begun: the shorter the longer ago."""
        then, now = (Moment(at, self._zone) for at in (process.start, process.now))
        fresh, old = TIME_FORMATS[key]
        if key == "stime":
            is_fresh = format_moment("%F", then) == format_moment("%F", now)
        else:
            is_fresh = process.elapsed_seconds() < DAY
        return format_moment(fresh if is_fresh else old, then)


CONSTANT_VALUES = {"zero": 0, "one": 1, "nice": 0, "raised": 19, "usual": 80, "even": 20, "no": -1}
TIME_FORMATS = {
    "stime": ("%H:%M", "%b%d"), "bsdstart": ("%H:%M", "%b %d"), "start": ("%H:%M:%S", "  %b %d"),
    "lstart": ("%a %b %e %H:%M:%S %Y", "%a %b %e %H:%M:%S %Y"),
}  # fmt: skip


def elapsed_text(seconds: int) -> str:
    """A time as `[[days-]hours:]minutes:seconds`."""
    days, rest = divmod(seconds, DAY)
    hours, rest = divmod(rest, HOUR)
    minutes, rest = divmod(rest, MINUTE)
    shown = f"{minutes:02}:{rest:02}"
    if hours or days:
        shown = f"{hours:02}:{shown}"
    return f"{days}-{shown}" if days else shown


def list_processes(sh: Call, state: State) -> list[ProcessEntry]:
    """The shell's own process, and those of its jobs."""
    jobs, now = state.session.jobs, sh.now()
    own = ProcessEntry(jobs.shell_pid, INIT_PID, state.name, "Ss", state.session.started_at, now)
    found = [own]
    for job in jobs.running():
        begun = now - int(job.age() * NANOSECONDS_PER_SECOND)
        shown = "T" if job.is_stopped else "S"
        pid, parent = jobs.visible_pid(job, state), job.parent or own.pid
        made = ProcessEntry(pid, parent, job.text, shown, begun, now)
        made.session = own.pid
        found.append(made)
    return found
