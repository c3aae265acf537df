"""A gamepad that is plugged into the machine."""

FOLDER, PIPE = "/srv/project/Tests/Machine", "/run/virtual-pad"
SHOULDER, STICK = (1, 0x136), (3, 0)


class Pad:
    """A pad of the kernel (virtual_pad.py), and a hand at it."""

    def __init__(self, machine):
        self.machine = machine

    def plug(self):
        self.machine.do("modprobe", "uinput")
        # The shell keeps the pipe open between two orders.
        self.machine.do(
            f"rm -f {PIPE}; mkfifo {PIPE}; systemd-run --quiet --collect --unit=virtual-pad /bin/sh -c "
            f"'exec 3<>{PIPE}; exec python3 -B {FOLDER}/virtual_pad.py {PIPE}'")
        self.machine.until("grep -A4 'Machine Pad' /proc/bus/input/devices", lambda said: "event" in said)
        self.machine.do("udevadm settle")

    def unplug(self):
        self.machine.do("systemctl stop virtual-pad")

    def report(self, *events):
        lines = "".join(f"{kind} {code} {value}\\n" for (kind, code), value in events)
        self.machine.do(f"printf '{lines}' >{PIPE}")

    def begin(self, deflection):
        """As a person begins: the stick in its middle, the dead-man button, then the stick."""
        self.report((STICK, 0), (SHOULDER, 0), (SHOULDER, 1), (STICK, deflection))

    def let_go(self):
        self.report((SHOULDER, 0))
