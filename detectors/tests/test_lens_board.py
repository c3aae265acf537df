"""Tests of the board: its PDF, and where a rig stands that sees it."""

import pathlib
import re
import sys
import unittest
import zlib

import numpy

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parent), str(pathlib.Path(__file__).resolve().parents[1])]

import scene  # noqa: E402
from dockface_detectors import lens, lens_board  # noqa: E402

LENS = dict(zip(lens.NAMES, scene.LENS), width=640, height=480, fy=540)


class Boards(unittest.TestCase):
    """The paper."""

    def test_the_page_shows_the_board_at_its_real_size(self):
        file = lens_board.pdf()
        wide, high = (float(number) for number in re.search(rb"q ([0-9.]+) 0 0 ([0-9.]+) ", file).groups())
        self.assertAlmostEqual(wide / 72 * 25.4, 280, delta=0.01)
        self.assertAlmostEqual(high / 72 * 25.4, 200, delta=0.01)
        self.assertTrue(file.startswith(b"%PDF-1.4") and file.endswith(b"%%EOF\n"))
        # Every place in the table is that of its object.
        table = [int(line) for line in re.findall(rb"\n(\d{10}) 00000 n", file)]
        self.assertEqual(len(table), 5)
        for number, place in enumerate(table, 1):
            self.assertTrue(file[place:].startswith(b"%d 0 obj" % number))

    def test_the_picture_on_the_page_is_the_board(self):
        file = lens_board.pdf()
        width, height = (int(number) for number in re.search(rb"/Width (\d+) /Height (\d+)", file).groups())
        begin = file.index(b"stream\n", file.index(b"/Image")) + 7
        bits = numpy.frombuffer(zlib.decompress(file[begin:file.index(b"\nendstream", begin)]), numpy.uint8)
        picture = numpy.unpackbits(bits.reshape(height, -1), axis=1)[:, :width] * 255
        small = numpy.pad(picture[::4, ::4], 50, constant_values=255).astype(numpy.uint8)
        self.assertEqual(len(lens_board.corners(small)[0]), 24)


class Stands(unittest.TestCase):
    """The rig before the board."""

    def find(self, camera, encoder=0.1, poses=None, seed=1, changes=None):
        dice, (pan, tilt) = numpy.random.default_rng(seed), camera.aim()
        poses = poses or [(pan + x, tilt + y) for x, y in scene.grid(5, 3, 18, 10)]
        told = numpy.array(poses) + numpy.radians(dice.normal(0, encoder, (len(poses), 2)))
        return lens_board.find([camera.picture(*pose) for pose in poses], told.tolist(), LENS | (changes or {}), 1.4, camera.AXIS)

    def test_place_heading_and_lens_are_found(self):
        for seed in range(1):
            camera = scene.BoardCamera(seed=seed)
            found = self.find(camera, seed=seed)
            place = numpy.array([found["stand"][name] for name in "xyz"]) - (0, 1.4, 0)
            self.assertLess(numpy.linalg.norm(place - camera.stand), 0.01, found)
            self.assertLess(abs(found["stand"]["heading"] - camera.heading), numpy.radians(0.4), found)
            lens_error = numpy.array([found["lens"][name] for name in ("right", "up", "ahead")]) - camera.OFFSET
            self.assertLess(numpy.linalg.norm(lens_error), 0.003, found)
            self.assertGreater(numpy.degrees(found["angle"]), 25)

    def test_a_mount_that_is_a_little_wrong_is_corrected(self):
        found = self.find(scene.BoardCamera(), changes={"pitch": 0, "yaw": 0, "roll": 0})
        for name, angle in (("pitch", 1.2), ("yaw", -0.8), ("roll", 0.6)):
            self.assertLess(abs(numpy.degrees(found["mount"][name]) - angle), 0.3, name)
        self.assertLess(abs(found["stand"]["heading"] - scene.BoardCamera.HEADING), numpy.radians(0.5))

    def test_the_whole_lens_counts(self):
        places = numpy.array([[100.0, 80.0], [500.0, 400.0], [320.0, 240.0]])
        lens_ = {**LENS, "fy": 548, "p1": 0.003, "p2": -0.004, "k3": 0.1}
        plane = lens_board.flatten(lens_, places)
        back = lens_board.project(lens_, numpy.eye(3), numpy.stack([plane[:, 0], -plane[:, 1], -numpy.ones(3)], 1))
        self.assertLess(abs(back - places).max(), 0.05)

    def test_a_board_that_is_seen_head_on_leaves_more_uncertain(self):
        turned = self.find(scene.BoardCamera())
        straight = self.find(scene.BoardCamera((0, -0.05, 1.0), 0.0))
        self.assertGreater(straight["deviations"]["heading"], 1.3 * turned["deviations"]["heading"])
        self.assertLess(numpy.degrees(straight["angle"]), 10)

    def test_without_a_board_there_is_no_stand(self):
        camera = scene.Camera(scene.clutter())
        found = lens_board.find([camera.picture(*pose) for pose in scene.grid(3, 2)], scene.grid(3, 2), LENS, 1.4)
        self.assertEqual(found, {"missing": "board", "views": 0})


if __name__ == "__main__":
    unittest.main()
