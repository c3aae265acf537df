"""Tests of motions: progress, outcome, and race conditions."""

import time
import unittest
from typing import Any
from unittest import mock

from fake_daemon import PATIENCE, SNAPSHOTS, FakeDaemon, Peer, motion_state, status

import dockface
from dockface import Dock, Outcome


class Motions(unittest.TestCase):
    def setUp(self) -> None:
        self.daemon = FakeDaemon()
        self.addCleanup(self.daemon.__exit__)
        self.dock = Dock(self.daemon.path)
        self.addCleanup(self.dock.close)
        self.peer = self.daemon.peer()
        self.numbers = 0
        for method in ("setOrientation", "setAngularVelocity", "animate"):
            self.daemon.handlers[method] = self.begin

    def begin(self, peer: Peer, params: dict[str, Any]) -> Any:
        self.numbers += 1
        return {"motion": self.numbers, "duration": params.get("duration", 2)}

    def tell(self, **state: Any) -> None:
        self.peer.event("motion", motion_state(**state))

    def settle(self) -> None:
        self.dock.call("settle")

    def test_a_motion_is_followed_to_its_end(self) -> None:
        motion = self.dock.set_orientation(1, 0, 2)
        self.assertEqual((motion.id, motion.duration, motion.fraction, motion.done), (1, 2, 0, False))
        self.tell(running=(1, 0.25))
        self.settle()
        self.assertEqual(motion.fraction, 0.25)
        self.tell(ended=(1, "completed"))
        self.assertIs(motion.wait(PATIENCE), Outcome.COMPLETED)
        self.assertEqual((motion.fraction, motion.done, motion.outcome), (1, True, Outcome.COMPLETED))
        self.assertIn("completed", repr(motion))

    def test_every_outcome_of_the_contract(self) -> None:
        words = (
            "completed cancelled superseded takenOver stopped emergencyStopped faulted unplugged limited modeChanged "
            "leaseLost"
        ).split()
        self.assertEqual([one.value for one in Outcome], words + ["unknown"])
        for word in words + ["somethingNew"]:
            motion = self.dock.animate("yes")
            self.tell(ended=(motion.id, word))
            self.assertIs(motion.wait(PATIENCE), Outcome(word))
        self.assertIs(Outcome("somethingNew"), Outcome.UNKNOWN)

    def test_progress_tells_every_step_and_the_end(self) -> None:
        motion = self.dock.set_orientation(1, 0)
        found = []
        self.tell(running=(1, 0.5))
        self.settle()
        for fraction in motion.progress(PATIENCE):
            found.append(fraction)
            if fraction == 0.5:
                self.tell(running=(1, 0.75))
            elif fraction == 0.75:
                self.tell(ended=(1, "stopped"))
        self.assertEqual(found, [0.5, 0.75, 0.75])

    def test_subscribed_once_and_before_the_motion(self) -> None:
        for _ in range(3):
            self.dock.set_orientation(1, 0)
        self.dock.set_angular_velocity(1, 0)
        methods = [method for method, _ in self.daemon.log]
        self.assertEqual(methods, ["subscribe"] + ["setOrientation"] * 3 + ["setAngularVelocity"])

    def test_a_motion_that_ends_before_its_number_is_told(self) -> None:
        def at_once(peer: Peer, params: dict[str, Any]) -> Any:
            peer.event("motion", motion_state(running=(1, 0)))
            peer.event("motion", motion_state(ended=(1, "limited")))
            peer.event("motion", motion_state(ended=(2, "completed")))
            return {"motion": 1, "duration": 0}

        self.daemon.handlers["setOrientation"] = at_once
        self.assertIs(self.dock.set_orientation(1, 0).wait(PATIENCE), Outcome.LIMITED)

    def test_a_motion_that_ended_before_the_client_subscribed_is_in_the_snapshot(self) -> None:
        motion = self.dock.set_angular_velocity(1, 0)
        with mock.patch.dict(SNAPSHOTS, motion=motion_state(ended=(1, "takenOver"))):
            self.assertIs(motion.wait(PATIENCE), Outcome.TAKEN_OVER)

    def test_an_earlier_one_than_the_snapshot_tells_has_ended_somehow(self) -> None:
        motion = self.dock.set_angular_velocity(1, 0)
        with mock.patch.dict(SNAPSHOTS, motion=motion_state(running=(3, 0.5), ended=(2, "superseded"))):
            self.assertIs(motion.wait(PATIENCE), Outcome.UNKNOWN)

    def test_a_later_motion_that_runs_does_not_hide_how_this_one_ended(self) -> None:
        motion = self.dock.set_orientation(1, 0)
        self.tell(running=(2, 0), ended=None)
        self.settle()
        self.assertFalse(motion.done)
        self.tell(running=(2, 0.1), ended=(1, "superseded"))
        self.assertIs(motion.wait(PATIENCE), Outcome.SUPERSEDED)

    def test_an_end_counts_also_beside_the_last_state_of_the_motion(self) -> None:
        motion = self.dock.set_orientation(1, 0)
        self.tell(running=(1, 0.9), ended=(1, "stopped"))
        self.assertIs(motion.wait(PATIENCE), Outcome.STOPPED)

    def test_an_end_that_was_never_told_is_asked_for(self) -> None:
        def ended(peer: Peer, params: dict[str, Any]) -> Any:
            return {**status(peer, params), "motion": motion_state(ended=(1, "completed"))}

        self.daemon.handlers["status"] = ended
        with mock.patch("dockface.motion.GRACE", 0.05):
            motion = self.dock.set_orientation(1, 0, 0.01)
            self.assertIs(motion.wait(PATIENCE), Outcome.COMPLETED)

    def test_an_end_that_the_daemon_forgot_is_unknown(self) -> None:
        with mock.patch("dockface.motion.GRACE", 0.05):
            motion = self.dock.set_orientation(1, 0, 0.01)
            self.assertIs(motion.wait(PATIENCE), Outcome.UNKNOWN)

    def test_a_motion_that_takes_longer_than_planned_is_waited_for(self) -> None:
        asked = []

        def later(peer: Peer, params: dict[str, Any]) -> Any:
            asked.append(time.monotonic())
            if len(asked) == 3:
                peer.event("motion", motion_state(ended=(1, "completed")))
            return {**status(peer, params), "motion": motion_state(running=(1, 1))}

        self.daemon.handlers["status"] = later
        with mock.patch("dockface.motion.GRACE", 0.02):
            self.assertIs(self.dock.set_orientation(1, 0, 0.01).wait(PATIENCE), Outcome.COMPLETED)
        self.assertEqual(len(asked), 3)
        self.assertGreater(asked[2] - asked[1], 0.02)

    def test_waiting_has_an_end_and_the_motion_goes_on(self) -> None:
        motion = self.dock.set_orientation(1, 0)
        with self.assertRaisesRegex(dockface.Timeout, "motion 1"):
            motion.wait(0.01)
        with self.assertRaises(dockface.Timeout):
            list(motion.progress(0.01))
        self.assertFalse(motion.done)

    def test_cancelling_goes_by_the_number(self) -> None:
        motion = self.dock.animate("yes")

        def cancel(peer: Peer, params: dict[str, Any]) -> Any:
            peer.event("motion", motion_state(ended=(params["motion"], "cancelled")))
            return {}

        self.daemon.handlers["cancelMotion"] = cancel
        motion.cancel()
        self.assertIs(motion.wait(PATIENCE), Outcome.CANCELLED)
        motion.cancel()
        self.assertEqual([method for method, _ in self.daemon.log].count("cancelMotion"), 1)

    def test_several_motions_at_once_each_have_their_end(self) -> None:
        first, second = self.dock.set_orientation(1, 0), self.dock.set_orientation(0, 0)
        self.tell(running=(2, 0), ended=(1, "superseded"))
        self.tell(ended=(2, "completed"))
        self.assertEqual((first.wait(PATIENCE), second.wait(PATIENCE)), (Outcome.SUPERSEDED, Outcome.COMPLETED))

    def test_the_death_of_the_daemon_ends_the_wait(self) -> None:
        motion = self.dock.set_orientation(1, 0)
        self.peer.link.shutdown(2)
        with self.assertRaisesRegex(dockface.ConnectionLost, "dockface run"):
            motion.wait(PATIENCE)
        self.assertIsNone(motion.outcome)

    def test_closing_ends_the_wait_of_another_thread(self) -> None:
        from concurrent.futures import ThreadPoolExecutor

        motion = self.dock.set_orientation(1, 0)
        with ThreadPoolExecutor() as pool:
            waiting = pool.submit(motion.wait)
            self.dock.close()
            with self.assertRaises(dockface.ConnectionLost):
                waiting.result(PATIENCE)


if __name__ == "__main__":
    unittest.main()
