"""Converts the results of other detectors to faces of a stage: example functions, one for each detector.

    from mediapipe.tasks.python import vision
    from dockface_detectors import adapters, stage

    detector = vision.FaceDetector.create_from_options(...)
    stage.run(lambda picture: adapters.from_mediapipe(detector.detect(image(picture)), picture.shape), name="mediapipe",
              landmarks=adapters.MEDIAPIPE_LANDMARKS)
"""

from . import stage

#: Points of MediaPipe's face detector, in its order; left and right are the person's own.
MEDIAPIPE_LANDMARKS = ("right_eye", "left_eye", "nose", "mouth", "right_ear", "left_ear")


def from_mediapipe(result, shape):
    """Converts a `FaceDetectorResult`: boxes in pixels, points as fractions. `shape` is the frame's: height, width, ..."""
    height, width = shape[:2]
    faces = []
    for detection in result.detections:
        box = detection.bounding_box
        faces.append(stage.Face(
            rect=(box.origin_x / width, box.origin_y / height, box.width / width, box.height / height),
            score=detection.categories[0].score, landmarks=tuple((point.x, point.y) for point in detection.keypoints or ())))
    return faces


def from_ultralytics(result, labels=("face", "person")):
    """Converts one `Results` of a model that detects faces. If the model only detects people, the upper seventh of a standing body
    is approximately the head."""
    faces = []
    for corners, score, kind in zip(result.boxes.xyxyn.tolist(), result.boxes.conf.tolist(), result.boxes.cls.tolist()):
        label = result.names[int(kind)]
        if label not in labels:
            continue
        left, top, right, bottom = corners
        if label == "person":
            left, top, right, bottom = head_of(left, top, right, bottom)
        faces.append(stage.Face(rect=(left, top, right - left, bottom - top), score=score))
    return faces


def head_of(left, top, right, bottom):
    """The approximate position of the head of a person who stands upright in a box."""
    height, middle = (bottom - top) / 7, (left + right) / 2
    half = min((right - left) / 2, height / 2)
    return middle - half, top, middle + half, top + height


def from_frigate(event, shape):
    """Converts a message of Frigate's topic `frigate/events` from one camera: its faces, or the head of its person. `shape` is the
    size of the frames that Frigate analyses: height, width. Its times are seconds since 1970. Send them as `t` of a frame, with
    `"clock":"unix"` in hello.

    Frigate reports changes, not every frame. That is enough for a glance at a person, but too rare for close tracking.
    """
    height, width = shape[:2]
    after = event["after"]
    if event["type"] == "end" or after.get("false_positive"):
        return []
    boxes = [(item["box"], item["score"]) for item in after.get("current_attributes", []) if item["label"] == "face"]
    if not boxes and after["label"] in ("face", "person"):
        box = after["box"]
        boxes = [(head_of(*box) if after["label"] == "person" else box, after["score"])]
    return [
        stage.Face(rect=(left / width, top / height, (right - left) / width, (bottom - top) / height), score=score)
        for (left, top, right, bottom), score in boxes
    ]
