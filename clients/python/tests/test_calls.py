"""Tests of every method: its request, and its use of the answer."""

import math
import unittest
from typing import Any, Callable

from fake_daemon import FakeDaemon, Peer, Refusal

import dockface
from dockface import AxisLimits, Camera, Dock, Expression, Limits, MotionInfo, Observation, Pose, Recording, TrackResult

LIMITS: dict[str, Any] = {"pan": {"min": -1, "max": 1, "speed": None}, "tilt": {"min": 0, "max": 0.5, "speed": 2}}

#: The call, the requested method and parameters, the result in JSON, the result in Python.
Row = tuple[Callable[[Dock], Any], str, dict[str, Any], Any, Any]
ROWS: tuple[Row, ...] = (
    (lambda d: d.set_tracking_mode("custom"), "setTrackingMode", {"mode": "custom"}, {"mode": "custom"}, "custom"),
    (
        lambda d: d.set_system_tracking_enabled(False),
        "setSystemTrackingEnabled", {"enabled": False}, {"mode": "manual"}, "manual",
    ),
    (lambda d: d.set_framing_mode("left"), "setFramingMode", {"mode": "left"}, {"framing": "left"}, "left"),
    (
        lambda d: d.set_region_of_interest((0, 0, 0.5, 1)),
        "setRegionOfInterest", {"rect": [0, 0, 0.5, 1]}, {"region": [0, 0, 0.5, 1]}, (0.0, 0.0, 0.5, 1.0),
    ),
    (lambda d: d.set_region_of_interest(None), "setRegionOfInterest", {"rect": None}, {"region": None}, None),
    (lambda d: d.select_subject(0.4, 0.6), "selectSubject", {"x": 0.4, "y": 0.6}, {"id": 3}, 3),
    (lambda d: d.select_subjects([3, 4]), "selectSubjects", {"ids": [3, 4]}, {"ids": [3, 4]}, [3, 4]),
    (lambda d: d.select_source("yunet"), "selectSource", {"name": "yunet"}, {"source": "yunet"}, "yunet"),
    (
        lambda d: d.track([Observation(1, (0.1, 0.2, 0.3, 0.4), yaw=0.5)], Camera(hfov=1.2), t=5.5),
        "track",
        {"observations": [{"id": 1, "rect": [0.1, 0.2, 0.3, 0.4], "yaw": 0.5}], "camera": {"hfov": 1.2}, "t": 5.5},
        {"subjects": 1, "rate": 12.5}, TrackResult(1, 12.5),
    ),
    (lambda d: d.track([]), "track", {"observations": []}, {"subjects": 0, "rate": None}, TrackResult(0, None)),
    (lambda d: d.cancel_motion(7), "cancelMotion", {"motion": 7}, {}, None),
    (
        lambda d: d.set_limits(pan=AxisLimits(-1, 1), tilt=None),
        "setLimits", {"pan": {"min": -1, "max": 1}, "tilt": None}, {"limits": LIMITS},
        Limits(AxisLimits(-1, 1), AxisLimits(0, 0.5, 2)),
    ),
    (
        lambda d: d.set_limits(tilt=AxisLimits(0, 0.5, 2)).tilt,
        "setLimits", {"tilt": {"min": 0, "max": 0.5, "speed": 2}}, {"limits": LIMITS}, AxisLimits(0, 0.5, 2),
    ),
    (lambda d: d.reset_limits().pan, "setLimits", {}, {"limits": LIMITS}, AxisLimits(-1, 1)),
    (lambda d: d.set_speed(0.5), "setSpeed", {"share": 0.5}, {"share": 0.5}, 0.5),
    (lambda d: d.set_torque_enabled(False), "setTorqueEnabled", {"enabled": False}, {"torque": False}, False),
    (
        lambda d: d.set_expression("glad"),
        "setExpression", {"name": "glad"}, {"expression": "happy", "random": False}, Expression("happy", False),
    ),
    (
        lambda d: d.next_expression(),
        "setExpression", {"next": True}, {"expression": "sad", "random": False}, Expression("sad", False),
    ),
    (
        lambda d: d.set_random_expressions(True),
        "setExpression", {"random": True}, {"expression": "sad", "random": True}, Expression("sad", True),
    ),
    (lambda d: d.set_gestures_enabled(True), "setGesturesEnabled", {"enabled": True}, {"gestures": True}, True),
    (lambda d: d.save_preset("door"), "savePreset", {"name": "door"}, {"name": "door"}, "door"),
    (lambda d: d.delete_preset("door"), "deletePreset", {"name": "door"}, {"name": "door"}, "door"),
    (
        lambda d: d.presets(),
        "presets", {}, {"presets": {"door": {"pan": 1, "tilt": 0.5}}}, {"door": Pose(1, 0.5)},
    ),
    (lambda d: d.record_motion("wave"), "recordMotion", {"name": "wave"}, {"name": "wave"}, "wave"),
    (
        lambda d: d.finish_recording(),
        "finishRecording", {"keep": True}, {"name": "wave", "duration": 3}, Recording("wave", 3),
    ),
    (lambda d: d.motions(), "motions", {}, {"motions": {"yes": {"duration": 1}}}, {"yes": MotionInfo(1)}),
    (lambda d: d.delete_motion("wave"), "deleteMotion", {"name": "wave"}, {"name": "wave"}, "wave"),
    (lambda d: d.set_zoom(2), "setZoom", {"factor": 2}, {"magnification": 2}, 2.0),
    (lambda d: d.set_zoom(steps=-1), "setZoom", {"steps": -1}, {"magnification": 1.8}, 1.8),
    (lambda d: d.set_shutter(), "setShutter", {}, {"recording": True}, True),
    (lambda d: d.set_shutter(False), "setShutter", {"open": False}, {"recording": False}, False),
    (lambda d: d.flip_camera(), "flipCamera", {}, {"device": 1}, 1),
    (lambda d: d.stop(), "stop", {}, {"mode": "manual"}, "manual"),
    (lambda d: d.emergency_stop(), "emergencyStop", {}, {}, None),
    (lambda d: d.trace(), "trace", {}, {"path": "/x/y.jsonl", "records": 1, "duration": 0.5}, "/x/y.jsonl"),
    (lambda d: d.metrics(), "metrics", {}, {"contentType": "text/plain", "text": "dockface_up 1\n"}, "dockface_up 1\n"),
    (
        lambda d: (d.latency().stages[0].from_, d.latency().stages[0].all.p99, d.latency().picture_lag),
        "latency", {},
        {
            "window": 64, "pictureLag": None,
            "stages": [
                {
                    "stage": "seen", "from": "command", "to": "frame", "why": None,
                    "all": {"count": 1, "p50": 0.1, "p99": 0.1}, "recent": {"count": 0, "p50": None, "p99": None},
                }
            ],
        },
        ("command", 0.1, None),
    ),
    (lambda d: d.clear_fault(), "clearFault", {}, {"mode": "manual"}, "manual"),
    (lambda d: d.acquire_control(), "acquireControl", {}, {"lease": 2}, 2.0),
    (lambda d: d.release_control(), "releaseControl", {}, {}, None),
    (lambda d: d.command("tap 0.4 0.6"), "command", {"line": "tap 0.4 0.6"}, {"answer": "ok 3"}, "ok 3"),
    (
        lambda d: d.set_angular_velocity(0.2, -0.1, 1.5).duration,
        "setAngularVelocity", {"pan": 0.2, "tilt": -0.1, "for": 1.5}, {"motion": 4, "duration": 1.5}, 1.5,
    ),
    (
        lambda d: d.set_orientation(0.2, 0, 2, relative=True).id,
        "setOrientation", {"pan": 0.2, "tilt": 0, "duration": 2, "relative": True}, {"motion": 4, "duration": 2}, 4,
    ),
    (lambda d: d.home().name, "home", {}, {"motion": 4, "duration": 2}, "home"),
    (lambda d: d.animate("yes").name, "animate", {"motion": "yes"}, {"motion": 4, "duration": 2}, "yes"),
    (lambda d: d.go_to_preset("door").id, "goToPreset", {"name": "door"}, {"motion": 4, "duration": 2}, 4),
)  # fmt: skip

ERRORS = (
    ("invalidParameter", -32602, dockface.InvalidParameter),
    ("notConnected", -32001, dockface.NotConnected),
    ("notSupportedByDevice", -32002, dockface.NotSupportedByDevice),
    ("noSubjectFound", -32003, dockface.NoSubjectFound),
    ("frameRateTooHigh", -32004, dockface.FrameRateTooHigh),
    ("frameRateTooLow", -32005, dockface.FrameRateTooLow),
    ("notSupported", -32006, dockface.NotSupported),
    ("busy", -32007, dockface.Busy),
    ("limitReached", -32008, dockface.LimitReached),
    ("timeout", -32009, dockface.Timeout),
    ("protocolError", -32010, dockface.ProtocolError),
    ("faulted", -32011, dockface.Faulted),
    (None, -32700, dockface.ParseError),
    (None, -32600, dockface.InvalidRequest),
    (None, -32601, dockface.MethodNotFound),
    (None, -32008, dockface.LimitReached),
    (None, -32099, dockface.DockError),
    ("newInALaterDaemon", -32098, dockface.DockError),
)


class Calls(unittest.TestCase):
    daemon: FakeDaemon
    dock: Dock

    @classmethod
    def setUpClass(cls) -> None:
        cls.daemon = FakeDaemon()
        cls.dock = Dock(cls.daemon.path)

    @classmethod
    def tearDownClass(cls) -> None:
        cls.dock.close()
        cls.daemon.__exit__()

    def test_every_method_asks_and_understands(self) -> None:
        for call, method, params, answer, wanted in ROWS:
            with self.subTest(method=method, params=params):
                self.daemon.handlers[method] = lambda peer, asked, answer=answer: answer  # type: ignore[misc]
                self.assertEqual(call(self.dock), wanted)
                self.assertEqual(self.daemon.asked(method), params)

    def test_status_is_typed_to_its_leaves(self) -> None:
        status = self.dock.status(why=True)
        self.assertEqual(self.daemon.asked("status"), {"why": True})
        self.assertEqual(status.motion.position, Pose(0.1, -0.2))
        self.assertEqual(status.accessory.limits, Limits(AxisLimits(-2, 2, 1.5), AxisLimits(-0.5, 1, 1)))
        self.assertTrue(status.accessory.docked)
        subject = status.tracking.subjects[0]
        self.assertEqual((subject.rect, subject.speaking, subject.looking), ((0.4, 0.3, 0.1, 0.2), None, 0.6))
        self.assertEqual((subject.distance, subject.distance_error, subject.distance_source), (1.5, 0.15, "size"))
        self.assertEqual(status.battery.batteries[0].voltage, None)
        self.assertIsNotNone(status.why)
        self.assertIsNone(self.dock.status().why)
        detector = self.dock.status().detector
        assert detector is not None and detector.camera is not None
        self.assertEqual((detector.camera.width, detector.camera.estimated), (640, False))
        self.assertEqual([(source.name, source.state, source.active) for source in detector.sources], [("yunet", "restarting", True)])

    def test_every_error_name_has_its_exception(self) -> None:
        for name, code, kind in ERRORS:
            with self.subTest(name=name, code=code):

                def refuse(peer: Peer, params: Any, name: Any = name, code: int = code) -> Any:
                    raise Refusal(name, code, hint="try this")

                self.daemon.handlers["refuse"] = refuse
                with self.assertRaises(dockface.DockError) as caught:
                    self.dock.call("refuse")
                self.assertIs(type(caught.exception), kind)
                self.assertEqual(caught.exception.code, code)
                self.assertEqual(caught.exception.name, name or kind.default_name)
                self.assertEqual(caught.exception.hint, "try this" if name else "")
        self.assertTrue(issubclass(dockface.Timeout, TimeoutError))

    def test_nonsense_in_place_of_an_error_is_an_error(self) -> None:
        nonsenses: tuple[Any, ...] = (None, 3, "no", [], {"code": "x", "message": 4, "data": []})
        for nonsense in nonsenses:
            self.daemon.handlers["probe"] = lambda peer, params, n=nonsense: peer.say(  # type: ignore[misc]
                {"id": peer.number, "error": n}
            )
            with self.assertRaises(dockface.DockError):
                self.dock.call("probe")

    def test_an_answer_of_another_shape_is_told_with_its_place(self) -> None:
        answers: tuple[Any, ...] = (
            {"presets": {"door": {"pan": "left", "tilt": 0}}}, {"presets": {"door": {"pan": 1}}}, {"presets": 5},
            {}, [], None,
        )  # fmt: skip
        for answer in answers:
            self.daemon.handlers["presets"] = lambda peer, params, answer=answer: answer  # type: ignore[misc]
            with self.assertRaises(dockface.BadAnswer) as caught:
                self.dock.presets()
            self.assertIn("presets.presets", str(caught.exception))

    def test_what_a_later_daemon_adds_is_passed_over(self) -> None:
        self.daemon.handlers["finishRecording"] = lambda peer, params: {"name": "a", "duration": 1, "new": [1]}
        self.assertEqual(self.dock.finish_recording(), Recording("a", 1))

    def test_numbers_that_json_has_not_are_refused_before_they_are_sent(self) -> None:
        for number in (math.nan, math.inf):
            with self.assertRaises(dockface.InvalidParameter):
                self.dock.set_speed(number)

    def test_limits_of_no_axis_are_a_mistake_and_not_a_reset(self) -> None:
        with self.assertRaises(ValueError):
            self.dock.set_limits()

    def test_a_notification_has_no_id_and_no_answer(self) -> None:
        numbers = []
        self.daemon.handlers["nudge"] = lambda peer, params: numbers.append(peer.number)
        self.dock.notify("nudge", {"a": 1})
        self.assertEqual(self.daemon.asked("nudge"), {"a": 1})
        self.dock.call("after")
        self.assertEqual(numbers, [None])


if __name__ == "__main__":
    unittest.main()
