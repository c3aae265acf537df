"""Tests of the simulated camera in a recorded room."""

import math
import pathlib
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "detectors"))

from dockface_detectors import room  # noqa: E402

ROOM_A = ROOT / "Examples/rooms/room-a.jsonl"


class RoomTests(unittest.TestCase):
    def setUp(self):
        with open(ROOM_A, encoding="utf-8") as lines:
            self.room = room.Room(lines)

    def test_a_turn_moves_points_as_a_head_does(self):
        tangent = math.tan(math.radians(10))
        for point, old, new, moved in [
            ((0, 0), (10, 0), (0, 0), (tangent, 0)), ((0, 0), (0, 20), (0, 10), (0, tangent)), ((0.2, 0.1), (30, 40), (30, 40), (0.2, 0.1)),
        ]:
            for found, wanted in zip(room.turned(point, old, new), moved, strict=True):
                self.assertAlmostEqual(found, wanted, places=9)
        self.assertIsNone(room.turned((0, 0), (170, 0), (0, 0)))

    def test_a_pose_between_two_views_shows_the_nearest_one_shifted(self):
        exact, aside = (self.room.objects(pan, -10, 0)[0] for pan in (-60, -57))
        self.assertEqual((exact["label"], aside["label"]), ("cup", "cup"))
        self.assertAlmostEqual(exact["rect"][0] - aside["rect"][0], 3 / 66, delta=0.01)
        # Beyond the range there is the last view.
        self.assertEqual(self.room.nearest(400, "pan"), 170)

    def test_a_head_that_turns_fast_sees_little(self):
        self.assertLess(len(self.room.objects(-60, -10, 90)), len(self.room.objects(-60, -10, 0)))

    def test_the_head_is_asked_for_the_time_of_the_picture(self):
        with tempfile.TemporaryDirectory() as folder:
            rig = folder + "/rig"
            listener = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            listener.bind(rig + ".head")
            listener.listen()

            def answer():
                client, _ = listener.accept()
                moment, = struct.unpack("=d", client.recv(8))
                # An answer to an earlier question comes first.
                client.send(struct.pack("=4d", moment - 1, 9, 9, 1))
                client.send(struct.pack("=4d", moment, math.radians(30), math.radians(-10), 1))
                client.close()

            thread = threading.Thread(target=answer)
            thread.start()
            head = room.Head(rig)
            pan, tilt = head.pose(12.5)
            thread.join()
            head.socket.close()
            listener.close()
        self.assertAlmostEqual(pan, 30)
        self.assertAlmostEqual(tilt, -10)

    def test_without_a_rig_or_a_room_it_says_so(self):
        for words in (["--rig", "/no/rig", "--room", str(ROOM_A)], ["--rig", "/no/rig", "--room", "/no/room"]):
            done = subprocess.run(
                [sys.executable, str(ROOT / "detectors/dockface_detectors/room.py"), *words], capture_output=True, text=True)
            self.assertEqual(done.returncode, 69)
            self.assertRegex(done.stderr, "^room: ")


if __name__ == "__main__":
    unittest.main()
