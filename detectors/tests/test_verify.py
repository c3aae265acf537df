"""Tests of what all verifiers share, and of the one that compares photos."""

import importlib.util
import json
import os
import pathlib
import sys
import tempfile
import unittest

import numpy

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

from verifier_bench import RECT, label, look, question, seen, talk  # noqa: E402

from dockface_detectors import verify  # noqa: E402

HAS_OPENCV = importlib.util.find_spec("cv2") is not None
if HAS_OPENCV:
    import cv2
    from dockface_detectors import verify_photo

WISH = json.dumps({"type": "wish", "version": 1, "label": "cup", "photo": None, "text": None, "description": None}).encode() + b"\n"
GREY = numpy.full((3, 4, 3), 128, numpy.uint8)


class LoopTests(unittest.TestCase):
    def test_a_question_has_an_answer_with_its_number(self):
        begun, looks = [], []

        def begin(wish):
            begun.append(wish)
            return lambda look: looks.append(look) or verify.Verdict("match", 0.91239, "it is\nred", 0.25)

        lines, status = talk(begin, WISH, question(7, GREY), question(8, GREY), cost=0.5)
        self.assertEqual(status, 0)
        self.assertEqual(lines[0], {"type": "ready", "name": "test", "cost": 0.5})
        self.assertEqual(lines[1], {"id": 7, "verdict": "match", "confidence": 0.912, "reason": "it is red", "cost": 0.25})
        self.assertEqual([line.get("id") for line in lines], [None, 7, 8])
        self.assertEqual(begun, [verify.Wish("cup")])
        self.assertTrue((looks[0].picture == GREY).all() and looks[0].rect == RECT)

    def test_a_failure_is_an_answer_and_the_next_question_is_asked(self):
        errors = [verify.Failed("busy", after=20, cost=1), verify.Unusable("no key")]

        def judge(look):
            raise errors.pop(0)

        lines, status = talk(lambda wish: judge, WISH, question(1, GREY), question(2, GREY))
        self.assertEqual(lines[1:], [{"id": 1, "error": "busy", "after": 20, "final": False, "cost": 1},
                                     {"id": 2, "error": "no key", "after": None, "final": True, "cost": 0}])
        self.assertEqual(status, 0)

    def test_a_verifier_that_cannot_work_says_so_and_ends(self):
        def begin(wish):
            raise verify.Unusable("the model is missing")

        self.assertEqual(talk(begin, WISH, question(1, GREY)), ([{"type": "unusable", "reason": "the model is missing"}], 69))

    def test_bad_input_ends_a_verifier(self):
        bad = [b"nonsense\n", b"[]\n", b'{"type":"ask"}\n', b'{"type":"other"}\n', question(1, GREY), b"[" * 60_000 + b"\n"]
        wild = [{"w": 0}, {"w": 1e9, "h": 1e9}, {"rect": [0, 0, 2, 1]}, {"rect": [0, 0]}, {"id": "x"}, {"rect": [0, 0, float("nan"), 1]}]
        line = {"type": "ask", "id": 1, "w": 4, "h": 3, "rect": RECT}
        cases = bad + [WISH + json.dumps(line | change).encode() + b"\n" + bytes(36) for change in wild]
        for input in cases:
            lines, status = talk(lambda wish: lambda look: verify.Verdict("match"), input)
            self.assertEqual(status, 65, input[:80])
            self.assertFalse([line for line in lines if "verdict" in line], input[:80])

    def test_an_input_that_ends_within_a_picture_has_no_answer(self):
        lines, status = talk(lambda wish: lambda look: verify.Verdict("match"), WISH, question(1, GREY)[:-1])
        self.assertEqual((len(lines), status), (1, 0))

    def test_the_thing_is_the_rectangle_without_its_margin(self):
        picture = numpy.zeros((130, 130, 3), numpy.uint8)
        picture[15:115, 15:115] = 200
        thing = look(picture).thing()
        self.assertEqual(thing.shape, (100, 100, 3))
        self.assertTrue((thing == 200).all())
        self.assertEqual(look(picture, rect=(1, 1, 0, 0)).thing().shape, (1, 1, 3))

    def test_a_reason_is_one_plain_line(self):
        self.assertEqual(verify.plain("a\x1b[2J\nb\u202ec\x00"), "a [2J b c")
        self.assertEqual(len(verify.plain("x" * 500)), verify.REASON)


@unittest.skipUnless(HAS_OPENCV, "OpenCV is not installed")
class PhotoTests(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def photo(self, picture, name="mug.png"):
        path = os.path.join(self.folder.name, name)
        cv2.imwrite(path, cv2.cvtColor(picture, cv2.COLOR_RGB2BGR))
        return verify_photo.Photo(path)

    def test_a_thing_is_that_of_its_photo_at_all_sizes_turned_and_blurred(self):
        photo = self.photo(cv2.resize(label(1), None, fx=2, fy=2))
        for width, turn, blur in [(400, 0, 0), (200, 0.2, 0), (150, 0.2, 4), (105, 0, 0), (75, 0.1, 0)]:
            verdict = photo(look(seen(label(1), width, turn, blur)))
            self.assertEqual(verdict.word, "match", (width, turn, blur, verdict))
            self.assertGreaterEqual(verdict.confidence, 0.6)

    def test_another_thing_of_the_same_make_is_rejected(self):
        photo = self.photo(label(1))
        for seed in range(2, 16):
            for width in (300, 150):
                verdict = photo(look(seen(label(seed), width)))
                self.assertEqual(verdict.word, "reject", (seed, width, verdict))

    def test_what_is_small_plain_or_blurred_is_unclear(self):
        photo = self.photo(label(1))
        plain = numpy.full((120, 90, 3), 180, numpy.uint8)
        for picture in (plain, seen(label(2), 40), seen(label(1), 40, blur=12), numpy.zeros((1, 1, 3), numpy.uint8)):
            self.assertEqual(photo(look(picture)).word, "unclear")

    def test_a_mirrored_thing_is_another_one(self):
        self.assertNotEqual(self.photo(label(1))(look(seen(label(1)[:, ::-1], 200))).word, "match")

    def test_a_photo_that_cannot_be_compared_says_why(self):
        text = os.path.join(self.folder.name, "notes.txt")
        pathlib.Path(text).write_text("no picture")
        empty = os.path.join(self.folder.name, "empty.jpg")
        pathlib.Path(empty).touch()
        for path, why in [("/nonexistent/mug.jpg", "cannot be read"), (text, "not a picture"), (empty, "not a picture"), (self.folder.name, "")]:
            with self.assertRaisesRegex(verify.Unusable, why):
                verify_photo.Photo(path)
        with self.assertRaisesRegex(verify.Unusable, "no pattern"):
            self.photo(numpy.full((200, 200, 3), 90, numpy.uint8), "plain.png")
        with self.assertRaisesRegex(verify.Unusable, "--photo"):
            verify_photo.begin(verify.Wish("cup"))


if __name__ == "__main__":
    unittest.main()
