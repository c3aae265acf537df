"""BlazeFace and MediaPipe's hand networks on LiteRT: faces, and hands with their 21 joints.

    python3 -m dockface_detectors.hands [--model full|short] [--hand-model lite|full] [--acquire SCORE] [--hold SCORE]

A palm is looked for in the whole frame, and its joints in a square around it that is turned so that the fingers point up. The
joints say where that square is in the next frame, so a hand that is followed costs one pass of the landmark network.
"""

import argparse
import sys
import time

import cv2
import numpy

from . import blazeface, models, stage
from .blazepose import Network, cut

#: Cells of the palm detector's grids, and anchors in each cell.
GRIDS = ((24, 2), (12, 6))

#: The least score of a palm, and the least presence of a hand.
LEAST = 0.5

#: The most hands in a frame.
MOST = 2

#: The square around a hand: its side in sides of the box that was found, and how far its middle is moved toward the fingers, in heights
#: of the box. The box of a palm lacks the fingers, that of the joints lacks their tips.
FROM_PALM, FROM_JOINTS = (2.6, 0.5), (2.0, 0.1)

#: The joints that say where a hand is: without the tips, which move the most.
STEADY = (0, 1, 2, 3, 5, 6, 9, 10, 13, 14, 17, 18)


class Region:
    """A square in a frame, in pixels: its middle, its side, and how far it is turned clockwise, in radians."""

    def __init__(self, middle, side, turn):
        self.middle, self.side, self.turn = numpy.asarray(middle, float), float(side), float(turn)
        self.right = numpy.array([numpy.cos(turn), numpy.sin(turn)])
        self.down = numpy.array([-numpy.sin(turn), numpy.cos(turn)])

    def cut(self, picture, side):
        """The picture in the square, upright, with `side` pixels. What is outside of the frame is black."""
        step = self.side / side
        corner = self.middle + (self.right + self.down) * (0.5 - side / 2) * step
        # OpenCV counts from the middles of pixels.
        matrix = numpy.column_stack([self.right * step, self.down * step, corner - 0.5])
        return cv2.warpAffine(picture, matrix, (side, side), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP)

    def places(self, points):
        """Where points of the square, 0...1, are in the frame, in pixels."""
        points = (numpy.asarray(points) - 0.5) * self.side
        return self.middle + points[:, :1] * self.right + points[:, 1:2] * self.down

    def isSane(self, width, height):
        """Whether the square can show a hand that is in the frame."""
        numbers = numpy.array([*self.middle, self.side, self.turn])
        return bool(numpy.isfinite(numbers).all() and 8 <= self.side <= 4 * max(width, height)
                    and (self.middle > 0).all() and (self.middle < (width, height)).all())

    def shares(self, other):
        """Whether both squares show the same hand."""
        return float(numpy.hypot(*(self.middle - other.middle))) < 0.3 * max(self.side, other.side)


def turn(wrist, knuckle):
    """How far a hand is turned clockwise, from its wrist to its middle knuckle; 0: the fingers point up."""
    x, y = numpy.subtract(knuckle, wrist)
    return float(numpy.arctan2(x, -y))


def around(points, angle, grow, shift):
    """The square around points, turned by an angle: `grow` times as large, and moved toward the fingers by `shift`."""
    upright = Region((0, 0), 1, angle)
    across, along = points @ upright.right, points @ upright.down
    width, height = across.max() - across.min(), along.max() - along.min()
    middle = (across.max() + across.min()) / 2 * upright.right + (along.max() + along.min()) / 2 * upright.down
    return Region(middle - shift * height * upright.down, grow * max(width, height), angle)


def following(points):
    """The square in which the hand with these joints, in pixels, is looked for in the next frame."""
    knuckle = ((points[5] + points[13]) / 2 + points[9]) / 2
    return around(points[list(STEADY)], turn(points[0], knuckle), *FROM_JOINTS)


class Palms:
    """The palm detector: finds where in a frame hands are, as squares for the landmark network, the surest first."""

    def __init__(self, model="lite", threads=1):
        self.network = Network(f"palm-{model}.tflite", threads)
        self.boxes, self.scores = self.network.output(1, 2016, 18), self.network.output(1, 2016, 1)
        self.anchors = numpy.concatenate([blazeface.anchors(*grid) for grid in GRIDS])

    def __call__(self, picture):
        height, width = picture.shape[:2]
        side = max(width, height)
        corner = numpy.array([(width - side) / 2, (height - side) / 2])
        self.network.run(cut(picture, (*corner, side), self.network.side) * numpy.float32(1 / 255))
        scores = 1 / (1 + numpy.exp(-numpy.clip(self.network.get(self.scores)[:, 0].astype(numpy.float64), -100, 100)))
        found = numpy.flatnonzero(scores > LEAST)
        if not len(found):
            return []
        values = self.network.get(self.boxes)[found].astype(numpy.float64) / self.network.side
        points = values.reshape(len(found), -1, 2).copy()
        points[:, 0] += self.anchors[found]
        points[:, 2:] += self.anchors[found][:, None]
        regions = []
        for _, row in blazeface.merge(scores[found], points):
            middle, size, wrist, knuckle = row[0] * side + corner, row[1] * side, row[2] * side + corner, row[4] * side + corner
            angle = turn(wrist, knuckle)
            grow, shift = FROM_PALM
            fingers = numpy.array([numpy.sin(angle), -numpy.cos(angle)])
            regions.append(Region(middle + shift * size[1] * fingers, grow * size.max(), angle))
        return [region for region in regions if region.isSane(width, height)]


class Landmarks:
    """The landmark network: converts a square of a frame to a hand and the square of the next frame, or to None."""

    def __init__(self, model="lite", threads=1):
        self.network = Network(f"hand-{model}.tflite", threads)
        # Two outputs have each of the shapes. The first of them are the points in the square, and the presence.
        outputs = sorted(self.network.network.get_output_details(), key=lambda output: output["name"])
        self.points, self.presence, self.side = (output["index"] for output in outputs[:3])

    def __call__(self, picture, region):
        side = self.network.side
        self.network.run(region.cut(picture, side) * numpy.float32(1 / 255))
        # Presence and side are already logistic.
        score = float(self.network.get(self.presence)[0])
        if not score >= LEAST:
            return None
        points = self.network.get(self.points).reshape(21, 3).astype(numpy.float64) / side
        height, width = picture.shape[:2]
        places = region.places(points)
        next = following(places) if numpy.isfinite(points).all() else None
        if next is None or not next.isSane(width, height):
            return None
        depth = points[:, 2:] * region.side
        joints = numpy.hstack([places, depth]) / (width, height, width)
        # The network was trained with mirrored pictures.
        which = "right" if self.network.get(self.side)[0] > 0.5 else "left"
        return stage.Hand(points=tuple(map(tuple, joints)), score=score, side=which), next


class Hands:
    """Both networks: `hands` converts a frame to its hands."""

    #: How often palms are looked for while no hand is followed, and while fewer than `MOST` are, in seconds.
    pause, rest = 0.2, 1.0

    def __init__(self, model="lite", threads=1, clock=time.monotonic):
        self.landmarks, self.finder, self.clock = Landmarks(model, threads), Palms(model, threads), clock
        self.searched, self.regions = -numpy.inf, []

    def hands(self, picture, faces):
        """The hands of a frame. A hand that was followed comes before one that is new."""
        found = []
        for region in self.regions:
            self.look(picture, region, found)
        if len(found) < MOST and self.isDue(bool(found)):
            for region in self.finder(picture):
                if len(found) < MOST and not any(region.shares(other) for _, other in found):
                    self.look(picture, region, found)
        self.regions = [region for _, region in found]
        return [hand for hand, _ in found]

    def look(self, picture, region, found):
        """Adds the hand in a square, unless it was found already: two squares may slip to one hand."""
        seen = self.landmarks(picture, region)
        if seen and not any(seen[1].shares(other) for _, other in found):
            found.append(seen)

    def isDue(self, isFollowing):
        """Whether palms are looked for now. A frame that is a little late does not make the next search late, too."""
        now, pause = self.clock(), self.rest if isFollowing else self.pause
        due = self.searched + pause
        if now < due:
            return False
        self.searched = due if now < due + pause else now
        return True


def main():
    parser = argparse.ArgumentParser(
        prog="hands", description="BlazeFace and MediaPipe's hand networks on LiteRT as a detector stage of dockface: faces and hands.")
    parser.add_argument("--model", choices=blazeface.GRIDS, default="full", help="full: a room (default); short: one person close by")
    parser.add_argument("--hand-model", choices=("lite", "full"), default="lite",
                        help="lite: hands up to about 1.4 m away (default); full: steadier, twice the work")
    parser.add_argument("--acquire", type=float, default=0.7, help="lowest score at which a new face is accepted (default 0.7)")
    parser.add_argument("--hold", type=float, default=0.5, help="lowest score at which a known face is kept (default 0.5)")
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()
    try:
        faces = blazeface.BlazeFace(options.model, options.threads, options.hold)
        hands = Hands(options.hand_model, options.threads)
    except models.MissingModel as error:
        print(f"hands: {error}", file=sys.stderr)
        sys.exit(69)
    stage.run(faces, name=f"hands-{options.hand_model}", landmarks=blazeface.LANDMARKS, acquire=options.acquire, hold=options.hold,
              hands=hands.hands)


if __name__ == "__main__":
    main()
