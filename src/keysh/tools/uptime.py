"""uptime - print how long the system has been running."""

from __future__ import annotations

from keysh.schema.declare import command
from keysh.text.dates.moment import Moment
from keysh.text.dates.strftime import format_moment
from keysh.text.dates.time_zone import find_zone

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call


@command
def uptime(
    sh: Call, *, json: bool = False, pretty: bool = False, since: bool = False
) -> str | dict[str, object]:
    """Print how long the system has been running: always 0 minutes.

    --json        print a record: time, since, seconds, users, load
    -p, --pretty  print only the duration in words
    -s, --since   print only the start time
    """
    now = Moment(sh.now(), find_zone(sh.env.get("TZ")))
    if json:
        time = format_moment("%Y-%m-%dT%H:%M:%S%:z", now)
        return {"time": time, "since": time, "seconds": 0, "users": 0, "load": [0.0, 0.0, 0.0]}
    if since:
        return format_moment("%Y-%m-%d %H:%M:%S\n", now)
    if pretty:
        return "up 0 minutes\n"
    return format_moment(" %H:%M:%S up 0 min,  0 users,  load average: 0.00, 0.00, 0.00\n", now)
