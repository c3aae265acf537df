"""Shared by tests of cameras and detectors: the detectors, the clips, and a daemon whose camera stands still.

Clips of people are not part of the repository: DOCKFACE_MEDIA names their folder, by default media. Tests that need them are
skipped with a message if it does not exist.
"""

import json
import os
import pathlib
import signal
import socket
import subprocess
import tempfile
import time
import unittest

from programs import PROGRAM, ROOT, Told

MEDIA = pathlib.Path(os.environ.get("DOCKFACE_MEDIA", ROOT / "media"))
#: The folder of scripts/test, else that of scripts/setup --camera.
PLACES = [ROOT / ".build" / "detectors", pathlib.Path.home() / ".local" / "share" / "dockface" / "detectors"]
DETECTORS = pathlib.Path(os.environ.get("DOCKFACE_DETECTORS", next(filter(pathlib.Path.exists, PLACES), PLACES[0])))
ENVIRONMENT = os.environ | {"DOCKFACE_DETECTORS": str(DETECTORS), "SWIFT_BACKTRACE": "enable=no"}
ENVIRONMENT.pop("PYTHONPATH", None)
#: A detector without a model: it finds bright areas.
TEMPLATE = f"exec:{DETECTORS}/bin/python3 -m dockface_detectors.template"


def clip(name):
    path = MEDIA / f"{name}.gif"
    if not path.exists():
        raise unittest.SkipTest(f"{path} is not there: name the folder of the clips with DOCKFACE_MEDIA")
    return path


def recorded(name):
    """What another program has found in the same video with the same network."""
    with open(ROOT / "Examples" / "faces" / f"{name}.jsonl", encoding="utf-8") as file:
        return {frame["seq"]: frame["faces"] for frame in map(json.loads, file) if frame["type"] == "frame"}


def overlap(a, b):
    width = max(0, min(a[0] + a[2], b[0] + b[2]) - max(a[0], b[0]))
    height = max(0, min(a[1] + a[3], b[1] + b[3]) - max(a[1], b[1]))
    return width * height / (a[2] * a[3] + b[2] * b[3] - width * height)


def detect(*arguments, timeout=120, environment=ENVIRONMENT):
    return subprocess.run([PROGRAM, "detect", *arguments], env=environment, capture_output=True, text=True, timeout=timeout)


def frames(text):
    return [line for line in map(json.loads, text.splitlines()) if line.get("type") == "frame"]


class Daemon:
    """A headless daemon on a simulated dock whose camera stands still beside it."""

    def __init__(self, *arguments, environment=ENVIRONMENT):
        self.folder = tempfile.TemporaryDirectory()
        profile = pathlib.Path(self.folder.name, "fixed.toml")
        text = (ROOT / "profiles" / "dlp-dock.toml").read_text(encoding="utf-8")
        profile.write_text(text.replace('mount = "head"', 'mount = "fixed"'), encoding="utf-8")
        self.socket = str(pathlib.Path(self.folder.name, "control.sock"))
        self.arguments = ["run", "--port", "sim", "--profile", str(profile), "--headless", "--socket", self.socket]
        self.program = subprocess.Popen(
            [PROGRAM, *self.arguments, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            text=True, env=environment)
        # Its output is read, so that it never blocks.
        self.log, self.said = Told(self.program.stderr).lines, Told(self.program.stdout).lines

    def status(self):
        result = subprocess.run([PROGRAM, "status", "--json", "--socket", self.socket], capture_output=True, text=True, timeout=20)
        return json.loads(result.stdout) if result.returncode == 0 else None

    def call(self, method, parameters):
        """Calls the control API and returns the result."""
        with socket.socket(socket.AF_UNIX) as line:
            line.settimeout(10)
            line.connect(self.socket)
            lines = line.makefile("rwb")
            lines.readline()  # the greeting
            lines.write(json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": parameters}).encode() + b"\n")
            lines.flush()
            return json.loads(lines.readline())["result"]

    def until(self, test, within=30):
        end = time.monotonic() + within
        while time.monotonic() < end:
            state = self.status()
            if state and test(state):
                return state
            time.sleep(0.05)
        raise AssertionError(f"not within {within} s: {json.dumps(self.status())}\n" + "\n".join(self.log))

    def children(self):
        found = []
        for folder in pathlib.Path("/proc").iterdir():
            if folder.name.isdigit():
                try:
                    if int((folder / "stat").read_text().rsplit(")", 1)[1].split()[1]) == self.program.pid:
                        found.append((int(folder.name), (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode()))
                except OSError:
                    pass
        return found

    def child(self, part):
        end = time.monotonic() + 10
        while time.monotonic() < end:
            for number, words in self.children():
                if part in words:
                    return number
            time.sleep(0.02)
        raise AssertionError(f"no child {part}: {self.children()}")

    def abandon(self):
        """Cleans up after a test that ended early."""
        if self.program.poll() is None:
            self.program.kill()
            self.program.wait(timeout=20)
        for stream in (self.program.stdin, self.program.stdout, self.program.stderr):
            stream.close()
        self.folder.cleanup()

    def end(self):
        self.program.send_signal(signal.SIGTERM)
        status = self.program.wait(timeout=20)
        self.abandon()
        return status


def source(state, name):
    return next(source for source in state["detector"]["sources"] if source["name"] == name)
