"""The uplink against a server that was written independently and behaves as Aerie does (Benchmarks/uplink/server.py)."""

import contextlib
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest

from programs import PROGRAM, ROOT

UPLINK = str(ROOT / ".build/debug/dockface-uplink")
SECRET = "a secret of at least thirty-two bytes"

#: A detector that sees no one, and says so for each picture.
DETECTOR = """
import json, sys
print('{"type":"hello","v":1,"detector":"none","clock":"monotonic"}', flush=True)
for line in iter(sys.stdin.buffer.readline, b""):
    head = json.loads(line)
    if head["type"] == "image":
        sys.stdin.buffer.read(head["w"] * head["h"] * 3)
        print(json.dumps({"seq": head["seq"], "t": head["t"], "faces": []}), flush=True)
"""

#: A calibrated lens, for a profile without a camera.
LENS = """
[camera]
hfov = 61.3
[camera.lens]
width = 640
height = 480
fx = 540
fy = 540
cx = 326
cy = 235
k1 = -0.15
k2 = 0.02
"""


def wait(holds, complaint, seconds=60):
    """Waits until something is true. The limit is generous for a busy machine."""
    end = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > end:
            raise AssertionError(complaint())
        time.sleep(0.05)


@unittest.skipUnless(os.access(UPLINK, os.X_OK) and shutil.which("ffmpeg"), "the uplink is not built, or ffmpeg is missing")
class Aerie(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="dockface-uplink-")
        self.addCleanup(shutil.rmtree, self.folder, True)
        self.socket = f"{self.folder}/dock.sock"
        self.secret = pathlib.Path(self.folder, "secret")
        self.secret.write_text(SECRET + "\n")
        self.secret.chmod(0o600)
        self.frames = pathlib.Path(self.folder, "frames")
        self.environment = {**os.environ, "HOME": self.folder, "XDG_RUNTIME_DIR": self.folder, "DOCKFACE_SOCKET": self.socket,
                            "XDG_STATE_HOME": f"{self.folder}/state", "XDG_CONFIG_HOME": f"{self.folder}/config",
                            "DOCKFACE_UPLINK_SIGN": "none"}
        detector = pathlib.Path(self.folder, "detector.py")
        detector.write_text(DETECTOR)
        self.detector = f"exec:{sys.executable} {detector}"
        self.start_daemon()
        with socket.socket() as one:
            one.bind(("127.0.0.1", 0))
            self.port = one.getsockname()[1]

    def start_daemon(self, *words):
        self.daemon = self.start("daemon", PROGRAM, "run", "--headless", "--port", "sim", "--config", "none", "--camera", "test",
                                 "--detector", self.detector, "--socket", self.socket, *words)

    def start(self, name, *words):
        with open(f"{self.folder}/{name}.log", "ab") as log:
            child = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=self.environment)

        def end():
            if child.poll() is None:
                child.terminate()
                with contextlib.suppress(subprocess.TimeoutExpired):
                    child.wait(10)
                child.kill()
            child.wait()

        self.addCleanup(end)
        return child

    def server(self, *words):
        return self.start("server", sys.executable, str(ROOT / "Benchmarks/uplink/server.py"), str(self.port), str(self.frames),
                          "--pictures", f"{self.folder}/newest.jpg", *words)

    def uplink(self, *words):
        return self.start("uplink", UPLINK, "--server", f"ws://127.0.0.1:{self.port}", "--secret-file", str(self.secret), *words)

    def rows(self):
        if not self.frames.exists():
            return []
        return [json.loads(line) for line in self.frames.read_text().splitlines() if line.endswith("]")]

    def logs(self):
        return "\n".join(path.read_text(errors="replace")[-800:] for path in sorted(pathlib.Path(self.folder).glob("*.log")))

    def settings(self, **values):
        folder = pathlib.Path(self.folder, "config/dockface")
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "uplink.toml").write_text("".join(f"{key} = {json.dumps(value)}\n" for key, value in values.items()))

    def test_a_server_that_knows_the_secret_gets_pictures_that_others_can_read(self):
        self.server("--secret", str(self.secret))
        self.uplink()
        wait(lambda: len(self.rows()) > 30, self.logs)
        ages = [arrival - taken for arrival, taken, *_ in self.rows()]
        # The clock of the pictures is that of the machine: none is from the future, or old.
        self.assertTrue(all(-0.001 < age < 20 for age in ages), ages)
        size = subprocess.run(["ffprobe", "-v", "error", "-show_entries", "stream=width,height,codec_name", "-of", "csv=p=0",
                               f"{self.folder}/newest.jpg"], capture_output=True, text=True, check=True).stdout.strip()
        self.assertRegex(size, r"^mjpeg,\d+,\d+$")
        self.assertEqual(int(size.split(",")[1]), self.rows()[-1][3])

    def test_a_server_of_the_source_system_gets_frames_only_by_the_owners_word(self):
        self.server()
        uplink = self.uplink()
        wait(lambda: "did not prove that it knows the secret" in self.logs(), self.logs)
        self.assertEqual(self.rows(), [])
        uplink.send_signal(signal.SIGINT)
        self.assertEqual(uplink.wait(10), 0)
        self.settings(trust="any", token="source")
        self.uplink()
        wait(lambda: len(self.rows()) > 10, self.logs)

    def test_another_secret_gets_nothing_and_is_not_tried_again_at_once(self):
        other = pathlib.Path(self.folder, "other")
        other.write_text("another secret of thirty-two bytes!\n")
        other.chmod(0o600)
        self.server("--secret", str(other))
        self.uplink()
        wait(lambda: "does not accept this robot" in self.logs(), self.logs)
        time.sleep(3)
        self.assertEqual(self.rows(), [])
        self.assertEqual(len(re.findall("does not accept this robot", pathlib.Path(self.folder, "uplink.log").read_text())), 1)

    def test_a_server_that_accepts_video_gets_one_that_others_can_decode(self):
        video = f"{self.folder}/video.h264"

        def kinds():
            """The kinds of the pictures that a decoder finds: IPPP..."""
            done = subprocess.run(["ffprobe", "-v", "error", "-f", "h264", "-show_entries", "frame=pict_type", "-of", "csv=p=0",
                                   video], capture_output=True, text=True)
            self.assertEqual(done.stderr, "")
            return "".join(letter for letter in done.stdout if letter in "IPB")

        server = self.server("--secret", str(self.secret), "--video", video)
        self.uplink()
        wait(lambda: len(self.rows()) > 40, self.logs)
        # A busy machine looks like a slow network, for which the encoder is started again.
        self.assertRegex(kinds(), "^I[IP]{30,}")
        before = kinds().count("I")
        server.send_signal(signal.SIGUSR2)
        wait(lambda: kinds().count("I") > before, self.logs)
        # Another server begins with a picture that needs no other one.
        server.kill()
        server.wait()
        os.unlink(video)
        self.frames.unlink()
        self.server("--secret", str(self.secret), "--video", video)
        wait(lambda: len(self.rows()) > 20, self.logs)
        self.assertRegex(kinds(), "^I[IP]{10,}")

    def test_a_stream_reaches_a_receiver_and_its_secret_no_one_else(self):
        film, secret = pathlib.Path(self.folder, "film.ts"), "0123456789-secret"
        with socket.socket(type=socket.SOCK_DGRAM) as one:
            one.bind(("127.0.0.1", 0))
            port = one.getsockname()[1]
        self.start("receiver", "ffmpeg", "-nostdin", "-loglevel", "error", "-i",
                   f"srt://127.0.0.1:{port}?mode=listener&passphrase={secret}", "-c", "copy", "-f", "mpegts", str(film))
        self.settings(stream=f"srt://127.0.0.1:{port}?passphrase={secret}")
        settings = pathlib.Path(self.folder, "config/dockface/uplink.toml")
        settings.chmod(0o644)
        doctor = subprocess.run([UPLINK, "doctor"], capture_output=True, text=True, env=self.environment).stdout
        self.assertIn(f"warning  stream: other users can read the secret of the stream in {settings}", doctor)
        self.assertIn(f"ok       stream: to srt://127.0.0.1:{port}\n", doctor)
        settings.chmod(0o600)
        uplink = self.start("uplink", UPLINK)
        wait(lambda: film.exists() and film.stat().st_size > 50_000, self.logs)
        status = subprocess.run([PROGRAM, "status"], capture_output=True, text=True, env=self.environment)
        self.assertIn("live on: pictures", status.stdout)
        self.assertIn(f"the stream to srt://127.0.0.1:{port} is running", self.logs())
        # Neither the processes of the uplink nor its log nor the daemon tell the secret.
        children = [int(pid) for path in pathlib.Path(f"/proc/{uplink.pid}/task").glob("*/children")
                    for pid in path.read_text().split()]
        self.assertTrue(children)
        for pid in [uplink.pid, *children]:
            self.assertNotIn(secret.encode(), pathlib.Path(f"/proc/{pid}/cmdline").read_bytes())
        self.assertNotIn("other users can read", self.logs())
        self.assertNotIn(secret, doctor + status.stdout + pathlib.Path(self.folder, "uplink.log").read_text())
        uplink.send_signal(signal.SIGINT)
        self.assertEqual(uplink.wait(10), 0, self.logs())
        self.assertFalse(any(pathlib.Path(f"/proc/{pid}").exists() for pid in children))
        size = subprocess.run(["ffprobe", "-v", "error", "-show_entries", "stream=codec_name", "-of", "csv=p=0", str(film)],
                              capture_output=True, text=True).stdout.split()
        self.assertEqual(size[0], "h264")

    def test_pictures_are_straight_if_the_owner_wants_that(self):
        """The lens of the messages; Extensions/Tests/UplinkTests measure the pictures."""
        profile = pathlib.Path(self.folder, "lens.toml")
        text = (ROOT / "profiles/dlp-dock.toml").read_text()
        profile.write_text(re.sub(r"(?m)^camera *=.*$", "", text) + LENS)
        self.daemon.terminate()
        self.daemon.wait(10)
        self.server("--secret", str(self.secret))
        # Of the other lens nothing is known but its field of view.
        self.settings(undistort=True)
        self.start_daemon()
        self.uplink()
        wait(lambda: len(self.rows()) > 5, self.logs)
        self.assertFalse(any(bends for *_, bends in self.rows()))
        wait(lambda: "pictures keep the distortion of the lens, because how it bends lines is unknown" in self.logs(), self.logs)
        self.daemon.terminate()
        self.daemon.wait(10)
        self.start_daemon("--profile", str(profile))
        # A straight picture of this lens shows more, so its focal length is shorter; that of the other lens was 493.
        wait(lambda: any(515 < focal < 535 and not bends for *_, focal, bends in self.rows()), self.logs)

    def test_a_secret_on_the_command_line_is_warned_of_and_a_wrong_address_refused(self):
        uplink = self.start("uplink", UPLINK, "--stream", "srt://127.0.0.1:9?passphrase=0123456789-secret")
        wait(lambda: "sends pictures" in self.logs(), self.logs)
        self.assertIn("can see the secret of --stream", self.logs())
        uplink.send_signal(signal.SIGINT)
        self.assertEqual(uplink.wait(10), 0, self.logs())
        wrong = self.start("wrong", UPLINK, "--stream", "http://user:0123456789-secret@127.0.0.1/a")
        self.assertEqual(wrong.wait(10), 78)
        self.assertNotIn("0123456789-secret", self.logs())
        self.assertIn("neither rtsp:// nor srt://", self.logs())

    def test_a_server_that_dies_has_the_robot_back(self):
        server = self.server("--secret", str(self.secret))
        self.uplink()
        wait(lambda: len(self.rows()) > 5, self.logs)
        server.kill()
        server.wait()
        self.frames.unlink()
        self.server("--secret", str(self.secret))
        wait(lambda: len(self.rows()) > 5, self.logs)


if __name__ == "__main__":
    unittest.main()
