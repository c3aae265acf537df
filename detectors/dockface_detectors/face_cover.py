"""Makes faces in a picture unrecognisable, before the picture leaves this machine.

Three networks look for them. A box counts that one of them is sure of, or that two of them take for a face: to cover a cup spoils a
question, to miss a face does harm. One alone that is not sure takes cups for faces.
"""

import cv2
import numpy

from . import stage, verify

#: A score from which one network is enough; below it, down to stage.MAYBE, another one must agree with so much overlap.
SURE, OVERLAP = 0.5, 0.3
#: How much larger than its box a face is covered, on each side.
MARGIN = 0.35
#: The grey of a covered face. What is under it cannot be computed from it, as it can from a blur.
GREY = 128
#: Pictures are looked at in this size, too, in pixels, because a face in a small picture is small.
SIDE = 640


class FaceCover:
    """Covers the faces of pictures. `networks`: what finds them, each a function from a picture to faces."""

    def __init__(self, networks=None):
        self.networks = networks or usual()

    def __call__(self, picture):
        """Returns a copy without faces, and how many were covered."""
        picture = numpy.array(picture)
        height, width = picture.shape[:2]
        scale = SIDE / max(height, width)
        looks = [picture]
        if scale > 1:
            looks.append(cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC))
        found = [(number, face) for look in looks for number, network in enumerate(self.networks) for face in network(look)]
        faces = [face.rect for number, face in found if face.score >= SURE
                 or any(other != number and overlap(face.rect, second.rect) > OVERLAP for other, second in found)]
        for x, y, across, along in faces:
            left, right = (x - MARGIN * across) * width, (x + (1 + MARGIN) * across) * width
            top, bottom = (y - MARGIN * along) * height, (y + (1 + MARGIN) * along) * height
            picture[max(0, int(top)):max(0, int(bottom) + 1), max(0, int(left)):max(0, int(right) + 1)] = GREY
        return picture, len(faces)


def overlap(a, b):
    """The share of two rectangles that both cover."""
    shared = [max(0, min(a[axis] + a[axis + 2], b[axis] + b[axis + 2]) - max(a[axis], b[axis])) for axis in (0, 1)]
    both = shared[0] * shared[1]
    return both / max(a[2] * a[3] + b[2] * b[3] - both, 1e-9)


def usual():
    """The networks that come with the detectors."""
    try:
        from . import blazeface, models, yunet
    except ImportError as error:
        raise verify.Unusable(f"faces cannot be covered, so no picture is sent: {error}; install the detectors") from None
    try:
        return [blazeface.BlazeFace("full", least=stage.MAYBE), blazeface.BlazeFace("short", least=stage.MAYBE),
                yunet.YuNet(width=SIDE, least=stage.MAYBE)]
    except (models.MissingModel, cv2.error) as error:
        raise verify.Unusable(f"faces cannot be covered, so no picture is sent: {error}") from None
