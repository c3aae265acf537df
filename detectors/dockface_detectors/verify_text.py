"""Reads what is written on a thing: a verifier of `dockface find --text`. It uses no network.

    python3 -m dockface_detectors.verify_text

PP-OCRv4 on OpenCV. Letters must be about 10 pixels high and sharp. The models are not among the usual ones:
`python3 -m dockface_detectors.models fetch text`.
"""

import re
import unicodedata

import cv2
import numpy

from . import models, verify

#: The longest side of a picture that is searched for text, in pixels; the network wants multiples of 32.
SIDE, STEP = 640, 32
#: How much a small picture is enlarged at most.
ENLARGED = 2.0
#: A pixel that is text, and a line whose pixels are, on average; how much larger a line is than its core; the thinnest core, in pixels.
TEXT, LIKELY, LARGER, THIN = 0.3, 0.5, 1.6, 3
#: The height of a line for the reader, in pixels, and the longest line.
HEIGHT, WIDTH = 48, 1200
#: The least mean score of a line's signs, and the most lines of a picture.
SURE, LINES = 0.5, 40
#: Fewer signs than this do not tell what a thing is.
TELLING = 3


class Reader:
    """Finds and reads the lines of text in a picture."""

    def __init__(self):
        try:
            finder, reader = (str(models.path(name)) for name in models.TEXT)
            self.finder = cv2.dnn.readNetFromONNX(finder)
            self.reader = cv2.dnn.readNetFromONNX(reader)
        except (models.MissingModel, cv2.error) as error:
            raise verify.Unusable(f"text cannot be read: {error}") from None
        with open(reader, "rb") as file:
            self.signs = signs(file.read())

    def __call__(self, picture):
        """The lines of a picture (RGB), from top to bottom."""
        picture = cv2.cvtColor(numpy.ascontiguousarray(picture), cv2.COLOR_RGB2BGR)
        scale = min(ENLARGED, SIDE / max(picture.shape[:2]))
        height, width = (max(STEP, round(side * scale / STEP) * STEP) for side in picture.shape[:2])
        self.finder.setInput(cv2.dnn.blobFromImage(picture, 1 / 127.5, (width, height), (127.5, 127.5, 127.5)))
        found = boxes(self.finder.forward().reshape(height, width))
        stretch = numpy.float32([picture.shape[1] / width, picture.shape[0] / height])
        lines = []
        for box in sorted((box * stretch for box in found), key=lambda box: (box[:, 1].mean(), box[:, 0].mean())):
            text, sure = self.read(straight(picture, box))
            if sure >= SURE and text.strip():
                lines.append(text.strip())
        return lines

    def read(self, line):
        """The text of a line, and how sure it is."""
        width = min(WIDTH, max(HEIGHT, round(line.shape[1] * HEIGHT / line.shape[0])))
        self.reader.setInput(cv2.dnn.blobFromImage(line, 1 / 127.5, (width, HEIGHT), (127.5, 127.5, 127.5)))
        scores = self.reader.forward()[0]
        best, sure = scores.argmax(-1), scores.max(-1)
        # One sign stretches over several columns; 0 separates equal signs (CTC).
        new = (best != 0) & (best != numpy.concatenate([[0], best[:-1]]))
        if not new.any():
            return "", 0.0
        return "".join(self.signs[place - 1] if place <= len(self.signs) else " " for place in best[new]), float(sure[new].mean())


def boxes(heat):
    """The corners of lines of text in a map of how likely each pixel is text (differentiable binarisation, Liao et al., 2020)."""
    found = []
    for outline in cv2.findContours((heat > TEXT).astype(numpy.uint8), cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)[0]:
        (x, y), (across, along), turn = cv2.minAreaRect(outline)
        if min(across, along) < THIN:
            continue
        mask = cv2.drawContours(numpy.zeros(heat.shape, numpy.uint8), [outline], -1, 1, -1)
        sure = cv2.mean(heat, mask)[0]
        if sure >= LIKELY:
            # The map shows the core of a line; its letters are larger.
            more = across * along * LARGER / (2 * (across + along)) * 2
            found.append((sure * across * along, cv2.boxPoints(((x, y), (across + more, along + more), turn))))
    found.sort(key=lambda one: -one[0])
    return [box for _, box in found[:LINES]]


def straight(picture, box):
    """The part of a picture between four corners, as a line that is read from left to right."""
    middle = box.mean(0)
    # Along the longer side, and to the right.
    first, second = box[1] - box[0], box[2] - box[1]
    along, up = (first, second) if numpy.linalg.norm(first) >= numpy.linalg.norm(second) else (second, first)
    if along[0] < 0:
        along = -along
    if along[0] * up[1] - along[1] * up[0] < 0:
        up = -up
    corners = numpy.float32([middle + (x * along + y * up) / 2 for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))])
    width, height = max(4, round(float(numpy.linalg.norm(along)))), max(4, round(float(numpy.linalg.norm(up))))
    way = cv2.getPerspectiveTransform(corners, numpy.float32([(0, 0), (width, 0), (width, height), (0, height)]))
    return cv2.warpPerspective(picture, way, (width, height), flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)


def signs(model):
    """The signs that the reader's numbers mean. They are in the model's file: field 14 of its message, under the key `character`."""
    for number, entry in fields(model):
        if number == 14:
            parts = dict(fields(entry))
            if parts.get(1) == b"character":
                return parts[2].decode().split("\n")
    raise verify.Unusable("the model that reads text does not say its signs; download it again")


def fields(message):
    """The fields of a protocol buffers message: numbers, and bytes or integers."""
    place = 0

    def varint():
        nonlocal place
        value = shift = 0
        while True:
            byte = message[place]
            place += 1
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    while place < len(message):
        tag = varint()
        number, kind = tag >> 3, tag & 7
        if kind == 0:
            yield number, varint()
        else:
            size = varint() if kind == 2 else {1: 8, 5: 4}[kind]
            yield number, message[place:place + size]
            place += size


def letters(text):
    """Letters and digits in lower case; all else is often read wrongly."""
    return re.sub(r"[\W_]+", "", unicodedata.normalize("NFKC", text).casefold())


def allowed(count):
    """How many signs of a text may be read wrongly."""
    return 0 if count < 5 else 1 if count <= 8 else count // 5


def distance(wanted, text):
    """The fewest edits that make `wanted` of any part of `text`."""
    row = [0] * (len(text) + 1)
    for place, sign in enumerate(wanted, 1):
        last, row[0] = row[:], place
        for other in range(1, len(text) + 1):
            row[other] = min(last[other - 1] + (sign != text[other - 1]), last[other] + 1, row[other - 1] + 1)
    return min(row)


def judge(wanted, lines):
    """The verdict about a thing on which these lines were read."""
    read = letters("".join(lines))
    quoted = f'"{verify.plain(" ".join(lines), 60)}" is written on it'
    if len(read) < TELLING:
        return verify.Verdict("unclear", 1, "no text can be read; letters must be about 10 pixels high")
    edits, most = distance(wanted, read), allowed(len(wanted))
    if edits <= most:
        return verify.Verdict("match", 1 - 0.3 * edits / (most + 1), quoted)
    # Part of the text may be hidden, or on another side.
    return verify.Verdict("unclear" if edits <= len(wanted) // 2 else "reject", 0.8, quoted)


def begin(wish):
    wanted = letters(wish.text or "")
    if not wanted:
        raise verify.Unusable("there are no letters to look for; name them with --text")
    reader = Reader()

    def answer(look):
        return judge(wanted, reader(look.thing()))

    return answer


def main():
    cv2.setNumThreads(1)
    # Its warnings are about itself, and would be the search's log.
    cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_ERROR)
    verify.run(begin, name="text")


if __name__ == "__main__":
    main()
