"""Points of a still scene that several pictures show: the input of `lens_fit`."""

import dataclasses

import cv2
import numpy

#: The most features of one picture.
FEATURES = 1500
#: A match counts if the second best one is farther away by this ratio (Lowe).
RATIO = 0.75
#: Pixels that a match may be away from the homography of its pair of pictures, for pictures of `WIDTH`.
SPREAD = 4.0
#: The width for which pixels are stated.
WIDTH = 640
#: The fewest matches of a pair of pictures.
LEAST = 12


@dataclasses.dataclass
class Tracks:
    """Where points appear in pictures. One row an observation; the arrays have the same length."""

    point: numpy.ndarray  #: the number of the point, from 0
    view: numpy.ndarray  #: the number of the picture, from 0
    place: numpy.ndarray  #: N x 2 pixels, x to the right and y down

    @property
    def points(self):
        """The number of points."""
        return int(self.point.max()) + 1 if len(self.point) else 0

    def only(self, keep):
        """The observations of a mask, with new numbers for the points."""
        _, point = numpy.unique(self.point[keep], return_inverse=True)
        return Tracks(point, self.view[keep], self.place[keep])


def features(picture):
    """The places (N x 2) and descriptors of the features of a grey picture."""
    found, descriptors = cv2.SIFT_create(nfeatures=FEATURES, contrastThreshold=0.02).detectAndCompute(picture, None)
    if descriptors is None:
        return numpy.zeros((0, 2)), numpy.zeros((0, 128), numpy.float32)
    # Square roots of the shares, whose distances tell descriptors apart better than their own (Arandjelovic and Zisserman).
    shares = descriptors / numpy.maximum(descriptors.sum(1, keepdims=True), 1e-6)
    # OpenCV counts from the middle of the first pixel; a picture begins at its corner.
    return numpy.array([one.pt for one in found]) + 0.5, numpy.sqrt(shares).astype(numpy.float32)


def matches(first, second, width):
    """The pairs of features, as two arrays of numbers, that two pictures from one place have in common."""
    if min(len(first[0]), len(second[0])) < LEAST:
        return numpy.zeros((2, 0), int)
    distances = 2 - 2 * first[1] @ second[1].T
    best = numpy.argpartition(distances, 1, 1)[:, :2]
    near = numpy.take_along_axis(distances, best, 1)
    order = near.argsort(1)
    best, near = numpy.take_along_axis(best, order, 1), numpy.take_along_axis(near, order, 1)
    back = distances.argmin(0)
    a = numpy.arange(len(first[0]))
    keep = (near[:, 0] < RATIO**2 * near[:, 1]) & (back[best[:, 0]] == a)
    a, b = a[keep], best[keep, 0]
    if len(a) < LEAST:
        return numpy.zeros((2, 0), int)
    _, inside = cv2.findHomography(first[0][a], second[0][b], cv2.RANSAC, SPREAD * width / WIDTH, maxIters=1000)
    if inside is None or inside.sum() < LEAST:
        return numpy.zeros((2, 0), int)
    inside = inside.ravel().astype(bool)
    return numpy.stack([a[inside], b[inside]])


def find(pictures, overlap, told=lambda share: None):
    """The points that at least three of the grey pictures show.

    `overlap(i, j)` says whether two pictures can show the same; `told` hears the share of the work that is done, 0...1.
    """
    width = pictures[0].shape[1]
    found = []
    for picture in pictures:
        found.append(features(picture))
        told(0.5 * len(found) / len(pictures))
    starts = numpy.cumsum([0] + [len(places) for places, _ in found])
    parent = numpy.arange(starts[-1])

    def root(one):
        while parent[one] != one:
            parent[one] = parent[parent[one]]
            one = parent[one]
        return one

    pairs = [(i, j) for i in range(len(found)) for j in range(i) if overlap(i, j)]
    for done, (i, j) in enumerate(pairs):
        for a, b in matches(found[i], found[j], width).T:
            parent[root(starts[i] + a)] = root(starts[j] + b)
        told(0.5 + 0.5 * (done + 1) / len(pairs))
    return gather(found, starts, numpy.array([root(one) for one in range(starts[-1])], int))


def gather(found, starts, roots):
    """The tracks of features that were joined: those of three pictures or more, with one feature in each."""
    view = numpy.repeat(numpy.arange(len(found)), [len(places) for places, _ in found])
    place = numpy.concatenate([places for places, _ in found]) if len(roots) else numpy.zeros((0, 2))
    _, point, size = numpy.unique(roots, return_inverse=True, return_counts=True)
    # Two features of one picture cannot be the same point of the scene.
    pairs, twice = numpy.unique(numpy.stack([point, view], 1), axis=0, return_counts=True)
    wrong = numpy.zeros(len(size), bool)
    wrong[pairs[twice > 1, 0]] = True
    return Tracks(point, view, place).only((size[point] >= 3) & ~wrong[point])
