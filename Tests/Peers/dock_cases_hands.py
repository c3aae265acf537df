"""What any dock must do with its inputs: buttons, wheel, emergency input, battery."""

import time

from dlp import *
from dock_bench import DockBench


class HandCases(DockBench):
    def test_buttons_and_wheel(self):
        self.host.greet()
        told = []
        for act, kind, value in (
            (lambda: self.dock.press("button0", True), BUTTON, 0x001), (lambda: self.dock.press("button0", False), BUTTON, 0x000),
            (lambda: self.dock.press("button1", True), BUTTON, 0x101), (lambda: self.dock.press("button1", False), BUTTON, 0x100),
            (lambda: self.dock.press("tracking", True), TRACKING, 1), (lambda: self.dock.press("tracking", False), TRACKING, 0),
            (lambda: self.dock.turn(1), ZOOM, 1), (lambda: self.dock.turn(-1), ZOOM, -1)):
            after = len(self.host.frames)
            act()
            self.host.wait(EVENT, after=after)
            event = self.host.events(after)[0]
            self.assertEqual((event.kind, event.value), (kind, value))
            self.host.say(EVENT_ACK, bytes([event.id]))
            self.host.listen(0.1)
            told.append(event.id)
        self.assertEqual([(one - told[0]) & 0xFF for one in told], list(range(8)))
        after = len(self.host.frames)
        self.host.listen(0.3)
        self.assertEqual(self.host.events(after), [])
        # Several steps at once may be one event or more, but none is lost.
        for detents in (3, -2):
            after = len(self.host.frames)
            self.dock.turn(detents)
            self.host.listen(0.4)
            steps = {event.id: event.value for event in self.host.events(after) if event.kind == ZOOM}
            self.assertEqual(sum(steps.values()), detents)
            for number in steps:
                self.host.say(EVENT_ACK, bytes([number]))
            self.host.listen(0.1)

    def test_what_is_pressed_at_boot_is_no_event(self):
        self.cuts = 1
        self.dock.press("button0", True)
        self.dock.reset()
        self.host.listen(0.3)
        self.host.greet()
        self.host.listen(0.2)
        after = len(self.host.frames)
        self.dock.press("button0", False)
        self.host.listen(0.2)
        self.assertEqual(self.host.events(after), [])
        self.dock.press("button0", True)
        self.host.listen(0.2)
        self.assertEqual({(event.kind, event.value) for event in self.host.events(after)}, {(BUTTON, 1)})

    def test_events_are_repeated_and_counted(self):
        self.host.greet()
        self.dock.press("button0", True)
        self.host.listen(0.6)
        seen = self.host.events()
        self.assertEqual(len({event._replace(at=0) for event in seen}), 1, "word for word")
        self.assertTrue(8 <= len(seen) <= 13, len(seen))
        # Eleven more without an acknowledgement: the eight newest are kept, and the last one reports the lost ones.
        for turn in range(11):
            self.dock.press("button0", turn % 2 == 1)
            self.host.listen(0.05)
        after = len(self.host.frames)
        self.host.listen(1.0)
        kept = {event.id: event for event in self.host.events(after)}
        self.assertEqual(sorted((one - seen[0].id) & 0xFF for one in kept), list(range(4, 12)))
        self.assertEqual(sum(event.lost for event in kept.values()), 4)
        for one in kept:
            self.host.say(EVENT_ACK, bytes([one]))
        self.host.listen(0.2)
        after = len(self.host.frames)
        self.host.listen(0.3)
        self.assertEqual(self.host.events(after), [])

    def test_its_own_emergency_input(self):
        self.host.arm(100)
        self.host.drive(0.5, 60, 0)
        self.dock.emergency(True)
        pressed = time.monotonic()
        while abs(self.host.motion().pan_rate) > 1000:
            self.host.steer(60, 0)
            self.assertLess(time.monotonic() - pressed, 0.6)
        self.assertTrue(self.host.motion().flags & F_STOPPED)
        self.assertEqual(self.host.ask(ESTOP, bytes([2])), STOPPED)
        self.dock.emergency(False)
        self.host.listen(0.5)
        self.assertTrue(self.host.motion().flags & F_STOPPED, "cleared by itself")
        pose = self.host.rest_pose()
        self.host.drive(0.2, 60, 0)
        self.assertEqual(self.host.rest_pose(), pose, "closed again is not cleared")
        self.assertEqual(self.host.ask(ESTOP, bytes([2])), OK)
        self.host.drive(0.4, 60, 0)
        self.assertGreater(self.host.rest_pose()[0], pose[0] + 5)

    def test_the_battery(self):
        self.dock.supply(7600)
        self.host.greet()
        power = lambda holds: power_of(self.host.wait(POWER, lambda body: holds(power_of(body)), 6))
        # Two cells: 6.4 V is empty, 8.2 V full.
        at_first = power(lambda now: abs(now.millivolts - 7600) <= self.supply_delta)
        self.assertEqual((at_first.milliamperes, at_first.state), (0, DISCHARGING))
        self.assertAlmostEqual(at_first.percent, 66, delta=self.supply_delta / 18)
        self.assertFalse(self.host.motion().flags & F_LOW)
        self.dock.supply(6600)
        self.assertLess(power(lambda now: now.state == LOW).percent, 20)
        self.assertTrue(self.host.motion().flags & F_LOW)
        self.dock.supply(6480)
        self.assertLess(power(lambda now: now.state == CRITICAL).percent, 7)
        self.assertTrue(self.host.motion().flags & F_LOW)
        self.dock.supply(0)
        self.assertEqual(power(lambda now: now.state == EXTERNAL).percent, 255)
