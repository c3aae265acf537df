"""python3 Tests/Machine/run.py IMAGE FOLDER PACKAGE [--accel kvm|tcg]: the story of story.py; scripts/test-machine prepares it."""

import argparse
import pathlib
import sys
import time

sys.dont_write_bytecode = True
from camera import Camera  # noqa: E402
from dock import Adapter, Dock  # noqa: E402
from machine import Failed, Machine, has_kvm  # noqa: E402
from steps import NUMBER, OTHER  # noqa: E402
from story import Story, told  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def begin(options):
    """The machine, and whether it has KVM. In a virtual machine, KVM may exist and yet not run a plain kernel."""
    ways = [options.accel] if options.accel else ["kvm", "tcg"] if has_kvm() else ["tcg"]
    for way in ways:
        try:
            return Machine(options.image, options.folder, ROOT, way == "kvm"), way
        except Failed as failed:
            if way == ways[-1]:
                raise
            print(f"test-machine: no working KVM, so it takes longer: {failed}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("image")
    parser.add_argument("folder", help="an empty folder for console, journal and sockets")
    parser.add_argument("package", help="dockface_*.deb, as seen from the project's folder")
    parser.add_argument("--accel", choices=["kvm", "tcg"], help="default: KVM if it works")
    options = parser.parse_args()
    first, machine, parts, name = time.monotonic(), None, [], "the beginning"
    try:
        machine, way = begin(options)
        print(f"test-machine: Linux {machine.kernel} with {way} after {time.monotonic() - first:.1f} s", flush=True)
        parts.append(Dock(machine, "dock", NUMBER))
        parts.append(Adapter(machine, "stranger", OTHER))
        parts.append(Camera(machine, parts[0]))
        for step in Story(machine, *parts, options.package).steps():
            name, since = step.__name__.replace("_", " "), time.monotonic()
            said = step()
            print(f"test-machine: {name} ({time.monotonic() - since:.1f} s){': ' + said if said else ''}", flush=True)
    except Failed as failed:
        print("\n".join([*told(machine, parts[0] if parts else None, options.folder), f"test-machine: FAILED: {name}: {failed}"]))
        return 1
    finally:
        for part in reversed(parts):
            part.close()
        if parts:
            pathlib.Path(options.folder, "dock.txt").write_text(parts[0].trail())
        if machine:
            pathlib.Path(options.folder, "journal.txt").write_text("\n".join(machine.lines) + "\n")
            machine.close()
    print(f"test-machine: all well after {time.monotonic() - first:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
