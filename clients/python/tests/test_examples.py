"""Runs each example as a separate program to each of its possible ends."""

import json
import os
import signal
import subprocess
import sys
import tempfile
import unittest
from typing import Any

from fake_daemon import FULL_GREETING, PATIENCE, SNAPSHOTS, TRACKING, FakeDaemon, Peer, Refusal, motion_state

HERE = os.path.dirname(os.path.abspath(__file__))
EXAMPLES = os.path.join(HERE, "..", "examples")
FACES = [[[0.1, 0.2, 0.1, 0.2], [0.7, 0.2, 0.1, 0.2]], [[0.71, 0.2, 0.1, 0.2], [0.11, 0.2, 0.1, 0.2]], []]


def subject(number: int, age: float = 2.0, coasting: bool = False) -> dict[str, Any]:
    return {**TRACKING["subjects"][0], "id": number, "age": age, "coasting": coasting}


class Examples(unittest.TestCase):
    def setUp(self) -> None:
        self.daemon = FakeDaemon()
        self.addCleanup(self.daemon.__exit__)
        self.numbers = 0
        for method in ("setOrientation", "home", "animate"):
            self.daemon.handlers[method] = self.move
        self.daemon.handlers["setTrackingMode"] = lambda peer, params: params
        self.daemon.handlers["setExpression"] = lambda peer, params: {"expression": params["name"], "random": False}
        self.daemon.handlers["track"] = lambda peer, params: {"subjects": len(params["observations"]), "rate": 10}

    def move(self, peer: Peer, params: dict[str, Any]) -> Any:
        """Answers with a motion that ends at once."""
        self.numbers += 1
        peer.event("motion", motion_state(running=(self.numbers, 0.5)))
        peer.event("motion", motion_state(ended=(self.numbers, "completed")))
        return {"motion": self.numbers, "duration": 0.1}

    def start(self, name: str, *arguments: str) -> "subprocess.Popen[str]":
        command = [sys.executable, os.path.join(EXAMPLES, name), "--socket", self.daemon.path, "--summary", *arguments]
        pipe = subprocess.PIPE
        program = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True)
        self.addCleanup(program.kill)
        return program

    def end(self, program: "subprocess.Popen[str]", text: str = "") -> tuple[int, dict[str, Any], str]:
        output, errors = program.communicate(text, timeout=PATIENCE)
        lines = output.splitlines()
        return program.returncode, json.loads(lines[-1]) if lines else {}, errors

    def methods(self) -> Any:
        return [method for method, _ in self.daemon.log if method != "acquireControl"]

    # The show

    def test_the_show_goes_to_its_end_and_stops(self) -> None:
        code, summary, errors = self.end(self.start("scripted_show.py"))
        self.assertEqual((code, errors), (0, ""))
        self.assertEqual((summary["moves"], summary["shows"], summary["ended"]), (8, 1, "done"))
        self.assertEqual(summary["outcomes"], {"completed": 8})
        self.assertEqual(self.methods()[-3:], ["home", "stop", "releaseControl"])
        self.assertEqual(self.daemon.asked("setOrientation"), {"pan": 0.6, "tilt": 0.1, "duration": 1.2})

    def test_signals_stop_the_show(self) -> None:
        self.daemon.handlers["animate"] = lambda peer, params: {"motion": 1, "duration": 60}
        for way in (signal.SIGINT, signal.SIGTERM):
            show = self.start("scripted_show.py")
            self.daemon.asked("animate")
            show.send_signal(way)
            code, summary, errors = self.end(show)
            self.assertEqual((code, summary["ended"], errors), (0, "signal", ""))
            self.assertEqual(self.methods()[-2:], ["stop", "releaseControl"])

    def test_the_time_is_over_in_the_middle_of_a_motion(self) -> None:
        self.daemon.handlers["animate"] = lambda peer, params: {"motion": 1, "duration": 60}
        code, summary, _ = self.end(self.start("scripted_show.py", "--seconds", "0.1"))
        self.assertEqual((code, summary["ended"], summary["moves"]), (0, "seconds", 0))
        self.assertIn("stop", self.methods())

    def test_a_person_ends_the_show(self) -> None:
        def taken(peer: Peer, params: dict[str, Any]) -> Any:
            peer.event("motion", motion_state(ended=(1, "takenOver")))
            return {"motion": 1, "duration": 60}

        self.daemon.handlers["animate"] = taken
        code, summary, errors = self.end(self.start("scripted_show.py"))
        self.assertEqual((code, summary["ended"]), (1, "CutShort"))
        self.assertIn("takenOver", errors)

    def test_control_that_another_holds_is_left_alone(self) -> None:
        def busy(peer: Peer, params: dict[str, Any]) -> Any:
            raise Refusal("busy", -32007)

        self.daemon.handlers["acquireControl"] = busy
        code, summary, _ = self.end(self.start("scripted_show.py"))
        self.assertEqual((code, summary["ended"]), (75, "busy"))
        self.assertNotIn("stop", self.methods())

    def test_the_daemon_dies_during_the_show(self) -> None:
        self.daemon.handlers["animate"] = lambda peer, params: {"motion": 1, "duration": 60}
        show = self.start("scripted_show.py")
        self.daemon.asked("animate")
        self.daemon.die()
        code, summary, errors = self.end(show)
        self.assertEqual((code, summary["ended"]), (69, "connectionLost"))
        self.assertIn("dockface run", errors)
        self.assertNotIn("Traceback", errors)

    def test_no_daemon_and_mistakes_of_usage(self) -> None:
        self.daemon.die()
        programs: tuple[tuple[str, tuple[str, ...]], ...] = (
            ("scripted_show.py", ()), ("follow_and_greet.py", ()), ("own_detector.py", ("-",)), ("label_people.py", ()),
        )  # fmt: skip
        for name, more in programs:
            code, summary, errors = self.end(self.start(name, *more))
            self.assertEqual((code, summary["ended"]), (69, "noDaemon"))
            self.assertNotIn("Traceback", errors)
            self.assertEqual(self.end(self.start(name, "--nonsense"))[0], 64)

    # The host

    def test_newcomers_are_greeted_once_and_an_empty_room_makes_sleepy(self) -> None:
        host = self.start("follow_and_greet.py", "--away", "0.2", "--pause", "0")
        self.assertEqual(self.daemon.asked("setTrackingMode"), {"mode": "system"})
        peer = self.daemon.peer()
        self.daemon.asked("animate")  # the person in the snapshot
        rooms = ([subject(3)], [subject(4, age=0.1)], [subject(5, coasting=True)], [subject(3), subject(6)])
        for people in rooms:
            peer.event("tracking", {**TRACKING, "subjects": people})
            # A newer state replaces one that was not read yet.
            if people is rooms[-1]:
                self.daemon.asked("animate")
        peer.event("tracking", {**TRACKING, "subjects": []})
        names = [self.daemon.asked("setExpression")["name"] for _ in range(3)]
        self.assertEqual(names, ["happy", "happy", "sleepy"])
        peer.event("tracking", {**TRACKING, "subjects": [subject(6)]})
        self.assertEqual(self.daemon.asked("setExpression"), {"name": "normal"})
        host.send_signal(signal.SIGTERM)
        code, summary, errors = self.end(host)
        self.assertEqual((code, summary["ended"], errors), (0, "signal", ""))
        self.assertEqual((summary["greeted"], summary["naps"], summary["refused"]), (2, 1, 0))

    def test_a_refused_greeting_does_not_end_the_program(self) -> None:
        def busy(peer: Peer, params: dict[str, Any]) -> Any:
            raise Refusal("busy", -32007)

        self.daemon.handlers["animate"] = busy
        code, summary, _ = self.end(self.start("follow_and_greet.py", "--seconds", "0.3"))
        self.assertEqual((code, summary["greeted"], summary["refused"], summary["ended"]), (0, 0, 1, "seconds"))

    # The labels

    def test_faces_get_labels_and_the_room_a_point(self) -> None:
        self.daemon.greeting = FULL_GREETING
        labels = self.start("label_people.py")
        room, people, again = (self.daemon.asked("setLayer") for _ in range(3))
        point = {"kind": "point", "points": [[0, 0, -2]], "text": "2 m ahead", "mark": "+", "colour": "yellow"}
        self.assertEqual(room, {"name": "room", "items": [point], "space": "world", "ttl": 1})
        label = {"kind": "label", "points": [[0.4, 0.3]], "text": "2 s, looks 60%", "colour": "cyan"}
        self.assertEqual(people, {"name": "people", "items": [label], "space": "picture", "ttl": 1})
        self.assertEqual(again, room, "set again although no frame comes")
        labels.send_signal(signal.SIGINT)
        code, summary, errors = self.end(labels)
        self.assertEqual((code, summary["ended"], errors), (0, "signal", ""))
        self.assertEqual((summary["frames"], summary["labels"]), (1, 1))

    def test_an_older_daemon_shows_no_labels(self) -> None:
        code, summary, errors = self.end(self.start("label_people.py"))
        self.assertEqual((code, summary["ended"]), (1, "notSupported"))
        self.assertIn("draws no layers", errors)
        self.assertNotIn("Traceback", errors)

    # The detector

    def test_a_recording_is_played_in_its_pace_with_steady_numbers(self) -> None:
        lines = [{"type": "hello", "v": 1, "clock": "media", "image": {"w": 480, "h": 270}, "fps": 20}]
        lines += [{"t": 5 + at / 20, "faces": [{"rect": rect} for rect in faces]} for at, faces in enumerate(FACES)]
        with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
            file.write("\n".join(map(json.dumps, lines)) + "\nnot json\n" + '{"type":"bye","reason":"eof"}\n')
            file.flush()
            code, summary, errors = self.end(self.start("own_detector.py", file.name))
        self.assertEqual((code, errors), (0, ""))
        wanted = {"frames": 3, "faces": 4, "badLines": 1, "ended": "done"}
        self.assertEqual({key: summary[key] for key in wanted}, wanted)
        first, second, third = (self.daemon.asked("track") for _ in FACES)
        self.assertEqual([one["id"] for one in first["observations"]], [1, 2])
        self.assertEqual({one["id"]: one["rect"][0] for one in second["observations"]}, {1: 0.11, 2: 0.71})
        self.assertEqual(third, {"observations": [], "camera": {"width": 480, "height": 270}})
        self.assertEqual(self.methods()[-3:], ["stop", "unsubscribe", "releaseControl"])

    def test_a_live_stream_is_handed_on_as_it_comes(self) -> None:
        code, summary, _ = self.end(self.start("own_detector.py", "-"), '{"faces":[{"rect":[0.4,0.2,0.1,0.2]}]}\n' * 3)
        self.assertEqual((code, summary["frames"], summary["faces"]), (0, 3, 3))

    def test_a_silent_stream_does_not_hide_the_end_of_the_daemon(self) -> None:
        detector = self.start("own_detector.py", "-")
        self.daemon.asked("setTrackingMode")
        self.daemon.die()
        detector.wait(PATIENCE)
        code, summary, errors = self.end(detector)
        self.assertEqual((code, summary["ended"]), (69, "connectionLost"))
        self.assertNotIn("Traceback", errors)

    def test_input_that_cannot_be_used(self) -> None:
        self.assertEqual(self.end(self.start("own_detector.py", "/nowhere.jsonl"))[0], 65)
        code, _, errors = self.end(self.start("own_detector.py", "-"), '{"type":"hello","v":1,"units":"px"}\n')
        self.assertEqual(code, 65)
        self.assertIn("normalised only", errors)
        self.assertEqual(SNAPSHOTS["tracking"], TRACKING)


if __name__ == "__main__":
    unittest.main()
