"""DLP/1: the frames of our daemon and of our dock, read and written with other people's COBS and CRC."""

import struct
import tempfile
import time
import unittest

from cobs import cobs
from crccheck.crc import Crc16Mcrf4XX
from programs import Line, Rig, drive

# Types that a host and a dock may use, and the shortest body of each.
HOST = {
    0x01: 4, 0x02: 4, 0x03: 1, 0x10: 18, 0x11: 21, 0x12: 1, 0x14: 6, 0x15: 2, 0x16: 0, 0x17: 0, 0x18: 4, 0x1F: 1,
}
DOCK = {0x80: 24, 0x81: 7, 0x82: 8, 0x83: 1, 0x90: 3, 0xA1: 38, 0xA2: 8, 0xA3: 21, 0xA4: 5}


def decoded(stream):
    """(type, sequence, body) of every frame; an error where something is none. What stands behind the last 00 is not over yet."""
    for run in bytes(stream).split(b"\0")[:-1]:
        if not run:
            continue  # an empty one flushes the line
        plain = cobs.decode(run)
        if Crc16Mcrf4XX.calc(plain[:-2]) != plain[-2] + 256 * plain[-1]:
            raise AssertionError(f"the checksum is wrong: {run.hex(' ')}")
        yield plain[0], plain[1], plain[2:-2]


def encoded(kind, sequence, body=b""):
    plain = bytes([kind, sequence & 0xFF]) + body
    return cobs.encode(plain + struct.pack("<H", Crc16Mcrf4XX.calc(plain))) + b"\0"


class Case(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = holder.name


class Frames(Case):
    def test_both_ways(self):
        host, device = drive(self, "dlp-dock", self.folder)
        for stream, known in ((host, HOST), (device, DOCK)):
            frames = list(decoded(stream))
            for kind, _, body in frames:
                self.assertIn(kind, known)
                self.assertGreaterEqual(len(body), known[kind], f"type {kind:02x}")
                self.assertLessEqual(len(body), 56)
        said = list(decoded(host))
        self.assertLessEqual({0x01, 0x02, 0x10, 0x14, 0x15}, {kind for kind, _, _ in said})
        self.assertEqual(next(body for kind, _, body in said if kind == 0x01)[:3], bytes([1, 1, 56]))
        goals = [struct.unpack_from("<BBiiii", body) for kind, _, body in said if kind == 0x10]
        self.assertTrue(any(goal[4] > 10_000 and goal[5] > 3_000 for goal in goals), "orient 20 10: right and up")
        self.assertTrue(any(-15_500 < goal[4] < -3_000 and abs(goal[5]) < 500 for goal in goals), "velocity -15 0")
        # None is late, and the last one is a stop.
        self.assertTrue(all(5 <= goal[1] <= 100 for goal in goals))
        self.assertEqual((said[-1][0], goals[-1][0]), (0x10, 0))
        reports = [struct.unpack_from("<Iiiii", body) for kind, _, body in decoded(device) if kind == 0x80]
        self.assertGreater(max(report[1] for report in reports), 18_000)
        self.assertGreater(max(report[2] for report in reports), 8_500)
        for before, after in zip(reports, reports[1:]):
            elapsed = (after[0] - before[0]) & 0xFFFFFFFF
            self.assertGreater(elapsed, 0)
            # Its speed has the sign that its places have. Of two reports that follow at once only the noise is left.
            speed = (after[1] - before[1]) / elapsed * 1e6
            if elapsed > 15_000 and abs(speed) > 15_000:
                self.assertGreater(speed * (before[3] + after[3]), 0)


class Master(Case):
    def test_a_dock_is_greeted_and_turned(self):
        rig = Rig(self.folder, "rig")
        self.addCleanup(rig.close)
        self.line = Line(rig.path)
        self.addCleanup(self.line.close)
        self.heard, self.frames, self.sequence = b"", [], 0
        self.say(0x10, struct.pack("<BBiiii", 1, 25, 0, 0, 30_000, 0))
        self.listen(0.2)
        self.assertEqual(rig.pose()[:2], (0, 0), "it moves before it was greeted")

        self.line.write(b"\0")
        self.say(0x01, bytes([1, 1, 56, 0]))
        hello = self.wait(0xA1)
        self.assertEqual(hello[0], 1)
        self.assertIn(b"simulated", hello)
        self.say(0x02, struct.pack("<I", 123_456))
        self.assertEqual(struct.unpack_from("<I", self.wait(0xA2))[0], 123_456)
        number = self.say(0x15, bytes([3, 1]))
        self.assertEqual(tuple(self.wait(0x90, lambda body: body[:2] == bytes([0x15, number]))[:3]), (0x15, number, 0))
        self.say(0x14, struct.pack("<BBi", 1, 1, 50))
        self.assertEqual(struct.unpack("<Bi", self.wait(0xA4)[:5]), (1, 50))

        for _ in range(25):
            number = self.say(0x10, struct.pack("<BBiiii", 1, 25, 0, 0, 30_000, -10_000))
            self.listen(0.02)
        moved = self.wait(0x80)
        at, pan, tilt, pan_rate, tilt_rate, flags, last, fault = struct.unpack_from("<IiiiiHBB", moved)
        self.assertGreater(pan, 5_000)
        self.assertLess(tilt, -1_500)
        self.assertAlmostEqual(pan_rate, 30_000, delta=4_000)
        self.assertAlmostEqual(tilt_rate, -10_000, delta=2_000)
        self.assertEqual((flags & 1, fault), (1, 0))
        self.assertLess((number - last) & 0xFF, 8)
        # Nothing more comes: its deadman stops it, and says so.
        self.assertTrue(rig.wait(lambda speed, _: speed < 0.5, 1), "it turns on without a word")
        self.assertTrue(struct.unpack_from("<H", self.wait(0x80), 20)[0] >> 7 & 1)
        # To a place, in milli-degrees.
        for _ in range(80):
            self.say(0x10, struct.pack("<BBiiii", 2, 25, -12_000, 20_000, 0, 0))
            self.listen(0.02)
        pan, tilt, _ = rig.pose()
        self.assertAlmostEqual(pan, -12, delta=0.3)
        self.assertAlmostEqual(tilt, 20, delta=0.3)
        # A frame with one wrong bit is none, and counted.
        wrong = bytearray(encoded(0x10, self.sequence, struct.pack("<BBiiii", 1, 25, 0, 0, 30_000, 0)))
        wrong[3] ^= 0x40
        self.line.write(wrong)
        self.listen(0.2)
        self.assertIn("1 invalid", rig.tell("status"))
        self.assertAlmostEqual(rig.pose()[0], -12, delta=0.3)
        # Latched, until it is cleared.
        number = self.say(0x1F, bytes([1]))
        self.wait(0x90, lambda body: body[:2] == bytes([0x1F, number]))
        self.say(0x10, struct.pack("<BBiiii", 1, 25, 0, 0, 30_000, 0))
        self.assertEqual(self.wait(0x90, lambda body: body[0] == 0x10)[2], 7)

    def say(self, kind, body=b""):
        """Its sequence number."""
        self.sequence = (self.sequence + 1) & 0xFF
        self.line.write(encoded(kind, self.sequence, body))
        return self.sequence

    def listen(self, seconds):
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            self.heard += self.line.read(left)
            whole, _, self.heard = self.heard.rpartition(b"\0")
            self.frames += decoded(whole + b"\0")

    def wait(self, kind, holds=lambda body: True, seconds=2):
        """The body of the next such frame."""
        self.frames, end = [], time.monotonic() + seconds
        while time.monotonic() < end:
            self.listen(0.01)
            for found, _, body in self.frames:
                if found == kind and holds(body):
                    return body
        raise AssertionError(f"no {kind:02x} in {seconds} s, but {[f'{frame[0]:02x}' for frame in self.frames]}")


if __name__ == "__main__":
    unittest.main()
