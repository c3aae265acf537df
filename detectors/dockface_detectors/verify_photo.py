"""Compares a thing with a photo of it: a verifier of `dockface find --photo`. It uses no network.

    python3 -m dockface_detectors.verify_photo

It compares details (SIFT), so the thing needs a pattern: print, a label, a picture. Plain mugs, keys and fruit have none. A thing must
be about 50 pixels wide, sharp, and show the side that is in the photo.
"""

import cv2
import numpy

from . import verify

#: The most features of a picture, and the side to which a photo is shrunk, in pixels.
FEATURES, SIDE = 1500, 800
#: A photo with fewer features has no pattern to compare.
LEAST = 40
#: A feature counts if its best partner is so much nearer than its second best (Lowe, 2004).
RATIO = 0.75
#: From so many features on that agree on one place, it is the thing. The most that another picture has reached is 5.
AGREE, DOUBT = 8, 6
#: ... and so many of the picture's features: print in the same letters agrees in up to 2 %.
SHARE = 0.03
#: A picture with fewer features, or of fewer pixels, shows too little to say that it is another thing.
TELLING, SMALL = 40, 80
#: How far a feature may be from its place, in pixels.
NEAR = 5.0


class Photo:
    """A photo of the thing: judges pictures."""

    def __init__(self, path):
        try:
            data = numpy.fromfile(path, numpy.uint8, count=64 << 20)
        except OSError as error:
            raise verify.Unusable(f"the photo {path} cannot be read: {error.strerror}") from None
        picture = cv2.imdecode(data, cv2.IMREAD_GRAYSCALE) if len(data) else None
        if picture is None:
            raise verify.Unusable(f"{path} is not a picture that OpenCV reads")
        scale = SIDE / max(picture.shape)
        if scale < 1:
            picture = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        self.sift = cv2.SIFT_create(nfeatures=FEATURES)
        self.matcher = cv2.BFMatcher(cv2.NORM_L2)
        self.size = picture.shape[1], picture.shape[0]
        self.points, self.features = self.details(picture)
        if len(self.points) < LEAST:
            raise verify.Unusable(f"the photo {path} has no pattern to compare ({len(self.points)} details, {LEAST} are needed); "
                                  "take a sharp one that shows only the thing, or describe it")

    def details(self, picture):
        points, features = self.sift.detectAndCompute(picture, None)
        return numpy.float32([point.pt for point in points]).reshape(-1, 2), features

    def __call__(self, look):
        thing = cv2.cvtColor(numpy.ascontiguousarray(look.picture), cv2.COLOR_RGB2GRAY)
        # Small details of a small thing are below the scale at which SIFT begins.
        scale = min(2.0, max(1.0, 300 / max(thing.shape)))
        if scale > 1:
            thing = cv2.resize(thing, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC)
        points, features = self.details(thing)
        count, agreeing = len(points), 0
        if count >= 2:
            agreeing = self.agreeing(points, features)
        words = f"{agreeing} of {count} details are those of the photo"
        if agreeing >= max(AGREE, SHARE * count):
            return verify.Verdict("match", 1 - 0.4 * AGREE / agreeing, words)
        if count < TELLING or min(look.picture.shape[:2]) < SMALL:
            return verify.Verdict("unclear", 1, f"{words}: it is too small, blurred or plain to tell")
        if DOUBT <= agreeing < AGREE:
            return verify.Verdict("unclear", 1, words)
        return verify.Verdict("reject", 0.8, words)

    def agreeing(self, points, features):
        """How many details of a picture lie where the photo has them."""
        pairs = [pair for pair in self.matcher.knnMatch(features, self.features, k=2)
                 if len(pair) == 2 and pair[0].distance < RATIO * pair[1].distance]
        # Several details that share one detail of the photo are one.
        best = {}
        for first, _ in pairs:
            if first.trainIdx not in best or first.distance < best[first.trainIdx].distance:
                best[first.trainIdx] = first
        if len(best) < 4:
            return 0
        there = numpy.float32([points[match.queryIdx] for match in best.values()])
        photo = numpy.float32([self.points[match.trainIdx] for match in best.values()])
        way, mask = cv2.findHomography(photo, there, cv2.RANSAC, NEAR)
        if way is None or not self.possible(way):
            return 0
        return int(mask.sum())

    def possible(self, way):
        """Whether a camera can see the photo so: with its corners in their order, and not as a line."""
        width, height = self.size
        corners = numpy.float32([(0, 0), (width, 0), (width, height), (0, height)]).reshape(-1, 1, 2)
        seen = cv2.perspectiveTransform(corners, way).reshape(-1, 2)
        if not numpy.isfinite(seen).all():
            return False
        sides = numpy.roll(seen, -1, 0) - seen
        turns = sides[:, 0] * numpy.roll(sides[:, 1], -1) - sides[:, 1] * numpy.roll(sides[:, 0], -1)
        return bool((turns > 0).all() and cv2.contourArea(seen) > 20 * 20)


def begin(wish):
    if not wish.photo:
        raise verify.Unusable("there is no photo; name one with --photo")
    return Photo(wish.photo)


def main():
    cv2.setNumThreads(1)
    # The same picture always gets the same answer.
    cv2.setRNGSeed(1)
    verify.run(begin, name="photo")


if __name__ == "__main__":
    main()
