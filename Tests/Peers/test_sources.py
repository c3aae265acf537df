"""Cameras and detectors with a running daemon: how failures are handled, and which of several steers."""

import math
import os
import pathlib
import signal
import socket
import subprocess
import threading
import time
import unittest

from detector_bench import ENVIRONMENT, TEMPLATE, Daemon, clip, source
from programs import PROGRAM, Case


class Supervision(unittest.TestCase):
    """Failures of camera and detector, while the dock and its daemon continue."""

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
        # The dock points at the man, above the centre of a fixed camera's image: 66 degrees across.
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
        # 10 s between two requests, 5 s for an answer.
        daemon = self.daemon("--camera", "test", "--detector", "blazeface-short", "--detector", "yunet")
        daemon.until(lambda state: source(state, "yunet")["state"] == "running")
        hung = daemon.child("dockface_detectors.yunet")
        # It has answered the first request by then.
        time.sleep(1)
        os.kill(hung, signal.SIGSTOP)
        daemon.until(lambda state: source(state, "yunet")["restarts"] == 1)
        self.assertTrue(self.gone(hung))
        self.assertEqual(daemon.status()["detector"]["sources"][0]["restarts"], 0)

    def test_a_camera_that_dies_or_stalls_is_opened_again(self):
        daemon = self.daemon("--camera", "test", "--detector", TEMPLATE)
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
        self.assertLess(len(daemon.log), 60, "and the log contains little of it")
        self.assertEqual(daemon.end(), 0)

    def test_a_flood_of_frames_does_not_hold_a_stop_up(self):
        line = '{"faces":[{"rect":[0.8,0.4,0.1,0.2]}]}'
        daemon = self.daemon("--detector", f"exec:yes '{line}'")
        daemon.until(lambda state: state["detector"]["frames"] > 100)
        before = time.monotonic()
        subprocess.run([PROGRAM, "stop", "--socket", daemon.socket], check=True, capture_output=True, timeout=10)
        self.assertLess(time.monotonic() - before, 2)
        # 240 frames a second are forwarded; dropped ones are counted, once a second.
        first, begin = daemon.status()["detector"]["frames"], time.monotonic()
        state = daemon.until(lambda state: time.monotonic() > begin + 3)
        elapsed = time.monotonic() - begin + 1
        self.assertLess(state["detector"]["frames"] - first, 240 * elapsed + 240)
        told = [line for line in daemon.log if "lines dropped: the source sends more than 240 per second" in line]
        self.assertGreater(len(told), 0)
        self.assertLess(len(told), 10 + 2 * elapsed)
        self.assertEqual(daemon.end(), 0)


class Sources(Case):
    """Several sources: one steers, the others are on standby."""

    def test_a_detector_connects_to_a_socket_and_another_takes_over(self):
        path = os.path.join(self.folder, "faces.sock")
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
            # Restarted: it hangs up and is back at once.
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
            # A second client is one too many.
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

    def test_whoever_connects_and_closes_without_end_fills_no_log(self):
        path = os.path.join(self.folder, "faces.sock")
        daemon = Daemon("--detector", f"unix:{path}")
        self.addCleanup(daemon.abandon)
        daemon.until(lambda state: os.path.exists(path))
        begin, logged = time.monotonic(), len(daemon.log)
        while time.monotonic() < begin + 2:
            with socket.socket(socket.AF_UNIX) as peer:
                try:
                    peer.settimeout(5)
                    peer.connect(path)
                    peer.sendall(b"nonsense\n" * 10)
                except OSError:
                    pass  # not listening while it pauses and many wait
        # A detector that connects now is still accepted.
        with socket.socket(socket.AF_UNIX) as peer:
            peer.connect(path)
            end = time.monotonic() + 20
            while not daemon.status()["tracking"]["subjects"]:
                self.assertLess(time.monotonic(), end)
                peer.sendall(b'{"faces":[{"rect":[0.1,0.4,0.1,0.2]}]}\n')
                time.sleep(0.05)
        elapsed = time.monotonic() - begin
        state = daemon.until(lambda state: source(state, "unix")["restarts"] >= 20)
        self.assertLess(source(state, "unix")["restarts"], 100 * elapsed + 20)
        self.assertLess(len(daemon.log) - logged, 25 + elapsed, daemon.log[-20:])
        self.assertTrue(any("similar lines omitted" in line for line in daemon.log), daemon.log[-20:])
        self.assertEqual(daemon.end(), 0)

    def test_a_socket_that_somebody_deletes_is_made_again(self):
        path = os.path.join(self.folder, "faces.sock")
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
        # Pixels of a wide image, on another clock.
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
        path = os.path.join(self.folder, "faces.sock")
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
                (["--detector", "stdin", "--detector", "exec:true"], "cannot be combined"), (["--detector", "blazeface"], "--camera"),
                (["--camera", "test", "--detector", "unix:/tmp/a", "--detector", "unix:/tmp/b"], "several detectors can share one socket"),
                (["--camera", "nowhere"], "unknown camera")):
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
