"""BlazeFace and BlazePose on LiteRT: faces, and the skeletons of the people to whom they belong.

    python3 -m dockface_detectors.blazepose [--model full|short] [--acquire SCORE] [--hold SCORE]

Each face says where its body is, so one pass of the landmark network per person is enough, and a skeleton does not walk to a
neighbour. People whose faces are not seen, for example from behind, are looked for once a second with the pose detector.
"""

import argparse
import sys
import time

import numpy
from ai_edge_litert.interpreter import Interpreter

from . import blazeface, models, stage

#: The 13 joints of a skeleton, in the order of the stream, and the landmark of the network for each. Left is the person's own.
JOINTS = {
    "head": 0, "leftShoulder": 11, "rightShoulder": 12, "leftElbow": 13, "rightElbow": 14, "leftWrist": 15, "rightWrist": 16,
    "leftHip": 23, "rightHip": 24, "leftKnee": 25, "rightKnee": 26, "leftAnkle": 27, "rightAnkle": 28,
}

#: The square in which a body is looked for, in heights of its face: how far its middle is below the middle of the face, and its
#: side. Smaller and larger squares find fewer bodies, or those of neighbours.
BELOW, SIDE = 2.8, 10.0

#: The side of the square in radii of the circle that the pose detector finds.
CIRCLE = 2.5

#: The least score of a person.
LEAST = 0.5

#: Cells of the pose detector's grids, and anchors in each cell.
GRIDS = ((28, 2), (14, 2), (7, 6))


class Network:
    """A network with one picture as its input."""

    def __init__(self, name, threads):
        with blazeface.quiet():
            self.network = Interpreter(model_content=models.load(name), num_threads=threads)
            self.network.allocate_tensors()
        self.input = self.network.get_input_details()[0]
        self.side = int(self.input["shape"][1])

    def output(self, *shape):
        """The index of the output with a shape."""
        return next(output["index"] for output in self.network.get_output_details() if tuple(output["shape"]) == shape)

    def run(self, square):
        self.network.set_tensor(self.input["index"], square[None])
        self.network.invoke()

    def get(self, index):
        return self.network.get_tensor(index)[0]


class Landmarks:
    """The landmark network: converts a square of a frame to a person, or to None if it shows none."""

    def __init__(self, threads=1):
        self.network = Network("blazepose-full.tflite", threads)
        self.points, self.score = self.network.output(1, 195), self.network.output(1, 1)
        self.world = self.network.output(1, 117)

    def __call__(self, picture, square):
        side = self.network.side
        self.network.run(cut(picture, square, side) * numpy.float32(1 / 255))
        # This score is already logistic.
        score = float(self.network.get(self.score)[0])
        if not score >= LEAST:
            return None
        points = self.network.get(self.points).reshape(39, 5).astype(numpy.float64)
        world = self.network.get(self.world).reshape(39, 3).astype(numpy.float64)
        height, width = picture.shape[:2]
        left, top, length = square
        chosen = list(JOINTS.values())
        places = (points[chosen, :2] / side * length + (left, top)) / (width, height)
        seen = 1 / (1 + numpy.exp(-numpy.clip(points[chosen, 3], -50, 50)))
        if not (numpy.isfinite(places).all() and numpy.isfinite(world[chosen]).all()):
            return None
        return stage.Person(joints=tuple((*place, sure) for place, sure in zip(places, seen)), score=score,
                            world=tuple(map(tuple, world[chosen])))


class People:
    """The pose detector: finds where in a frame people are, as squares for the landmark network."""

    def __init__(self, threads=1):
        self.network = Network("blazepose-detector.tflite", threads)
        self.boxes, self.scores = self.network.output(1, 2254, 12), self.network.output(1, 2254, 1)
        self.anchors = numpy.concatenate([blazeface.anchors(*grid) for grid in GRIDS])

    def __call__(self, picture):
        height, width = picture.shape[:2]
        side = max(width, height)
        square = ((width - side) / 2, (height - side) / 2, side)
        self.network.run(cut(picture, square, self.network.side, 127.5) * numpy.float32(1 / 127.5) - 1)
        scores = 1 / (1 + numpy.exp(-numpy.clip(self.network.get(self.scores)[:, 0].astype(numpy.float64), -100, 100)))
        found = numpy.flatnonzero(scores > LEAST)
        if not len(found):
            return []
        values = self.network.get(self.boxes)[found].astype(numpy.float64) / self.network.side
        points = values.reshape(len(found), -1, 2).copy()
        points[:, 0] += self.anchors[found]
        points[:, 2:] += self.anchors[found][:, None]
        squares = []
        for _, row in blazeface.merge(scores[found], points):
            middle, rim = row[2] * side + square[:2], row[3] * side + square[:2]
            length = 2 * numpy.hypot(*(rim - middle)) * CIRCLE / 2
            squares.append((middle[0] - length / 2, middle[1] - length / 2, length))
        return squares


class BlazePose:
    """Both networks: `people` converts a frame and its faces to people."""

    #: How often people without faces are looked for, in seconds, and how much of a square of theirs may be another person's.
    pause, overlap = 1.0, 0.5

    def __init__(self, threads=1, clock=time.monotonic):
        self.landmarks, self.finder, self.clock = Landmarks(threads), People(threads), clock
        self.due, self.others = 0.0, []

    def people(self, picture, faces):
        height, width = picture.shape[:2]
        squares = [body(face.rect, width, height) for face in faces]
        people = []
        for index, square in enumerate(squares):
            if person := self.landmarks(picture, square):
                person.face = index
                people.append(person)
        now = self.clock()
        if now >= self.due:
            self.due = now + self.pause
            self.others = [self.landmarks(picture, square) for square in self.finder(picture)
                           if not any(shared(square, other) > self.overlap for other in squares)]
            people += [person for person in self.others if person]
        return people


def body(rect, width, height):
    """The square of a body in pixels (left, top, side), from the rectangle of its face."""
    x, y, w, h = rect
    side = SIDE * h * height
    return (x + w / 2) * width - side / 2, (y + h / 2 + BELOW * h) * height - side / 2, side


def shared(a, b):
    """How much of the smaller of two squares is in the other, 0...1."""
    across = min(a[0] + a[2], b[0] + b[2]) - max(a[0], b[0])
    down = min(a[1] + a[2], b[1] + b[2]) - max(a[1], b[1])
    return max(0, across) * max(0, down) / max(min(a[2], b[2]) ** 2, 1e-9)


def cut(picture, square, side, outside=0.0):
    """Returns a square of a frame with `side` pixels, each the mean of the pixels around its centre. What is outside of the frame
    has the value `outside`.
    """
    left, top, length = square
    result = numpy.full((side, side, 3), outside, numpy.float32)
    columns, rows = taps(left, length, side), taps(top, length, side)
    across, down = inside(columns, picture.shape[1]), inside(rows, picture.shape[0])
    if not across.any() or not down.any():
        return result
    columns, rows = columns[:, across], rows[:, down]
    first, last = columns.min(), columns.max() + 1
    # Whole rows are added first, then pixels along them. 16 bits are enough for at most 8 x 8 pixels of up to 255.
    lines = picture[:, first:last]
    sums = lines[rows[0]].astype(numpy.uint16)
    for row in rows[1:]:
        sums += lines[row]
    total = sums.take(columns[0] - first, axis=1)
    for column in columns[1:]:
        total += sums.take(column - first, axis=1)
    down, across = down.nonzero()[0], across.nonzero()[0]
    result[down[0]:down[-1] + 1, across[0]:across[-1] + 1] = total * numpy.float32(1 / (len(rows) * len(columns)))
    return result


def taps(start, length, side):
    """The positions of each element's neighbours: the first one of each, the second, ..."""
    count = min(max(1, int(length / side + 0.5)), 8)
    first = start + (numpy.arange(side) + 0.5) * length / side - count / 2
    return numpy.floor(first + 0.5).astype(int) + numpy.arange(count)[:, None]


def inside(positions, size):
    """Which elements have all their neighbours inside the frame."""
    return ((positions >= 0) & (positions < size)).all(0)


def main():
    parser = argparse.ArgumentParser(
        prog="blazepose", description="BlazeFace and BlazePose on LiteRT as a detector stage of dockface: faces and skeletons.")
    parser.add_argument("--model", choices=blazeface.GRIDS, default="full", help="full: a room (default); short: one person close by")
    parser.add_argument("--acquire", type=float, default=0.7, help="lowest score at which a new face is accepted (default 0.7)")
    parser.add_argument("--hold", type=float, default=0.5, help="lowest score at which a known face is kept (default 0.5)")
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()
    try:
        faces = blazeface.BlazeFace(options.model, options.threads, options.hold)
        poses = BlazePose(options.threads)
    except models.MissingModel as error:
        print(f"blazepose: {error}", file=sys.stderr)
        sys.exit(69)
    stage.run(faces, name=f"blazepose-{options.model}", landmarks=blazeface.LANDMARKS, acquire=options.acquire, hold=options.hold,
              people=poses.people)


if __name__ == "__main__":
    main()
