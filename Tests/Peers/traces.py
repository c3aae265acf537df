"""Recorded traces of rigs, replayed into the daemon, and its expected output.

    python3 Tests/Peers/traces.py record PROFILE [--with noise|reboot|block] [--name NAME] [--port /dev/ttyUSB0]
    python3 Tests/Peers/traces.py replay NAME...
    python3 Tests/Peers/traces.py rebuild [NAME...]

See docs/PEERS.md.
"""

import argparse
import concurrent.futures
import heapq
import json
import math
import pathlib
import re
import sys
import tempfile
import time

from lines import Line, Tap
from programs import HERE, ROOT, Daemon, Rig
from talks import TALKS

FOLDER = HERE / "traces"
# The player answers within this time, seconds. Longer pauses would test the daemon's timeouts only.
LONGEST_PAUSE = 0.05
# The daemon's messages after it was held up.
HELD_UP = ("the clock jumped", "the loop was silent")
# The tolerance of a position, degrees.
WITHIN = 1.5


class Trace:
    """Seconds since the host's first byte; `<` from the rig, `>` from the host, both hex, `!` words for the daemon."""

    def __init__(self, about, profile, lines=()):
        self.about, self.profile, self.lines = about, profile, list(lines)

    @classmethod
    def load(cls, path):
        trace = cls("", None)
        for line in path.read_text().splitlines():
            if line.startswith("# profile "):
                trace.profile = line.split()[2]
            elif line.startswith("#"):
                trace.about = line[2:]
            elif line:
                at, way, what = line.split(" ", 2)
                trace.lines.append((float(at), way, what if way == "!" else bytes.fromhex(what)))
        return trace

    def save(self, path):
        text = [f"# {self.about}", f"# profile {self.profile}"]
        text += [f"{at:.3f} {way} {what if way == '!' else what.hex()}" for at, way, what in self.lines]
        path.write_text("\n".join(text) + "\n")

    @property
    def driver(self):
        return re.search(r'^driver\s*=\s*"(\w+)"', (ROOT / f"profiles/{self.profile}.toml").read_text(), re.M)[1]


class Player:
    """The rig of a trace: answers a request as it did then, and repeats its unsolicited messages."""

    def __init__(self, trace):
        talk = TALKS[trace.driver]
        self.answers, self.unasked, recorded = {}, [], talk()
        latest = {}
        for at, way, what in trace.lines:
            if way == ">":
                for key, _ in recorded.questions(what):
                    if key is not None:
                        latest[key] = (at, [])
                        self.answers.setdefault(key, []).append(latest[key])
            elif way == "<":
                for key, data in recorded.answers(what):
                    if key in latest:
                        latest[key][1].append((max(0, at - latest[key][0]), data))
                    else:
                        self.unasked.append((at, data))
        self.next = dict.fromkeys(self.answers, 0)
        self.talk = talk()

    def hear(self, data, at):
        """(delay, bytes) of the rig's answer to these bytes of the host, at this time of the trace."""
        for key, question in self.talk.questions(data):
            known = self.answers.get(key)
            if not known:
                continue
            index = max((i for i, (asked, _) in enumerate(known) if asked <= at), default=0)
            # A repeated request is answered again, but not twice with the same answer if another one is close by.
            if index < self.next[key] < len(known) and known[self.next[key]][0] < at + 0.1:
                index = self.next[key]
            self.next[key] = index + 1
            for delay, answer in known[index][1]:
                yield min(delay, 0.5), self.talk.fitted(answer, question)


def replay(trace, expected=None, tries=8):
    """Plays a trace to `dockface run`. Returns the lines of a .chk file.

    If this machine held the daemon or the player up, a wrong result says nothing about the daemon, and the trace is played
    again.
    """
    for _ in range(tries):
        lines, is_sound = play(trace)
        if is_sound or (expected is not None and not differences(expected, lines)):
            break
    return lines


def play(trace):
    """Plays it once. Returns the lines, and whether neither side was held up."""
    player, waiting, heard = Player(trace), [], 0
    plan = sorted(
        [(at, 0, data) for at, data in player.unasked] + [(at, 1, what) for at, way, what in trace.lines if way == "!"],
        key=lambda entry: entry[:2])
    end = trace.lines[-1][0]
    with tempfile.TemporaryDirectory() as folder:
        line = Line()
        daemon = Daemon(line.path, trace.profile, folder)
        try:
            begun, now, pause = None, time.monotonic(), 0.0
            limit = now + end + 20
            while now < limit:
                data = line.read(0.002)
                before, now = now, time.monotonic()
                pause = max(pause, now - before)
                if data and begun is None:
                    begun = now
                at = now - begun if begun is not None else 0
                for delay, answer in player.hear(data, at) if data else ():
                    heard += 1
                    heapq.heappush(waiting, (now + delay, heard, answer))
                while waiting and waiting[0][0] <= now:
                    line.write(heapq.heappop(waiting)[2])
                if begun is None:
                    continue
                while plan and plan[0][0] <= at:
                    when, is_word, what = plan[0]
                    if not is_word:
                        line.write(what)
                    elif any("dock ready" in told for told in daemon.told.lines):
                        daemon.type(what)
                    else:
                        begun = now - when  # the trace waits for a daemon that is slower than the recorded one
                        break
                    plan.pop(0)
                if at > end and not plan:
                    break
            state = daemon.ask("status")
            recorder = pathlib.Path(daemon.ask("trace")["path"]).read_text()
        finally:
            status = daemon.close()
            line.close()
    ready = [told.split("dock ready: ")[1] for told in daemon.told.lines if "dock ready: " in told]
    lines = said(ready, recorder, state)
    if "noise" in trace.about:
        # In other traces a late answer on a busy machine may look like noise.
        lines.append("noise was heard" if state["counters"]["invalidBytes"] else "no noise was heard")
    lines.append(f"exit {status}")
    return lines, pause < LONGEST_PAUSE and not any(words in line for words in HELD_UP for line in lines)


def said(ready, recorder, state):
    """Its identity, the events in order, how far it went and where it is."""
    lines, poses = [f"ready {ready[0] if ready else 'never'}"], []
    for record in map(json.loads, recorder.splitlines()):
        kind = record["k"]
        if kind == "pose":
            poses.append((math.degrees(record["pan"]), math.degrees(record["tilt"])))
        told = {
            "state": lambda: f"state {record['dock']}" + (f" {record['cause']}" if record["cause"] else ""),
            "end": lambda: f"motion {record['name']} {record['outcome']}",
            "note": lambda: f"log {record['text']}",
        }.get(kind, lambda: None)()
        if told and told != lines[-1] and "trace" not in told:
            lines.append(told)
    for axis, name in enumerate(("pan", "tilt")):
        values = [pose[axis] for pose in poses] or [math.nan]
        lines.append(f"{name} from {min(values):.1f} to {max(values):.1f} within {WITHIN}")
    position = state["motion"]["position"]
    at = [math.degrees(position[name]) for name in ("pan", "tilt")] if position else [math.nan] * 2
    return lines + [f"pose {at[0]:.1f} {at[1]:.1f} within {WITHIN}"]


def differences(expected, got):
    """The differences from the expected lines; numbers may differ by the value after `within`."""
    number = re.compile(r"(?<![\w.])-?\d+\.\d+(?![\w.])")
    found = []
    for index in range(max(len(expected), len(got))):
        want = expected[index] if index < len(expected) else "(nothing)"
        have = got[index] if index < len(got) else "(nothing)"
        if " within " in want and " within " in have:
            within = float(want.rsplit(" ", 1)[1])
            pairs = list(zip(number.findall(want), number.findall(have)))
            if number.sub("#", want) == number.sub("#", have) and all(abs(float(a) - float(b)) <= within for a, b in pairs):
                continue
        if want != have:
            found.append(f"- {want}\n+ {have}")
    return found


def record(profile, what, port):
    """A fixed story on a simulated rig, or on the one at `port`: it moves!"""
    with tempfile.TemporaryDirectory() as folder:
        rig = None if port else Rig(folder, "rig", profile)
        tap = Tap(Line(port or rig.path, baud_of(profile) if port else None))
        daemon = Daemon(tap.path, profile, folder)
        try:
            daemon.ready()
            if what == "noise":
                rig.tell("flip 1")
            tell(tap, daemon, "orient 20 10 in 1")
            while not daemon.ask("status")["motion"]["endings"]:
                time.sleep(0.1)
            time.sleep(0.4)
            if what == "block":
                rig.tell("block pan")
            tell(tap, daemon, "velocity -15 0 for 2" if what == "block" else "velocity -15 0 for 1")
            time.sleep(2 if what == "block" else 0.4)
            if what != "block":
                tell(tap, daemon, "stop")
            time.sleep(0.5)
            if what == "reboot":
                rig.tell("reboot")
                time.sleep(3)
            if what == "noise":
                rig.tell("flip 0")
                time.sleep(0.3)
            length = time.monotonic()
        finally:
            daemon.close()
            tap.close()
            if rig:
                rig.close()
    first = next(at for at, way, _ in tap.runs if way == ">")
    lines = [(at - first, way, what) for at, way, what in tap.runs if first <= at <= length]
    about = "a rig" if port else f"a simulated rig, {what}" if what else "a simulated rig"
    return Trace(about, profile, lines + [(length - first, "<", b"")])


def tell(tap, daemon, words):
    tap.runs.append((time.monotonic(), "!", words))
    daemon.type(words)


def baud_of(profile):
    import tomllib
    return tomllib.loads((ROOT / f"profiles/{profile}.toml").read_text())["serial"]["baud"]


def names():
    return sorted(path.stem for path in FOLDER.glob("*.trace"))


def expected(name):
    """The contents of a .chk file."""
    return (FOLDER / f"{name}.chk").read_text().splitlines()


def replay_all(wanted, is_known=True):
    """{name: lines}, three at a time since they mostly wait. Known names have .chk files."""
    def one(name):
        return name, replay(Trace.load(FOLDER / f"{name}.trace"), expected(name) if is_known else None)
    with concurrent.futures.ThreadPoolExecutor(3) as pool:
        return dict(pool.map(one, wanted))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    verbs = parser.add_subparsers(dest="verb", required=True)
    recording = verbs.add_parser("record", help="drive a rig through a fixed story and record its line")
    recording.add_argument("profile")
    recording.add_argument("--with", dest="what", choices=["noise", "reboot", "block"], help="the simulated failure (simulated rigs)")
    recording.add_argument("--name")
    recording.add_argument("--port", help="a real rig's port: it turns 20 degrees right and 10 up, keep clear")
    for verb in ("replay", "rebuild"):
        verbs.add_parser(verb).add_argument("names", nargs="*")
    arguments = parser.parse_args()
    if arguments.verb == "record":
        if arguments.port and arguments.what:
            parser.error("--with needs a simulated rig")
        name = arguments.name or arguments.profile + (f"-{arguments.what}" if arguments.what else "")
        FOLDER.mkdir(exist_ok=True)
        record(arguments.profile, arguments.what, arguments.port).save(FOLDER / f"{name}.trace")
        wanted = [name]
    else:
        wanted = arguments.names or names()
    for name, lines in replay_all(wanted, is_known=arguments.verb == "replay").items():
        print(f"{name}:", *lines, sep="\n  ")
        if arguments.verb != "replay":
            (FOLDER / f"{name}.chk").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    sys.exit(main())
