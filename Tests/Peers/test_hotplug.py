"""The built program on USB serial adapters that come and go: real libserialport, real libudev, a test bed of umockdev.

    python3 -m unittest discover -s Tests/Peers -p 'test_hotplug.py'
"""

import os
import shutil
import socket
import subprocess
import tempfile
import time
import unittest

from programs import HERE, PROGRAM, Rig, Told

def build(folder):
    """The test bed and the shim, compiled from C."""
    flags = subprocess.run(
        ["pkg-config", "--cflags", "--libs", "umockdev-1.0"], check=True, capture_output=True, text=True
    ).stdout.split()
    compiler = os.environ.get("CC") or shutil.which("cc") or "clang"
    subprocess.run([compiler, "-O1", "-o", f"{folder}/bed", HERE / "bed.c", *flags], check=True, capture_output=True)
    subprocess.run(
        [compiler, "-O1", "-shared", "-fPIC", "-o", f"{folder}/modem.so", HERE / "modem.c", "-ldl"], check=True,
        capture_output=True)


class Bed:
    """The program under test on a machine whose USB we control."""

    def __init__(self, folder, arguments):
        self.here, there = socket.socketpair()
        environment = dict(os.environ, XDG_RUNTIME_DIR=folder, XDG_STATE_HOME=folder, XDG_CONFIG_HOME=folder)
        self.program = subprocess.Popen(
            ["umockdev-wrapper", f"{folder}/bed", f"{folder}/modem.so", PROGRAM, *arguments], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment, close_fds=False,
            preexec_fn=lambda: os.dup2(there.fileno(), 3))
        there.close()
        self.told = Told(self.program.stdout)

    def say(self, words):
        self.here.sendall((words + "\n").encode())
        self.here.settimeout(10)
        if self.here.recv(16) != b"ok\n":
            raise AssertionError(f"the test bed refused {words!r}: {self.told.lines}")

    def type(self, words):
        self.program.stdin.write(words + "\n")
        self.program.stdin.flush()

    def close(self):
        try:
            self.here.sendall(b"quit\n")
            self.program.wait(10)
        except (OSError, subprocess.TimeoutExpired):
            self.program.kill()
            self.program.wait()
        self.here.close()
        self.program.stdin.close()
        self.program.stdout.close()


class Hotplug(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.holder = tempfile.TemporaryDirectory()
        cls.folder = cls.holder.name
        build(cls.folder)

    @classmethod
    def tearDownClass(cls):
        cls.holder.cleanup()

    def rig(self, name):
        rig = Rig(self.folder, name)
        self.addCleanup(rig.close)
        return rig

    def bed(self, port, *more):
        arguments = ["run", "--port", port, "--headless", "--detector", "none", "--socket", "none", "--mode", "manual"]
        bed = Bed(self.folder, arguments + list(more))
        self.addCleanup(bed.close)
        return bed

    def comes_and_goes(self, source, patience):
        ours, other = self.rig(f"ours-{source}"), self.rig(f"other-{source}")
        bed = self.bed("/dev/ttyACM0", "--hotplug", source)
        bed.say(f"add ttyACM0 1 16d0 1234 OURS {ours.path}")
        bed.say("run")
        bed.told.wait("dock ready")
        time.sleep(2.2)  # `careful` requires this on a real port; a pseudo-terminal would not wait
        bed.type("velocity 20 0 for 60")
        self.assertTrue(ours.wait(lambda speed, _: speed > 3, 3), "it does not turn")
        at = len(bed.told.lines)
        bed.say("remove ttyACM0")
        bed.told.wait("the dock is gone", at)
        self.assertTrue(ours.wait(lambda speed, _: speed == 0, 0.6), "it keeps turning without its cable")
        # Another dock with the same name gets no byte.
        at = len(bed.told.lines)
        bed.say(f"add ttyACM0 2 16d0 1234 OTHER {other.path}")
        bed.told.wait("another dock came back", at)
        self.assertEqual(other.status()[1], 0)
        # Ours under another name, at another place: it is recognised by its serial number.
        at = len(bed.told.lines)
        bed.say(f"add ttyACM1 3 16d0 1234 OURS {ours.path}")
        begin = time.monotonic()
        at = bed.told.wait("dock port /dev/ttyACM1 opened again", at)
        self.assertLess(time.monotonic() - begin, patience)
        bed.told.wait("dock ready", at)
        time.sleep(0.5)
        self.assertEqual(ours.status()[0], 0, "it moves by itself after it came back")
        self.assertEqual(other.status()[1], 0)

    def test_udev(self):
        self.comes_and_goes("udev", 0.5)

    def test_kernel(self):
        self.comes_and_goes("kernel", 0.5)

    def test_poll(self):
        self.comes_and_goes("poll", 6)

    def test_an_adapter_without_a_number_is_known_by_its_place(self):
        ours = self.rig("placed")
        bed = self.bed("place:0000:00:14.0/1:00")
        bed.say(f"add ttyUSB0 1 1a86 7523 - {ours.path}")
        bed.say("run")
        at = bed.told.wait("dock ready")
        bed.say("remove ttyUSB0")
        at = bed.told.wait("the dock is gone", at)
        bed.say(f"add ttyUSB0 2 1a86 7523 - {ours.path}")
        time.sleep(1.5)
        self.assertFalse([line for line in bed.told.lines[at:] if "opened again" in line], "a stranger's place")
        bed.say("remove ttyUSB0")
        bed.say(f"add ttyUSB5 1 1a86 7523 - {ours.path}")
        bed.told.wait("dock port /dev/ttyUSB5 opened again", at)

    def test_a_port_is_named_by_its_serial_number(self):
        ours, other = self.rig("numbered"), self.rig("stranger")
        bed = self.bed("usb:N1")
        bed.say(f"add ttyACM0 1 16d0 1234 N2 {other.path}")
        bed.say(f"add ttyACM1 2 16d0 1234 N1 {ours.path}")
        bed.say("run")
        bed.told.wait("dock ready")
        self.assertEqual(other.status()[1], 0)


if __name__ == "__main__":
    unittest.main()
