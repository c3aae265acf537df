"""What Linux tells of a running process in /proc, for benchmarks that look at one from outside."""

import os
import pathlib

TICKS = os.sysconf("SC_CLK_TCK")


def status(number, key):
    """A number of /proc/N/status: VmRSS in kB, Threads."""
    for line in pathlib.Path(f"/proc/{number}/status").read_text().splitlines():
        if line.startswith(key + ":"):
            return int(line.split()[1])
    raise KeyError(key)


def resident(number):
    """Memory that it really has, kB."""
    return status(number, "VmRSS")


def descriptors(number):
    return len(os.listdir(f"/proc/{number}/fd"))


def used(number):
    """CPU time so far, seconds, in steps of a tick (10 ms): also of its threads that have ended."""
    fields = _fields(number)
    return (int(fields[11]) + int(fields[12])) / TICKS


def used_finely(number):
    """CPU time so far, seconds, to the nanosecond: of the threads that it has now."""
    tasks = pathlib.Path(f"/proc/{number}/task").iterdir()
    return sum(int((task / "schedstat").read_text().split()[0]) for task in tasks) / 1e9


def name(number):
    return pathlib.Path(f"/proc/{number}/comm").read_text().strip()


def tree(root):
    """Processes below one, itself included."""
    parents = {}
    for folder in pathlib.Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                parents[int(folder.name)] = int(_fields(folder.name)[1])
            except OSError:  # it has ended meanwhile
                pass
    found = [root]
    for number in found:
        found += [child for child, parent in parents.items() if parent == number]
    return found


def _fields(number):
    """Of /proc/N/stat, behind the name, which may have blanks in it."""
    return pathlib.Path(f"/proc/{number}/stat").read_text().rsplit(")", 1)[1].split()
