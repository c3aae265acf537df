"""Data about a running process from /proc, for benchmarks that measure a program from outside."""

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
    """Resident memory, kB."""
    return status(number, "VmRSS")


def descriptors(number):
    return len(os.listdir(f"/proc/{number}/fd"))


def used(number):
    """CPU time so far, seconds, in steps of a tick (10 ms), including threads that have ended."""
    fields = _fields(number)
    return (int(fields[11]) + int(fields[12])) / TICKS


def used_finely(number):
    """CPU time so far of its present threads, seconds, with nanosecond resolution."""
    tasks = pathlib.Path(f"/proc/{number}/task").iterdir()
    return sum(int((task / "schedstat").read_text().split()[0]) for task in tasks) / 1e9


def name(number):
    return pathlib.Path(f"/proc/{number}/comm").read_text().strip()


def tree(root):
    """A process and all its descendants."""
    parents = {}
    for folder in pathlib.Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                parents[int(folder.name)] = int(_fields(folder.name)[1])
            except OSError:  # it has exited meanwhile
                pass
    found = [root]
    for number in found:
        found += [child for child, parent in parents.items() if parent == number]
    return found


def _fields(number):
    """The fields of /proc/N/stat after the name, which may contain blanks."""
    return pathlib.Path(f"/proc/{number}/stat").read_text().rsplit(")", 1)[1].split()
