"""Two rigs, each with all its programs, and the room: people are reported where they are (Benchmarks/uplink/two_rigs.py)."""

import math
import os
import random
import shutil
import sys
import unittest

from programs import PROGRAM, ROOT, Case

sys.path.insert(0, str(ROOT / "Benchmarks/uplink"))
import two_rigs  # noqa: E402
from two_rigs import Camera, People, Result, Setting, Sight  # noqa: E402

BESIDE = [os.path.join(os.path.dirname(PROGRAM), name) for name in ("dockface-room", "dockface-uplink")]


class Geometry(unittest.TestCase):
    """What the simulation itself must do right, because nothing else checks it."""

    def test_a_camera_sees_places_as_the_conventions_say(self):
        straight = Camera(0, 1.2, 0, heading=0, axis_up=0, axis_ahead=0, lens_right=0, lens_up=0, lens_ahead=0)
        self.assertEqual(straight.seen((0.5, 1.7, -3)), (0.5, 0.5, 3))
        # Worked out by hand: the rig looks along x, its head 90 degrees to the right of -z.
        turned = Camera(1, 1, 1, heading=60, pan=30, axis_up=0.1, axis_ahead=0, lens_right=0, lens_up=0, lens_ahead=0.2)
        for found, wanted in zip(turned.seen((3, 1.4, 1.5)), (0.5, 0.3, 1.8)):
            self.assertAlmostEqual(found, wanted)
        up = Camera(0, 0, 0, heading=0, tilt=90, axis_up=0, axis_ahead=0, lens_right=0, lens_up=0, lens_ahead=0)
        for found, wanted in zip(up.seen((0.2, 3, 0.1)), (0.2, 0.1, 3)):
            self.assertAlmostEqual(found, wanted)

    def test_people_are_three_apart_and_in_both_pictures(self):
        people, dice = People(speed=0.5), random.Random(1)
        for when in range(0, 400, 7):
            spots = [people.body(person, when)[:2] for person in range(3)]
            for index, one in enumerate(spots):
                for other in spots[:index]:
                    self.assertGreater(math.dist(one, other), 0.5)
            for camera in two_rigs.RIGS.values():
                seen = [joint for person in Sight(camera, people, 1).answer(when, dice) for joint in person["joints"] if joint[2]]
                self.assertGreater(len(seen), 30)

    def test_what_is_wrong_counts_as_wrong(self):
        people = People()

        def report(change=(0, 0, 0), devices=("a", "b")):
            poses = [{"personId": f"{person}", "sourceDevices": devices, "joints": [
                {"type": name, "position": [a + b for a, b in zip(place, change)]}
                for name, place in people.joints(person, 5).items()]} for person in range(3)]
            return {"timestamp": 105, "poses": poses}

        right, alone, far = Result(), Result(), Result()
        right.add(report(), people, 100)
        self.assertEqual((right.association, right.ghosts, right.share(1)), (1, 0, 0))
        alone.add(report(devices=("a",)), people, 100)
        self.assertEqual((alone.alone, alone.there, alone.errors), (1, 0, []))
        one = report()
        one["poses"][2]["sourceDevices"] = ["a"]
        mixed = Result()
        mixed.add(one, people, 100)
        self.assertEqual((mixed.there, mixed.associated), (3, 2))
        far.add(report((0, 5, 0)), people, 100)
        self.assertEqual((far.association, far.ghosts, far.errors), (0, 3, []))


@unittest.skipUnless(all(os.access(path, os.X_OK) for path in BESIDE) and shutil.which("ffmpeg"),
                     "the extensions are not built, or ffmpeg is missing")
class Rooms(Case):
    def test_two_rigs_place_three_people_with_all_programs(self):
        # People stand, so that a busy machine, whose pictures are older, changes no result. Reports that miss the pictures of one rig
        # because of that do not count.
        result = two_rigs.measure(self.folder, Setting(noise=1, phases=(0, 0.7, 1.4), reports=30))
        self.assertEqual(result.there, 270)
        self.assertLessEqual(result.share(0.5), 0.08, result)
        self.assertGreaterEqual(result.association, 0.93)
        self.assertLessEqual(result.ghosts, 0.07 * result.there)


if __name__ == "__main__":
    unittest.main()
