"""Waveshare's board and Pololu's Maestro. PyPI has no peer for their serial ports. For the first, Python's own json reads every
line. For the second, a few lines here are written from the User's Guide (0J40), not from our driver."""

import json
import unittest

from lines import Line
from programs import Case, Rig, drive


class Waveshare(Case):
    # Commands of the firmware, and the members that each must have.
    KNOWN = {
        4: {"cmd"}, 131: {"cmd"}, 134: {"X", "Y", "SX", "SY"}, 135: set(), 137: {"s", "y"}, 142: {"cmd"}, 143: {"cmd"},
        210: {"cmd"}, 605: {"cmd"},
    }

    def test_every_line_is_json(self):
        host, device = drive(self, "waveshare-pan-tilt-json", self.folder)
        said = [json.loads(line) for line in host.split(b"\n") if line]
        self.assertTrue(host.endswith(b"\n"))
        for words in said:
            self.assertLessEqual(self.KNOWN[words["T"]], set(words), words)
        self.assertLess(max(map(len, host.split(b"\n"))), 250, "the board truncates longer lines")
        self.assertEqual(said[-1]["T"], 135, "the last message is a stop")
        goals = [words for words in said if words["T"] == 134]
        self.assertAlmostEqual(max(goal["X"] for goal in goals), 20, delta=2)
        self.assertAlmostEqual(max(goal["Y"] for goal in goals), 10, delta=2)
        for goal in goals:
            # It accepts whole degrees, and speed 0 would mean full speed.
            self.assertTrue(all(type(goal[name]) is int for name in ("X", "Y", "SX", "SY")), goal)
            self.assertTrue(1 <= goal["SX"] <= 2500 and 1 <= goal["SY"] <= 2500, goal)
            self.assertTrue(-180 <= goal["X"] <= 180 and -30 <= goal["Y"] <= 90, goal)
        reports = [json.loads(line) for line in device.split(b"\r\n") if line.startswith(b'{"T":1001')]
        self.assertGreater(len(reports), 30)
        self.assertGreater(max(report["pan"] for report in reports), 18)
        self.assertGreater(max(report["tilt"] for report in reports), 8.5)

    def test_json_of_another_writer_moves_the_board(self):
        rig = Rig(self.folder, "rig", "waveshare-pan-tilt-json")
        self.addCleanup(rig.close)
        line = Line(rig.path)
        self.addCleanup(line.close)
        # Blanks, another order and unknown names: all that JSON allows.
        for words in ({"cmd": 2, "T": 4}, {"T": 143, "cmd": 0}, {"T": 142, "cmd": 20}, {"note": "x", "T": 131, "cmd": 1},
                      {"SY": 800, "SX": 800.0, "Y": 20, "X": -35, "T": 134}):
            line.write(json.dumps(words).encode() + b"\n")
        line.write(b"{no json}\n")
        self.assertTrue(rig.comes_to(-35, 20), rig.pose())
        heard = b""
        while heard.count(b"\r\n") < 40:
            heard += line.read(1)
        report = json.loads(heard.split(b"\r\n")[-2])
        self.assertAlmostEqual(report["pan"], rig.pose()[0], delta=1)
        self.assertAlmostEqual(report["tilt"], rig.pose()[1], delta=1)


class Maestro(Case):
    # Data bytes after a command, and bytes of its answer (User's Guide, 5.e).
    COMMANDS = {0x84: (3, 0), 0x87: (3, 0), 0x89: (3, 0), 0x90: (1, 2), 0xA1: (0, 2), 0xA2: (0, 0), 0x93: (0, 1)}

    def commands(self, stream):
        """(command, channel, value) of a stream; both protocols, "compact" and "Pololu" for device 12."""
        at = 0
        while at < len(stream):
            if stream[at] == 0xAA and at + 3 <= len(stream):
                self.assertEqual(stream[at + 1], 12)
                code, at = stream[at + 2] | 0x80, at + 3
            else:
                code, at = stream[at], at + 1
            self.assertIn(code, self.COMMANDS, f"at {at}: {stream[max(0, at - 8):at + 8].hex(' ')}")
            data = stream[at:at + self.COMMANDS[code][0]]
            self.assertTrue(all(byte < 0x80 for byte in data), "data have seven bits")
            at += len(data)
            if len(data) == 3:
                yield code, data[0], data[1] | data[2] << 7
            else:
                yield code, data[0] if data else None, None

    def test_every_command(self):
        host, device = drive(self, "maestro-hobby-servos", self.folder)
        said = list(self.commands(host))
        self.assertLessEqual({0x84, 0x87, 0x89, 0x90}, {code for code, _, _ in said})
        targets = {channel: [value / 4 for code, on, value in said if code == 0x84 and on == channel] for channel in (0, 1)}
        # 10 us per degree, 1500 us in the middle: "orient 20 10", and nothing beyond the ends of the profile.
        self.assertAlmostEqual(max(targets[0]), 1700, delta=15)
        self.assertAlmostEqual(max(targets[1]), 1600, delta=15)
        self.assertTrue(all(1020 <= value <= 1980 for value in targets[0]))
        self.assertTrue(all(1200 <= value <= 1950 for value in targets[1]))
        # Limits before the first target: a servo without limits jumps.
        first = next(index for index, words in enumerate(said) if words[0] == 0x84)
        self.assertEqual({(code, channel) for code, channel, value in said[:first] if code in (0x87, 0x89) and value > 0},
                         {(0x87, 0), (0x87, 1), (0x89, 0), (0x89, 1)})
        # Its output is exactly what was requested, byte by byte.
        self.assertEqual(sum(self.COMMANDS[code][1] for code, _, _ in said), len(device))
        pulses = [(channel, None) for code, channel, _ in said if code == 0x90]
        self.assertGreater(len(pulses), 20)


if __name__ == "__main__":
    unittest.main()
