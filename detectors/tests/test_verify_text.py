"""Tests of the verifier that reads text. Those of the networks need their models: `python3 -m dockface_detectors.models fetch text`."""

import importlib.util
import pathlib
import sys
import unittest

import numpy

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

from verifier_bench import look  # noqa: E402

from dockface_detectors import models, verify  # noqa: E402

HAS_OPENCV = importlib.util.find_spec("cv2") is not None
HAS_MODELS = HAS_OPENCV and (models.folder() / "text-reader.onnx").exists()
if HAS_OPENCV:
    import cv2
    from dockface_detectors import verify_text


def printed(*lines, height=24, blur=0, turn=0.0):
    """A label with these lines, whose capital letters are so many pixels high."""
    scale = height / 22
    picture = numpy.full((round((len(lines) + 0.8) * 2 * height), round(height * 1.1 * max(map(len, lines)) + 3 * height), 3), (225, 230, 235), numpy.uint8)
    for place, line in enumerate(lines, 1):
        cv2.putText(picture, line, (height, round(place * 2 * height)), cv2.FONT_HERSHEY_SIMPLEX, scale, (30, 20, 40),
                    max(1, round(2 * scale)), cv2.LINE_AA)
    if turn:
        middle = picture.shape[1] / 2, picture.shape[0] / 2
        picture = cv2.warpAffine(picture, cv2.getRotationMatrix2D(middle, turn, 1), picture.shape[1::-1], borderValue=(225, 230, 235))
    return cv2.blur(picture, (blur, 1)) if blur else picture


@unittest.skipUnless(HAS_OPENCV, "OpenCV is not installed")
class JudgeTests(unittest.TestCase):
    def test_few_signs_may_be_read_wrongly_and_short_words_must_be_right(self):
        cases = [
            ("ACME", ["ACME"], "match"), ("ACME", ["the ACME company"], "match"), ("ACME", ["AC", "ME"], "match"), ("ACME", ["A C M E"], "match"),
            ("ACME", ["ACNE"], "unclear"), ("ACME", ["BOSCH"], "reject"), ("ACME", ["A"], "unclear"), ("ACME", [], "unclear"),
            ("Cornflakes", ["Cornfiakes 500 g"], "match"), ("Cornflakes", ["Comfiakes"], "unclear"), ("Panducale", ["PANDUC4LE"], "match"),
            ("AB12CDE", ["AB12CDF"], "match"), ("AB12CDE", ["AB34CDF"], "unclear"), ("AB12CDE", ["XY98ZZZ"], "reject"),
        ]
        for wanted, lines, word in cases:
            self.assertEqual(verify_text.judge(verify_text.letters(wanted), lines).word, word, (wanted, lines))

    def test_the_distance_is_that_of_the_nearest_part(self):
        for wanted, text, edits in [("acme", "xxacmexx", 0), ("acme", "xxacnexx", 1), ("acme", "xxacexx", 1), ("acme", "", 4), ("acme", "zzzz", 4)]:
            self.assertEqual(verify_text.distance(wanted, text), edits, text)

    def test_what_is_read_is_told_as_plain_words(self):
        reason = verify_text.judge("acme", ["ACME\x1b[2J" + "x" * 500]).reason
        self.assertTrue(reason.isprintable() and len(reason) < 120)

    def test_a_model_says_its_signs(self):
        def field(number, data):
            return bytes([number << 3 | 2, len(data)]) + data

        model = b"\x08\x07" + field(7, b"graph") + field(14, field(1, b"other") + field(2, b"x")) + field(14, field(1, b"character") + field(2, b"a\nb"))
        self.assertEqual(verify_text.signs(model), ["a", "b"])
        with self.assertRaises(verify.Unusable):
            verify_text.signs(b"\x08\x07")

    def test_a_wish_without_letters_is_of_no_use(self):
        for text in (None, "", "!?"):
            with self.assertRaisesRegex(verify.Unusable, "--text"):
                verify_text.begin(verify.Wish("box", text=text))


@unittest.skipUnless(HAS_MODELS, "the models that read text are not installed")
class ReaderTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.answer = staticmethod(verify_text.begin(verify.Wish("box", text="Panducale")))

    def test_print_is_read_from_ten_pixels_of_height_on(self):
        for height, blur, turn in [(40, 0, 0), (24, 0, 0), (14, 0, 0), (10, 0, 0), (24, 4, 0), (24, 0, 8)]:
            verdict = self.answer(look(printed("PANDUCALE", "Crisp Almond Cookies", height=height, blur=blur, turn=turn), rect=(0, 0, 1, 1)))
            self.assertEqual(verdict.word, "match", (height, blur, turn, verdict))

    def test_other_words_are_rejected_and_no_words_are_unclear(self):
        self.assertEqual(self.answer(look(printed("WONDERFUL", "Oat Biscuits"), rect=(0, 0, 1, 1))).word, "reject")
        self.assertEqual(self.answer(look(numpy.full((90, 120, 3), 200, numpy.uint8), rect=(0, 0, 1, 1))).word, "unclear")
        self.assertEqual(self.answer(look(numpy.zeros((1, 1, 3), numpy.uint8), rect=(0, 0, 1, 1))).word, "unclear")

    def test_only_the_thing_is_read_and_not_what_is_beside_it(self):
        picture = printed("PANDUCALE", height=24)
        self.assertEqual(self.answer(look(picture, rect=(0, 0, 1, 0.05))).word, "unclear")


if __name__ == "__main__":
    unittest.main()
