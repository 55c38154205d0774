"""The processes that `ps` lists: the shell and its jobs."""

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
NANOSECONDS_PER_SECOND = 1_000_000_000
INIT_PID = 1  # the shell's apparent parent
MAX_NAME_CHARACTERS = 15  # Linux's limit


class ProcessEntry:
    """One process; what keysh does not measure is 0 or `-`."""

    __slots__ = ("args", "name", "now", "parent", "pid", "prefix", "session", "start", "state")

    def __init__(self, pid: int, parent: int, args: str, state: str, start: int, now: int) -> None:
        self.pid, self.parent, self.args, self.state = pid, parent, args, state
        self.start, self.now = start, now  # nanoseconds since 1970
        self.name = last_step(args.split(" ", 1)[0])[:MAX_NAME_CHARACTERS]
        self.session = pid
        self.prefix = ""  # the tree drawn before its name

    def elapsed_seconds(self) -> int:
        """Return the seconds since the start."""
        return max(0, (self.now - self.start) // NANOSECONDS_PER_SECOND)

    def row(self) -> dict[str, object]:
        """Return the process as a JSON row."""
        return {"pid": self.pid, "ppid": self.parent, "state": self.state[0],
                "started": iso_time(self.start), "command": self.args}  # fmt: skip


class ColumnValues:
    """The values of columns, which depend on the user and the time zone."""

    def __init__(self, sh: Call) -> None:
        self.user = user_name(sh)
        self._zone = find_zone(sh.env.get("TZ"))

    def value(self, process: ProcessEntry, key: str) -> str | int:
        """Return the value of a column."""
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
        """Return the sort key of a column."""
        value = self.value(process, key)
        return isinstance(value, str), value

    def _time(self, process: ProcessEntry, key: str) -> str:
        """Format the start time, which is shorter for older processes."""
        then, now = (
            Moment(nanoseconds, self._zone) for nanoseconds in (process.start, process.now)
        )
        recent_format, old_format = TIME_FORMATS[key]
        if key == "stime":
            is_recent = format_moment("%F", then) == format_moment("%F", now)
        else:
            is_recent = process.elapsed_seconds() < DAY
        return format_moment(recent_format if is_recent else old_format, then)


CONSTANT_VALUES = {"zero": 0, "one": 1, "nice": 0, "raised": 19, "usual": 80, "even": 20, "no": -1}
TIME_FORMATS = {
    "stime": ("%H:%M", "%b%d"), "bsdstart": ("%H:%M", "%b %d"), "start": ("%H:%M:%S", "  %b %d"),
    "lstart": ("%a %b %e %H:%M:%S %Y", "%a %b %e %H:%M:%S %Y"),
}  # fmt: skip


def elapsed_text(seconds: int) -> str:
    """Format a duration as `[[days-]hours:]minutes:seconds`."""
    days, rest = divmod(seconds, DAY)
    hours, rest = divmod(rest, HOUR)
    minutes, rest = divmod(rest, MINUTE)
    text = f"{minutes:02}:{rest:02}"
    if hours or days:
        text = f"{hours:02}:{text}"
    return f"{days}-{text}" if days else text


def list_processes(sh: Call, state: State) -> list[ProcessEntry]:
    """Return the entries of the shell and its jobs."""
    jobs, now = state.session.jobs, sh.now()
    shell = ProcessEntry(jobs.shell_pid, INIT_PID, state.name, "Ss", state.session.started_at, now)
    entries = [shell]
    for job in jobs.running():
        started = now - int(job.age() * NANOSECONDS_PER_SECOND)
        job_state = "T" if job.is_stopped else "S"
        pid, parent = jobs.visible_pid(job, state), job.parent or shell.pid
        entry = ProcessEntry(pid, parent, job.text, job_state, started, now)
        entry.session = shell.pid
        entries.append(entry)
    return entries
