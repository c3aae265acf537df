"""The Arduino sketch in simavr, as a dock for dock_cases.py: an ATmega328P with our image, its port on a pseudo-terminal, its
pins controlled by the test (avr.c).

DOCKFACE_SKETCH=PATH selects another image, for example the Arduino IDE's.
"""

import os
import shutil
import signal
import subprocess
import tempfile
import unittest

from lines import Line
from programs import HERE, ROOT, Told

PINS = {"button0": "D4", "button1": "D5", "tracking": "D6", "emergency": "D7"}
built = {}


def build():
    """Builds image and runner once per module, in its `setUpModule`, and removes them with it."""
    if not shutil.which("avr-g++"):
        raise unittest.SkipTest("no avr-g++: scripts/setup --peers installs it")
    if not os.path.exists("/usr/include/simavr/sim_avr.h"):
        raise unittest.SkipTest("no simavr: scripts/setup --peers installs it")
    folder = tempfile.TemporaryDirectory()
    unittest.addModuleCleanup(folder.cleanup)
    built["image"] = os.environ.get("DOCKFACE_SKETCH", f"{folder.name}/dock.elf")
    built["runner"] = f"{folder.name}/avr"
    built["folder"] = folder.name
    done = subprocess.run([ROOT / "Firmware/Arduino/build", folder.name], capture_output=True, text=True)
    if done.returncode:
        raise AssertionError(done.stdout + done.stderr)
    built["size"] = done.stdout
    subprocess.run(["cc", "-O2", "-Wall", "-Wextra", "-Werror", "-I/usr/include/simavr", "-o", built["runner"], HERE / "avr.c",
                    "-lsimavr", "-lelf", "-lutil"], check=True)


class Avr:
    """A chip, and what is soldered to it."""

    def __init__(self, image=None, is_new=False):
        self.holder = tempfile.TemporaryDirectory()
        self.path = f"{self.holder.name}/dock"
        self.image, self.memory = image or built["image"], f"{self.holder.name}/eeprom"
        # A chip that has run before has chosen its number.
        with open(self.memory, "wb") as file:
            file.write((b"\xff" * 10 if is_new else b"\0\0" + os.urandom(8)) + b"\xff" * 1014)
        self.start()

    def start(self):
        self.program = subprocess.Popen([built["runner"], self.image, self.path, self.memory], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.told = Told(self.program.stdout)
        self.told.wait("ready")

    def line(self):
        return Line(self.path)

    def tell(self, words):
        after = len(self.told.lines)
        self.program.stdin.write(words + "\n")
        self.program.stdin.flush()
        line = self.told.lines[self.told.wait("^(ok|error)", after) - 1]
        if not line.startswith("ok"):
            raise AssertionError(line)
        return line.split()[1:]

    def press(self, name, is_down):
        self.tell(f"pin {PINS[name]} {'0' if is_down else 'z'}")

    def emergency(self, is_open):
        self.tell(f"pin D7 {'z' if is_open else '0'}")

    def turn(self, detents):
        for step in (("D2", "0"), ("D3", "0"), ("D2", "z"), ("D3", "z")) * abs(detents):
            name = step[0] if detents > 0 else {"D2": "D3", "D3": "D2"}[step[0]]
            self.tell(f"pin {name} {step[1]}")
            signal.sigtimedwait([], 0.004)

    def supply(self, millivolts):
        self.tell(f"adc {millivolts // 4}")

    def pulses(self):
        """None if the last pulse is older than two periods."""
        words = list(map(float, self.tell("pulses")))
        return tuple(None if words[at + 1] < 0 or words[at + 1] > 45 else words[at] for at in (0, 2))

    def reset(self):
        self.tell("reset")

    def power_cycle(self):
        self.end()
        self.start()

    def pause(self):
        self.program.send_signal(signal.SIGSTOP)

    def resume(self):
        self.program.send_signal(signal.SIGCONT)

    def kill(self):
        self.program.kill()
        self.program.wait()
        self.program.stdin.close()
        self.program.stdout.close()

    def end(self):
        if self.program.poll() is None:
            self.tell("quit")
            self.program.wait(5)
        if self.program.stdin.closed:
            return
        self.program.stdin.close()
        self.program.stdout.close()

    def close(self):
        self.end()
        self.holder.cleanup()
