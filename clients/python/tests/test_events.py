"""Tests of streams: snapshots, slow readers, several readers of a topic, the end."""

import threading
import unittest
from typing import Any

from fake_daemon import FACE, PATIENCE, SNAPSHOTS, FakeDaemon

import dockface
from dockface import AccessoryEvent, BatteryState, Dock, FaceState, LogEntry, MotionState, StateChange, TrackingState


class Streams(unittest.TestCase):
    def setUp(self) -> None:
        self.daemon = FakeDaemon()
        self.addCleanup(self.daemon.__exit__)
        self.dock = Dock(self.daemon.path, timeout=PATIENCE)
        self.addCleanup(self.dock.close)
        self.peer = self.daemon.peer()

    def face(self, name: str, seq: int) -> None:
        self.peer.event("face", {**FACE, "expression": name}, seq=seq)

    def settle(self) -> None:
        """Waits until all previous output was read. Answers come in order."""
        self.dock.call("settle")

    def test_every_topic_is_typed(self) -> None:
        kinds = {
            "accessory": StateChange, "motion": MotionState, "tracking": TrackingState, "battery": BatteryState,
            "face": FaceState, "log": LogEntry,
        }  # fmt: skip
        for topic, kind in kinds.items():
            with self.dock.events(topic) as stream:
                event = stream.get(PATIENCE)
                assert event is not None
                self.assertIsInstance(event.data, kind)
                self.assertEqual((event.topic, event.kind), (topic, "snapshot"))
        with self.dock.events("accessory") as stream:
            event = stream.get(PATIENCE)
            assert event is not None
            self.assertEqual(event.data.stopped_by, "person")
        with self.dock.events("events") as stream:
            self.peer.event("events", {"event": "button", "id": 2, "pressed": True})
            pressed = stream.get(PATIENCE)
            assert pressed is not None
            self.assertEqual(pressed.data, AccessoryEvent("button", id=2, pressed=True))

    def test_a_snapshot_then_changes_in_order(self) -> None:
        found = []
        for event in self.dock.events("face"):
            found.append((event.kind, event.seq, event.data.expression))
            if len(found) == 3:
                break
            self.face(f"e{len(found)}", len(found))
        self.assertEqual(found, [("snapshot", 0, "normal"), ("change", 1, "e1"), ("change", 2, "e2")])

    def test_a_slow_reader_of_states_gets_the_newest(self) -> None:
        with self.dock.events("face", "battery") as stream:
            for seq in range(1, 100):
                self.face(f"e{seq}", seq)
            self.settle()
            newest: Any = {event.topic: event for event in (stream.get(0), stream.get(0)) if event}
            self.assertEqual(set(newest), {"face", "battery"})
            self.assertEqual((newest["face"].kind, newest["face"].data.expression), ("snapshot", "e99"))
            self.assertIsNone(stream.get(0))
            self.face("last", 100)
            event = stream.get(PATIENCE)
            assert event is not None
            self.assertEqual(event.kind, "change")

    def test_a_slow_reader_of_events_gets_the_last_64_and_is_told_of_the_rest(self) -> None:
        with self.dock.events("events") as stream:
            for number in range(100):
                more: Any = {"lost": 5} if number == 10 else {}
                self.peer.event("events", {"event": "button", "id": number, "pressed": True}, seq=number, **more)
            self.settle()
            found = [event for event in (stream.get(0) for _ in range(70)) if event]
            self.assertEqual([event.data.id for event in found], list(range(36, 100)))
            self.assertEqual([event.lost for event in found], [36 + 5] + [0] * 63)

    def test_what_was_before_comes_one_by_one(self) -> None:
        with self.dock.events("log") as stream:
            event = stream.get(PATIENCE)
            assert event is not None
            self.assertEqual((event.kind, event.data), ("snapshot", LogEntry("info", "hello")))

    def test_a_second_stream_of_a_topic_begins_with_a_snapshot_too(self) -> None:
        with self.dock.events("face") as first, self.dock.events("log"):
            self.face("sad", 7)
            self.peer.event("log", {"level": "warning", "text": "hm"}, seq=3)
            self.settle()
            with self.dock.events("face", "log") as second:
                found = [second.get(0) for _ in range(3)]
                kinds = [(event.topic, event.kind, event.seq) for event in found if event]
                self.assertEqual(kinds, [("face", "snapshot", 7), ("log", "snapshot", 0), ("log", "snapshot", 3)])
                self.face("joy", 8)
                self.settle()
                for stream in (first, second):
                    event = stream.get(0)
                    assert event is not None and isinstance(event.data, FaceState)
                    self.assertEqual(event.data.expression, "joy")
        self.assertEqual(self.daemon.asked("subscribe"), {"topics": ["face"]})
        self.assertEqual(self.daemon.asked("subscribe"), {"topics": ["log"]})

    def test_the_last_reader_unsubscribes(self) -> None:
        first, second = self.dock.events("face"), self.dock.events("face", "battery")
        second.close()
        second.close()
        self.assertEqual(self.daemon.asked("unsubscribe"), {"topics": ["battery"]})
        first.close()
        self.assertEqual(self.daemon.asked("unsubscribe"), {"topics": ["face"]})
        with self.dock.events("face") as again:
            event = again.get(PATIENCE)
            assert event is not None
            self.assertEqual(event.seq, 0)

    def test_a_stream_that_was_dropped_is_forgotten(self) -> None:
        for _ in self.dock.events("face"):
            break
        self.assertEqual(len(self.dock._hub._streams), 0)

    def test_an_iteration_ends_after_silence(self) -> None:
        self.assertEqual(len(list(self.dock.events("face", timeout=0.02))), 1)

    def test_a_topic_that_is_not_there(self) -> None:
        for call in (lambda: self.dock.events("faces"), lambda: self.dock._hub.open((), None)):
            with self.assertRaisesRegex(dockface.InvalidParameter, "topics: accessory, motion"):
                call()

    def test_an_event_of_another_shape_is_reported_and_skipped(self) -> None:
        with self.dock.events("face") as stream, self.assertLogs("dockface", "WARNING") as logs:
            stream.get(PATIENCE)
            self.peer.event("face", {"expression": 3})
            self.face("sad", 2)
            event = stream.get(PATIENCE)
            assert event is not None
            self.assertEqual(event.data.expression, "sad")
        self.assertTrue(all("Traceback" not in line for line in logs.output), logs.output)

    def test_closing_ends_iterations_of_other_threads(self) -> None:
        stream = self.dock.events("face")
        stream.get(PATIENCE)
        thread = threading.Thread(target=lambda: list(stream))
        thread.start()
        self.dock.close()
        thread.join(PATIENCE)
        self.assertFalse(thread.is_alive())
        self.assertTrue(stream.closed)

    def test_the_death_of_the_daemon_raises_after_what_was_said(self) -> None:
        stream = self.dock.events("face")
        stream.get(PATIENCE)
        self.face("fear", 1)
        self.settle()
        self.daemon.die()
        event = stream.get(PATIENCE)
        assert event is not None
        self.assertEqual(event.data.expression, "fear")
        with self.assertRaisesRegex(dockface.ConnectionLost, "dockface run"):
            next(stream)
        with self.assertRaises(dockface.ConnectionLost):
            self.dock.events("face")
        stream.close()

    def test_snapshots_of_the_fake_are_those_of_the_contract(self) -> None:
        self.assertEqual(set(SNAPSHOTS), set(dockface.events.TOPICS))


if __name__ == "__main__":
    unittest.main()
