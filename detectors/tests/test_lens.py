"""Tests of the lens calibration: the computation with points whose lens is known, and the whole with rendered pictures."""

import io
import json
import pathlib
import sys
import unittest

import numpy

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parent), str(pathlib.Path(__file__).resolve().parents[1])]

import scene  # noqa: E402
from dockface_detectors import lens, lens_file, lens_fit  # noqa: E402
from dockface_detectors.lens_tracks import Tracks  # noqa: E402


def points(dice, truth, angles, noise=0.3, wrong=0.02, offset=0.0, far=(3, 10), count=160):
    """Where points of a scene appear in the views: tracks, with noise (pixels) and a share of wrong observations."""
    directions = -lens_fit.turn(*numpy.radians(dice.uniform((-60, -35), (60, 35), (4 * count, 2))).T)[:, :, 2]
    places = directions * dice.uniform(*far, (4 * count, 1))
    rows = []
    for view, pose in enumerate(angles):
        head = lens_fit.turn(*(numpy.array(angle) for angle in pose))
        axes = numpy.repeat((head @ lens_fit.mount(*truth[5:]))[None], len(places), 0)
        shown = lens_fit.project(truth, axes, places - head @ (0, 0, -offset))
        for point in numpy.flatnonzero(((shown > 0) & (shown < scene.SIZE)).all(1)):
            rows.append((point, view, *(shown[point] + dice.normal(0, noise, 2))))
    rows = numpy.array(rows)
    seen = numpy.bincount(rows[:, 0].astype(int))
    rows = rows[numpy.isin(rows[:, 0], numpy.flatnonzero(seen >= 3)[:count])]
    bad = dice.random(len(rows)) < wrong
    rows[bad, 2:] += dice.normal(0, 30, (bad.sum(), 2))
    return Tracks(numpy.unique(rows[:, 0], return_inverse=True)[1], rows[:, 1].astype(int), rows[:, 2:])


def ray_errors(truth, found):
    """The angles between the directions that two lenses give for places all over the picture, degrees."""
    x, y = numpy.meshgrid(numpy.linspace(32, 608, 9), numpy.linspace(24, 456, 7))
    places = numpy.stack([x.ravel(), y.ravel()], 1)
    first, second = (lens_fit.rays(one, places) @ lens_fit.mount(*one[5:]).T for one in (truth, found))
    return numpy.degrees(numpy.arccos(numpy.clip((first * second).sum(1), -1, 1)))


class Fits(unittest.TestCase):
    """The computation."""

    def fit(self, seed=1, guess=1.0, encoder=0.1, angles=None, **more):
        dice = numpy.random.default_rng(seed)
        truth = numpy.array([dice.uniform(480, 650), *dice.normal((320, 240), 8), -0.15, 0.03, *numpy.radians(dice.normal(0, 3, 3))])
        angles = numpy.array(angles or scene.grid())
        told = angles + numpy.radians(dice.normal(0, encoder, angles.shape))
        found = lens_fit.fit(points(dice, truth, angles, **more), told, scene.SIZE, truth[0] * guess)
        return truth, found, abs(found.lens[0] / truth[0] - 1), numpy.sqrt((ray_errors(truth, found.lens) ** 2).mean())

    def test_a_scene_at_three_metres_gives_the_lens(self):
        for seed in range(4):
            _, found, focal, ray = self.fit(seed)
            self.assertLess(focal, 0.003, seed)
            self.assertLess(ray, 0.2, seed)
            self.assertGreater(found.inliers, 0.95)

    def test_a_guess_that_is_far_off_does_not_matter(self):
        for guess in (0.65, 1.4):
            self.assertLess(self.fit(guess=guess)[2], 0.003, guess)

    def test_the_uncertainty_that_it_states_is_the_real_one(self):
        errors = []
        for seed in range(10):
            truth, found, _, _ = self.fit(seed)
            errors.append((found.lens[0] - truth[0]) / found.deviations[0])
        self.assertTrue(0.3 < numpy.sqrt(numpy.mean(numpy.square(errors))) < 2.5, errors)

    def test_a_hobby_servo_is_good_enough(self):
        _, found, focal, ray = self.fit(encoder=0.5)
        self.assertLess(focal, 0.003)
        self.assertLess(ray, 0.2)
        self.assertGreater(numpy.degrees(found.turned), 0.3)

    def test_a_scene_that_is_too_near_shows_in_the_errors(self):
        for seed in range(4):
            _, found, _, _ = self.fit(seed, offset=0.04, far=(1, 3))
            self.assertGreater(found.rms, 0.8, seed)

    def test_pan_alone_leaves_directions_uncertain(self):
        _, found, _, _ = self.fit(angles=scene.grid(rows=1, tilt=0))
        self.assertGreater(numpy.degrees(found.rays), 0.3)

    def test_rays_undo_the_projection(self):
        x, y = numpy.meshgrid(numpy.linspace(0, 640, 9), numpy.linspace(0, 480, 7))
        places = numpy.stack([x.ravel(), y.ravel()], 1)
        axes = numpy.repeat(numpy.eye(3)[None], len(places), 0)
        back = lens_fit.project(scene.LENS, axes, lens_fit.rays(scene.LENS, places))
        self.assertLess(abs(back - places).max(), 0.01)


class Pictures(unittest.TestCase):
    """The whole, with rendered pictures."""

    def find(self, what, poses=None, told=None):
        camera, poses = scene.Camera(what), poses or scene.grid()
        return lens.find([camera.picture(*pose) for pose in poses], told or poses, numpy.radians(66), lambda _: lambda share: None)

    def test_a_lens_is_found_in_pictures(self):
        result = self.find(scene.clutter())
        found = numpy.array([result["lens"][name] for name in lens.NAMES])
        self.assertLess(abs(found[0] / scene.LENS[0] - 1), 0.003)
        errors = ray_errors(scene.LENS, found)
        self.assertLess(numpy.sqrt((errors**2).mean()), 0.2)
        self.assertGreater(result["inliers"], 0.98)
        self.assertLess(result["rms"], 0.6)

    def test_a_picture_that_hangs_there_twice_shows_in_the_inliers(self):
        result = self.find(scene.posters(), poses=scene.grid(4, 2))
        self.assertTrue(result.get("missing") or result["inliers"] < 0.9 or result["rms"] > 0.8, result)

    def test_a_wall_shows_nothing(self):
        result = self.find(numpy.full((scene.HIGH * scene.DENSE, scene.WIDE * scene.DENSE), 128, numpy.uint8), poses=scene.grid(3, 2))
        self.assertEqual(result["missing"], "points")


class Streams(unittest.TestCase):
    """What comes in and what goes out."""

    @staticmethod
    def picture(view, pixels, **more):
        height, width = pixels.shape
        head = {"view": view, "pan": 0.1, "tilt": 0.2, "width": width, "height": height, **more}
        return json.dumps(head).encode() + b"\n" + pixels.tobytes()

    def test_the_pictures_of_a_view_are_averaged(self):
        dark, bright = numpy.full((32, 48), 10, numpy.uint8), numpy.full((32, 48), 29, numpy.uint8)
        views = lens.read(io.BytesIO(self.picture(0, dark) + self.picture(0, bright) + self.picture(1, dark)))
        self.assertEqual([int(view.mean()[0, 0]) for view in views], [20, 10])
        self.assertEqual((len(views), views[0].angles, views[0].moved), (2, (0.1, 0.2), 0))

    def test_what_moves_is_noticed(self):
        still = numpy.full((160, 320), 10, numpy.uint8)
        walker = still.copy()
        walker[:, :32] = 200
        self.assertAlmostEqual(lens.read(io.BytesIO(self.picture(0, still) + self.picture(0, walker)))[0].moved, 0.1)

    def test_pictures_that_do_not_fit_are_refused(self):
        one, other = numpy.zeros((20, 30), numpy.uint8), numpy.zeros((20, 31), numpy.uint8)
        for stream in (self.picture(0, one) + self.picture(1, other), self.picture(0, one)[:-1], self.picture(0, one, width=1 << 20)):
            with self.assertRaises(ValueError):
                lens.read(io.BytesIO(stream))


    def test_a_number_that_is_none_is_null(self):
        self.assertEqual(lens.finite({"a": float("nan"), "b": {"c": numpy.float64("inf"), "d": 1.5}}), {"a": None, "b": {"c": None, "d": 1.5}})


class Files(unittest.TestCase):
    """Files of other programs."""

    ROS = """image_width: 640
image_height: 480
camera_matrix:
  rows: 3
  cols: 3
  data: [612.5, 0, 324.5, 0, 611, 238.25, 0, 0, 1]
distortion_model: plumb_bob
distortion_coefficients:
  rows: 1
  cols: 5
  data: [-0.12, 0.02, 0.001, -0.002, 0.003]
"""
    LENS = {"width": 640, "height": 480, "fx": 612.5, "fy": 611, "cx": 324.5, "cy": 238.25, "k1": -0.12, "k2": 0.02, "p1": 0.001,
            "p2": -0.002, "k3": 0.003}

    def test_a_file_of_ros(self):
        self.assertEqual(lens_file.read(self.ROS), self.LENS)

    def test_a_file_of_opencv(self):
        text = "%YAML:1.0\n---\n" + self.ROS.replace("matrix:\n", "matrix: !!opencv-matrix\n").replace("ents:\n", "ents: !!opencv-matrix\n")
        text = text.replace("  data", "  dt: d\n  data").replace("distortion_model: plumb_bob\n", "")
        self.assertEqual(lens_file.read(text), self.LENS)

    def test_what_a_profile_cannot_hold_is_refused_in_words(self):
        for text, words in (
            (self.ROS.replace("plumb_bob", "equidistant"), "equidistant"),
            (self.ROS.replace("image_width", "width_of_something"), "image_width"),
            (self.ROS.replace("camera_matrix", "some_matrix"), "camera_matrix"),
            (self.ROS.replace("0.003]", "0.003, 0.1, 0.2, 0.3]"), "five"),
            (self.ROS.replace("[612.5, 0,", "[612.5,"), "8 numbers"),
            ("fisheye_model: 1\n" + self.ROS, "fisheye"), ("\x00\x01", "YAML"), ("root:x:0:0\n", "YAML"), ("", "YAML"),
        ):
            with self.assertRaises(lens_file.Unreadable, msg=text) as refused:
                lens_file.read(text)
            self.assertIn(words, str(refused.exception))


if __name__ == "__main__":
    unittest.main()
