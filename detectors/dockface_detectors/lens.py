"""Finds the lens of the camera on a head from pictures of a still scene: the computing part of `dockface calibrate --camera`.

    python3 -m dockface_detectors.lens --hfov RADIANS

Standard input has a line for each picture, followed by its grey pixels, and ends after the last one:

    {"view": 0, "pan": -0.4, "tilt": 0.1, "width": 640, "height": 480}

Angles are in radians, pan to the right and tilt up. The pictures of a view show the same; their mean is used. `--hfov` is a guess of
the horizontal field of view. Standard output has JSON Lines: `{"doing": "ready"}` when it can read pictures,
`{"doing": "points", "share": 0.4}` while it works, and at the end the lens or what is missing:

    {"lens": {"width": 640, "height": 480, "fx": 612.1, ..., "k1": -0.12, "k2": 0.02, "pitch": 0.01, "yaw": -0.02, "roll": 0.0},
     "deviations": {"fx": 0.4, ...}, "views": 15, "points": 412, "observations": 2950, "inliers": 0.99, "rms": 0.31,
     "turned": 0.002, "rays": 0.001, "moved": 0.0}
    {"missing": "points", "views": 4, "points": 11}

`inliers` is the share of observations within 3 pixels, `rms` the error of these, both as if pictures were 640 pixels wide; `turned` is
by how much the pictures correct the dock's angles, `rays` the uncertainty of a direction, and `moved` the largest share of a picture
that changed while the head stood still.
"""

import argparse
import json
import sys

import cv2
import numpy

from . import lens_fit, lens_tracks

#: The fewest points, and the fewest pictures with at least as many of them as LEAST_SEEN, that can determine a lens.
LEAST_POINTS, LEAST_VIEWS, LEAST_SEEN = 40, 6, 10
#: The side of the squares in which changes are looked for, and the grey levels that count as one. A head that trembles by a pixel
#: changes every edge, but hardly the mean of a square.
SQUARE, CHANGE = 16, 20
#: The most pixels of a picture, the most views, and the most pictures of one.
MOST_PIXELS, MOST_VIEWS, MOST_OF_VIEW = 1 << 24, 200, 100
#: The names of the numbers of a fit.
NAMES = ("fx", "cx", "cy", "k1", "k2", "pitch", "yaw", "roll")


def finite(value):
    """The value with None for numbers that are none, which JSON cannot hold."""
    if isinstance(value, dict):
        return {key: finite(part) for key, part in value.items()}
    if isinstance(value, float):
        return float(value) if numpy.isfinite(value) else None
    return value


def tell(**members):
    """Prints a line."""
    print(json.dumps(finite(members), allow_nan=False), flush=True)


def progress(what):
    """A function that tells how far `what` is, at most each hundredth."""
    last = -1

    def told(share):
        nonlocal last
        if int(share * 100) != last:
            last = int(share * 100)
            tell(doing=what, share=round(share, 2))

    return told


class View:
    """The pictures of a view: their sum, and how much they differ from the first one."""

    def __init__(self, angles):
        self.angles, self.sum, self.count, self.first, self.moved = angles, 0, 0, None, 0.0

    def add(self, picture):
        """Adds a grey picture."""
        coarse = cv2.resize(picture.astype(numpy.float32), None, fx=1 / SQUARE, fy=1 / SQUARE, interpolation=cv2.INTER_AREA)
        self.first = coarse if self.first is None else self.first
        self.moved = max(self.moved, float((abs(coarse - self.first) > CHANGE).mean()))
        self.sum, self.count = self.sum + picture.astype(numpy.uint16), self.count + 1

    def mean(self):
        """The mean picture."""
        return (self.sum / self.count).round().astype(numpy.uint8)


def read(stream):
    """The views of a stream."""
    views, size = {}, None
    while line := stream.readline():
        head = json.loads(line)
        size = size or (head["height"], head["width"])
        if (head["height"], head["width"]) != size or not 0 < size[0] * size[1] <= MOST_PIXELS or len(views) > MOST_VIEWS:
            raise ValueError(f"a picture is {head['width']} x {head['height']}, or there are too many")
        pixels = stream.read(size[0] * size[1])
        if len(pixels) != size[0] * size[1]:
            raise ValueError("the last picture is not complete")
        view = views.setdefault(head["view"], View((head["pan"], head["tilt"])))
        if view.count == MOST_OF_VIEW:
            raise ValueError("a view has too many pictures")
        view.add(numpy.frombuffer(pixels, numpy.uint8).reshape(size))
    return list(views.values())


def angle_between(first, second):
    """The angle between two directions (pan, tilt)."""
    directions = lens_fit.turn(numpy.array([first[0], second[0]]), numpy.array([first[1], second[1]]))[:, :, 2]
    return float(numpy.arccos(numpy.clip(directions[0] @ directions[1], -1, 1)))


def find(pictures, angles, hfov, told=progress):
    """The members of the last line, for grey pictures taken at angles (pan, tilt)."""
    if not pictures:
        return {"missing": "points", "views": 0, "points": 0}
    height, width = pictures[0].shape
    # A guess that is too small by a third must not hide an overlap.
    reach = 1.3 * hfov
    tracks = lens_tracks.find(pictures, lambda i, j: angle_between(angles[i], angles[j]) < reach, told("points"))
    seen = numpy.bincount(tracks.view, minlength=len(pictures))
    used = numpy.flatnonzero(seen >= LEAST_SEEN)
    if tracks.points < LEAST_POINTS or len(used) < LEAST_VIEWS:
        return {"missing": "points", "views": len(used), "points": tracks.points}
    try:
        fit = lens_fit.fit(tracks, numpy.array(angles, float), (width, height), width / 2 / numpy.tan(hfov / 2), told("lens"))
    except numpy.linalg.LinAlgError:
        return {"missing": "lens", "views": len(used), "points": tracks.points}
    numbers = dict(zip(NAMES, (float(number) for number in fit.lens)))
    deviations = dict(zip(NAMES, (float(number) for number in fit.deviations)))
    for members in (numbers, deviations):
        members["fy"] = members["fx"]
    return {"lens": {"width": width, "height": height, **numbers}, "deviations": deviations, "views": len(used), "points": tracks.points,
            "observations": len(tracks.view), "inliers": fit.inliers, "rms": fit.rms, "turned": fit.turned, "rays": fit.rays}


def answer(work, name):
    """Reads the views, and prints what `work` finds in their pictures and angles. Returns the exit status: 0 if there was a last line."""
    tell(doing="ready")
    try:
        views = read(sys.stdin.buffer)
        result = work([view.mean() for view in views], [view.angles for view in views])
    except (ValueError, KeyError, TypeError, cv2.error) as error:
        print(f"{name}: {error}", file=sys.stderr)
        return 65
    tell(**result, moved=max((view.moved for view in views), default=0.0))
    return 0


def main(words):
    """Reads the pictures and prints the lines; the exit status is 0 if there was a last line."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--hfov", type=float, required=True, help="a guess of the horizontal field of view, in radians")
    hfov = options.parse_args(words).hfov
    return answer(lambda pictures, angles: find(pictures, angles, hfov), "lens")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
