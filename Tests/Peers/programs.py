"""The built program and its simulated rigs, for tests against third-party software."""

import json
import math
import os
import pathlib
import re
import subprocess
import tempfile
import threading
import time
import unittest

from lines import Line, Tap

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
PROGRAM = os.environ.get("DOCKFACE_PROGRAM", str(ROOT / ".build/debug/dockface"))


class Case(unittest.TestCase):
    """A test with its own folder."""

    def setUp(self):
        super().setUp()
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = holder.name


class Told:
    """The output of a program, line by line."""

    def __init__(self, stream):
        self.lines = []
        self.came = threading.Condition()
        threading.Thread(target=self._read, args=(stream,), daemon=True).start()

    def _read(self, stream):
        try:
            for line in stream:
                with self.came:
                    self.lines.append(line.rstrip("\n"))
                    self.came.notify_all()
        except ValueError:  # closed while we read: it is over
            pass

    def wait(self, pattern, after=0, seconds=10.0):
        """The number of the line after the first match from `after`; fails with all lines if there is none."""
        end = time.monotonic() + seconds
        with self.came:
            while True:
                for index in range(after, len(self.lines)):
                    if re.search(pattern, self.lines[index]):
                        return index + 1
                left = end - time.monotonic()
                if left <= 0:
                    raise AssertionError(f"no {pattern!r} in {seconds} s; said:\n" + "\n".join(self.lines))
                self.came.wait(left)


class Rig:
    """A simulated rig on a pseudo-terminal."""

    def __init__(self, folder, name, profile=None, options=()):
        self.path = f"{folder}/{name}"
        named = [*(["--profile", str(ROOT / f"profiles/{profile}.toml")] if profile else []), *options]
        self.program = subprocess.Popen(
            [PROGRAM, "simulate", "--link", self.path, *named], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.told = Told(self.program.stdout)
        self.told.wait("try it")

    def tell(self, words):
        """The answer to a word on its standard input."""
        after = len(self.told.lines)
        self.program.stdin.write(words + "\n")
        self.program.stdin.flush()
        return self.told.lines[self.told.wait("^(ok|error)", after) - 1]

    def pose(self):
        """Pan and tilt, degrees; pan's speed, deg/s."""
        found = re.search(r"pan (\S+) tilt (\S+) deg, rate (\S+)", self.tell("status"))
        return float(found[1]), float(found[2]), float(found[3])

    def status(self):
        """Speed of pan (deg/s), set-points so far (only our own dock reports them)."""
        found = re.search(r"rate (\S+) \S+ deg/s(?:, (\d+) set-points)?", self.tell("status"))
        return abs(float(found[1])), int(found[2] or 0)

    def wait(self, holds, seconds):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if holds(*self.status()):
                return True
            time.sleep(0.02)
        return False

    def comes_to(self, pan, tilt, within=1.5, seconds=5):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            here = self.pose()
            if abs(here[0] - pan) <= within and abs(here[1] - tilt) <= within:
                return True
            time.sleep(0.02)
        return False

    def close(self):
        self.program.stdin.close()
        self.program.terminate()
        self.program.wait()
        self.program.stdout.close()


class Daemon:
    """`dockface run` on a port, in mode manual; `profile`: the name of a shipped one, or a path."""

    def __init__(self, port, profile, folder, *more):
        path = profile if "/" in profile else str(ROOT / f"profiles/{profile}.toml")
        environment = dict(os.environ, XDG_RUNTIME_DIR=folder, XDG_STATE_HOME=folder, XDG_CONFIG_HOME=folder)
        self.program = subprocess.Popen(
            [PROGRAM, "run", "--port", port, "--profile", path, "--headless", "--detector", "none", "--socket",
             "none", "--mode", "manual", *more],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment)
        self.told = Told(self.program.stdout)
        self.asked = 0

    def type(self, words):
        self.program.stdin.write(words + "\n")
        self.program.stdin.flush()

    def ask(self, method):
        """The result of a request without parameters (docs/CONTROL-API.md)."""
        self.asked += 1
        after = len(self.told.lines)
        self.type(json.dumps({"jsonrpc": "2.0", "id": self.asked, "method": method}))
        line = self.told.lines[self.told.wait(f'"id":{self.asked},', after) - 1]
        return json.loads(line)["result"]

    def pose(self):
        """Pan and tilt as the daemon reports them, degrees."""
        position = self.ask("status")["motion"]["position"]
        return math.degrees(position["pan"]), math.degrees(position["tilt"])

    def ready(self):
        self.told.wait("dock ready", seconds=15)

    def close(self):
        """Ends it and returns its exit status."""
        if self.program.poll() is None:
            self.program.terminate()
        status = self.program.wait()
        self.program.stdin.close()
        self.program.stdout.close()
        return status


def drive(test, profile, folder):
    """Moves and stops our driver's simulated rig. Returns the bytes on the line, (host, device)."""
    rig = Rig(folder, f"{profile}.rig", profile)
    tap = Tap(Line(rig.path))
    daemon = Daemon(tap.path, profile, folder)
    try:
        daemon.ready()
        daemon.type("orient 20 10 in 1.5")
        test.assertTrue(rig.comes_to(20, 10), f"its pose is {rig.pose()}: {daemon.told.lines}")
        test.assertTrue(rig.wait(lambda speed, _: speed < 0.5, 4), "it does not come to rest")
        daemon.type("velocity -15 0 for 0.5")
        test.assertTrue(rig.wait(lambda speed, _: speed > 5, 3), "it does not turn")
        daemon.type("stop")
        test.assertTrue(rig.wait(lambda speed, _: speed < 0.5, 1), "it does not stop")
    finally:
        daemon.close()
        time.sleep(0.1)
        tap.close()
        rig.close()
    test.assertGreater(len(tap.host), 300)
    return bytes(tap.host), bytes(tap.device)
