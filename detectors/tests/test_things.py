"""Tests of the detector of things. Those of the network need its model: `python3 -m dockface_detectors.models fetch things`."""

import importlib.util
import io
import json
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from dockface_detectors import models, stage  # noqa: E402

HAS_OPENCV = importlib.util.find_spec("cv2") is not None
if HAS_OPENCV:
    import numpy
    from dockface_detectors import things


class ObjectTests(unittest.TestCase):
    def test_objects_stand_beside_the_faces(self):
        picture = json.dumps({"type": "image", "seq": 1, "t": 0.1, "w": 2, "h": 1, "format": "rgb24"}).encode() + b"\n" + bytes(6)
        output = io.BytesIO()
        stage.Stage(lambda picture: [], "test", input=io.BytesIO(picture), output=output,
                    objects=lambda picture: [stage.Object("cup", (0.1, 0.2, 0.3, 0.4), 0.71239)]).run()
        frame = json.loads(output.getvalue().splitlines()[1])
        self.assertEqual(frame["faces"], [])
        self.assertEqual(frame["objects"], [{"label": "cup", "rect": [0.1, 0.2, 0.3, 0.4], "score": 0.7124}])

    def test_a_missing_model_names_its_remedy(self):
        with self.assertRaisesRegex(models.MissingModel, "fetch things|scripts/setup|wrong content"):
            models.LARGE["missing"] = ("", "", "", "")
            try:
                models.load("missing")
            finally:
                del models.LARGE["missing"]


@unittest.skipUnless(HAS_OPENCV, "OpenCV is not installed")
class ThingTests(unittest.TestCase):
    def test_every_number_has_its_label(self):
        self.assertEqual(len(things.LABELS), 80)
        some = {1: "person", 13: "stop sign", 44: "bottle", 47: "cup", 72: "tv", 84: "book", 90: "toothbrush"}
        self.assertEqual({number: things.LABELS[number] for number in some}, some)

    def test_tiles_cover_the_picture_and_overlap(self):
        self.assertEqual(things.tiles(640, 480, False), [(0, 0, 640, 480)])
        whole, *parts = things.tiles(640, 480, True)
        self.assertEqual(whole, (0, 0, 640, 480))
        self.assertEqual(parts, [(0, 0, 366, 274), (274, 0, 366, 274), (0, 206, 366, 274), (274, 206, 366, 274)])

    def test_a_thing_of_two_tiles_is_one_thing_and_neighbours_are_two(self):
        def box(*sides):
            return numpy.array(sides, float)

        found = [
            ("cup", 0.6, box(0.1, 0.1, 0.3, 0.3)), ("cup", 0.8, box(0.11, 0.1, 0.31, 0.3)),
            # A part of it, cut off by a tile; another thing; one beside it; one without a size.
            ("cup", 0.5, box(0.1, 0.1, 0.2, 0.3)), ("bowl", 0.4, box(0.1, 0.1, 0.3, 0.3)),
            ("cup", 0.7, box(0.32, 0.1, 0.52, 0.3)), ("cup", 0.9, box(0.5, 0.5, 0.5, 0.6)),
        ]
        self.assertEqual([(label, score) for label, score, _ in things.merge(found)], [("cup", 0.8), ("cup", 0.7), ("bowl", 0.4)])
        many = [("cup", 0.5, box(index / 200, 0, index / 200 + 0.004, 0.01)) for index in range(200)]
        self.assertEqual(len(things.merge(many)), things.MOST)

    @unittest.skipUnless((models.folder() / "ssd-mobilenet-v2.pb").exists(), "the model is not downloaded")
    def test_a_grey_picture_shows_nothing_and_noise_stays_in_the_picture(self):
        detect = things.Things()
        self.assertEqual(detect(numpy.full((480, 640, 3), 128, numpy.uint8)), [])
        noise = numpy.random.default_rng(1).integers(0, 255, (480, 640, 3), numpy.uint8)
        for thing in detect(noise):
            x, y, width, height = thing.rect
            self.assertTrue(0 <= x and 0 <= y and x + width <= 1.0001 and y + height <= 1.0001)


if __name__ == "__main__":
    unittest.main()
