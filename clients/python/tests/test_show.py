"""Tests of what a program shows and offers, of the topics for it, and of topic `tracking` for every frame."""

import threading
import unittest
from typing import Any, Callable

from fake_daemon import (
    DETECTIONS,
    FACE,
    FULL_GREETING,
    INDICATORS,
    LAYERS,
    PATIENCE,
    TRACKING,
    FakeDaemon,
    Peer,
    Refusal,
    status,
)

import dockface
from dockface import (
    Cue,
    DetectedFace,
    DetectedHand,
    Detections,
    Dock,
    Event,
    EventStream,
    Extension,
    Indicator,
    Indicators,
    Item,
    Layer,
    Layers,
    LayerSummary,
    Lens,
    Pose,
    TrackingState,
)

#: Every kind of item with all that it can have, and its form in the API.
ITEMS: tuple[tuple[Item, dict[str, Any]], ...] = (
    (
        Item.box((0.1, 0.2, 0.3, 0.4), text="face", colour="red"),
        {"kind": "box", "rect": [0.1, 0.2, 0.3, 0.4], "text": "face", "colour": "red"},
    ),
    (
        Item.line((0, 0), (1, 0.5), text="way", mark="*", colour="green"),
        {"kind": "line", "points": [[0, 0], [1, 0.5]], "text": "way", "mark": "*", "colour": "green"},
    ),
    (
        Item.point((0.5, 0.5), text="goal", mark="x", colour="grey"),
        {"kind": "point", "points": [[0.5, 0.5]], "text": "goal", "mark": "x", "colour": "grey"},
    ),
    (
        Item.label("hello", (0.2, 0.3), colour="cyan"),
        {"kind": "label", "points": [[0.2, 0.3]], "text": "hello", "colour": "cyan"},
    ),
    (
        Item.path([(0, 0), (0.5, 0.1), (1, 0)], text="edge", mark=".", colour="blue"),
        {"kind": "path", "points": [[0, 0], [0.5, 0.1], [1, 0]], "text": "edge", "mark": ".", "colour": "blue"},
    ),
)


class Showing(unittest.TestCase):
    greeting = FULL_GREETING

    def setUp(self) -> None:
        self.daemon = FakeDaemon(self.greeting)
        self.addCleanup(self.daemon.__exit__)
        self.dock = Dock(self.daemon.path, timeout=PATIENCE)
        self.addCleanup(self.dock.close)
        self.peer = self.daemon.peer()
        self.now = 100.0

    def settle(self) -> None:
        """Waits until all previous output was read. Answers come in order."""
        self.dock.call("settle")

    def take(self, stream: EventStream[Any], timeout: float = PATIENCE) -> Event[Any]:
        event = stream.get(timeout)
        assert event is not None
        return event


class Methods(Showing):
    def test_a_layer_comes_back_as_it_was_sent(self) -> None:
        def draw(peer: Peer, params: dict[str, Any]) -> Any:
            layer = {"client": 3, **{key: params[key] for key in ("name", "space", "items")}}
            peer.event("layers", {"layers": [layer]}, seq=1)
            return {"items": len(params["items"])}

        self.daemon.handlers["setLayer"] = draw
        items = tuple(item for item, _ in ITEMS)
        with self.dock.events("layers") as stream:
            self.take(stream)
            self.assertEqual(self.dock.set_layer("all", items), 5)
            self.assertEqual(self.take(stream).data, Layers((Layer("all", 3, "picture", items),)))
        wanted = {"name": "all", "items": [item for _, item in ITEMS], "space": "picture", "ttl": 1}
        self.assertEqual(self.daemon.asked("setLayer"), wanted)

    def test_a_layer_of_the_world_and_items_of_the_api(self) -> None:
        items: list[Any] = [Item.point([0, 0, -2]), {"kind": "point", "points": [[1, 0, -2]], "later": True}]
        self.assertEqual(self.dock.set_layer("room", items, space="world", ttl=0.5), 2)
        wanted = [{"kind": "point", "points": [[0, 0, -2]]}, items[1]]
        self.assertEqual(self.daemon.asked("setLayer"), {"name": "room", "items": wanted, "space": "world", "ttl": 0.5})

    def test_a_box_has_no_points_and_the_default_colour_is_not_sent(self) -> None:
        self.dock.set_layer("one", [Item.box((0, 0, 1, 1))])
        self.assertEqual(self.daemon.asked("setLayer")["items"], [{"kind": "box", "rect": [0, 0, 1, 1]}])

    def test_a_layer_is_removed_by_an_empty_one(self) -> None:
        self.dock.remove_layer("one")
        self.assertEqual(self.daemon.asked("setLayer"), {"name": "one", "items": []})

    def test_a_layer_that_is_rejected_raises(self) -> None:
        def full(peer: Peer, params: dict[str, Any]) -> Any:
            raise Refusal("limitReached", -32008)

        self.daemon.handlers["setLayer"] = full
        self.assertRaises(dockface.LimitReached, self.dock.set_layer, "one", [])

    def test_an_extension_reports_its_state(self) -> None:
        self.dock.set_extension("log", "fault", "disk full", version="0.2.0", ttl=5)
        self.assertEqual(
            self.daemon.asked("setExtension"),
            {"name": "log", "state": "fault", "text": "disk full", "version": "0.2.0", "ttl": 5},
        )
        self.dock.set_extension("log", "ready")
        self.assertEqual(self.daemon.asked("setExtension"), {"name": "log", "state": "ready", "ttl": 10.0})

    def test_distances_have_an_error_or_none(self) -> None:
        self.assertEqual(self.dock.set_distances({3: 1.25, 4: (2.0, 0.1)}, nearest=0.8), 2)
        self.assertEqual(
            self.daemon.asked("setDistances"),
            {
                "distances": [{"id": 3, "distance": 1.25}, {"id": 4, "distance": 2.0, "error": 0.1}],
                "nearest": 0.8, "ttl": 0.5,
            },
        )  # fmt: skip
        self.dock.set_distances({}, ttl=1)
        self.assertEqual(self.daemon.asked("setDistances"), {"distances": [], "ttl": 1})

    def test_a_person_is_expected_for_a_time_or_the_usual_one(self) -> None:
        self.daemon.handlers["expect"] = lambda peer, params: {}
        self.dock.expect(0.7, 0.1)
        self.assertEqual(self.daemon.asked("expect"), {"pan": 0.7, "tilt": 0.1})
        self.dock.expect(0.7, 0, 0.6)
        self.assertEqual(self.daemon.asked("expect"), {"pan": 0.7, "tilt": 0, "for": 0.6})

    def test_an_indicator_has_a_text_or_none(self) -> None:
        self.dock.set_indicator("record", "on", "sound")
        self.assertEqual(self.daemon.asked("setIndicator"), {"name": "record", "state": "on", "text": "sound"})
        self.dock.set_indicator("record", "off")
        self.assertEqual(self.daemon.asked("setIndicator"), {"name": "record", "state": "off"})

    def test_a_cue_returns_whether_a_program_listens(self) -> None:
        for heard in (True, False):
            for method in ("say", "cue"):
                self.daemon.handlers[method] = lambda peer, params, heard=heard: {"heard": heard}  # type: ignore[misc]
            self.assertIs(self.dock.say("hello"), heard)
            self.assertEqual(self.daemon.asked("say"), {"text": "hello", "urgency": "normal"})
            self.assertIs(self.dock.say("look out", urgency="high"), heard)
            self.assertEqual(self.daemon.asked("say"), {"text": "look out", "urgency": "high"})
            self.assertIs(self.dock.cue("chime"), heard)
            self.assertEqual(self.daemon.asked("cue"), {"name": "chime"})
            aside = {"pan": -1.0, "tilt": 0.25}
            self.assertIs(self.dock.say("there", direction=Pose(-1.0, 0.25)), heard)
            self.assertEqual(self.daemon.asked("say"), {"text": "there", "urgency": "normal", "direction": aside})
            self.assertIs(self.dock.cue("chime", direction=Pose(-1.0, 0.25)), heard)
            self.assertEqual(self.daemon.asked("cue"), {"name": "chime", "direction": aside})

    def calls(self) -> tuple[Callable[[], Any], ...]:
        for method in ("say", "cue"):
            self.daemon.handlers[method] = lambda peer, params: {"heard": True}
        return (
            lambda: self.dock.set_layer("one", [Item.label("hello", (0, 0))]),
            lambda: self.dock.remove_layer("one"),
            lambda: self.dock.set_indicator("live", "trying"),
            lambda: self.dock.set_extension("log", "ready"),
            lambda: self.dock.say("hello"),
            lambda: self.dock.cue("chime"),
        )

    def test_they_are_life_and_need_no_control(self) -> None:
        self.dock._life.now = lambda: self.now
        with self.assertLogs("dockface", "WARNING"), self.dock.control() as lease:
            for call in self.calls():
                self.now += 60
                self.assertGreater(self.dock._life.silence, 59)
                call()
                self.assertEqual(self.dock._life.silence, 0)
            self.assertFalse(lease.held)
            self.assertRaises(dockface.LeaseLost, self.dock.home)


class Topics(Showing):
    def test_detections_are_typed(self) -> None:
        face = {**DETECTIONS["faces"][0], "mood": "later daemons know more"}
        with self.dock.events("detections") as stream:
            self.peer.event("detections", {**DETECTIONS, "faces": [face], "later": 1}, seq=1)
            event = self.take(stream)
            self.assertEqual((event.topic, event.kind), ("detections", "change"))
            self.assertEqual(
                event.data,
                Detections(
                    sequence=51, t=2.5, arrival=2.54, source="yunet", active=True, dropped=None, size=(640, 480),
                    faces=(
                        DetectedFace(
                            rect=(0.4, 0.3, 0.1, 0.2), score=0.9, kind="person",
                            landmarks=((0.42, 0.35), (0.48, 0.35)), yaw=-0.2, looking=0.6,
                        ),
                    ),
                    objects=({"name": "cup", "rect": [0, 0, 1, 1]},), people=("as the detector wrote it",),
                    hands=(DetectedHand(points=((0.5, 0.6, -0.01),) * 21, score=0.9, side="left"),),
                ),
            )  # fmt: skip
            nothing: dict[str, Any] = {"sequence": None, "t": None, "size": None, "faces": [], "objects": []}
            self.peer.event("detections", {**DETECTIONS, **nothing, "active": False, "dropped": "tooOld"}, seq=2)
            answer = self.take(stream).data
            self.assertEqual((answer.sequence, answer.t, answer.size, answer.faces), (None, None, None, ()))
            self.assertEqual((answer.active, answer.dropped, answer.objects), (False, "tooOld", ()))

    def test_layers_are_typed(self) -> None:
        layer = LAYERS["layers"][0]
        item = Item.point((1, 0, -2.5), text="door", mark="+", colour="cyan")
        with self.dock.events("layers") as stream:
            self.assertEqual(self.take(stream).data, Layers((Layer("room", 4, "world", (item,)),)))
            items = [{**layer["items"][0], "later": 1}, {"kind": "cloud", "points": []}]
            self.peer.event("layers", {"layers": [{**layer, "items": items, "later": 1}], "later": 1})
            self.assertEqual(self.take(stream).data.layers[0].items, (item, Item("cloud")))

    def test_indicators_are_typed(self) -> None:
        indicator = Indicator("record", -1, "on", "sound", True)
        with self.dock.events("indicators") as stream:
            self.assertEqual(self.take(stream).data, Indicators((indicator,)))
            self.peer.event("indicators", {"indicators": [{**INDICATORS["indicators"][0], "later": 1}], "later": 1})
            self.assertEqual(self.take(stream).data, Indicators((indicator,)))

    def test_cues_are_typed(self) -> None:
        with self.dock.events("cues") as stream:
            self.peer.event("cues", {"event": "say", "text": "hello", "urgency": "low", "later": 1}, seq=1)
            self.assertEqual(self.take(stream).data, Cue("say", text="hello", urgency="low"))
            self.peer.event("cues", {"event": "cue", "name": "chime"}, seq=2)
            self.assertEqual(self.take(stream).data, Cue("cue", name="chime"))
            data = {"event": "cue", "name": "chime", "direction": {"pan": -1, "tilt": 0.25}}
            self.peer.event("cues", data, seq=3)
            self.assertEqual(self.take(stream).data, Cue("cue", name="chime", direction=Pose(-1, 0.25)))

    def test_every_cue_and_every_answer_counts_but_none_comes_late(self) -> None:
        cue = {"event": "cue", "name": "chime"}
        for topic, data in (("cues", cue), ("detections", DETECTIONS)):
            with self.subTest(topic=topic), self.dock.events(topic) as first:
                for seq in range(100):
                    self.peer.event(topic, data, seq=seq)
                self.settle()
                found = [event for event in (first.get(0) for _ in range(70)) if event]
                self.assertEqual([event.seq for event in found], list(range(36, 100)))
                self.assertEqual(found[0].lost, 36)
                with self.dock.events(topic) as second:
                    self.assertIsNone(second.get(0))
                    self.peer.event(topic, data, seq=100)
                    self.assertEqual([self.take(stream).seq for stream in (first, second)], [100, 100])

    def test_status_lists_what_programs_show(self) -> None:
        found = self.dock.status()
        self.assertEqual(found.layers, (LayerSummary("room", 4, "world", 1),))
        self.assertEqual(found.indicators, (Indicator("record", -1, "on", "sound", True),))
        self.assertEqual(found.extensions, (Extension("log", "0.2.0", "ready", "", True, 1),))
        self.assertEqual(found.tracking.sequence, 51)
        self.assertEqual(found.tracking.lens, Lens(focal=(0.77, 1.03), principal=(0.5, 0.48), mount="head"))
        assert found.rig and found.rig.stand and found.rig.cameras[0].lens
        self.assertEqual((found.rig.name, found.rig.stand.place), ("dock", (2, 0.95, 0)))
        self.assertEqual(found.rig.cameras[0].lens.distortion, (-0.15, 0.02, 0, 0, 0))
        self.assertEqual(found.rig.cameras[0].lens.mount_angles, (-0.01, 0.02, 0.01))

    def test_an_older_daemon_has_neither(self) -> None:
        def older(peer: Peer, params: dict[str, Any]) -> Any:
            tracking = {key: value for key, value in TRACKING.items() if key not in ("sequence", "lens")}
            answer = {**status(peer, params), "tracking": tracking}
            return {key: value for key, value in answer.items() if key not in ("layers", "indicators", "extensions", "rig")}

        self.daemon.handlers["status"] = older
        found = self.dock.status()
        self.assertEqual((found.layers, found.indicators, found.extensions), ((), (), ()))
        self.assertEqual((found.tracking.sequence, found.tracking.lens), (None, None))

    def test_the_lens_of_a_fixed_camera_has_its_direction(self) -> None:
        lens = {**TRACKING["lens"], "mount": "fixed", "direction": {"pan": -0.2, "tilt": 0.1}, "later": 1}
        with self.dock.events("tracking") as stream:
            self.take(stream)
            self.peer.event("tracking", {**TRACKING, "lens": lens}, seq=2)
            found = self.take(stream).data.lens
            self.assertEqual(found, Lens((0.77, 1.03), (0.5, 0.48), "fixed", Pose(-0.2, 0.1)))
            self.peer.event("tracking", {**TRACKING, "lens": None}, seq=3)
            self.assertIsNone(self.take(stream).data.lens)


class EveryFrame(Showing):
    """Topic `tracking` for every frame: what is subscribed, and what each stream gets."""

    def frame(self, number: int) -> None:
        self.peer.event("tracking", {**TRACKING, "sequence": number}, seq=number)
        self.settle()

    def asked(self) -> list[tuple[str, dict[str, Any]]]:
        """The subscriptions since the last call."""
        found = [entry for entry in self.daemon.log if entry[0] in ("subscribe", "unsubscribe")]
        self.daemon.log.clear()
        return found

    def pair(self) -> tuple[EventStream[TrackingState], EventStream[TrackingState]]:
        """A stream at the usual rate and one of every frame, both without their snapshots. The clock stands still."""
        self.dock._life.now = lambda: self.now
        plain, every = self.dock.events("tracking"), self.dock.events("tracking", every_frame=True)
        self.settle()
        self.take(plain, 0)
        self.take(every, 0)
        return plain, every

    def test_a_normal_stream_names_no_rate(self) -> None:
        self.dock.events("tracking").close()
        self.assertEqual(
            self.asked(), [("subscribe", {"topics": ["tracking"]}), ("unsubscribe", {"topics": ["tracking"]})]
        )

    def test_a_stream_of_every_frame_names_the_rate(self) -> None:
        for _ in range(2):
            self.dock.events("tracking", every_frame=True).close()
            wanted = {"topics": ["tracking"], "rate": "all"}
            self.assertEqual(self.asked(), [("subscribe", wanted), ("unsubscribe", {"topics": ["tracking"]})])
        self.dock.events("tracking").close()
        self.assertEqual(self.asked()[0], ("subscribe", {"topics": ["tracking"]}))

    def test_other_topics_go_along(self) -> None:
        with self.dock.events("tracking", "face", every_frame=True):
            self.assertEqual(self.asked(), [("subscribe", {"topics": ["face", "tracking"], "rate": "all"})])
            with self.dock.events("tracking", "face", "battery", every_frame=True):
                self.assertEqual(self.asked(), [("subscribe", {"topics": ["battery"]})])

    def test_a_second_stream_raises_the_rate_and_its_end_lowers_it(self) -> None:
        plain = self.dock.events("tracking", "face")
        self.asked()
        first = self.dock.events("tracking", every_frame=True)
        self.assertEqual(self.asked(), [("subscribe", {"topics": ["tracking"], "rate": "all"})])
        second = self.dock.events("tracking", every_frame=True)
        first.close()
        self.assertEqual(self.asked(), [])
        second.close()
        self.assertEqual(self.asked(), [("subscribe", {"topics": ["tracking"], "rate": "normal"})])
        plain.close()
        self.assertEqual(self.asked(), [("unsubscribe", {"topics": ["face", "tracking"]})])

    def test_the_end_of_a_normal_stream_does_not_lower_the_rate(self) -> None:
        every = self.dock.events("tracking", every_frame=True)
        plain = self.dock.events("tracking")
        self.asked()
        plain.close()
        self.assertEqual(self.asked(), [])
        every.close()
        self.assertEqual(self.asked(), [("unsubscribe", {"topics": ["tracking"]})])

    def test_a_normal_stream_gets_ten_a_second_and_the_last_of_them(self) -> None:
        plain, every = self.pair()
        for number in (1, 2, 3):
            self.frame(number)
            self.assertEqual(self.take(every, 0).data.sequence, number)
            self.assertIsNone(plain.get(0))
        self.now += 0.11
        event = self.take(plain, 0)
        self.assertEqual((event.kind, event.seq, event.data.sequence), ("change", 3, 3))
        self.now += 0.11
        self.frame(4)
        self.assertEqual(self.take(plain, 0).data.sequence, 4)

    def test_a_slow_reader_of_a_normal_stream_still_gets_a_snapshot(self) -> None:
        plain, _ = self.pair()
        for number in (1, 2):
            self.now += 0.11
            self.frame(number)
        event = self.take(plain, 0)
        self.assertEqual((event.kind, event.data.sequence), ("snapshot", 2))

    def test_the_usual_rate_is_the_daemons_own_business(self) -> None:
        plain, every = self.pair()
        every.close()
        self.now += 0.11
        self.take(plain, 0)  # the snapshot at the change of the rate
        for number in (1, 2):
            self.frame(number)
            self.assertEqual(self.take(plain, 0).data.sequence, number)

    def test_a_state_that_waits_holds_no_other_topic_up(self) -> None:
        self.dock._life.now = lambda: self.now
        both = self.dock.events("tracking", "face")
        every = self.dock.events("tracking", every_frame=True)
        self.settle()
        self.assertEqual({self.take(both, 0).topic, self.take(both, 0).topic}, {"tracking", "face"})
        self.frame(1)
        self.peer.event("face", FACE, seq=2)
        self.settle()
        self.assertEqual(self.take(both, 0).topic, "face")
        self.assertIsNone(both.get(0))
        every.close()

    def test_a_state_that_waits_arrives_without_a_newer_one(self) -> None:
        plain, every = self.pair()
        self.frame(1)
        found: list[Any] = []
        reader = threading.Thread(target=lambda: found.append(plain.get(PATIENCE)))
        reader.start()
        # The reader looks at the clock again when the time of the state has come.
        self.now += 0.11
        reader.join(PATIENCE)
        self.assertEqual([event.data.sequence for event in found], [1])
        every.close()

    def test_a_state_that_waits_precedes_the_end_of_the_daemon(self) -> None:
        plain, _ = self.pair()
        self.frame(1)
        self.daemon.die()
        self.assertEqual(self.take(plain).data.sequence, 1)
        self.assertRaises(dockface.ConnectionLost, plain.get, PATIENCE)

    def test_it_is_a_mistake_without_topic_tracking(self) -> None:
        with self.assertRaisesRegex(ValueError, "tracking"):
            self.dock.events("face", every_frame=True)
        self.assertEqual(self.asked(), [])


class Older(Showing):
    """A daemon whose greeting names only some of the features."""

    greeting = b'{"name":"dockface","version":"0.1.7","protocol":1,"features":["pictures","layers"]}\n'

    def test_what_it_lacks_is_named_and_not_requested(self) -> None:
        calls: tuple[Callable[[], Any], ...] = (
            lambda: self.dock.set_indicator("record", "on"),
            lambda: self.dock.say("hello"),
            lambda: self.dock.cue("chime"),
            lambda: self.dock.events("detections"),
            lambda: self.dock.events("indicators"),
            lambda: self.dock.events("face", "cues"),
            lambda: self.dock.events("tracking", every_frame=True),
        )
        for call in calls:
            with self.assertRaisesRegex(dockface.NotSupported, r"^dockface 0\.1\.7 .*update it"):
                call()
        self.assertEqual(self.daemon.log, [])

    def test_what_it_has_works(self) -> None:
        self.assertEqual(self.dock.set_layer("one", [Item.label("hello", (0, 0))]), 1)
        with self.dock.events("layers", "tracking") as stream:
            self.assertEqual({self.take(stream).topic, self.take(stream).topic}, {"layers", "tracking"})

    def test_one_without_features_draws_no_layers(self) -> None:
        with FakeDaemon() as old, Dock(old.path) as dock:
            self.assertRaises(dockface.NotSupported, dock.set_layer, "one", [])
            self.assertRaises(dockface.NotSupported, dock.remove_layer, "one")
            self.assertRaises(dockface.NotSupported, dock.events, "layers")


if __name__ == "__main__":
    unittest.main()
