"""A dock under test with a host on its line: shared by the cases of dock_cases.py."""

from dlp import CAN_SAVE
from dock_host import Host


class DockBench:
    # Degrees, degrees per second, degrees per second squared; microseconds at 0 and at 90 degrees.
    pan_range, tilt_range, pan_speed, tilt_speed, acceleration = (-85, 85), (-30, 60), 120, 90, 400
    servo = (1500, 1000)
    model, capabilities = None, 0
    # The error of its supply measurement, millivolts.
    supply_delta = 60
    # Whether a watchdog reboots a firmware that hangs, or is held up.
    has_watchdog = False
    # The number of frames that may be broken: only a reset cuts one.
    cuts = 0

    def setUp(self):
        super().setUp()
        self.dock = self.board()
        self.addCleanup(self.dock.close)
        self.host = Host(self.dock.line())
        self.addCleanup(lambda: self.host.close())

    def tearDown(self):
        self.assertLessEqual(self.host.bad, self.cuts)
        super().tearDown()

    @property
    def can_save(self):
        return bool(self.capabilities & CAN_SAVE)

    def power_cycle(self):
        """Switches it off and on, and greets it."""
        self.host.close()
        self.dock.power_cycle()
        self.host = Host(self.dock.line())
        return self.host.greet()

    def pulse(self, degrees):
        return self.servo[0] + degrees * self.servo[1] / 90

    def assert_pulses(self, pan, tilt):
        """The angles commanded to the servos, degrees. If the pulses of a board cannot be seen, its report is accepted."""
        if (found := self.dock.pulses()) is not None:
            self.assertNotIn(None, found)
            self.assertAlmostEqual(found[0], self.pulse(pan), delta=1)
            self.assertAlmostEqual(found[1], self.pulse(tilt), delta=1)

    def assert_pulsing(self, pan, tilt):
        """Whether each servo gets pulses."""
        if (found := self.dock.pulses()) is not None:
            self.assertEqual([one is not None for one in found], [pan, tilt])
