"""Tests of a stage's protocol, and of the conversion of other detectors' results."""

import io
import json
import pathlib
import sys
import types
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from dockface_detectors import adapters, stage, template  # noqa: E402


def image(sequence, width, height, pixels):
    line = json.dumps({"type": "image", "seq": sequence, "t": sequence / 10, "w": width, "h": height, "format": "rgb24"})
    return line.encode() + b"\n" + pixels


def run(detect, *parts, **options):
    output = io.BytesIO()
    status = stage.Stage(detect, "test", input=io.BytesIO(b"".join(parts)), output=output, **options).run()
    return status, [json.loads(line) for line in output.getvalue().splitlines()]


class StageTests(unittest.TestCase):
    def test_a_picture_is_answered_with_its_number_and_its_time(self):
        seen = []

        def detect(picture):
            seen.append((picture.shape, int(picture[1, 2, 0])))
            return [stage.Face((0.1, 0.2, 0.3, 0.4), 0.9, ((0.15, 0.25),), yaw=-0.25, looking=None)]

        pixels = bytes(range(4 * 3 * 3))
        status, lines = run(detect, image(7, 4, 3, pixels), image(8, 4, 3, pixels))
        self.assertEqual(status, 0)
        self.assertEqual(lines[0]["type"], "hello")
        self.assertEqual(seen, [((3, 4, 3), 18)] * 2)
        self.assertEqual(lines[1], {"type": "frame", "seq": 7, "t": 0.7, "size": [4, 3], "faces": [
            {"rect": [0.1, 0.2, 0.3, 0.4], "score": 0.9, "lm": [0.15, 0.25], "yaw": -0.25}]})
        self.assertEqual(lines[-1], {"type": "bye", "reason": "eof"})

    def test_the_size_may_change_between_two_pictures(self):
        shapes = []
        run(lambda picture: shapes.append(picture.shape) or [], image(0, 4, 3, bytes(36)), image(1, 2, 5, bytes(30)))
        self.assertEqual(shapes, [(3, 4, 3), (5, 2, 3)])

    def test_requests_are_answered_and_obeyed(self):
        faces = [stage.Face((0, 0, 0.1, 0.1), 0.6)]
        status, lines = run(
            lambda picture: list(faces), b'{"type":"ping","sent":12.5}\n', image(0, 1, 1, bytes(3)),
            b'{"type":"config","fps":10,"acquire":0.5}\n', image(1, 1, 1, bytes(3)), b'{"type":"pause"}\n',
            image(2, 1, 1, bytes(3)), b'{"type":"resume"}\n', image(3, 1, 1, bytes(3)), b'{"type":"unknown"}\n')
        self.assertEqual(status, 0)
        self.assertEqual(lines[1]["type"], "pong")
        self.assertEqual(lines[1]["sent"], 12.5)
        frames = [line for line in lines if line["type"] == "frame"]
        self.assertEqual([(frame["seq"], len(frame["faces"])) for frame in frames], [(0, 0), (1, 1), (3, 1)])

    def test_low_scores_are_reported_beside_the_faces_and_never_as_faces(self):
        found = [stage.Face((x / 10, 0.2, 0.1, 0.1), score, ((0.5, 0.5),), yaw=0.1) for x, score in
                 ((0, 0.9), (2, 0.6), (4, 0.3), (6, 0.29))]
        _, lines = run(lambda picture: iter(found), image(0, 1, 1, bytes(3)))
        self.assertEqual([face["score"] for face in lines[1]["faces"]], [0.9])
        self.assertEqual(lines[1]["maybe"], [{"rect": [0.2, 0.2, 0.1, 0.1], "score": 0.6}, {"rect": [0.4, 0.2, 0.1, 0.1], "score": 0.3}])

    def test_a_face_that_fades_moves_to_maybe_and_back(self):
        scores = iter((0.8, 0.55, 0.4, 0.55, 0.2, 0.75))
        _, lines = run(lambda picture: [stage.Face((0.1, 0.1, 0.2, 0.2), next(scores))], *(image(n, 1, 1, bytes(3)) for n in range(6)))
        frames = [(len(line["faces"]), len(line.get("maybe", []))) for line in lines if line["type"] == "frame"]
        self.assertEqual(frames, [(1, 0), (1, 0), (0, 1), (0, 1), (0, 0), (1, 0)])

    def test_every_face_of_the_detector_is_in_exactly_one_of_the_lists(self):
        import random
        chance = random.Random(7)
        found = [[stage.Face((chance.random(), chance.random(), 0.1, 0.1), chance.random()) for _ in range(8)] for _ in range(200)]
        pictures = iter(found)
        _, lines = run(lambda picture: next(pictures), *(image(n, 1, 1, bytes(3)) for n in range(200)))
        for faces, line in zip(found, (line for line in lines if line["type"] == "frame")):
            told = sorted(face["score"] for face in line["faces"] + line.get("maybe", []))
            self.assertEqual(told, sorted(round(face.score, 4) for face in faces if face.score >= stage.MAYBE))

    def test_a_line_that_is_nested_too_deeply_makes_no_sense(self):
        status, lines = run(lambda picture: [], b"[" * 60_000 + b"\n")
        self.assertEqual(status, 65)

    def test_an_input_that_ends_in_a_picture_is_an_end(self):
        status, lines = run(lambda picture: [], image(0, 4, 4, bytes(10)))
        self.assertEqual((status, [line["type"] for line in lines]), (0, ["hello", "bye"]))

    def test_what_is_not_ours_is_refused(self):
        for line in (b"hello\n", b"[]\n", b"{}\n"):
            self.assertEqual(run(lambda picture: [], line)[0], 65)


class HysteresisTests(unittest.TestCase):
    def test_a_face_is_taken_up_high_and_kept_low_where_it_was(self):
        keep = stage.Hysteresis(0.7, 0.5)

        def scores(*faces):
            return [face.score for face in keep([stage.Face((x, 0.2, 0.1, 0.1), score) for x, score in faces])]

        self.assertEqual(scores((0.1, 0.6)), [])
        self.assertEqual(scores((0.1, 0.8), (0.6, 0.55)), [0.8])
        self.assertEqual(scores((0.12, 0.55), (0.6, 0.55)), [0.55])
        self.assertEqual(scores((0.13, 0.45)), [], "below the lower threshold the face is lost")
        self.assertEqual(scores((0.13, 0.6)), [], "a lost face needs the upper threshold again")


class LookingTests(unittest.TestCase):
    def face(self, turn):
        """Eyes a tenth of the frame apart, and the nose of a head that is turned by `turn` degrees."""
        import math
        middle = 0.5 + 0.05 * math.tan(math.radians(turn))
        return ((0.45, 0.4), (0.55, 0.4), (middle, 0.46))

    def test_who_faces_the_camera_looks_at_it(self):
        self.assertEqual(stage.looking(self.face(0), 1), 1)
        self.assertEqual(stage.looking(self.face(8), 1), 1)
        self.assertAlmostEqual(stage.looking(self.face(-20), 1), 0.5, delta=0.01)
        self.assertEqual(stage.looking(self.face(45), 1), 0)

    def test_what_is_no_face_is_not_computed(self):
        self.assertIsNone(stage.looking(((0.5, 0.5), (0.5, 0.5), (0.5, 0.6)), 1))
        self.assertIsNone(stage.looking(((0.45, 0.4), (0.55, 0.4), (0.5, 0.3)), 1))


def thing(**members):
    return types.SimpleNamespace(**members)


class AdapterTests(unittest.TestCase):
    """Results in the formats that the other programs document."""

    def test_mediapipe(self):
        result = thing(detections=[thing(
            bounding_box=thing(origin_x=64, origin_y=48, width=128, height=96), categories=[thing(score=0.93)],
            keypoints=[thing(x=0.2, y=0.3), thing(x=0.3, y=0.3)])])
        face = adapters.from_mediapipe(result, (480, 640, 3))[0]
        self.assertEqual((face.rect, face.score, face.landmarks), ((0.1, 0.1, 0.2, 0.2), 0.93, ((0.2, 0.3), (0.3, 0.3))))

    def test_ultralytics(self):
        def rows(*values):
            return thing(tolist=lambda: list(values))

        boxes = thing(xyxyn=rows([0.1, 0.2, 0.3, 0.5], [0.4, 0.1, 0.6, 0.8], [0, 0, 1, 1]), conf=rows(0.9, 0.8, 0.7),
                      cls=rows(0.0, 1.0, 2.0))
        faces = adapters.from_ultralytics(thing(boxes=boxes, names={0: "face", 1: "person", 2: "dog"}))
        self.assertEqual([face.score for face in faces], [0.9, 0.8])
        for got, wanted in zip(faces[0].rect, (0.1, 0.2, 0.2, 0.3)):
            self.assertAlmostEqual(got, wanted)
        for got, wanted in zip(faces[1].rect, (0.45, 0.1, 0.1, 0.1)):
            self.assertAlmostEqual(got, wanted)

    def test_frigate(self):
        event = {"type": "update", "before": {}, "after": {
            "camera": "door", "frame_time": 1607123961.8, "label": "person", "false_positive": False, "score": 0.79,
            "box": [424, 500, 536, 712], "current_attributes": [{"label": "face", "box": [450, 510, 490, 560], "score": 0.8}]}}
        face = adapters.from_frigate(event, (720, 1280))[0]
        for got, wanted in zip(face.rect, (450 / 1280, 510 / 720, 40 / 1280, 50 / 720)):
            self.assertAlmostEqual(got, wanted)
        self.assertEqual(face.score, 0.8)
        event["after"]["current_attributes"] = []
        self.assertEqual(len(adapters.from_frigate(event, (720, 1280))), 1)
        event["type"] = "end"
        self.assertEqual(adapters.from_frigate(event, (720, 1280)), [])


class TemplateTests(unittest.TestCase):
    def test_the_bright_spot_is_found(self):
        import numpy
        picture = numpy.zeros((10, 20, 3), numpy.uint8)
        self.assertEqual(template.detect(picture), [])
        picture[2:4, 5:10] = 255
        self.assertEqual(template.detect(picture)[0].rect, (0.25, 0.2, 0.25, 0.2))


if __name__ == "__main__":
    unittest.main()
