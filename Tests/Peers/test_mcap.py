"""The files of `dockface uplink --mcap`, read by the packages of the format's own authors."""

import contextlib
import importlib
import io
import json
import os
import pathlib
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

#: A detector that sees one person, whose size is known, in the middle of each picture.
DETECTOR = """
import json, sys
joints = [[0.5 + 0.02 * (i % 2), 0.2 + 0.05 * i, 0.9] for i in range(13)]
world = [[0.05 * (i % 2), i / 10 - 0.6, 0.01] for i in range(13)]
print('{"type":"hello","v":1,"detector":"one","clock":"monotonic"}', flush=True)
for line in iter(sys.stdin.buffer.readline, b""):
    head = json.loads(line)
    if head["type"] == "image":
        sys.stdin.buffer.read(head["w"] * head["h"] * 3)
        person = {"id": None, "score": 0.9, "face": None, "joints": joints, "world": world}
        print(json.dumps({"seq": head["seq"], "t": head["t"], "faces": [], "people": [person]}), flush=True)
"""

#: The topics of a file, with their schemas.
TOPICS = {
    "/camera/image": "CompressedImage", "/camera/calibration": "CameraCalibration", "/tf/stand": "FrameTransform",
    "/tf/pan": "FrameTransform", "/tf/tilt": "FrameTransform", "/tf/camera": "FrameTransform", "/people": "SceneUpdate",
}


def wait(holds, complaint, seconds=60):
    """Waits until something is true. The limit is generous for a busy machine."""
    end = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > end:
            raise AssertionError(complaint())
        time.sleep(0.05)


def fields(message):
    """What a schema says of a message and of all that it contains: names, numbers and types of the fields."""
    found, open_ = {}, [message]
    while open_:
        one = open_.pop()
        if one.full_name not in found:
            rows = sorted((field.name, field.number, field.type, field.is_repeated) for field in one.fields)
            words = sorted((value.name, value.number) for kind in one.enum_types for value in kind.values)
            found[one.full_name] = rows, words
            open_ += [field.message_type for field in one.fields if field.message_type]
    return found


@unittest.skipUnless(os.access(UPLINK, os.X_OK) and shutil.which("ffmpeg"), "the uplink is not built, or ffmpeg is missing")
class Files(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="dockface-mcap-")
        self.addCleanup(shutil.rmtree, self.folder, True)
        self.socket, self.file = f"{self.folder}/dock.sock", f"{self.folder}/run.mcap"
        self.secret = pathlib.Path(self.folder, "secret")
        self.secret.write_text(SECRET + "\n")
        self.secret.chmod(0o600)
        self.environment = {**os.environ, "HOME": self.folder, "XDG_RUNTIME_DIR": self.folder, "DOCKFACE_SOCKET": self.socket,
                            "XDG_STATE_HOME": f"{self.folder}/state", "XDG_CONFIG_HOME": f"{self.folder}/config",
                            "DOCKFACE_UPLINK_SIGN": "none"}
        detector = pathlib.Path(self.folder, "detector.py")
        detector.write_text(DETECTOR)
        self.daemon = self.start("daemon", PROGRAM, "run", "--headless", "--port", "sim", "--config", "none", "--camera", "test",
                                 "--detector", f"exec:{sys.executable} {detector}", "--socket", self.socket)

    def start(self, name, *words, **variables):
        with open(f"{self.folder}/{name}.log", "ab") as log:
            child = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                     env={**self.environment, **variables})

        def end():
            if child.poll() is None:
                child.terminate()
                with contextlib.suppress(subprocess.TimeoutExpired):
                    child.wait(10)
                child.kill()
            child.wait()

        self.addCleanup(end)
        return child

    def uplink(self, *words, **variables):
        return self.start("uplink", UPLINK, "--mcap", self.file, *words, **variables)

    def logs(self):
        return "\n".join(path.read_text(errors="replace")[-800:] for path in sorted(pathlib.Path(self.folder).glob("*.log")))

    def size(self):
        return os.path.getsize(self.file) if os.path.exists(self.file) else 0

    def messages(self, **options):
        from mcap.reader import make_reader
        from mcap_protobuf.decoder import DecoderFactory

        with open(self.file, "rb") as file:
            reader = make_reader(file, validate_crcs=True, decoder_factories=[DecoderFactory()])
            return [(channel.topic, schema, message, decoded)
                    for schema, channel, message, decoded in reader.iter_decoded_messages(**options)]

    def end(self, uplink):
        uplink.send_signal(signal.SIGINT)
        self.assertEqual(uplink.wait(20), 0, self.logs())

    def test_a_file_is_what_others_expect(self):
        began = time.time()
        uplink = self.uplink()
        wait(lambda: self.size() > 300_000, self.logs)
        self.end(uplink)
        from mcap.reader import make_reader

        found = self.messages()
        schemas = {}
        for topic, schema, message, decoded in found:
            schemas.setdefault(topic, schema)
            self.assertTrue(began - 5 < message.log_time / 1e9 < time.time() + 1)
            stamp = decoded.entities[0].timestamp if topic == "/people" else decoded.timestamp
            self.assertEqual(stamp.seconds * 10**9 + stamp.nanos, message.log_time)
        self.assertEqual({topic: schema.name for topic, schema in schemas.items()},
                         {topic: "foxglove." + name for topic, name in TOPICS.items()})
        # Each schema is that of its authors, word for word.
        for topic, name in TOPICS.items():
            theirs = getattr(importlib.import_module(f"foxglove_schemas_protobuf.{name}_pb2"), name)
            ours = next(decoded for other, *_, decoded in found if other == topic)
            self.assertEqual(fields(ours.DESCRIPTOR), fields(theirs.DESCRIPTOR))
            # What is ours, read by their code, has nothing that they do not know, and all that they do.
            read = theirs.FromString(ours.SerializeToString())
            self.assertEqual(read.SerializeToString(), ours.SerializeToString())
        with open(self.file, "rb") as file:
            summary = make_reader(file).get_summary()
        self.assertEqual(summary.statistics.message_count, len(found))
        self.assertEqual(summary.statistics.chunk_count, len(summary.chunk_indexes))
        # A reader that asks for a part gets that part.
        middle = (summary.statistics.message_start_time + summary.statistics.message_end_time) // 2
        part = self.messages(topics=["/camera/image"], starting_at=middle)
        wanted = [message.log_time for topic, _, message, _ in found if topic == "/camera/image" and message.log_time >= middle]
        self.assertEqual([message.log_time for _, _, message, _ in part], wanted)

    def test_pictures_lens_transforms_and_people_fit_together(self):
        uplink = self.uplink()
        wait(lambda: self.size() > 300_000, self.logs)
        self.end(uplink)
        rows = {}
        for topic, _, message, decoded in self.messages():
            rows.setdefault(topic, {})[message.log_time] = decoded
        # Each picture has its lens and its transforms, of the same time.
        times = set(rows["/camera/image"])
        for topic in TOPICS:
            if topic != "/people":
                self.assertEqual(set(rows[topic]), times, topic)
        chain = {(row.parent_frame_id, row.child_frame_id) for topic in rows if topic.startswith("/tf/")
                 for row in rows[topic].values()}
        self.assertEqual(chain, {("world", "stand"), ("stand", "pan"), ("pan", "tilt"), ("tilt", "camera")})
        image, lens = next(iter(rows["/camera/image"].values())), next(iter(rows["/camera/calibration"].values()))
        self.assertEqual((image.format, image.frame_id, lens.frame_id), ("jpeg", "camera", "camera"))
        self.assertEqual(list(lens.K), [lens.P[0], 0, lens.P[2], 0, lens.P[5], lens.P[6], 0, 0, 1])
        size = subprocess.run(["ffprobe", "-v", "error", "-f", "mjpeg", "-show_entries", "stream=width,height", "-of", "csv=p=0",
                               "-"], input=image.data, capture_output=True, check=True).stdout.decode().strip()
        self.assertEqual(size, f"{lens.width},{lens.height}")
        # The person stands ahead of the robot, where the lens shows her.
        person = next(iter(rows["/people"].values())).entities[0]
        self.assertEqual((person.frame_id, person.id, len(person.spheres)), ("world", "person-001", 13))
        self.assertEqual(len(person.lines[0].points) % 2, 0)
        self.assertTrue(all(0.5 < sphere.pose.position.x < 15 for sphere in person.spheres))
        self.assertEqual({pair.key for pair in person.metadata}, {"seen by", "placed by"})

    def test_what_was_written_before_a_kill_is_readable(self):
        from mcap.exceptions import EndOfFile
        from mcap.reader import NonSeekingReader
        from mcap_protobuf.decoder import DecoderFactory

        uplink = self.uplink()
        wait(lambda: self.size() > 300_000, self.logs)
        uplink.kill()
        uplink.wait()
        count = 0
        with open(self.file, "rb") as file, contextlib.suppress(EndOfFile):
            reader = NonSeekingReader(io.BytesIO(file.read()), validate_crcs=True, decoder_factories=[DecoderFactory()])
            for _, channel, _, decoded in reader.iter_decoded_messages(log_time_order=False):
                count += channel.topic == "/camera/image" and len(decoded.data) > 1000
        self.assertGreater(count, 5)

    def test_a_daemon_that_hangs_does_not_keep_a_file_from_its_end(self):
        uplink = self.uplink()
        wait(lambda: self.size() > 100_000, self.logs)
        self.daemon.send_signal(signal.SIGSTOP)
        self.addCleanup(self.daemon.send_signal, signal.SIGCONT)
        uplink.send_signal(signal.SIGINT)
        uplink.wait(20)
        # With its index, which the end of a file has.
        self.assertGreater(len(self.messages()), 10)

    def test_a_file_that_exists_is_not_touched(self):
        pathlib.Path(self.file).write_text("a diary")
        uplink = self.uplink()
        self.assertEqual(uplink.wait(20), 78, self.logs())
        self.assertIn("exists already", self.logs())
        self.assertEqual(pathlib.Path(self.file).read_text(), "a diary")
        uplink = self.uplink("--replace")
        wait(lambda: self.size() > 100_000, self.logs)
        self.end(uplink)
        self.assertGreater(len(self.messages()), 10)

    def test_without_a_screen_nothing_is_written_unless_its_owner_says_so(self):
        uplink = self.uplink(DOCKFACE_UPLINK_SIGN="screen")
        wait(lambda: "this robot has no screen" in self.logs(), self.logs)
        self.end(uplink)
        self.assertIn("there was nothing to write", self.logs())
        self.assertFalse(os.path.exists(self.file))

    def test_skeletons_alone_leave_no_picture_in_the_file(self):
        uplink = self.uplink("--send", "skeletons")
        wait(lambda: self.size() > 20_000, self.logs)
        self.end(uplink)
        topics = {topic for topic, *_ in self.messages()}
        self.assertEqual(topics, set(TOPICS) - {"/camera/image"})

    def test_a_full_disk_ends_the_file_and_not_the_uplink(self):
        disk = f"{self.folder}/disk"
        os.mkdir(disk)
        if os.geteuid() != 0 or subprocess.run(["mount", "-t", "tmpfs", "-o", "size=300m", "tmpfs", disk]).returncode:
            self.skipTest("this user may not mount a file system")
        self.addCleanup(subprocess.run, ["umount", "-l", disk])
        self.file = f"{disk}/run.mcap"
        with socket.socket() as one:
            one.bind(("127.0.0.1", 0))
            port = one.getsockname()[1]
        frames = pathlib.Path(self.folder, "frames")
        self.start("server", sys.executable, str(ROOT / "Benchmarks/uplink/server.py"), str(port), str(frames),
                   "--secret", str(self.secret))
        self.uplink("--server", f"ws://127.0.0.1:{port}", "--secret-file", str(self.secret))
        wait(lambda: self.size() > 100_000, self.logs)
        # Another program takes the rest of the disk.
        with open(f"{disk}/other", "wb") as other:
            os.posix_fallocate(other.fileno(), 0, 200 << 20)
        wait(lambda: "less than 256 MB left" in self.logs(), self.logs)
        before = len(frames.read_text().splitlines())
        wait(lambda: len(frames.read_text().splitlines()) > before + 20, self.logs)
        self.assertGreater(len(self.messages()), 10)
        # Where there is nothing else to do, the program ends, and leaves no empty file.
        self.file = f"{disk}/other.mcap"
        self.assertNotIn(self.uplink().wait(20), (0, None))
        self.assertFalse(os.path.exists(self.file))


if __name__ == "__main__":
    unittest.main()
