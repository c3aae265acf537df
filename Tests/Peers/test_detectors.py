"""Frames, videos and detections with the real programs: ffmpeg, LiteRT, OpenCV. The clips: detector_bench.py."""

import pathlib
import subprocess
import tempfile
import unittest

from detector_bench import DETECTORS, ENVIRONMENT, TEMPLATE, clip, detect, frames, overlap, recorded
from programs import PROGRAM, ROOT


class Accuracy(unittest.TestCase):
    """Detections in videos of people."""

    def found(self, name, *arguments):
        result = detect("--camera", f"file:{clip(name)}", "--json", *arguments)
        self.assertEqual(result.returncode, 0, result.stderr)
        return {frame["seq"]: frame["faces"] for frame in frames(result.stdout)}

    def test_blazeface_finds_what_was_recorded(self):
        for name in ("two-people", "man-turning-head"):
            wanted, found = recorded(name), self.found(name)
            self.assertEqual(sorted(wanted), sorted(found), "every frame once")
            shares = [max((overlap(face["rect"], other["rect"]) for other in found[seq]), default=0)
                      for seq, faces in wanted.items() for face in faces]
            self.assertGreaterEqual(sum(shares) / len(shares), 0.8, name)
            self.assertGreater(min(shares), 0.5, f"{name}: no person is missed")

    def test_both_people_are_seen_in_every_picture(self):
        for arguments in ([], ["--detector", "blazeface-short"], ["--detector", "yunet"]):
            found = self.found("two-people", *arguments)
            self.assertEqual([len(faces) for faces in found.values()], [2] * 56, arguments)

    def test_a_skeleton_belongs_to_its_face(self):
        result = detect("--camera", f"file:{clip('two-people')}", "--detector", "blazepose", "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        people = 0
        for frame in frames(result.stdout):
            for person in frame["people"]:
                x, y, width, height = frame["faces"][person["face"]]["rect"]
                across, down = person["joints"][0][:2]
                self.assertTrue(x <= across <= x + width and y <= down <= y + height, frame["seq"])
                people += 1
        self.assertGreaterEqual(people, 0.95 * 112)

    def test_people_who_show_no_hands_have_none(self):
        for name in ("two-people", "man-turning-head"):
            result = detect("--camera", f"file:{clip(name)}", "--detector", "hands", "--json")
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertEqual([hand for frame in frames(result.stdout) for hand in frame.get("hands", [])], [], name)

    def test_a_face_that_turns_away_looks_elsewhere(self):
        looks = [face["looking"] for faces in self.found("two-people").values() for face in faces]
        self.assertGreater(max(looks), 0.9)
        self.assertLess(min(looks), 0.1)


class Pictures(unittest.TestCase):
    """The path of the frames, with a detector that needs no model."""

    def film(self, folder, filters, name="film.mkv"):
        path = pathlib.Path(folder, name)
        subprocess.run(["ffmpeg", "-v", "error", "-f", "lavfi", "-i", filters, "-c:v", "ffv1", str(path)], check=True)
        return path

    def test_a_bright_spot_is_found_where_it_is_at_its_time(self):
        with tempfile.TemporaryDirectory() as folder:
            # A white square that moves to the right: 10 pixels per frame, 320 x 240, 25 a second.
            path = self.film(folder, "color=black:size=320x240:rate=25:duration=1[a];color=white:size=32x24:rate=25[b];"
                                     "[a][b]overlay=x=n*10:y=120:shortest=1")
            result = detect("--camera", f"file:{path}", "--detector", TEMPLATE, "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        seen = frames(result.stdout)
        self.assertEqual(len(seen), 25)
        for index, frame in enumerate(seen):
            self.assertAlmostEqual(frame["t"], index / 25, delta=0.002)
            place = (index + 1) * 10 / 320  # overlay counts from 1
            x, y, width, height = frame["faces"][0]["rect"]
            self.assertAlmostEqual(x, place, delta=0.01)
            self.assertAlmostEqual(y, 0.5, delta=0.01)
            self.assertAlmostEqual(width, min(0.1, 1 - x), delta=0.02)
            self.assertAlmostEqual(height, 0.1, delta=0.02)

    def test_a_camera_that_hangs_upside_down_is_turned(self):
        with tempfile.TemporaryDirectory() as folder:
            path = self.film(folder, "color=black:size=320x240:rate=25:duration=0.2[a];color=white:size=32x24:rate=25[b];"
                                     "[a][b]overlay=x=0:y=0:shortest=1")
            profile = pathlib.Path(folder, "turned.toml")
            text = (ROOT / "profiles" / "dlp-dock.toml").read_text(encoding="utf-8")
            for turn, corner in ((180, (0.9, 0.9)), (90, (0.9, 0)), (270, (0, 0.9))):
                profile.write_text(text.replace('mount = "head"', f'mount = "head", rotate = {turn}'), encoding="utf-8")
                result = detect("--camera", f"file:{path}", "--detector", TEMPLATE, "--json", "--profile", str(profile))
                self.assertEqual(result.returncode, 0, result.stderr)
                x, y = frames(result.stdout)[0]["faces"][0]["rect"][:2]
                self.assertAlmostEqual(x, corner[0], delta=0.03, msg=f"rotated by {turn}")
                self.assertAlmostEqual(y, corner[1], delta=0.03, msg=f"rotated by {turn}")

    def test_what_is_no_camera_is_told_at_once_and_with_what_to_do(self):
        for camera, words, status in (
                ("file:/nowhere.mp4", "give a video file", 65), ("/dev/video99", "dockface cameras", 69),
                (f"file:{__file__}", "not a readable video file", 69), ("webcam", "unknown camera", 64),
                ("/dev/null", "", 69)):
            result = detect("--camera", camera, timeout=20)
            self.assertEqual(result.returncode, status, result.stderr)
            self.assertIn(words, result.stderr)

    def test_a_password_is_told_nobody(self):
        result = detect("--camera", "rtsp://bob:secret@127.0.0.1:1/live", timeout=30)
        self.assertEqual(result.returncode, 69, result.stderr)
        self.assertIn("127.0.0.1", result.stderr)
        self.assertNotIn("secret", result.stderr + result.stdout)

    def test_cameras_lists_without_one(self):
        result = subprocess.run([PROGRAM, "cameras"], capture_output=True, text=True, check=True)
        self.assertTrue("no camera found" in result.stdout or "/dev/video" in result.stdout)

    def test_without_detectors_it_says_the_one_command(self):
        result = subprocess.run([PROGRAM, "run", "--port", "sim", "--headless", "--camera", "test"], capture_output=True,
                                text=True, env=ENVIRONMENT | {"DOCKFACE_DETECTORS": "/nonexistent"}, timeout=20)
        self.assertEqual(result.returncode, 69)
        self.assertIn("scripts/setup --camera", result.stderr)


class Documentation(unittest.TestCase):
    def test_the_ten_minute_recipe_is_a_detector(self):
        text = (ROOT / "docs" / "DETECTORS.md").read_text(encoding="utf-8")
        recipe = text.split("```python\n", 1)[1].split("```", 1)[0]
        with tempfile.TemporaryDirectory() as folder:
            program = pathlib.Path(folder, "my_detector.py")
            program.write_text(recipe, encoding="utf-8")
            # As printed in the text, with the Python that it names.
            command = next(line for line in text.splitlines() if line.startswith("dockface detect --camera test --detector"))
            self.assertIn('"exec:python3 my_detector.py"', command)
            result = detect("--camera", "test", "--detector", f"exec:{DETECTORS}/bin/python3 {program}", "--json", "--seconds", "4")
        self.assertEqual(result.returncode, 0, result.stderr)
        seen = frames(result.stdout)
        self.assertGreater(len(seen), 5)
        self.assertEqual(seen[0]["faces"][0]["rect"], [0.4, 0.2, 0.1, 0.2])


class Films(unittest.TestCase):
    """A video through the daemon, from start to end."""

    def test_a_daemon_with_a_film_ends_with_it(self):
        for more in ([], ["--detector", TEMPLATE]):
            with tempfile.TemporaryDirectory() as folder:
                film = pathlib.Path(folder, "film.mkv")
                subprocess.run(["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=320x240:rate=25:duration=1.2", "-c:v",
                                "libx264", str(film)], check=True)
                result = subprocess.run(
                    [PROGRAM, "run", "--port", "sim", "--open-loop", "--headless", "--socket", f"{folder}/s", "--camera", f"file:{film}",
                     "--detector", TEMPLATE, *more], stdin=subprocess.PIPE, env=ENVIRONMENT, capture_output=True, text=True, timeout=30)
            self.assertEqual(result.returncode, 0, result.stderr)


if __name__ == "__main__":
    unittest.main()
