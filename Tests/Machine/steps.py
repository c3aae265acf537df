"""What the steps of a story share: the machine, the dock, and common requests."""

import json
import time

from dock import MOVING
from gadget import Gadget
from machine import Failed
from pad import Pad

NUMBER, OTHER = "A50285BI", "F7000001"
STATUS = "dockface status --json"


def expect(holds, expected, seen):
    if not holds:
        raise Failed(f"expected {expected}; seen {seen}")


def stands(report):
    return not report.flags & MOVING and abs(report.pan_rate) < 0.5


class Steps:
    def __init__(self, machine, dock, stranger, camera, package):
        self.machine, self.dock, self.stranger, self.camera, self.package = machine, dock, stranger, camera, package
        self.gadget, self.pad = Gadget(machine), Pad(machine)
        # Without KVM delays come from this machine, not from the dock.
        self.slack, self.attempts = (1, 1) if machine.patience == 1 else (3, 4)

    def state(self, unit="dockface"):
        return dict(line.split("=", 1) for line in self.machine.do(
            f"systemctl show {unit} -p ActiveState,MainPID,NRestarts,Result,UnitFileState").splitlines())

    def status(self):
        return json.loads(self.machine.do(STATUS))

    def doctor(self, subject):
        found = json.loads(self.machine.run("dockface doctor --json --system")[1])["findings"]
        return [f"{one['level']}: {one['text']}" for one in found if one["subject"] == subject]

    def appears(self, name):
        self.machine.until(f"test -c {name} && echo there", lambda said: said == "there\n")
        self.machine.do("udevadm settle")

    def claims(self, port):
        """The effects of our rules on a port: the udev properties that no other rule sets."""
        self.appears(f"/dev/{port}")
        about = dict(line.split("=", 1) for line in self.machine.do("udevadm", "info", "-q", "property", f"/dev/{port}").splitlines())
        claims = {key: about[key] for key in ("DOCKFACE_DOCK", "ID_MM_DEVICE_IGNORE", "SYSTEMD_WANTS") if key in about}
        claims.update({link: "link" for link in about["DEVLINKS"].split() if link.startswith("/dev/dock/")})
        if ":uaccess:" in about["TAGS"]:
            claims["uaccess"] = "tag"
        return claims

    def turns(self, seconds=20):
        """Turns the dock by a person's command, while nothing else steers. Returns the number of the journal's next line."""
        for attempt in reversed(range(self.attempts)):
            at = self.machine.now()
            # After a plug, a real port requires two seconds without motion.
            self.machine.until(
                f"dockface stop; dockface mode manual; dockface velocity 20 0 for {seconds}", lambda said: "turning" in said)
            try:
                self.dock.until("pan to turn at 20 deg/s", lambda report: abs(report.pan_rate - 20) < 1, 2, since=time.monotonic())
                return at
            except Failed:
                # Without KVM half a second of silence is not the dock's fault.
                if not attempt:
                    raise
