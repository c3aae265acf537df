"""Cameras and detectors, with the real programs: ffmpeg, LiteRT, OpenCV. Clips of people are no part of the repository:
DOCKFACE_MEDIA names their folder, else it is media; the tests that need them say so where it is not there."""

import json
import math
import os
import pathlib
import signal
import socket
import subprocess
import tempfile
import threading
import time
import unittest

from programs import PROGRAM

ROOT = pathlib.Path(__file__).resolve().parents[2]
MEDIA = pathlib.Path(os.environ.get("DOCKFACE_MEDIA", ROOT / "media"))
#: Where scripts/test installs them, else where scripts/setup --camera does.
PLACES = [ROOT / ".build" / "detectors", pathlib.Path.home() / ".local" / "share" / "dockface" / "detectors"]
DETECTORS = pathlib.Path(os.environ.get("DOCKFACE_DETECTORS", next(filter(pathlib.Path.exists, PLACES), PLACES[0])))
ENVIRONMENT = os.environ | {"DOCKFACE_DETECTORS": str(DETECTORS), "SWIFT_BACKTRACE": "enable=no"}
ENVIRONMENT.pop("PYTHONPATH", None)


def clip(name):
    path = MEDIA / f"{name}.gif"
    if not path.exists():
        raise unittest.SkipTest(f"{path} is not there: name the folder of the clips with DOCKFACE_MEDIA")
    return path


def recorded(name):
    """What another program has found in the same film with the same network."""
    with open(ROOT / "Examples" / "faces" / f"{name}.jsonl", encoding="utf-8") as file:
        return {frame["seq"]: frame["faces"] for frame in map(json.loads, file) if frame["type"] == "frame"}


def overlap(a, b):
    width = max(0, min(a[0] + a[2], b[0] + b[2]) - max(a[0], b[0]))
    height = max(0, min(a[1] + a[3], b[1] + b[3]) - max(a[1], b[1]))
    return width * height / (a[2] * a[3] + b[2] * b[3] - width * height)


def detect(*arguments, timeout=120, environment=ENVIRONMENT):
    return subprocess.run([PROGRAM, "detect", *arguments], env=environment, capture_output=True, text=True, timeout=timeout)


def frames(text):
    return [line for line in map(json.loads, text.splitlines()) if line.get("type") == "frame"]


class Accuracy(unittest.TestCase):
    """What is found in films of people."""

    def found(self, name, *arguments):
        result = detect("--camera", f"file:{clip(name)}", "--json", *arguments)
        self.assertEqual(result.returncode, 0, result.stderr)
        return {frame["seq"]: frame["faces"] for frame in frames(result.stdout)}

    def test_blazeface_finds_what_was_recorded(self):
        for name in ("two-people", "man-turning-head"):
            wanted, found = recorded(name), self.found(name)
            self.assertEqual(sorted(wanted), sorted(found), "every picture once")
            shares = [max((overlap(face["rect"], other["rect"]) for other in found[seq]), default=0)
                      for seq, faces in wanted.items() for face in faces]
            self.assertGreaterEqual(sum(shares) / len(shares), 0.8, name)
            self.assertGreater(min(shares), 0.5, f"{name}: nobody is missed")

    def test_both_people_are_seen_in_every_picture(self):
        for arguments in ([], ["--detector", "blazeface-short"], ["--detector", "yunet"]):
            found = self.found("two-people", *arguments)
            self.assertEqual([len(faces) for faces in found.values()], [2] * 56, arguments)

    def test_a_face_that_turns_away_looks_elsewhere(self):
        looks = [face["looking"] for faces in self.found("two-people").values() for face in faces]
        self.assertGreater(max(looks), 0.9)
        self.assertLess(min(looks), 0.1)


class Pictures(unittest.TestCase):
    """The way of the pictures, with a detector that needs no model."""

    template = f"exec:{DETECTORS}/bin/python3 -m dockface_detectors.template"

    def film(self, folder, filters, name="film.mkv"):
        path = pathlib.Path(folder, name)
        subprocess.run(["ffmpeg", "-v", "error", "-f", "lavfi", "-i", filters, "-c:v", "ffv1", str(path)], check=True)
        return path

    def test_a_bright_spot_is_found_where_it_is_at_its_time(self):
        with tempfile.TemporaryDirectory() as folder:
            # A white square that moves to the right: 10 pixels a picture, 320 x 240, 25 a second.
            path = self.film(folder, "color=black:size=320x240:rate=25:duration=1[a];color=white:size=32x24:rate=25[b];"
                                     "[a][b]overlay=x=n*10:y=120:shortest=1")
            result = detect("--camera", f"file:{path}", "--detector", self.template, "--json")
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
                result = detect("--camera", f"file:{path}", "--detector", self.template, "--json", "--profile", str(profile))
                self.assertEqual(result.returncode, 0, result.stderr)
                x, y = frames(result.stdout)[0]["faces"][0]["rect"][:2]
                self.assertAlmostEqual(x, corner[0], delta=0.03, msg=f"turned by {turn}")
                self.assertAlmostEqual(y, corner[1], delta=0.03, msg=f"turned by {turn}")

    def test_what_is_no_camera_is_told_at_once_and_with_what_to_do(self):
        for camera, words, status in (
                ("file:/nowhere.mp4", "give a film", 65), ("/dev/video99", "dockface cameras", 69),
                (f"file:{__file__}", "no film that can be read", 69), ("webcam", "no such camera", 64),
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
            # As it stands there, with the Python that the text names.
            command = next(line for line in text.splitlines() if line.startswith("dockface detect --camera test --detector"))
            self.assertIn('"exec:python3 my_detector.py"', command)
            result = detect("--camera", "test", "--detector", f"exec:{DETECTORS}/bin/python3 {program}", "--json", "--seconds", "4")
        self.assertEqual(result.returncode, 0, result.stderr)
        seen = frames(result.stdout)
        self.assertGreater(len(seen), 5)
        self.assertEqual(seen[0]["faces"][0]["rect"], [0.4, 0.2, 0.1, 0.2])


class Films(unittest.TestCase):
    """A film through the daemon, from its beginning to its end."""

    def test_a_daemon_with_a_film_ends_with_it(self):
        detector = f"exec:{DETECTORS}/bin/python3 -m dockface_detectors.template"
        for more in ([], ["--detector", detector]):
            with tempfile.TemporaryDirectory() as folder:
                film = pathlib.Path(folder, "film.mkv")
                subprocess.run(["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=320x240:rate=25:duration=1.2", "-c:v",
                                "libx264", str(film)], check=True)
                result = subprocess.run(
                    [PROGRAM, "run", "--port", "sim", "--open-loop", "--headless", "--socket", f"{folder}/s", "--camera", f"file:{film}",
                     "--detector", detector, *more], stdin=subprocess.PIPE, env=ENVIRONMENT, capture_output=True, text=True, timeout=30)
            self.assertEqual(result.returncode, 0, result.stderr)


class Daemon:
    """A headless daemon on a simulated dock whose camera stands still beside it."""

    def __init__(self, *arguments, environment=ENVIRONMENT):
        self.folder = tempfile.TemporaryDirectory()
        profile = pathlib.Path(self.folder.name, "fixed.toml")
        text = (ROOT / "profiles" / "dlp-dock.toml").read_text(encoding="utf-8")
        profile.write_text(text.replace('mount = "head"', 'mount = "fixed"'), encoding="utf-8")
        self.socket = str(pathlib.Path(self.folder.name, "control.sock"))
        self.arguments = ["run", "--port", "sim", "--profile", str(profile), "--headless", "--socket", self.socket]
        self.program = subprocess.Popen(
            [PROGRAM, *self.arguments, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            text=True, env=environment)
        self.log, self.said = [], []
        for stream, lines in ((self.program.stderr, self.log), (self.program.stdout, self.said)):
            threading.Thread(target=self.collect, args=(stream, lines), daemon=True).start()

    @staticmethod
    def collect(stream, lines):
        for line in stream:
            lines.append(line.rstrip())

    def status(self):
        result = subprocess.run([PROGRAM, "status", "--json", "--socket", self.socket], capture_output=True, text=True, timeout=20)
        return json.loads(result.stdout) if result.returncode == 0 else None

    def call(self, method, parameters):
        """A call of the control API, and its result."""
        with socket.socket(socket.AF_UNIX) as line:
            line.settimeout(10)
            line.connect(self.socket)
            lines = line.makefile("rwb")
            lines.readline()  # the greeting
            lines.write(json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": parameters}).encode() + b"\n")
            lines.flush()
            return json.loads(lines.readline())["result"]

    def until(self, test, within=30):
        end = time.monotonic() + within
        while time.monotonic() < end:
            state = self.status()
            if state and test(state):
                return state
            time.sleep(0.05)
        raise AssertionError(f"not within {within} s: {json.dumps(self.status())}\n" + "\n".join(self.log))

    def children(self):
        found = []
        for folder in pathlib.Path("/proc").iterdir():
            if folder.name.isdigit():
                try:
                    if int((folder / "stat").read_text().rsplit(")", 1)[1].split()[1]) == self.program.pid:
                        found.append((int(folder.name), (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode()))
                except OSError:
                    pass
        return found

    def child(self, part):
        end = time.monotonic() + 10
        while time.monotonic() < end:
            for number, words in self.children():
                if part in words:
                    return number
            time.sleep(0.02)
        raise AssertionError(f"no child {part}: {self.children()}")

    def abandon(self):
        """After a test that ended early."""
        if self.program.poll() is None:
            self.program.kill()
            self.program.wait(timeout=20)
        for stream in (self.program.stdin, self.program.stdout, self.program.stderr):
            stream.close()
        self.folder.cleanup()

    def end(self):
        self.program.send_signal(signal.SIGTERM)
        status = self.program.wait(timeout=20)
        self.abandon()
        return status


def source(state, name):
    return next(source for source in state["detector"]["sources"] if source["name"] == name)


class Supervision(unittest.TestCase):
    """What goes wrong with camera and detector, and that the dock and its daemon go on."""

    def daemon(self, *arguments):
        daemon = Daemon(*arguments)
        self.addCleanup(daemon.abandon)
        return daemon

    def gone(self, number):
        try:
            return pathlib.Path(f"/proc/{number}/stat").read_text().rsplit(")", 1)[1].split()[0] == "Z"
        except OSError:
            return True

    def test_from_a_clip_to_the_dock(self):
        path = clip("man-turning-head")
        daemon = self.daemon("--camera", f"file:{path},loop=again")
        state = daemon.until(lambda state: state["tracking"]["subjects"] and state["motion"]["commanded"]["pan"] != 0)
        self.assertEqual(state["detector"]["camera"]["state"], "running")
        self.assertEqual(state["detector"]["camera"]["width"], 480)
        self.assertEqual(source(state, "blazeface")["state"], "running")
        self.assertEqual(source(state, "blazeface")["detector"], "blazeface-full")
        # The dock points where the man is, above the middle of what a camera sees that stands still: 66 degrees across.
        def points(state):
            rect, pose = state["tracking"]["subjects"][0]["rect"], state["motion"]["position"]
            up = math.atan((0.5 - rect[1] - rect[3] / 2) * 2 * math.tan(math.radians(33)) * 270 / 480)
            return state["motion"]["owner"] == "tracking" and up > 0.06 and abs(pose["tilt"] - up) < 0.04
        daemon.until(lambda state: state["tracking"]["subjects"] and points(state))
        self.assertEqual(daemon.end(), 0)
        self.assertFalse(any("error" in line for line in daemon.log), daemon.log)

    def test_a_detector_that_is_killed_comes_back(self):
        daemon = self.daemon("--camera", "test")
        state = daemon.until(lambda state: source(state, "blazeface")["state"] == "running")
        victim = daemon.child("dockface_detectors")
        os.kill(victim, signal.SIGKILL)
        state = daemon.until(lambda state: source(state, "blazeface")["restarts"] == 1 and source(state, "blazeface")["state"] == "running")
        self.assertIn("signal 9", source(state, "blazeface")["problem"])
        self.assertEqual(daemon.end(), 0)

    def test_a_detector_that_hangs_is_ended_and_comes_back(self):
        daemon = self.daemon("--camera", "test")
        daemon.until(lambda state: source(state, "blazeface")["state"] == "running")
        victim = daemon.child("dockface_detectors")
        os.kill(victim, signal.SIGSTOP)
        daemon.until(lambda state: source(state, "blazeface")["state"] == "stalled")
        daemon.until(lambda state: source(state, "blazeface")["state"] == "running", within=40)
        self.assertTrue(self.gone(victim))
        self.assertEqual(daemon.end(), 0)

    def test_a_detector_that_hangs_on_standby_is_noticed(self):
        # 10 s between two questions, 5 s for an answer.
        daemon = self.daemon("--camera", "test", "--detector", "blazeface-short", "--detector", "yunet")
        daemon.until(lambda state: source(state, "yunet")["state"] == "running")
        hung = daemon.child("dockface_detectors.yunet")
        # It has answered the first question by then.
        time.sleep(1)
        os.kill(hung, signal.SIGSTOP)
        daemon.until(lambda state: source(state, "yunet")["restarts"] == 1)
        self.assertTrue(self.gone(hung))
        self.assertEqual(daemon.status()["detector"]["sources"][0]["restarts"], 0)

    def test_a_camera_that_dies_or_stalls_is_opened_again(self):
        daemon = self.daemon("--camera", "test", "--detector", Pictures.template)
        daemon.until(lambda state: state["detector"]["camera"]["state"] == "running" and source(state, "exec")["state"] == "running")
        os.kill(daemon.child("ffmpeg"), signal.SIGKILL)
        daemon.until(lambda state: state["detector"]["camera"]["restarts"] == 1 and state["detector"]["camera"]["state"] == "running")
        victim = daemon.child("ffmpeg")
        os.kill(victim, signal.SIGSTOP)
        daemon.until(lambda state: state["detector"]["camera"]["state"] == "stalled")
        daemon.until(lambda state: state["detector"]["camera"]["restarts"] == 2 and state["detector"]["camera"]["state"] == "running")
        self.assertTrue(self.gone(victim))
        frames = daemon.status()["detector"]["frames"]
        daemon.until(lambda state: state["detector"]["frames"] > frames + 5)
        self.assertEqual(source(daemon.status(), "exec")["restarts"], 0, "the detector only waited")
        self.assertEqual(daemon.end(), 0)

    def test_nothing_is_left_behind(self):
        for ending in (signal.SIGTERM, signal.SIGKILL):
            daemon = self.daemon("--camera", "test")
            daemon.until(lambda state: source(state, "blazeface")["state"] == "running")
            children = [number for number, words in daemon.children() if "ffmpeg" in words or "dockface_detectors" in words]
            self.assertEqual(len(children), 2)
            daemon.program.send_signal(ending)
            daemon.program.wait(timeout=20)
            end = time.monotonic() + 10
            while time.monotonic() < end and not all(map(self.gone, children)):
                time.sleep(0.05)
            self.assertEqual([number for number in children if not self.gone(number)], [], ending)

    def test_a_flood_of_nonsense_does_not_reach_the_dock(self):
        daemon = self.daemon("--detector", "exec:yes error error error")
        daemon.until(lambda state: source(state, "exec")["restarts"] >= 2)
        state = daemon.until(lambda state: source(state, "exec")["state"] == "failed")
        self.assertEqual(state["accessory"]["dock"], "ready")
        self.assertEqual(state["detector"]["frames"], 0)
        self.assertLess(len(daemon.log), 60, "and not much of it the log")
        self.assertEqual(daemon.end(), 0)

    def test_a_flood_of_frames_does_not_hold_a_stop_up(self):
        line = '{"faces":[{"rect":[0.8,0.4,0.1,0.2]}]}'
        daemon = self.daemon("--detector", f"exec:yes '{line}'")
        daemon.until(lambda state: state["detector"]["frames"] > 100)
        before = time.monotonic()
        subprocess.run([PROGRAM, "stop", "--socket", daemon.socket], check=True, capture_output=True, timeout=10)
        self.assertLess(time.monotonic() - before, 2)
        self.assertEqual(daemon.end(), 0)


class Sources(unittest.TestCase):
    """Several sources: one steers, the others are on standby."""

    def test_a_detector_connects_to_a_socket_and_another_takes_over(self):
        folder = tempfile.mkdtemp()
        path = os.path.join(folder, "faces.sock")
        left, right = '{"faces":[{"rect":[0.1,0.4,0.1,0.2]}]}', '{"faces":[{"rect":[0.8,0.4,0.1,0.2]}]}'
        daemon = Daemon("--detector", f"unix:{path}", "--detector", f"exec:while sleep 0.05; do echo '{right}'; done")
        stop, peer = threading.Event(), socket.socket(socket.AF_UNIX)
        try:
            daemon.until(lambda state: os.path.exists(path))
            peer.connect(path)

            def talk():
                while not stop.wait(0.05):
                    try:
                        peer.sendall(left.encode() + b"\n")
                    except OSError:
                        return

            threading.Thread(target=talk, daemon=True).start()
            state = daemon.until(lambda state: state["tracking"]["subjects"])
            self.assertLess(state["tracking"]["subjects"][0]["rect"][0], 0.5)
            self.assertTrue(source(state, "unix")["active"])
            # Started anew: it hangs up and is back at once.
            for _ in range(20):
                stop.set()
                peer.close()
                peer = socket.socket(socket.AF_UNIX)
                peer.connect(path)
                peer.settimeout(10)
                self.assertIn(b'"config"', peer.recv(1000))
                stop.clear()
            restarts = source(daemon.status(), "unix")["restarts"]
            self.assertEqual(restarts, 20)
            threading.Thread(target=talk, daemon=True).start()
            # A second one is one too many.
            second = socket.socket(socket.AF_UNIX)
            second.connect(path)
            self.assertIn(b"one at a time", second.recv(1000))
            second.close()
            word = [PROGRAM, "source", "exec", "--socket", daemon.socket]
            subprocess.run(word, check=True, capture_output=True, timeout=10)
            daemon.until(lambda state: source(state, "exec")["active"]
                         and any(subject["rect"][0] > 0.5 for subject in state["tracking"]["subjects"]))
            self.assertEqual(daemon.call("selectSource", {"name": "unix"}), {"source": "unix"})
            daemon.until(lambda state: source(state, "unix")["active"])
            self.assertEqual(daemon.call("selectSource", {"name": "exec"}), {"source": "exec"})
            daemon.until(lambda state: source(state, "exec")["active"])
            result = subprocess.run([*word[:2], "nobody", *word[3:]], capture_output=True, text=True, timeout=10)
            self.assertNotEqual(result.returncode, 0)
            self.assertIn("one of unix, exec", result.stderr)
            stop.set()
            peer.close()
            daemon.until(lambda state: source(state, "unix")["restarts"] == 21)
            self.assertEqual(daemon.end(), 0)
            self.assertFalse(os.path.exists(path))
        finally:
            stop.set()
            peer.close()
            daemon.abandon()

    def test_a_socket_that_somebody_deletes_is_made_again(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "faces.sock")
            daemon = Daemon("--detector", f"unix:{path}")
            try:
                daemon.until(lambda state: os.path.exists(path))
                os.unlink(path)
                daemon.until(lambda state: os.path.exists(path))
                with socket.socket(socket.AF_UNIX) as peer:
                    peer.connect(path)
                    for _ in range(40):
                        peer.sendall(b'{"faces":[{"rect":[0.1,0.4,0.1,0.2]}]}\n')
                        time.sleep(0.05)
                    self.assertTrue(daemon.status()["tracking"]["subjects"])
                self.assertEqual(daemon.end(), 0)
                self.assertFalse(os.path.exists(path))
            finally:
                daemon.abandon()

    def test_each_source_keeps_its_own_units_and_clock(self):
        ours = '{"faces":[{"rect":[0.1,0.4,0.1,0.2]}]}'
        # Pixels of a wide picture, on another clock.
        theirs = ("echo '{\"type\":\"hello\",\"v\":1,\"clock\":\"unix\",\"units\":\"px\",\"image\":{\"w\":1000,\"h\":500}}';"
                  "while sleep 0.05; do echo \"{\\\"t\\\":$(date +%s.%N),\\\"faces\\\":[{\\\"rect\\\":[800,200,100,100]}]}\"; done")
        daemon = Daemon("--detector", f"exec:while sleep 0.05; do echo '{ours}'; done", "--detector", f"exec:{theirs}")
        try:
            daemon.until(lambda state: state["detector"]["frames"] > 0)
            for name, test in (("exec", lambda x: x < 0.5), ("exec-2", lambda x: 0.7 < x < 0.9), ("exec", lambda x: x < 0.5)):
                subprocess.run([PROGRAM, "source", name, "--socket", daemon.socket], check=True, capture_output=True, timeout=10)
                frames = daemon.status()["detector"]["frames"]
                daemon.until(lambda state: state["detector"]["frames"] > frames + 5 and any(
                    not subject["coasting"] and test(subject["rect"][0]) for subject in state["tracking"]["subjects"]))
            self.assertEqual(daemon.end(), 0)
        finally:
            daemon.abandon()

    def test_a_detector_of_another_version_at_the_socket_is_sent_away(self):
        path = os.path.join(tempfile.mkdtemp(), "faces.sock")
        daemon = Daemon("--detector", f"unix:{path}")
        peer = socket.socket(socket.AF_UNIX)
        try:
            daemon.until(lambda state: os.path.exists(path))
            peer.connect(path)
            peer.sendall(b'{"type":"hello","v":2}\n{"faces":[{"rect":[0.1,0.4,0.1,0.2]}]}\n')
            peer.settimeout(10)
            while peer.recv(4096):  # its requests, and then the end
                pass
            state = daemon.until(lambda state: source(state, "unix")["problem"] is not None)
            self.assertIn("version 2", source(state, "unix")["problem"])
            self.assertEqual(state["detector"]["frames"], 0)
            self.assertEqual(daemon.end(), 0)
        finally:
            peer.close()
            daemon.abandon()

    def test_what_does_not_go_together_is_refused(self):
        for arguments, words in (
                (["--detector", "stdin", "--detector", "exec:true"], "goes alone"), (["--detector", "blazeface"], "--camera"),
                (["--camera", "test", "--detector", "unix:/tmp/a", "--detector", "unix:/tmp/b"], "one socket is enough"),
                (["--camera", "nowhere"], "no such camera")):
            result = subprocess.run([PROGRAM, "run", "--port", "sim", "--headless", *arguments], capture_output=True, text=True,
                                    env=ENVIRONMENT, stdin=subprocess.DEVNULL, timeout=20)
            self.assertEqual(result.returncode, 64, result.stderr)
            self.assertIn(words, result.stderr)

    def test_a_film_does_not_turn_with_the_head(self):
        result = subprocess.run([PROGRAM, "run", "--port", "sim", "--headless", "--camera", f"file:{__file__}"],
                                capture_output=True, text=True, env=ENVIRONMENT, timeout=20)
        self.assertEqual(result.returncode, 64, result.stderr)
        self.assertIn("--open-loop", result.stderr)


if __name__ == "__main__":
    unittest.main()
