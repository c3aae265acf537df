"""Hands drawn as a camera sees them, with known joints: for tests of the hand networks."""

import cv2
import numpy

#: The fingers: the place of the base from the wrist (right, up), the lengths of the parts and their radius, all in palms (from the
#: wrist to the middle knuckle), and the direction in degrees, + = to the right. A left hand that shows its palm.
FINGERS = {
    "thumb": ((-0.28, 0.22), (0.34, 0.30, 0.26), 0.13, -48), "index": ((-0.27, 0.97), (0.46, 0.27, 0.22), 0.105, -14),
    "middle": ((-0.02, 1.0), (0.51, 0.31, 0.23), 0.11, -2), "ring": ((0.2, 0.93), (0.47, 0.29, 0.22), 0.1, 9),
    "little": ((0.41, 0.8), (0.36, 0.21, 0.19), 0.085, 22),
}

SKIN = numpy.array([224, 172, 140])


def joints(straight=tuple(FINGERS)):
    """The 21 joints in palms from the wrist: right, up. Fingers that are not straight lie in the palm."""
    points = [(0.0, 0.0)]
    for name, (base, parts, _, degrees) in FINGERS.items():
        place = numpy.array(base)
        points.append(tuple(place))
        ways = [degrees] * 3
        if name not in straight:
            parts, ways = ((0.27, 0.24, 0.21), (10, 60, 80)) if name == "thumb" else ((0.12, -0.28, -0.12), ways)
        for length, way in zip(parts, numpy.radians(ways)):
            place = place + length * numpy.array([numpy.sin(way), numpy.cos(way)])
            points.append(tuple(place))
    return numpy.array(points)


def room(size=(640, 480), seed=1):
    """A picture without a hand."""
    few = numpy.random.default_rng(seed).integers(60, 150, (6, 8, 3)).astype(numpy.uint8)
    return cv2.resize(few, size, interpolation=cv2.INTER_CUBIC)


def develop(picture, seed=2):
    """The picture with the blur and the noise of a camera."""
    noise = numpy.random.default_rng(seed).normal(0, 3, picture.shape)
    return (cv2.GaussianBlur(picture, (0, 0), 1) + noise).clip(0, 255).astype(numpy.uint8)


def draw(picture, wrist, palm, turn=0.0, isRight=False, straight=tuple(FINGERS)):
    """Draws a hand, `palm` pixels from the wrist to the middle knuckle, turned clockwise. Returns its joints in pixels."""
    points = joints(straight) * palm * ((-1, 1) if isRight else (1, 1))
    cosine, sine = numpy.cos(turn), numpy.sin(turn)
    places = numpy.asarray(wrist) + numpy.stack([cosine * points[:, 0] + sine * points[:, 1],
                                                 sine * points[:, 0] - cosine * points[:, 1]], -1)
    along = (places[9] - places[0]) / palm
    across = numpy.array([-along[1], along[0]])
    limb(picture, places[0] - along * palm * 1.6, places[0], palm * 0.36, palm * 0.27)
    edge = [places[index] for index in (1, 5, 9, 13, 17)] + [places[0] + across * palm * share for share in (0.26, -0.26)]
    mask = numpy.zeros(picture.shape[:2], numpy.uint8)
    cv2.fillConvexPoly(mask, cv2.convexHull((numpy.array(edge) * 16).astype(numpy.int32)), 255, cv2.LINE_AA, 4)
    paint(picture, cv2.dilate(mask, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (int(palm * 0.16) | 1,) * 2)))
    for number, (_, _, radius, _) in enumerate(FINGERS.values()):
        for part in range(3):
            start, end = places[1 + 4 * number + part:][:2]
            limb(picture, start, end, palm * radius * (1.15 - 0.11 * part), palm * radius * (1.03 - 0.11 * part))
    return places


def limb(picture, start, end, first, last):
    """Draws a part of a limb that becomes thinner."""
    mask = numpy.zeros(picture.shape[:2], numpy.uint8)
    for share in numpy.linspace(0, 1, 24):
        middle = (start + (end - start) * share) * 16
        cv2.circle(mask, middle.astype(int).tolist(), int((first + (last - first) * share) * 16), 255, -1, cv2.LINE_AA, 4)
    paint(picture, mask)


def paint(picture, mask):
    """Fills a shape with skin that is darker at its edge, as round things are."""
    x, y, width, height = cv2.boundingRect(mask)
    part, mask = picture[y:y + height, x:x + width], mask[y:y + height, x:x + width]
    depth = cv2.distanceTransform(numpy.pad((mask > 127).astype(numpy.uint8), 1), cv2.DIST_L2, 5)[1:-1, 1:-1]
    light = 0.62 + 0.38 * numpy.sqrt(depth / max(depth.max(), 1))
    share = (mask / 255)[..., None]
    part[:] = (part * (1 - share) + share * SKIN * light[..., None]).astype(numpy.uint8)
