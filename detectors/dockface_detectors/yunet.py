"""YuNet on OpenCV: an alternative if BlazeFace misses people. It needs more CPU time.

    python3 -m dockface_detectors.yunet [--width PIXELS] [--acquire SCORE] [--hold SCORE] [--model FILE]
"""

import argparse
import sys

import cv2

from . import models, stage

LANDMARKS = ("right_eye", "left_eye", "nose", "mouth_right", "mouth_left")


class YuNet:
    """The network: converts a frame to faces, also those of low scores from `stage.MAYBE` on. Frames are shrunk to `width`, which saves CPU time but loses small faces."""

    def __init__(self, model=None, width=480, least=0.6):
        self.width = width
        lowest = min(least, stage.MAYBE)
        self.network = cv2.FaceDetectorYN.create(str(model or models.path("yunet.onnx")), "", (width, width), lowest, 0.3, 100)
        self.size = None

    def __call__(self, picture):
        height, width = picture.shape[:2]
        scale = min(1, self.width / width)
        size = max(1, round(width * scale)), max(1, round(height * scale))
        if size != self.size:
            self.network.setInputSize(size)
            self.size = size
        small = cv2.resize(picture, size, interpolation=cv2.INTER_AREA) if scale < 1 else picture
        found = self.network.detect(cv2.cvtColor(small, cv2.COLOR_RGB2BGR))[1]
        return [] if found is None else [self.face(row) for row in found]

    def face(self, row):
        width, height = self.size
        points = tuple((row[4 + 2 * index] / width, row[5 + 2 * index] / height) for index in range(len(LANDMARKS)))
        return stage.Face(rect=(row[0] / width, row[1] / height, row[2] / width, row[3] / height), score=min(row[14], 1),
                          landmarks=points, looking=stage.looking(points, width / height))


def main():
    parser = argparse.ArgumentParser(prog="yunet", description="YuNet on OpenCV as a detector stage of dockface.")
    parser.add_argument("--width", type=int, default=480, help="width to which frames are shrunk first, pixels (default 480)")
    parser.add_argument("--acquire", type=float, default=0.8, help="lowest score at which a new face is accepted (default 0.8)")
    parser.add_argument("--hold", type=float, default=0.6, help="lowest score at which a known face is kept (default 0.6)")
    parser.add_argument("--model", help="another network file (ONNX)")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    try:
        detect = YuNet(options.model, options.width, options.hold)
    except (models.MissingModel, cv2.error) as error:
        print(f"yunet: {error}", file=sys.stderr)
        sys.exit(69)
    stage.run(detect, name="yunet", landmarks=LANDMARKS, acquire=options.acquire, hold=options.hold)


if __name__ == "__main__":
    main()
