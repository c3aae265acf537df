"""Tests of the steps before and after the pose networks, and of the answer that they make."""

import io
import json
import unittest

import numpy

from dockface_detectors import blazepose, stage
from dockface_detectors.blazepose import body, cut, shared


class Squares(unittest.TestCase):
    """Squares of a frame."""

    def test_a_square_inside_is_the_picture_there(self):
        x, y = numpy.meshgrid(numpy.arange(640), numpy.arange(480))
        picture = numpy.stack([x * 255 / 640, y * 255 / 480, x * 0], -1).astype(numpy.uint8)
        for square in ((100, 50, 256), (10.5, 20.25, 400), (300, 100, 90)):
            left, top, length = square
            found = cut(picture, square, 128)
            middle = (numpy.arange(128) + 0.5) / 128 * length
            # Half a pixel of the frame or of a neighbour, and the loss by integers.
            self.assertLess(abs(found[:, :, 0] - (left + middle) * 255 / 640).max(), 1.6, square)
            self.assertLess(abs(found[:, :, 1] - (top + middle)[:, None] * 255 / 480).max(), 1.6, square)
            self.assertEqual(found[:, :, 2].max(), 0)

    def test_what_is_outside_has_the_value_that_was_asked_for(self):
        picture = numpy.full((100, 100, 3), 200, numpy.uint8)
        found = cut(picture, (-50, -50, 100), 64, 127.5)
        self.assertEqual(found[0, 0, 0], 127.5)
        self.assertEqual(found[63, 63, 0], 200)
        self.assertAlmostEqual(float((found[:, :, 0] == 200).mean()), 0.25, delta=0.02)
        for square in ((200, 0, 50), (0, -900, 50), (-1e6, 0, 10)):
            self.assertEqual(cut(picture, square, 32, 7).max(), 7)

    def test_a_body_is_below_its_face_and_ten_faces_large(self):
        left, top, side = body((0.45, 0.2, 0.1, 0.1), 640, 480)
        self.assertAlmostEqual(side, 480)
        self.assertAlmostEqual(left + side / 2, 320)
        self.assertAlmostEqual(top + side / 2, 0.25 * 480 + 2.8 * 48)

    def test_what_two_squares_share(self):
        self.assertEqual(shared((0, 0, 10), (0, 0, 10)), 1)
        self.assertEqual(shared((0, 0, 10), (5, 0, 10)), 0.5)
        self.assertEqual(shared((0, 0, 100), (40, 40, 10)), 1)
        self.assertEqual(shared((0, 0, 10), (20, 20, 10)), 0)


class Networks(unittest.TestCase):
    """The real networks on pictures without people."""

    @classmethod
    def setUpClass(cls):
        cls.now = 0.0
        cls.poses = blazepose.BlazePose(clock=lambda: cls.now)

    def test_a_picture_without_people_has_none(self):
        dice = numpy.random.default_rng(4)
        for picture in (numpy.zeros((480, 640, 3), numpy.uint8), dice.integers(0, 255, (270, 480, 3)).astype(numpy.uint8)):
            type(self).now += 10
            self.assertEqual(self.poses.people(picture, []), [])

    def test_people_without_faces_are_looked_for_once_a_second(self):
        calls, picture = [], numpy.zeros((48, 64, 3), numpy.uint8)
        poses = blazepose.BlazePose(clock=lambda: self.time)
        poses.finder = lambda picture: calls.append(self.time) or []
        for tenth in range(35):
            self.time = tenth / 10
            poses.people(picture, [])
        self.assertEqual(calls, [0, 1, 2, 3])

    def test_a_body_that_overlaps_a_face_s_is_not_found_twice(self):
        face, other = stage.Face(rect=(0.4, 0.2, 0.1, 0.1)), (500.0, 100.0, 100.0)
        poses, seen = blazepose.BlazePose(), []
        poses.finder = lambda picture: [body(face.rect, 640, 480), other]
        poses.landmarks = lambda picture, square: seen.append(square) or stage.Person(joints=((0.5, 0.5, 1),) * 13)
        people = poses.people(numpy.zeros((480, 640, 3), numpy.uint8), [face])
        self.assertEqual([person.face for person in people], [0, None])
        self.assertEqual(seen, [body(face.rect, 640, 480), other])


class Answers(unittest.TestCase):
    """People in the stream."""

    def test_an_answer_names_the_face_of_each_person(self):
        faces = [stage.Face(rect=(0.1, 0.1, 0.1, 0.1), score=0.9), stage.Face(rect=(0.6, 0.1, 0.1, 0.1), score=0.4)]
        told = []

        def people(picture, kept):
            told.append(kept)
            return [stage.Person(joints=((0.5, 0.25, 0.75),) * 13, score=0.875, world=((0.1, 0.2, 0.3),) * 13, face=0)]

        output = io.BytesIO()
        pixels = b'{"type":"image","seq":1,"t":2.5,"w":4,"h":2}\n' + bytes(24)
        stage.Stage(lambda picture: faces, "test", people=people, input=io.BufferedReader(io.BytesIO(pixels)), output=output).run()
        line = json.loads(output.getvalue().splitlines()[1])
        self.assertEqual(told, [faces[:1]], "only faces that count")
        person, = line["people"]
        self.assertEqual(person["joints"], [[0.5, 0.25, 0.75]] * 13)
        self.assertEqual(person["world"], [[0.1, 0.2, 0.3]] * 13)
        self.assertEqual((person["id"], person["score"], person["face"]), (None, 0.875, 0))

    def test_thirteen_joints_in_the_order_of_the_stream(self):
        self.assertEqual(len(blazepose.JOINTS), 13)
        self.assertEqual(list(blazepose.JOINTS)[0], "head")
        self.assertEqual(len(set(blazepose.JOINTS.values())), 13)


if __name__ == "__main__":
    unittest.main()
