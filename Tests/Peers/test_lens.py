"""The lens of a camera on a head: measured in rendered pictures, and exchanged with files of OpenCV and ROS."""

import json
import math
import os
import pathlib
import signal
import subprocess
import unittest

from detector_bench import DETECTORS, ENVIRONMENT, TEMPLATE
from programs import PROGRAM, ROOT, Case, Rig, Told

#: The scene's camera: detectors/tests/scene.py.
FOCAL, MIDDLE, K1, MOUNT = 540, (326, 235), -0.15, {"pitch": 1.2, "yaw": -0.8, "roll": 0.6}
SCENE = ROOT / "detectors/tests/scene.py"
PYTHON = f"{DETECTORS}/bin/python3"


class LensCase(Case):
    """Verbs with their own folders."""

    def setUp(self):
        super().setUp()
        self.socket = f"{self.folder}/dock.sock"
        self.variables = {**ENVIRONMENT, "XDG_CONFIG_HOME": self.folder, "XDG_STATE_HOME": self.folder,
                          "XDG_RUNTIME_DIR": self.folder, "DOCKFACE_SOCKET": self.socket}

    def verb(self, *words, typed="", seconds=240):
        """The result of a verb that reads these answers."""
        return subprocess.run([PROGRAM, *words], input=typed, capture_output=True, text=True, env=self.variables,
                              timeout=seconds, check=False)

    def profile(self, name):
        """The text of a profile that was written."""
        return pathlib.Path(self.folder, f"dockface/profiles/{name}.toml").read_text()


class Files(LensCase):
    """Without a daemon."""

    def test_a_lens_goes_out_and_comes_back(self):
        file = pathlib.Path(self.folder, "camera.yaml")
        file.write_text("image_width: 1280\nimage_height: 720\ncamera_matrix:\n  rows: 3\n  cols: 3\n"
                        "  data: [901.5, 0, 640.25, 0, 902.5, 355, 0, 0, 1]\ndistortion_model: plumb_bob\n"
                        "distortion_coefficients:\n  rows: 1\n  cols: 5\n  data: [-0.2, 0.05, 0.001, -0.002, 0]\n")
        imported = self.verb("calibrate", "--camera", "--import", str(file), "--profile", "dlp-dock", "--name", "one", typed="y\n")
        self.assertEqual(imported.returncode, 0, imported.stderr)
        for line in ("[camera.lens]", "width = 1280", "fx = 901.5", "cy = 355.5", "p2 = -0.002", "hfov = 70.7"):
            self.assertIn(line, self.profile("one"))
        for form in ("ros", "opencv"):
            out = self.verb("calibrate", "--camera", "--export", form, "--profile", "one")
            self.assertEqual((out.returncode, out.stderr), (0, ""))
            pathlib.Path(self.folder, form).write_text(out.stdout)
            back = self.verb("calibrate", "--camera", "--import", f"{self.folder}/{form}", "--profile", "dlp-dock", "--json", typed="n\n")
            lens = json.loads(back.stdout)["lens"]
            self.assertEqual([lens[key] for key in ("fx", "fy", "cx", "cy", "k1", "k2", "p1", "p2", "k3")],
                             [901.5, 902.5, 640.75, 355.5, -0.2, 0.05, 0.001, -0.002, 0])

    def test_what_is_no_lens_is_refused_in_words(self):
        for file in (str(SCENE), f"{self.folder}/missing.yaml", "/dev/null"):
            result = self.verb("calibrate", "--camera", "--import", file, "--profile", "dlp-dock")
            self.assertNotEqual(result.returncode, 0, file)
            self.assertIn("no lens that can be used", result.stderr)
            self.assertFalse(pathlib.Path(self.folder, "dockface/profiles").exists())

    def test_without_a_daemon_nothing_is_measured(self):
        for words in (["--camera"], ["--board", "1.4"]):
            result = self.verb("calibrate", *words, "--profile", "dlp-dock")
            self.assertEqual(result.returncode, 69, result.stderr)
            self.assertIn("dockface run --camera", result.stderr)

    def test_the_board_is_a_page(self):
        file = pathlib.Path(self.folder, "board.pdf")
        result = self.verb("board", "--pdf", str(file))
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertTrue(file.read_bytes().startswith(b"%PDF"))
        refused = self.verb("board", "--pdf", "/nosuch/board.pdf")
        self.assertNotEqual(refused.returncode, 0)
        self.assertIn("/nosuch/board.pdf cannot be written", refused.stderr)


@unittest.skipUnless(os.environ.get("DOCKFACE_THOROUGH"), "a minute each; scripts/test --full runs it")
class Measurement(LensCase):
    """With a daemon, whose camera sees what the head of a simulated rig would see."""

    def begin(self, kind):
        """A scene, a rig and a daemon."""
        scene = subprocess.Popen([PYTHON, str(SCENE), "0", self.socket, *([kind] if kind else [])], stdout=subprocess.PIPE, text=True)
        self.addCleanup(scene.wait)
        self.addCleanup(scene.kill)
        self.addCleanup(scene.stdout.close)
        port = scene.stdout.readline().strip()
        rig = Rig(self.folder, "rig")
        self.addCleanup(rig.close)
        words = ["run", "--port", rig.path, "--profile", str(ROOT / "profiles/dlp-dock.toml"), "--headless", "--mode", "manual",
                 "--camera", f"http://127.0.0.1:{port}/", "--detector", TEMPLATE, "--socket", self.socket]
        daemon = subprocess.Popen([PROGRAM, *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                  text=True, env=self.variables)
        self.addCleanup(daemon.stdin.close)
        self.addCleanup(daemon.stdout.close)
        self.addCleanup(daemon.wait)
        self.addCleanup(daemon.terminate)
        Told(daemon.stdout).wait("dock ready", seconds=15)
        return rig

    def test_the_lens_is_measured_and_written(self):
        rig = self.begin("")
        result = self.verb("calibrate", "--camera", "--json", "--name", "one", typed="y\ny\n")
        self.assertEqual(result.returncode, 0, result.stderr)
        found = json.loads(result.stdout)
        lens = found["lens"]
        self.assertLess(abs(lens["fx"] / FOCAL - 1), 0.003)
        self.assertLess(math.hypot(lens["cx"] - MIDDLE[0], lens["cy"] - MIDDLE[1]), 3)
        self.assertLess(abs(lens["k1"] - K1), 0.01)
        for name, angle in MOUNT.items():
            self.assertLess(abs(math.degrees(lens[name]) - angle), 0.2, name)
        self.assertLess(math.degrees(found["rays"]), 0.2)
        self.assertIn("[camera.lens]", self.profile("one"))
        self.assertLess(max(abs(angle) for angle in rig.pose()), 1, "the head is back where it stood")

    def test_the_head_stops_with_the_verb(self):
        """However the verb ends, on the way to the first view, which takes longer than a lease lasts."""
        rig = self.begin("")
        self.assertEqual(self.verb("speed", "5").returncode, 0)
        for number, status in ((signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGKILL, -9)):
            child = subprocess.Popen([PROGRAM, "calibrate", "--camera"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
                                     stderr=subprocess.PIPE, text=True, env=self.variables)
            try:
                child.stdin.write("y\n")
                child.stdin.flush()
                self.assertTrue(rig.wait(lambda rate, _: rate > 3, 20), "it does not begin")
                begin, _, _ = rig.pose()
                # The lease lasts for 2 seconds, so it was renewed.
                self.assertTrue(rig.wait(lambda rate, _: abs(rig.pose()[0] - begin) > 15, 6), "the motion ended too early")
                child.send_signal(number)
                self.assertTrue(rig.wait(lambda rate, _: rate < 0.5, 1.5), "the head goes on")
                self.assertEqual(child.wait(5), status)
                said = child.stderr.read()
                self.assertTrue(number == signal.SIGKILL or "nothing is written" in said, said)
            finally:
                child.kill()
                child.wait()
                child.stdin.close()
                child.stderr.close()
            self.assertEqual(self.verb("orient", "0", "0", "in", "2").returncode, 0)
        self.assertFalse(pathlib.Path(self.folder, "dockface/profiles").exists())

    def test_a_picture_that_hangs_there_again_and_again_is_refused(self):
        self.begin("twice")
        result = self.verb("calibrate", "--camera", "--json", typed="y\ny\n")
        self.assertEqual((result.returncode, json.loads(result.stdout)["written"]), (1, None), result.stderr)
        self.assertIn("aim at another scene", result.stderr)


if __name__ == "__main__":
    unittest.main()
