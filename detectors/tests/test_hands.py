"""Tests of the steps before and after the hand networks, and of the networks on drawn hands, whose joints are known."""

import io
import json
import pathlib
import sys
import unittest

import numpy

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import hand_drawing  # noqa: E402

from dockface_detectors import hands, stage  # noqa: E402
from dockface_detectors.hands import Region  # noqa: E402

SIZE = numpy.array([640, 480])


class Regions(unittest.TestCase):
    """Turned squares of a frame."""

    def test_the_picture_in_a_square_is_the_one_that_its_places_name(self):
        x, y = numpy.meshgrid(numpy.arange(640) + 0.5, numpy.arange(480) + 0.5)
        picture = numpy.stack([x * 255 / 640, y * 255 / 480, x * 0], -1).astype(numpy.uint8)
        middle = (numpy.arange(32) + 0.5) / 32
        grid = numpy.stack(numpy.meshgrid(middle, middle), -1).reshape(-1, 2)
        for angle in (0, 0.4, -1.2, 3.0):
            region = Region((300, 220), 150, angle)
            wanted = region.places(grid) * 255 / SIZE
            found = region.cut(picture, 32)[..., :2].reshape(-1, 2)
            # The loss by integers, and the steps of the interpolation.
            self.assertLess(abs(found - wanted).max(), 1.8, angle)

    def test_fingers_that_point_anywhere_point_up_in_their_square(self):
        for angle in numpy.linspace(-3, 3, 13):
            wrist = numpy.array([200.0, 100.0])
            knuckle = wrist + 50 * numpy.array([numpy.sin(angle), -numpy.cos(angle)])
            self.assertAlmostEqual(hands.turn(wrist, knuckle), angle)
            region = Region((200, 100), 200, angle)
            up = region.places(numpy.array([[0.5, 0.25]]))[0] - region.middle
            numpy.testing.assert_allclose(up, 50 * numpy.array([numpy.sin(angle), -numpy.cos(angle)]), atol=1e-9)

    def test_the_next_square_turns_and_grows_with_the_hand(self):
        first = hand_drawing.joints() * (1, -1) * 50
        upright = hands.following(first + (300, 200))
        for angle, size in ((0.7, 1), (-2, 2), (3.1, 0.5)):
            turned = numpy.array([[numpy.cos(angle), -numpy.sin(angle)], [numpy.sin(angle), numpy.cos(angle)]])
            region = hands.following(first * size @ turned.T + (300, 200))
            self.assertAlmostEqual(region.side, upright.side * size)
            self.assertAlmostEqual(float(numpy.cos(region.turn - upright.turn - angle)), 1)
            numpy.testing.assert_allclose(region.middle - (300, 200), turned @ (upright.middle - (300, 200)) * size, atol=1e-9)

    def test_squares_that_cannot_show_a_hand_are_not_used(self):
        for middle, side, angle in (((numpy.nan, 1), 100, 0), ((100, 100), numpy.inf, 0), ((100, 100), 3, 0), ((-50, 100), 100, 0),
                                    ((100, 900), 100, 0), ((100, 100), 1e9, 0), ((100, 100), 100, numpy.nan)):
            self.assertFalse(Region(middle, side, angle).isSane(640, 480), (middle, side, angle))
        self.assertTrue(Region((100, 100), 100, 9).isSane(640, 480))


class Networks(unittest.TestCase):
    """The real networks on drawn hands, and on pictures without any."""

    def setUp(self):
        self.now = 0.0

    def detector(self, model="lite"):
        return hands.Hands(model, clock=lambda: self.now)

    def check(self, hand, places, palm, least):
        found = numpy.array(hand.points)
        self.assertEqual(found.shape, (21, 3))
        error = numpy.hypot(*(found[:, :2] * SIZE - places).T).mean() / palm
        self.assertLess(error, least)
        self.assertGreater(hand.score, 0.9)

    def test_a_hand_is_found_in_every_direction_and_size_within_a_tenth_of_its_palm(self):
        for model in ("lite", "full"):
            for isRight in (False, True):
                for angle, palm in ((0, 50), (0, 90), (0.6, 60), (-1, 80), (1.57, 60), (3.1, 60)):
                    picture = hand_drawing.room()
                    places = hand_drawing.draw(picture, (320, 270), palm, angle, isRight)
                    hand, = self.detector(model).hands(hand_drawing.develop(picture), [])
                    self.check(hand, places, palm, 0.1)
                    # The lite network confuses left and right in drawn hands.
                    if model == "full":
                        self.assertEqual(hand.side, "right" if isRight else "left", angle)

    def test_a_hand_that_moves_is_followed_without_another_search(self):
        detector, searches = self.detector(), []
        find = detector.finder
        detector.finder = lambda picture: searches.append(self.now) or find(picture)
        for frame in range(30):
            self.now = frame / 10
            picture = hand_drawing.room()
            wrist, angle = (250 + 6 * frame, 260 - 2 * frame), 0.02 * frame
            places = hand_drawing.draw(picture, wrist, 70 - frame / 3, angle)
            hand, = detector.hands(hand_drawing.develop(picture, frame), [])
            self.check(hand, places, 60, 0.12)
        # The others are for a second hand.
        self.assertEqual(searches, [0, 1.0, 2.0])

    def test_two_hands_are_found_and_neither_twice(self):
        picture = hand_drawing.room()
        draws = [hand_drawing.draw(picture, wrist, 60, isRight=isRight) for wrist, isRight in (((180, 300), False), ((460, 300), True))]
        picture, detector = hand_drawing.develop(picture), self.detector()
        for frame in range(3):
            self.now = frame * 0.5
            found = detector.hands(picture, [])
            self.assertEqual(len(found), 2)
            for places in draws:
                nearest = min(found, key=lambda hand: numpy.hypot(*(numpy.array(hand.points[9][:2]) * SIZE - places[9])))
                self.check(nearest, places, 60, 0.12)

    def test_a_hand_that_is_gone_is_not_reported(self):
        picture, detector = hand_drawing.room(), self.detector()
        empty = hand_drawing.develop(picture)
        hand_drawing.draw(picture, (320, 270), 70)
        self.assertEqual(len(detector.hands(hand_drawing.develop(picture), [])), 1)
        self.now = 0.1
        self.assertEqual(detector.hands(empty, []), [])
        self.assertEqual(detector.regions, [])

    def test_a_picture_without_hands_has_none(self):
        dice, detector = numpy.random.default_rng(4), self.detector()
        for picture in (numpy.zeros((480, 640, 3), numpy.uint8), dice.integers(0, 255, (270, 480, 3)).astype(numpy.uint8),
                        hand_drawing.develop(hand_drawing.room()), numpy.full((31, 47, 3), 200, numpy.uint8)):
            self.now += 10
            self.assertEqual(detector.hands(picture, []), [])


class Rhythm(unittest.TestCase):
    """When palms are looked for."""

    def searches(self, frames, found=()):
        now, calls = 0.0, []
        detector = hands.Hands(clock=lambda: now)
        detector.finder = lambda picture: calls.append(now) or []
        detector.landmarks = lambda picture, region: (stage.Hand(points=()), region)
        for now in frames:
            detector.regions = list(found)
            detector.hands(numpy.zeros((48, 64, 3), numpy.uint8), [])
        return calls

    def test_palms_are_looked_for_at_most_five_times_a_second(self):
        dice = numpy.random.default_rng(3)
        for rate in (4, 10, 13, 30, 60):
            frames = numpy.arange(0, 10, 1 / rate) + dice.uniform(0, 0.3 / rate, 10 * rate)
            count = len(self.searches(frames))
            self.assertLessEqual(count, 52, rate)
            self.assertGreaterEqual(count, min(rate, 5) * 10 * 0.85, rate)

    def test_beside_one_hand_they_are_looked_for_once_a_second_and_beside_two_never(self):
        frames = numpy.arange(0, 5, 0.1)
        one, two = Region((10, 10), 10, 0), Region((50, 30), 10, 0)
        self.assertEqual(len(self.searches(frames, [one])), 5)
        self.assertEqual(self.searches(frames, [one, two]), [])


class Answers(unittest.TestCase):
    """Hands in the stream."""

    def test_an_answer_has_the_hands_beside_the_faces(self):
        hand = stage.Hand(points=((0.5, 0.25, -0.125),) * 21, score=0.875, side="left")
        output = io.BytesIO()
        pixels = b'{"type":"image","seq":1,"t":2.5,"w":4,"h":2}\n' + bytes(24)
        stage.Stage(lambda picture: [], "test", hands=lambda picture, faces: [hand], input=io.BufferedReader(io.BytesIO(pixels)),
                    output=output).run()
        line = json.loads(output.getvalue().splitlines()[1])
        self.assertEqual(line["hands"], [{"points": [[0.5, 0.25, -0.125]] * 21, "score": 0.875, "side": "left"}])
        self.assertEqual(line["faces"], [])
        self.assertNotIn("people", line)


if __name__ == "__main__":
    unittest.main()
