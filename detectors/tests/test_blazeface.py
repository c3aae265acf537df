"""Tests of the steps before and after the network."""

import unittest

import numpy

from dockface_detectors.blazeface import Fit, anchors, merge


class Fits(unittest.TestCase):
    """Frames in the network's square."""

    def test_the_largest_picture_of_its_shape_in_the_middle(self):
        for size, wanted in (((640, 360), (192, 108, 0, 42)), ((360, 640), (108, 192, 42, 0)), ((192, 192), (192, 192, 0, 0)),
                             ((100, 50), (192, 96, 0, 48)), ((4096, 16), (192, 1, 0, 95))):
            fit = Fit(*size, 192)
            self.assertEqual((fit.width, fit.height, fit.left, fit.top), wanted, size)

    def test_what_is_bright_stays_bright(self):
        for width, height in ((640, 480), (479, 271), (31, 47), (8000, 6000)):
            fit = Fit(width, height, 128)
            shrunk = fit.shrink(numpy.full((height, width, 3), 255, numpy.uint8))
            self.assertEqual(shrunk.shape, (fit.height, fit.width, 3))
            self.assertAlmostEqual(float(shrunk.min()), 255, places=3)
            self.assertAlmostEqual(float(shrunk.max()), 255, places=3)

    def test_every_place_stays_where_it_is(self):
        # A gradient in each direction: a pixel of the square has the value of its centre.
        for width, height in ((640, 480), (480, 270), (200, 180), (100, 60)):
            x, y = numpy.meshgrid(numpy.arange(width), numpy.arange(height))
            picture = numpy.stack([(x + 0.5) * 255 / width, (y + 0.5) * 255 / height, x * 0], -1).astype(numpy.uint8)
            fit = Fit(width, height, 192)
            shrunk = fit.shrink(picture)
            across = (numpy.arange(fit.width) + 0.5) / fit.width * 255
            down = (numpy.arange(fit.height) + 0.5) / fit.height * 255
            # Half a pixel of the frame, and the loss by integers.
            self.assertLess(abs(shrunk[:, :, 0] - across).max(), 255 / width / 2 + 1.1)
            self.assertLess(abs(shrunk[:, :, 1] - down[:, None]).max(), 255 / height / 2 + 1.1)
            # Integers are half a step too low on average. A shift to one side would be larger.
            self.assertLess(abs((shrunk[:, :, 0] - across).mean() + 0.5), 0.3)

    def test_a_pattern_finer_than_the_square_is_grey_and_not_another_pattern(self):
        picture = numpy.zeros((480, 640, 3), numpy.uint8)
        picture[::2, ::2], picture[1::2, 1::2] = 255, 255
        shrunk = Fit(640, 480, 192).shrink(picture)
        self.assertLess(shrunk.max() - shrunk.min(), 40)


class Boxes(unittest.TestCase):
    """The network's output, converted to faces."""

    def test_anchors_are_the_middles_of_cells(self):
        self.assertEqual(anchors(2, 1).tolist(), [[0.25, 0.25], [0.75, 0.25], [0.25, 0.75], [0.75, 0.75]])
        self.assertEqual(len(anchors(16, 2)), 512)

    def test_boxes_of_one_face_become_one_and_those_of_two_stay_two(self):
        points = numpy.array([[[0.30, 0.3], [0.2, 0.2]], [[0.32, 0.3], [0.2, 0.2]], [[0.8, 0.3], [0.2, 0.2]]])
        found = list(merge(numpy.array([0.9, 0.3, 0.6]), points))
        self.assertEqual([score for score, _ in found], [0.9, 0.6])
        self.assertAlmostEqual(found[0][1][0][0], 0.305)
        self.assertAlmostEqual(found[1][1][0][0], 0.8)


    def test_a_box_that_does_not_count_changes_no_face_but_is_returned_where_there_is_none(self):
        points = numpy.array([[[0.30, 0.3], [0.2, 0.2]], [[0.34, 0.3], [0.2, 0.2]], [[0.32, 0.3], [0.2, 0.2]], [[0.8, 0.3], [0.2, 0.2]]])
        scores, counts = numpy.array([0.9, 0.4, 0.6, 0.35]), numpy.array([True, False, True, False])
        before = list(merge(scores[counts], points[counts]))
        after = list(merge(scores, points, counts))
        self.assertEqual([score for score, _ in after], [0.9, 0.35])
        numpy.testing.assert_array_equal(after[0][1], before[0][1])
        numpy.testing.assert_allclose(after[1][1], points[3])


if __name__ == "__main__":
    unittest.main()
