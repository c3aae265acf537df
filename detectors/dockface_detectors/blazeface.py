"""BlazeFace on LiteRT: dockface's default detector.

    python3 -m dockface_detectors.blazeface [--model full|short] [--acquire SCORE] [--hold SCORE]

`full` detects faces from close range to across a room. `short` takes half the time and is made for one person at a desk.
"""

import argparse
import contextlib
import os
import sys

import numpy
from ai_edge_litert.interpreter import Interpreter

from . import models, stage

#: The network's landmarks of a face; left and right are the person's own.
LANDMARKS = ("right_eye", "left_eye", "nose", "mouth", "right_ear", "left_ear")

#: Cells of the network's grids, and anchors in each cell.
GRIDS = {"full": [(48, 1)], "short": [(16, 2), (8, 6)]}


class BlazeFace:
    """The network: converts a frame to faces. Boxes from the score `least` on make faces; others from `stage.MAYBE` on are returned,
    too, for `maybe`.
    """

    def __init__(self, model="full", threads=1, least=0.5):
        with quiet():
            self.network = Interpreter(model_content=models.load(f"blazeface-{model}.tflite"), num_threads=threads)
            self.network.allocate_tensors()
        self.input = self.network.get_input_details()[0]
        self.side = int(self.input["shape"][1])
        outputs = self.network.get_output_details()
        self.boxes = next(output["index"] for output in outputs if output["shape"][2] > 1)
        self.scores = next(output["index"] for output in outputs if output["shape"][2] == 1)
        self.anchors = numpy.concatenate([anchors(*grid) for grid in GRIDS[model]])
        # The network's scores are before the logistic function.
        self.least, self.lowest = (float(numpy.log(score / (1 - score))) for score in (least, min(least, stage.MAYBE)))
        self.square = numpy.zeros((1, self.side, self.side, 3), numpy.float32)
        self.fitted = None

    def __call__(self, picture):
        self.fit(picture)
        self.network.set_tensor(self.input["index"], self.square)
        self.network.invoke()
        scores = self.network.get_tensor(self.scores)[0, :, 0]
        found = numpy.flatnonzero(scores > self.lowest)
        if not len(found):
            return []
        counts = scores[found] > self.least
        values = self.network.get_tensor(self.boxes)[0, found].astype(numpy.float64) / self.side
        scores = 1 / (1 + numpy.exp(-scores[found].astype(numpy.float64)))
        # Centres and landmarks are relative to the anchor.
        points = values.reshape(len(found), -1, 2).copy()
        points[:, 0] += self.anchors[found]
        points[:, 2:] += self.anchors[found][:, None]
        return [self.face(score, row) for score, row in merge(scores, points, counts)]

    def fit(self, picture):
        """Places the frame in the middle of the network's square, as large as possible, with values -1...1."""
        height, width = picture.shape[:2]
        if self.fitted is None or self.fitted.size != (width, height):
            self.fitted = Fit(width, height, self.side)
            self.square[:] = -1
        fit = self.fitted
        self.square[0, fit.top:fit.top + fit.height, fit.left:fit.left + fit.width] = fit.shrink(picture) * (1 / 127.5) - 1

    def face(self, score, row):
        fit = self.fitted
        offset, scale = numpy.array([fit.left, fit.top]) / self.side, self.side / numpy.array([fit.width, fit.height])
        middle, size = (row[0] - offset) * scale, row[1] * scale
        points = tuple(map(tuple, (row[2:] - offset) * scale))
        return stage.Face(rect=(*(middle - size / 2), *size), score=score, landmarks=points, looking=stage.looking(points, fit.aspect))


@contextlib.contextmanager
def quiet():
    """Suppresses the runtime's messages on standard error. Errors are exceptions."""
    kept, nothing = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, 2)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nothing)


def anchors(cells, count):
    """The centres of a grid's cells, each `count` times."""
    middle = (numpy.arange(cells) + 0.5) / cells
    y, x = numpy.meshgrid(middle, middle, indexing="ij")
    return numpy.repeat(numpy.stack([x, y], -1).reshape(-1, 2), count, 0)


def merge(scores, points, counts=None, overlap=0.3):
    """Merges the boxes of a face into their mean, weighted by the scores. This is steadier than the best box alone. A box that does
    not count (`counts`) never changes the mean of those that do.
    """
    order = numpy.argsort(-scores)
    low, high = points[:, 0] - points[:, 1] / 2, points[:, 0] + points[:, 1] / 2
    area = points[:, 1].prod(-1)
    while len(order):
        best = order[0]
        shared = numpy.clip(numpy.minimum(high[order], high[best]) - numpy.maximum(low[order], low[best]), 0, None).prod(-1)
        same = shared / (area[order] + area[best] - shared) > overlap
        same[0] = True
        taken = order[same]
        if counts is not None and counts[best]:
            taken = taken[counts[taken]]
        weights = scores[taken]
        yield scores[best], (points[taken] * weights[:, None, None]).sum(0) / weights.sum()
        order = order[~same]


class Fit:
    """Shrinks a frame into a square: every pixel of the square is the mean of the pixels around its centre.

    Whole rows are added first, then pixels along them. This is ten times as fast as sums over the exact box of each pixel.
    """

    def __init__(self, width, height, side):
        self.size, self.aspect = (width, height), width / height
        scale = side / max(width, height)
        self.width, self.height = max(1, round(width * scale)), max(1, round(height * scale))
        self.left, self.top = (side - self.width) // 2, (side - self.height) // 2
        self.rows, self.columns = self.taps(height, self.height), self.taps(width, self.width)
        self.share = numpy.float32(1 / (len(self.rows) * len(self.columns)))

    @staticmethod
    def taps(many, few):
        """Returns the positions of each of the `few` elements' neighbours among `many`: the first one of each, the second, ..."""
        count = min(max(1, int(many / few + 0.5)), 16)
        first = (numpy.arange(few) + 0.5) * many / few - count / 2
        return [numpy.clip(numpy.floor(first + 0.5).astype(int) + tap, 0, many - 1) for tap in range(count)]

    def shrink(self, picture):
        height, width = picture.shape[:2]
        lines = picture.reshape(height, width * 3)
        # 16 bits are enough for at most 16 x 16 pixels of up to 255.
        sums = lines[self.rows[0]].astype(numpy.uint16)
        for row in self.rows[1:]:
            sums += lines[row]
        sums = sums.reshape(self.height, width, 3)
        total = sums.take(self.columns[0], axis=1)
        for column in self.columns[1:]:
            total += sums.take(column, axis=1)
        return total * self.share


def main():
    parser = argparse.ArgumentParser(prog="blazeface", description="BlazeFace on LiteRT as a detector stage of dockface.")
    parser.add_argument("--model", choices=GRIDS, default="full", help="full: a room (default); short: one person close by")
    parser.add_argument("--acquire", type=float, default=0.7, help="lowest score at which a new face is accepted (default 0.7)")
    parser.add_argument("--hold", type=float, default=0.5, help="lowest score at which a known face is kept (default 0.5)")
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()
    try:
        detect = BlazeFace(options.model, options.threads, options.hold)
    except models.MissingModel as error:
        print(f"blazeface: {error}", file=sys.stderr)
        sys.exit(69)
    stage.run(detect, name=f"blazeface-{options.model}", landmarks=LANDMARKS, acquire=options.acquire, hold=options.hold)


if __name__ == "__main__":
    main()
