"""How a dock is set up on this machine: the package is installed, an adapter is plugged in, adopted, checked, and claimed by a
rule; and docks that the package's rule claims by itself."""

import re
import time

from steps import NUMBER, Steps, expect

PROFILE, FACES = "dlp-servo-dock", "/dev/virtio-ports/faces"


class Beginnings(Steps):
    def installed(self):
        self.machine.do(f"dpkg -i /srv/project/{self.package}", seconds=60)
        state = self.state()
        expect((state["ActiveState"], state["UnitFileState"]) == ("inactive", "disabled"), "a service that was not started", state)

    def bare(self):
        self.dock.plug()
        self.appears("/dev/ttyUSB0")
        ports = self.machine.do("dockface ports")
        wanted = rf"^/dev/ttyUSB0  USB 0403:6001 \(adapter chip\)  usb:{NUMBER}\b(?!.*adopted)"
        expect(re.search(wanted, ports, re.M), f"dockface ports to say {wanted}", ports)
        claimed = self.claims("ttyUSB0")
        about = self.machine.do("udevadm info /dev/ttyUSB0; stat -c 'OWNER %U:%G %a' /dev/ttyUSB0")
        expect("ID_VENDOR_ID=0403" in about and "OWNER root:dialout 660" in about, "an adapter that udev knows", about)
        expect(not claimed, "an adapter chip without a claim", f"{claimed} in {about}")
        expect("ttyUSB0: not adopted" in str(self.doctor("port")), "doctor to say that it is not adopted", self.doctor("port"))
        # A real chip starts with 16, QEMU's with 0.
        self.machine.do("echo 16 >/sys/class/tty/ttyUSB0/device/latency_timer")
        expect("by up to 16 ms" in str(self.doctor("latency")), "doctor to see the driver's 16 ms", self.doctor("latency"))
        expect(self.state()["ActiveState"] == "inactive" and not self.dock.heard, "no byte to an adapter that is not ours", self.dock.heard)

    def adopted(self):
        said = self.machine.do(f"dockface adopt --system --port /dev/ttyUSB0 --profile {PROFILE} --name head --yes")
        kept = self.machine.do("cat /etc/dockface/rigs.toml")
        expect(f"usb:{NUMBER}" in kept, "the rig to be stored by its adapter's number", f"{kept}, and {said}")
        ports = self.machine.do("XDG_CONFIG_HOME=/etc dockface ports")
        expect("adopted: head" in ports, "dockface ports to know it", ports)
        # Opening the port has shortened the driver's pause.
        expect("by up to" not in str(self.doctor("latency")), "no pause of the driver", self.doctor("latency"))
        last = self.dock.last()
        expect(not last.flags & 1 and (last.pan, last.tilt) == (0, 0), "no torque and no motion", last)

    def checked(self):
        # Without KVM a report may come too late to be accepted, and check rightly gives up.
        attempts, end = 0, time.monotonic() + (0 if self.slack == 1 else 240)
        while not attempts or (status and time.monotonic() < end):
            begin, attempts = time.monotonic(), attempts + 1
            status, said = self.machine.run("printf 'y\\ny\\ny\\n' | dockface check --system --port head", seconds=60)
        expect(status == 0, "a check that passes", f"status {status}: {said}")
        for axis in ("pan", "tilt"):
            first, *places = (getattr(report, axis) for report in self.dock.reports(begin))
            expect(all(2.4 < side < 3.6 for side in (first - min(places), max(places) - first)),
                   f"{axis} to turn by 3 degrees to either side", f"{min(places)} to {max(places)} from {first}; {said}")
        expect(self.dock.setpoints()[-1][1] == 0, "a stop as the last message", self.dock.setpoints()[-5:])
        return f"{attempts} attempts" if attempts > 1 else ""

    def recognized(self):
        """By the package's unmodified rule. The service still drives the adapter, which is not there and is waited for."""
        self.dock.unplug()
        self.machine.until("ls /dev", lambda said: "ttyUSB" not in said)
        self.machine.do(f"sed -i '1i detector = [\"exec:cat {FACES}\"]\\nframing = \"center\"' /etc/dockface/dockface.toml; "
                        f"dockface config check; chmod a+r {FACES}")
        expect(self.state()["ActiveState"] == "inactive", "a service that was not started", self.state())
        self.gadget.plug("2341", "0043", "Arduino Uno", "75833353")
        claims = self.claims("ttyACM0")
        expect(not claims, "a board of another vendor without a claim", claims)
        expect(self.state()["ActiveState"] == "inactive", "a service that another board does not start", self.state())
        self.gadget.unplug()
        # The second port of a Maestro forwards to the device behind it: ModemManager only has to leave it alone.
        self.gadget.plug("1ffb", "0089", "Pololu Micro Maestro 6-Servo Controller", "00031415", ports=2)
        claims = self.claims("ttyACM1")
        expect(claims == {"ID_MM_DEVICE_IGNORE": "1"}, "a second port that ModemManager ignores, and nothing else", claims)
        self.starts_it("00031415")
        self.gadget.plug("16d0", "1234", "dockface servo dock", "D0C10001")
        self.starts_it("D0C10001")

    def starts_it(self, number):
        """Checks a dock as /dev/ttyACM0: all effects of the rule, and the service, which outlives the plug."""
        link = f"/dev/dock/by-serial/{number}"
        claims, wanted = self.claims("ttyACM0"), {
            "DOCKFACE_DOCK": "1", "ID_MM_DEVICE_IGNORE": "1", "SYSTEMD_WANTS": "dockface.service", link: "link", "uaccess": "tag"}
        expect(claims == wanted, f"{wanted} of a dock that says what it is", claims)
        owner = self.machine.do("stat", "-L", "-c", "%U:%G %a %t", link)
        expect(owner == "root:dialout 660 a6\n", "a name of a ttyACM, accessible to group dialout", owner)
        self.machine.until("systemctl is-active dockface; true", lambda said: said == "active\n")
        self.gadget.unplug()
        self.machine.do("test", "-e", link, status=1)
        expect(self.state()["ActiveState"] == "active", "a service that outlives the plug", self.state())
        # systemd allows five starts in a minute, and the story still needs some of them.
        self.machine.do("systemctl stop dockface; systemctl reset-failed dockface 2>/dev/null; true")

    def claimed(self):
        # As the end of the package's rule instructs.
        self.machine.do(
            "sed -n '1,/^# An adapter of your own/d; s/^# \\(SUBSYSTEM==\\|  SYMLINK\\)/\\1/p' /usr/lib/udev/rules.d/61-dockface.rules "
            ">/etc/udev/rules.d/62-my-dock.rules; udevadm control --reload")
        rules = self.machine.do("cat /etc/udev/rules.d/62-my-dock.rules")
        expect((rules.count(NUMBER), rules.count("\n")) == (2, 3), "two rules for an adapter", rules)
        at = self.machine.now()
        self.dock.plug()
        self.appears("/dev/dock/by-serial/" + NUMBER)
        self.machine.told("dockface.*dock ready", at)
        expect(self.state()["ActiveState"] == "active", "the service to be started by the dock", self.state())
        timer = self.machine.do("cat /sys/class/tty/ttyUSB0/device/latency_timer; udevadm info -q property /dev/ttyUSB0")
        expect(timer.startswith("1\n") and "ID_MM_DEVICE_IGNORE=1" in timer, "an adapter that forwards at once and is not a modem", timer)
        expect(self.doctor("latency") == [], "doctor to report no latency problem", self.doctor("latency"))
