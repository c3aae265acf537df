"""A Debian in QEMU: runs scripts, forwards its journal, and has a USB that adapters are plugged into."""

import base64
import itertools
import json
import os
import re
import select
import shlex
import socket
import subprocess
import time


class Failed(Exception):
    """What was expected, and what was seen."""


def has_kvm():
    return os.access("/dev/kvm", os.R_OK | os.W_OK)


class Machine:
    """`image`: the result of Tests/Machine/image; `project`: a folder that it sees as /srv/project; `kvm`: without it, its
    deadlines are longer."""

    def __init__(self, image, folder, project, kvm):
        self.folder, self.patience, self.links = folder, 1 if kvm else 10, []
        ports = [
            word for name in ("orders", "journal", "faces")
            for word in ("-chardev", f"socket,id={name},path={folder}/{name},server=on,wait=off",
                         "-device", f"virtserialport,chardev={name},name={name}")]
        log = open(f"{folder}/qemu.log", "wb")
        self.program = subprocess.Popen(
            ["qemu-system-x86_64", "-accel", "kvm" if kvm else "tcg", "-cpu", "host" if kvm else "max", "-m", "1024", "-smp", "1",
             "-nodefaults", "-no-user-config", "-no-reboot", "-display", "none", "-serial", f"file:{folder}/console",
             "-kernel", f"{image}/kernel", "-initrd", f"{image}/initrd", "-append", "root=/dev/vda rw console=ttyS0 quiet panic=-1",
             "-drive", f"if=virtio,format=raw,file={image}/disk,snapshot=on", "-device", "virtio-serial-pci", *ports,
             "-virtfs", f"local,path={project},mount_tag=project,security_model=none,readonly=on", "-device", "qemu-xhci,id=usb",
             "-qmp", f"unix:{folder}/monitor,server=on,wait=off"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=log)
        log.close()
        self.said, self.rest, self.lines = b"", b"", []
        try:
            self.monitor = self.connect("monitor").makefile("rw")
            self.monitor.readline()
            self.ask("qmp_capabilities")
            self.log, self.orders = self.connect("journal"), self.connect("orders")
            self.kernel = self.answer(30 if kvm else 300)[1].strip()
        except (Failed, OSError, ValueError) as failed:
            self.close()
            raise Failed(f"the machine does not start: {failed} {self.qemu_said()}") from None

    def qemu_said(self):
        with open(f"{self.folder}/qemu.log", errors="replace") as said:
            return said.read().strip()

    def connect(self, name):
        """The other end of one of QEMU's sockets."""
        end = time.monotonic() + 10
        while True:
            link = socket.socket(socket.AF_UNIX)
            try:
                link.connect(f"{self.folder}/{name}")
                self.links.append(link)
                return link
            except OSError:
                link.close()
                if time.monotonic() > end or self.program.poll() is not None:
                    raise Failed(f"no {name}") from None
                time.sleep(0.01)

    def ask(self, command, **arguments):
        """The answer of QEMU's monitor."""
        self.monitor.write(json.dumps({"execute": command, "arguments": arguments}) + "\n")
        self.monitor.flush()
        while "event" in (answer := json.loads(self.monitor.readline())):
            pass
        if "error" in answer:
            raise Failed(f"QEMU refuses {command} {arguments}: {answer['error']['desc']}")
        return answer["return"]

    def answer(self, seconds):
        end = time.monotonic() + seconds
        while b"\n" not in self.said:
            self.hear(end, self.orders, f"an answer of the machine in {seconds} s")
        line, self.said = self.said.split(b"\n", 1)
        status, text = line.split(b" ", 1)
        return int(status), base64.b64decode(text).decode(errors="replace")

    def hear(self, end, wanted, what):
        """Reads one more piece of the machine's output; the journal is read meanwhile."""
        if not (ready := select.select([self.log, self.orders], [], [], max(0, end - time.monotonic()))[0]):
            raise Failed(f"expected {what}; nothing arrived")
        for source in ready:
            if not (got := source.recv(65536)):
                raise Failed(f"the machine is gone: {self.qemu_said()}")
            if source is self.orders:
                self.said += got
                continue
            *whole, self.rest = (self.rest + got).split(b"\n")
            self.lines += [line.decode(errors="replace").rstrip() for line in whole]

    def run(self, script, seconds=20):
        """Runs a bash script. Returns its status and both its outputs."""
        self.orders.sendall(base64.b64encode(script.encode()) + b"\n")
        return self.answer(seconds * self.patience)

    def do(self, *words, seconds=20, status=0):
        """The output of a command that must end with `status`. One string is a script."""
        script = words[0] if len(words) == 1 else shlex.join(words)
        came, said = self.run(script, seconds)
        if came != status:
            raise Failed(f"expected status {status} of: {script}\nseen {came}: {said}")
        return said

    def until(self, script, holds, seconds=10):
        """The output of a script, repeated until it satisfies the condition."""
        end = time.monotonic() + seconds * self.patience
        while not holds(said := self.run(script)[1]):
            if time.monotonic() > end:
                raise Failed(f"expected in {seconds * self.patience} s something else of: {script}\nseen {said}")
            time.sleep(0.05)
        return said

    def told(self, pattern, after=0, seconds=10):
        """The number of the first journal line from `after` that matches, plus one."""
        end = time.monotonic() + seconds * self.patience
        for index in itertools.count(after):
            while index >= len(self.lines):
                self.hear(end, self.log, f"a line of the journal like {pattern!r} in {seconds * self.patience} s")
            if re.search(pattern, self.lines[index]):
                return index + 1

    def now(self):
        """The number of the next line of the journal."""
        mark = f"mark {time.monotonic_ns()}"
        self.do("logger", mark)
        return self.told(mark)

    def close(self):
        self.program.kill()
        self.program.wait()
        for link in self.links:
            link.close()
