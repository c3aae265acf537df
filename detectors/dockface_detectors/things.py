"""SSD MobileNet v2 (COCO) on OpenCV: names 80 kinds of things, for `dockface find`. It finds no faces.

    python3 -m dockface_detectors.things [--tiles none|2x2] [--score SCORE]

The whole frame is one look, four overlapping tiles are four more: a thing is found from about 80 pixels of height on instead of
150, in five times the time. The model is not among the usual ones: `python3 -m dockface_detectors.models fetch things`.
"""

import argparse
import sys

import cv2
import numpy

from . import models, stage

#: The network's labels by number; the numbers have gaps.
LABELS = dict(zip(
    [*range(1, 12), *range(13, 26), 27, 28, *range(31, 45), *range(46, 66), 67, 70, *range(72, 83), *range(84, 91)],
    """person,bicycle,car,motorcycle,airplane,bus,train,truck,boat,traffic light,fire hydrant,stop sign,parking meter,bench,bird,cat,dog,
    horse,sheep,cow,elephant,bear,zebra,giraffe,backpack,umbrella,handbag,tie,suitcase,frisbee,skis,snowboard,sports ball,kite,
    baseball bat,baseball glove,skateboard,surfboard,tennis racket,bottle,wine glass,cup,fork,knife,spoon,bowl,banana,apple,sandwich,
    orange,broccoli,carrot,hot dog,pizza,donut,cake,chair,couch,potted plant,bed,dining table,toilet,tv,laptop,mouse,remote,keyboard,
    cell phone,microwave,oven,toaster,sink,refrigerator,book,clock,vase,scissors,teddy bear,hair drier,toothbrush"""
    .replace("\n    ", "").split(","), strict=True))

#: The side of the network's square, in pixels.
SIDE = 300
#: How much of a tile its neighbour shows, too.
OVERLAP = 0.25
#: Boxes of one label that overlap more are one thing. A box inside a larger one, most of it, is a part that a tile has cut off.
SAME, INSIDE = 0.5, 0.8
#: The most things of an answer. A line of the stream is at most 64 KiB.
MOST = 100


class Things:
    """The network: converts a frame to objects with scores from `least` on."""

    def __init__(self, tiled=True, least=0.3):
        self.network = cv2.dnn.readNetFromTensorflow(
            str(models.path("ssd-mobilenet-v2.pb")), str(models.path("ssd-mobilenet-v2.pbtxt")))
        self.tiled, self.least = tiled, least

    def __call__(self, picture):
        found = []
        for x, y, width, height in tiles(picture.shape[1], picture.shape[0], self.tiled):
            tile = numpy.ascontiguousarray(picture[y:y + height, x:x + width])
            self.network.setInput(cv2.dnn.blobFromImage(tile, size=(SIDE, SIDE)))
            scale = numpy.array([width, height] * 2) / numpy.array([picture.shape[1], picture.shape[0]] * 2)
            offset = numpy.array([x / picture.shape[1], y / picture.shape[0]] * 2)
            for _, label, score, *corners in self.network.forward()[0, 0]:
                if score >= self.least and int(label) in LABELS:
                    found.append((LABELS[int(label)], float(score), numpy.clip(corners, 0, 1) * scale + offset))
        return [stage.Object(label, (*low_high[:2], *(low_high[2:] - low_high[:2])), score) for label, score, low_high in merge(found)]


def tiles(width, height, tiled):
    """The parts of a frame that the network looks at: x, y, width and height in pixels."""
    whole = [(0, 0, width, height)]
    if not tiled:
        return whole
    across, along = round(width / (2 - OVERLAP)), round(height / (2 - OVERLAP))
    return whole + [(x, y, across, along) for y in (0, height - along) for x in (0, width - across)]


def merge(found):
    """The things of all tiles, surest first, each once."""
    kept = []
    for label, score, box in sorted(found, key=lambda one: -one[1]):
        if (box[2:] > box[:2]).all() and not any(label == other and same(box, place) for other, _, place in kept):
            kept.append((label, score, box))
    return kept[:MOST]


def same(a, b):
    """Whether two boxes with one label are one thing."""
    shared = numpy.clip(numpy.minimum(a[2:], b[2:]) - numpy.maximum(a[:2], b[:2]), 0, None).prod()
    areas = (a[2:] - a[:2]).prod(), (b[2:] - b[:2]).prod()
    return shared > SAME * (sum(areas) - shared) or shared > INSIDE * min(areas)


def main():
    parser = argparse.ArgumentParser(prog="things", description="Names things: a detector stage of dockface for `dockface find`.")
    parser.add_argument("--tiles", choices=["none", "2x2"], default="2x2", help="how the frame is cut (default 2x2)")
    parser.add_argument("--score", type=float, default=0.3, help="lowest score of a thing (default 0.3)")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    try:
        detect = Things(options.tiles != "none", options.score)
    except (models.MissingModel, cv2.error) as error:
        print(f"things: {error}", file=sys.stderr)
        sys.exit(69)
    stage.run(lambda picture: [], name="things", objects=detect)


if __name__ == "__main__":
    main()
