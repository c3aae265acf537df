"""The Arduino sketch in simavr: what any dock must do (dock_cases.py), the daemon on it (dock_daemon.py), and what is specific
to this chip.

`test_arduino.py figures` prints the figures of the README; DOCKFACE_SKETCH=PATH selects another image.
"""

import os
import subprocess
import sys
import time
import unittest

import arduino_bench
from arduino_bench import Avr, built
from dlp import F_NOT_GREETED, OK, PLACE, SAVE, TIME, TIME_ACK, encoded
from dock_cases import DockCases, HandCases
from dock_daemon import DaemonCases
from dock_host import Host
from programs import HERE, ROOT, Case

THOROUGH = os.environ.get("DOCKFACE_THOROUGH") == "1"


def setUpModule():
    arduino_bench.build()


class Sketch(DockCases, HandCases, unittest.TestCase):
    model, capabilities = "hobby dock AVR", 0x1F2
    quick = {"test_the_deadman", "test_limits", "test_the_emergency_stop_is_latched", "test_its_own_emergency_input",
             "test_garbage_and_half_frames", "test_it_turns_as_it_is_told_and_its_pulses_with_it",
             "test_a_trim_takes_no_motor_beyond_what_is_compiled_in"}

    def setUp(self):
        if not THOROUGH and self._testMethodName not in self.quick:
            self.skipTest("all of them: DOCKFACE_THOROUGH=1")
        super().setUp()

    def board(self):
        return Avr()


@unittest.skipUnless(THOROUGH, "the daemon on the sketch: DOCKFACE_THOROUGH=1")
class Daemon(DaemonCases, Case):
    def board(self):
        return Avr()


class Chip(unittest.TestCase):
    def start(self, **more):
        dock = Avr(**more)
        self.addCleanup(dock.close)
        host = Host(dock.line())
        self.addCleanup(host.close)
        return dock, host

    def test_frames_both_ways(self):
        """Golden vectors of both directions, and bodies of every length, through the sketch's own decoder and encoder."""
        image = f"{built['folder']}/echo.elf"
        sources = ROOT / "Firmware/Arduino/dock"
        subprocess.run(["avr-g++", "-mmcu=atmega328p", "-DF_CPU=16000000UL", "-std=gnu++11", "-Os", "-fno-exceptions", f"-I{sources}",
                        "-o", image, HERE / "echo.cpp", sources / "serial.cpp", sources / "wire.cpp"], check=True)
        dock, host = self.start(image=image)
        vectors = [bytes.fromhex(" ".join(line.split()[2:]))
                   for line in (ROOT / "Tests/DockWireTests/Fixtures/dlp1-vectors.txt").read_text().splitlines() if line[0] != "#"]
        self.assertGreater(len(vectors), 6)
        for length in range(57):
            vectors.append(encoded(length, 255 - length, bytes((index * length) % 5 for index in range(length))))
        for vector in vectors:
            for wrong in (vector[:-2] + b"\0", b"\1" * 70 + b"\0", bytes([vector[0] ^ 1]) + vector[1:], b"\xff" * 300 + b"\0"):
                host.line.write(wrong)
            host.line.write(vector)
            heard, end = b"", time.monotonic() + 2
            while heard.count(b"\0") < 1 and time.monotonic() < end:
                heard = (heard + host.line.read(0.05)).lstrip(b"\0")
            self.assertEqual(heard, vector)

    def test_a_chip_that_has_never_run_draws_a_number_and_keeps_it(self):
        dock, host = self.start(is_new=True)
        first = host.greet()
        self.assertEqual(first.boot, 0)
        self.assertNotIn(first.uid, (0, 2 ** 64 - 1))
        dock.power_cycle()
        again = Host(dock.line())
        self.addCleanup(again.close)
        self.assertEqual((second := again.greet()).uid, first.uid)
        self.assertEqual(second.boot, 1)

    def test_a_save_that_was_cut_short_costs_only_itself(self):
        dock, host = self.start()
        host.greet()
        for trim in (1000, 2000):
            host.param(2, trim)
            self.assertEqual(host.ask(SAVE), OK)
            host.listen(0.8)
        for wrong, trim in ((None, 2000), (0x0C, 1000)):
            dock.end()
            if wrong:
                with open(dock.memory, "r+b") as file:
                    file.seek(wrong)
                    file.write(b"\x55")
            dock.start()
            again = Host(dock.line())
            self.addCleanup(again.close)
            again.greet()
            self.assertEqual(again.param(2), trim)

    def test_it_knows_where_it_stood_before_a_reset(self):
        dock, host = self.start()
        host.arm()
        host.drive(1.2, 40, 20, mode=PLACE)
        place = dock.pulses()
        dock.reset()
        host.listen(0.3)
        self.assertEqual(dock.pulses(), (None, None))
        host.arm()
        host.listen(0.1)
        self.assertAlmostEqual(dock.pulses()[0], place[0], delta=1)
        self.assertAlmostEqual(dock.pulses()[1], place[1], delta=1)
        self.assertAlmostEqual(host.rest_pose()[0], 40, delta=0.1)

    def test_the_watchdog_ends_a_hang(self):
        """A chip whose clock interrupt stops: nothing feeds the watchdog, and its pulses end with the reset."""
        dock, host = self.start()
        host.arm()
        host.drive(0.5, 40, 0)
        restarts = int(dock.tell("stack")[1])
        dock.tell("hang")
        host.listen(0.3)
        self.assertEqual(int(dock.tell("stack")[1]), restarts + 1)
        self.assertEqual(dock.pulses(), (None, None))
        self.assertTrue(host.motion().flags & F_NOT_GREETED)

    def test_the_stack_that_runs_over_cuts_the_pulses(self):
        dock, host = self.start()
        host.arm()
        host.drive(0.5, 40, 0)
        restarts = int(dock.tell("stack")[1])
        dock.tell("smash")
        host.listen(0.3)
        self.assertEqual(int(dock.tell("stack")[1]), restarts + 1)
        self.assertEqual(dock.pulses(), (None, None))

    def test_pulses_keep_their_period_and_never_jump(self):
        dock, host = self.start()
        host.arm()
        host.drive(1.8, 900, -900)
        host.drive(1.8, -900, 900)
        pan, tilt = map(float, dock.tell("jumps"))
        # 120 and 90 deg/s in 20 ms, and half a microsecond of rounding.
        self.assertTrue(20 < pan <= 27.2, pan)
        self.assertTrue(15 < tilt <= 20.5, tilt)
        self.assertLess(abs(float(dock.tell("period")[0]) - 20_000), 1)

    def test_trims_are_told_from_a_shell(self):
        dock, host = self.start()
        trim = lambda *words: subprocess.run([ROOT / "scripts/dock-trim", dock.path, *words], capture_output=True, text=True)
        self.assertEqual(trim("--pan", "1.5", "--tilt=-2", "--save").stdout, "hobby dock AVR: pan +1.500 tilt -2.000 degrees\n")
        time.sleep(0.6)
        dock.power_cycle()
        self.assertEqual(trim().stdout, "hobby dock AVR: pan +1.500 tilt -2.000 degrees\n")
        refused = trim("--pan", "11")
        self.assertEqual((refused.returncode, "at most 10 degrees" in refused.stderr), (1, True))

    def test_it_is_as_small_as_the_readme_says(self):
        dock, host = self.start()
        host.arm(100)
        dock.press("button0", True)
        host.drive(1, 40, -20)
        text, data, bss = map(int, built["size"].splitlines()[1].split()[:3])
        self.assertLessEqual(text + data, 16 * 1024)
        self.assertLessEqual(data + bss, 1024)
        self.assertGreater(int(dock.tell("stack")[0]), 400)


def figures():
    """Flash, RAM, round trip and deadman, as in the README."""
    setUpModule()
    text, data, bss = map(int, built["size"].splitlines()[1].split()[:3])
    dock = Avr()
    host = Host(dock.line())
    host.arm(50)
    trips, stops, next_point = [], [], 0
    while len(trips) < 1000:
        began = time.monotonic()
        if began > next_point:
            host.steer(20 if len(trips) % 200 < 100 else -20)
            next_point = began + 0.02
        began, after = time.monotonic(), len(host.frames)
        host.say(TIME, bytes(4))
        host.wait(TIME_ACK, after=after)
        trips.append((time.monotonic() - began) * 1000)
    host.param(1, 100)
    for _ in range(10):
        last = host.drive(0.4, 30)
        host.listen(0.6)
        stops.append(next(one.at for one in host.motions() if one.at > last and one.pan_rate < 29_500) - last)
        host.drive(0.4, -30)
    trips.sort()
    print(f"flash {text + data} of 32256 bytes, RAM {data + bss} of 2048, free at the fullest {dock.tell('stack')[0]}")
    print(f"round trip of {len(trips)} TIME_SYNC beside set-points and reports, 50 a second: p50 {trips[len(trips) // 2]:.1f} ms, "
          f"p99 {trips[len(trips) * 99 // 100]:.1f} ms, at worst {trips[-1]:.1f} ms")
    print(f"deadman of 250 ms, as reported: {min(stops) * 1000:.0f} to {max(stops) * 1000:.0f} ms in {len(stops)} tries")
    host.close()
    dock.close()


if __name__ == "__main__":
    if sys.argv[1:] == ["figures"]:
        figures()
        unittest.doModuleCleanups()
    else:
        unittest.main()
