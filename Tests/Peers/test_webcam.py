"""The built program and the real ffmpeg on a webcam that appears, disappears, falls silent and is unplugged; webcam.c plays its
kernel.

    python3 -m unittest discover -s Tests/Peers -p 'test_webcam.py'
"""

import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

from detector_bench import ENVIRONMENT, TEMPLATE, Daemon, detect, frames
from programs import HERE, PROGRAM


class Webcam(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.holder = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.holder.name)
        compiler = os.environ.get("CC") or shutil.which("cc") or "clang"
        subprocess.run([compiler, "-O1", "-shared", "-fPIC", "-o", cls.folder / "webcam.so", HERE / "webcam.c", "-ldl"], check=True,
                       capture_output=True)
        (cls.folder / "dev/v4l/by-id").mkdir(parents=True)
        for name in ("video0", "video1", "v4l/by-id/usb-Emulated-index0"):
            (cls.folder / "dev" / name).touch()
        cls.environment = ENVIRONMENT | {"LD_PRELOAD": str(cls.folder / "webcam.so"), "WEBCAM": str(cls.folder)}

    @classmethod
    def tearDownClass(cls):
        cls.holder.cleanup()

    def setUp(self):
        self.does("ok")

    def does(self, word):
        """Sets the state of the camera."""
        new = self.folder / "state.new"
        new.write_text(word, encoding="utf-8")
        new.replace(self.folder / "state")

    def test_it_is_listed_with_what_it_can(self):
        result = subprocess.run([PROGRAM, "cameras"], env=self.environment, capture_output=True, text=True, timeout=20)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(result.stdout.splitlines(), [
            "/dev/video0  Emulated webcam\\u{7}",  # the terminal's bell is escaped
            "  always at /dev/v4l/by-id/usb-Emulated-index0",
            "  YUYV  640x480 at 30/s, 320x240 at 30/s",
            "  MJPG  1920x1080 at 30/s",
        ])

    def test_its_times_are_those_of_the_kernel(self):
        result = detect("--camera", "0", "--detector", TEMPLATE, "--json", "--seconds", "3", environment=self.environment)
        self.assertEqual(result.returncode, 0, result.stderr)
        seen = frames(result.stdout)
        self.assertGreater(len(seen), 15)
        late = []
        for before, after in zip(seen, seen[1:]):
            # The square moves four pixels per frame, and a frame takes a thirtieth of a second: its position gives the
            # time.
            moved = (after["faces"][0]["rect"][0] - before["faces"][0]["rect"][0]) % (576 / 640)
            pictures = moved * 640 / 4
            difference = after["t"] - before["t"] - pictures / 30
            if abs(difference) > 0.012 + 0.006 * pictures:
                late.append(difference)
        # On a busy machine the webcam itself may miss the time of a frame; invented times would be wrong often.
        self.assertLessEqual(len(late), len(seen) // 10, late)

    def test_whether_its_times_can_be_believed_is_told(self):
        for word, isEstimated in (("ok", False), ("realtime", True)):
            self.does(word)
            daemon = Daemon("--camera", "/dev/video0", "--detector", TEMPLATE, environment=self.environment)
            try:
                state = daemon.until(lambda state: state["detector"]["frames"] > 5)
                self.assertEqual(state["detector"]["camera"]["estimated"], isEstimated, word)
                self.assertEqual(daemon.end(), 0)
            finally:
                daemon.abandon()

    def test_it_is_taken_away_falls_silent_and_is_unplugged_and_the_daemon_goes_on(self):
        self.does("busy")
        daemon = Daemon("--camera", "/dev/video0", "--detector", TEMPLATE, environment=self.environment)

        def camera(state):
            return state["detector"]["camera"]

        def runs(state):
            return camera(state)["state"] == "running" and state["tracking"]["subjects"]

        try:
            state = daemon.until(lambda state: camera(state)["problem"])
            self.assertIn("another program uses it", camera(state)["problem"])
            self.does("ok")
            daemon.until(runs)
            self.does("silent")
            daemon.until(lambda state: camera(state)["state"] == "stalled")
            self.does("ok")
            daemon.until(runs)
            self.does("gone")
            daemon.until(lambda state: "plug it in" in (camera(state)["problem"] or "") and camera(state)["state"] != "running")
            # Without rectangles the dock searches for a moment, and comes to rest.
            daemon.until(lambda state: state["motion"]["velocity"] == {"pan": 0, "tilt": 0})
            self.does("ok")
            daemon.until(runs)
            log = "\n".join(daemon.log)
            self.assertEqual(len(re.findall("camera /dev/video0 is back", log)), 3, log)
            self.assertEqual(daemon.end(), 0)
        finally:
            daemon.abandon()


if __name__ == "__main__":
    unittest.main()
