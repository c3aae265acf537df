"""Reads the lens from a file of another program, for `dockface calibrate --camera --import FILE`.

    python3 -m dockface_detectors.lens_file FILE

FILE is a `camera_info` of ROS or a FileStorage of OpenCV. Standard output has one JSON line, the lens as `lens.py` has it, or
`{"problem": "..."}`.
"""

import json
import pathlib
import sys

import cv2

#: Larger files are no lens.
MOST = 100_000
#: The names of distortion models with the coefficients k1, k2, p1, p2, k3, which is what a profile can hold.
MODELS = ("plumb_bob", "")


class Unreadable(Exception):
    """The file has no lens that a profile can hold."""


def storage(text):
    """The file's nodes. ROS's YAML lacks the first line that OpenCV wants."""
    if not text.lstrip().startswith("%YAML"):
        text = "%YAML:1.0\n---\n" + text
    try:
        nodes = cv2.FileStorage(text, cv2.FILE_STORAGE_READ | cv2.FILE_STORAGE_MEMORY | cv2.FILE_STORAGE_FORMAT_YAML)
    except (cv2.error, SystemError) as error:
        raise Unreadable("it is no YAML that OpenCV reads") from error
    if not nodes.isOpened() or not nodes.root().isMap():
        raise Unreadable("it is no YAML that OpenCV reads")
    return nodes


def numbers(node, least):
    """The numbers of a matrix, row by row, however it is written."""
    if node.empty():
        return None
    matrix = node if node.isSeq() else node.getNode("data")
    found = [matrix.at(place).real() for place in range(matrix.size())] if matrix.isSeq() else []
    if len(found) < least:
        raise Unreadable(f"its {node.name()} has {len(found)} numbers instead of {least}")
    return found


def size(nodes):
    """The width and height of the pictures."""
    for names in (("image_width", "image_height"), ("width", "height")):
        found = [nodes.getNode(name) for name in names]
        if all(node.isInt() or node.isReal() for node in found):
            return [int(node.real()) for node in found]
    raise Unreadable("it does not say for which size of pictures it is (image_width, image_height)")


def read(text):
    """The lens of a file's text."""
    nodes = storage(text)
    width, height = size(nodes)
    for name in ("camera_matrix", "cameraMatrix", "Camera_Matrix", "K"):
        camera = numbers(nodes.getNode(name), 9)
        if camera:
            break
    else:
        raise Unreadable("it has no camera_matrix")
    for name in ("fisheye_model", "xi"):
        node = nodes.getNode(name)
        if not node.empty() and not (node.isInt() and int(node.real()) == 0):
            raise Unreadable(f"it is that of another kind of lens ({name}); a profile holds plumb_bob (k1, k2, p1, p2, k3)")
    model = nodes.getNode("distortion_model")
    if model.isString() and model.string() not in MODELS:
        raise Unreadable(f"its distortion_model is {model.string()}; a profile holds plumb_bob (k1, k2, p1, p2, k3)")
    bends = None
    for name in ("distortion_coefficients", "dist_coeffs", "distCoeffs", "Distortion_Coefficients", "D"):
        bends = bends or numbers(nodes.getNode(name), 4)
    bends = (bends or []) + [0] * 5
    if any(abs(number) > 1e-12 for number in bends[5:]):
        raise Unreadable("it has more than five coefficients of distortion; a profile holds plumb_bob (k1, k2, p1, p2, k3)")
    return {"width": width, "height": height, "fx": camera[0], "fy": camera[4], "cx": camera[2], "cy": camera[5],
            **dict(zip(("k1", "k2", "p1", "p2", "k3"), bends))}


def main(words):
    """Prints the line; the exit status is 0 if there is one."""
    if len(words) != 1:
        print(__doc__, file=sys.stderr)
        return 64
    try:
        with pathlib.Path(words[0]).open("rb") as file:
            data = file.read(MOST + 1)
        if len(data) > MOST:
            raise Unreadable("it is too long for a lens")
        found = read(data.decode("utf-8", "replace"))
        print(json.dumps(found, allow_nan=False))
    except OSError as error:
        print(json.dumps({"problem": error.strerror}))
    except (Unreadable, cv2.error, ValueError, OverflowError) as error:
        print(json.dumps({"problem": str(error).splitlines()[0]}))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
