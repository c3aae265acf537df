"""A dock's life on a machine: plugged in, adopted, checked, tracking, pulled, found again, killed, stopped, removed."""

import contextlib
import json
import re
import statistics
import time

from beginnings import PROFILE, Beginnings
from dock import MOVING, NOT_GREETED, SILENCE
from machine import Failed
from steps import NUMBER, STATUS, expect, stands

# The firmware's deadman after the last message, seconds: its 250 ms, and an allowance for a busy machine and a report
# every 20 ms.
DEADMAN = (0.24, 0.40)
# ... and from a stop at 20 deg/s to standstill: braking takes 50 ms, and its reports are as late as its servos, 60 ms.
STANDING = 0.4
# From a pad that says no more until its last velocity ends.
PAD = 0.25 + 0.15


class Story(Beginnings):
    def steps(self):
        return [self.installed, self.bare, self.adopted, self.checked, self.recognized, self.claimed, self.followed, self.pulled,
                self.found_again, self.held, self.killed, self.driven, self.stopped, self.offline, self.measured, self.removed]

    def followed(self):
        begin = time.monotonic()
        self.machine.until(STATUS, lambda said: json.loads(said)["accessory"]["mode"] == "system")
        self.dock.until("pan to have followed by 8 degrees", lambda report: abs(report.pan) > 8, seconds=20, since=begin)
        status = self.status()
        expect(status["accessory"]["dock"] == "ready" and status["guarded"], "a dock that is ready and guarded", status)
        expect(status["detector"]["frames"] > 30, "frames of faces", status["detector"])
        self.dock.until("tilt to move, too", lambda report: abs(report.tilt_rate) > 0.5, since=begin)
        at, looked = time.monotonic(), len(self.camera.offs)
        self.dock.until("five seconds of following", lambda report: report.at > at + 5, since=at, seconds=8)
        off = statistics.median(self.camera.offs[looked:])
        expect(off < 4 * self.slack, f"a face within {4 * self.slack} degrees of the image centre", f"{off:.1f} degrees")
        faults = [report for report in self.dock.reports(begin) if report.fault or abs(report.pan) > 85 or abs(report.pan_rate) > 120]
        expect(not faults, "no fault and no limit exceeded", ", ".join(map(str, faults[:3])))
        return f"a face is {off:.1f} degrees from the centre"

    def pulled(self):
        daemon, at = self.state()["MainPID"], self.turns()
        self.dock.unplug()
        pulled = time.monotonic()
        silent = self.dock.until("its deadman", lambda report: report.flags & SILENCE, since=pulled)
        still = self.dock.until("to stand still", stands, since=silent.at)
        last = self.dock.setpoints()[-1]
        expect(last[1] != 0, "the last message to be a motion", last)
        expect(DEADMAN[0] <= silent.at - last[0] <= DEADMAN[1] * self.slack,
               f"the deadman after {DEADMAN} s", f"{silent.at - last[0]:.3f} s")
        expect(still.at - silent.at <= STANDING * self.slack, f"pan to stand still {STANDING} s after it", f"{still.at - silent.at:.3f} s")
        self.machine.told("the dock is gone", at)
        state, status = self.state(), self.status()
        expect((state["ActiveState"], state["MainPID"]) == ("active", daemon), f"process {daemon} to stay alive", state)
        accessory, endings = status["accessory"], status["motion"]["endings"]
        expect((accessory["dock"], accessory["reason"]) == ("detached", "unplugged"), "a status of detached, unplugged", accessory)
        expect(endings[-1]["outcome"] == "unplugged", "a motion that has ended because of it", endings)
        return f"deadman {1000 * (silent.at - last[0]):.0f} ms after the last message"

    def found_again(self):
        """Another adapter has its name now."""
        at = self.machine.now()
        self.stranger.plug()
        self.appears("/dev/ttyUSB0")
        self.comes_back("/dev/ttyUSB1", at)
        expect(not self.stranger.heard, "no byte to another adapter", bytes(self.stranger.heard))

    def comes_back(self, name, at):
        begin = time.monotonic()
        self.dock.plug()
        self.machine.told(f"dock port {name} opened again", at)
        self.machine.told("dock ready", at)
        took = time.monotonic() - begin
        timer = self.machine.do(f"cat /sys/class/tty/{name[5:]}/device/latency_timer").strip()
        expect(timer == "1", "latency_timer 1 again", timer)
        here = self.dock.until("to be greeted", lambda report: not report.flags & NOT_GREETED, since=begin)
        # For more than two seconds nothing may move by itself: the earlier motion is gone.
        self.machine.until("dockface orient 10 5 in 1 && echo taken", lambda said: "taken" in said)
        moved = next((report for report in self.dock.reports(here.at) if report.flags & MOVING), here)
        expect(moved.at - here.at > 1.5 or moved is here, "no motion for two seconds", f"{moved.at - here.at:.2f} s; {moved}")
        self.dock.until("pan 10 tilt 5", lambda report: abs(report.pan - 10) < 0.5 and abs(report.tilt - 5) < 0.5, since=here.at)
        return f"ready {took:.2f} s after the plug"

    def held(self):
        """A program that does not close the port keeps its name from being reused."""
        self.machine.do("systemd-run --quiet --unit=holder --property=StandardInput=file:/dev/ttyUSB1 sleep infinity")
        at = self.turns()
        self.dock.unplug()
        self.machine.told("the dock is gone", at)
        said = self.comes_back("/dev/ttyUSB2", at)
        self.machine.do("systemctl stop holder")
        return said

    def killed(self):
        at, before = self.turns(), self.state()
        self.machine.do("systemctl kill --signal=KILL --kill-who=main dockface")
        killed = time.monotonic()
        still = self.dock.until("to stand still", stands, since=killed - 0.2)
        moving = [at for at, mode in self.dock.setpoints() if mode != 0][-1]
        stop = next((at for at, mode in self.dock.setpoints(moving) if mode == 0), None)
        expect(stop and stop - moving < 0.24, "a stop from the guard, sooner than the dock's own", stop and stop - moving)
        expect(still.at - stop <= STANDING * self.slack, f"pan to stand still {STANDING} s after it", f"{still.at - stop:.3f} s")
        self.machine.told("dock ready", at, seconds=15)
        # The guard's two, before the restarted daemon sends anything.
        stops = [at - stop for at, mode in self.dock.setpoints(stop) if mode == 0 and at < stop + 0.3 * self.slack]
        ended = [line for line in self.machine.lines[at:] if "SIGKILL" in line and "guard" in line]
        expect(len(stops) >= 2 and not ended, "a guard that can send its stop twice", f"{stops} {ended}")
        # Whether systemd is faster than the guard is chance.
        mode = self.machine.do("systemctl show dockface -p KillMode --value").strip()
        expect(mode == "control-group", "KillMode=control-group, which leaves the guard alone", mode)
        after = self.state()
        expect(after["ActiveState"] == "active" and int(after["NRestarts"]) == int(before["NRestarts"]) + 1, "one restart", after)
        return f"stop {1000 * (stop - moving):.0f} ms after the last motion, standing still {1000 * (still.at - stop):.0f} ms later"

    def driven(self):
        """A person at a gamepad drives the head. It stops when the person lets go, the program dies or hangs, or the pad is pulled."""
        package = self.package.replace("dockface.deb", "dockface-pad.deb")
        if self.machine.run(f"test -e /srv/project/{package}")[0]:
            return "skipped, because there is no package dockface-pad"
        self.machine.do(f"dpkg -i /srv/project/{package}", seconds=60)
        exposure = self.exposure("dockface-pad.service", 1.2)
        at = self.machine.now()
        self.pad.plug()
        self.machine.do("dockface stop; dockface mode manual; systemctl start dockface-pad")
        self.machine.told("Machine Pad: hold left-shoulder to drive", at)
        took = [
            self.drives(28000, self.pad.let_go),
            self.drives(-28000, lambda: self.machine.do("systemctl kill --signal=KILL dockface-pad")),
        ]
        # It is started again, and the person must begin again.
        self.machine.told("Machine Pad: hold left-shoulder to drive", self.machine.told("dockface-pad.*Scheduled restart", at), seconds=20)
        took.append(self.drives(28000, lambda: self.machine.do("systemctl kill --signal=STOP dockface-pad")))
        self.machine.told("dockface-pad.*[Ww]atchdog", at, seconds=40)
        self.machine.until("systemctl is-active dockface-pad; true", lambda said: said == "active\n", seconds=30)
        self.machine.until(STATUS, lambda said: "Machine Pad" in said)
        took.append(self.drives(-28000, self.pad.unplug))
        self.machine.until(STATUS, lambda said: "no gamepad" in said)
        self.machine.do("dpkg --purge dockface-pad", seconds=60)
        left = self.machine.do("grep -sH dockface-pad /proc/[0-9]*/comm; ls /usr/libexec/dockface/dockface-pad 2>/dev/null; true")
        expect(not left, "nothing left of it", left)
        return f"exposure {exposure}; at rest after {', '.join(f'{1000 * time:.0f}' for time in took)} ms"

    def drives(self, deflection, end):
        """Drives until the head turns, and ends that. Returns how long it took until it stood, in seconds."""
        for attempt in reversed(range(4)):
            begin = time.monotonic()
            self.pad.begin(deflection)
            try:
                self.dock.until("the pad to turn pan", lambda report: report.pan_rate * deflection > 4 * abs(deflection), 2, since=begin)
                break
            except Failed:
                # The program may not have connected yet, or the dock does not allow motion yet.
                if not attempt:
                    raise
        end()
        ended = time.monotonic()
        still = self.dock.until("to stand still", stands, since=ended - 0.05)
        bound = (PAD + STANDING) * self.slack
        expect(still.at - ended < bound, f"pan to stand still within {bound} s", f"{still.at - ended:.3f} s")
        return max(0, still.at - ended)

    def exposure(self, unit, most):
        said = self.machine.do(f"systemd-analyze security --no-pager {unit} | tail -n 1")
        exposure = float(re.search(rf"level for {re.escape(unit)}: ([0-9.]+)", said)[1])
        expect(exposure <= most, f"an exposure of {most} at most", said)
        return exposure

    def stopped(self):
        at = self.turns()
        self.machine.do("systemctl stop dockface")
        expect(self.dock.setpoints()[-1][1] == 0, "a stop as the last message", self.dock.setpoints()[-5:])
        self.dock.until("to stand still", stands, since=time.monotonic())
        state, log = self.state(), [line for line in self.machine.lines[at:] if "dockface" in line]
        expect((state["ActiveState"], state["Result"]) == ("inactive", "success"), "a service that has ended well", f"{state} {log}")
        expect(not any("SIGKILL" in line for line in log), "no process that had to be killed", log)

    def offline(self):
        """The service has no network until its drop-in is installed."""
        exposure = self.exposure("dockface.service", 1.7)
        # --pipe and --wait would need D-Bus. A oneshot unit is waited for without it.
        restricted = ("systemd-run --quiet --collect --property=Type=oneshot --property='RestrictAddressFamilies=AF_UNIX AF_NETLINK' "
                      "--property=StandardOutput=file:/run/offline --property=StandardError=file:/run/offline")
        command = f"{restricted} /usr/bin/dockface run --headless --port tcp:127.0.0.1:9 --profile {PROFILE}; cat /run/offline"
        _, said = self.machine.run(command, seconds=30)
        expect("may not use the network" in said, "an error that names the missing right", said)
        families = "systemctl show dockface -p RestrictAddressFamilies --value"
        expect("AF_INET" not in self.machine.do(families), "no network", self.machine.do(families))
        place = "/etc/systemd/system/dockface.service.d"
        self.machine.do(f"install -D -m 644 /usr/share/dockface/network.conf {place}/network.conf; systemctl daemon-reload")
        expect({"AF_INET", "AF_INET6"} <= set(self.machine.do(families).split()), "a network", self.machine.do(families))
        found = self.doctor("network")
        expect("nothing in its settings needs it" in str(found), "doctor to say that it is not needed", found)
        self.machine.do(f"rm -r {place}; systemctl daemon-reload")
        expect("AF_INET" not in self.machine.do(families), "no network again", self.machine.do(families))
        return f"exposure {exposure}"

    def measured(self):
        return self.machine.do(
            "PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=/srv/project/.build/python python3 /srv/project/Benchmarks/firmware/run --port "
            f"/dev/dock/by-serial/{NUMBER}", seconds=40).strip().splitlines()[-1]

    def removed(self):
        at = self.machine.now()
        self.machine.do("systemctl start dockface")
        self.machine.told("dock ready", at)
        self.turns()
        self.machine.do("dpkg --purge dockface", seconds=60)
        expect(self.dock.setpoints()[-1][1] == 0, "a stop as the last message", self.dock.setpoints()[-5:])
        left = self.machine.do("grep -sH dock /proc/[0-9]*/comm; systemctl is-active dockface; ls -d /etc/dockface /usr/bin/dockface 2>/dev/null; true")
        expect(left == "inactive\n", "nothing left behind or running", left)


def told(machine, dock, folder):
    """Information for finding the cause of a failure."""
    with contextlib.suppress(OSError):
        with open(f"{folder}/console", errors="replace") as console:
            yield from ["the console:", *console.read().splitlines()[-15:]]
    if machine:
        yield from ["the journal:", *machine.lines[-40:]]
    if dock and dock.reports():
        gap = dock.gap(time.monotonic() - 60)
        yield f"the dock: {dock.last()}; its reports {gap:.2f} s apart at most; the last set-points: {dock.setpoints()[-5:]}"
