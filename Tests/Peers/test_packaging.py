"""The contents of the packages, checked with their consumers: systemd, man, three shells, and rules as udev reads them."""

import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import tomllib
import unittest
from fnmatch import fnmatchcase
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = Path(os.environ.get("DOCKFACE_PROGRAM", ROOT / ".build/debug/dockface"))


def said(*words: str) -> str:
    return subprocess.run([str(PROGRAM), *words], check=True, capture_output=True, text=True).stdout


class Words(unittest.TestCase):
    @unittest.skipUnless(os.geteuid() == 0, "only root can hide /proc")
    def test_without_proc_every_extension_keeps_its_words(self) -> None:
        # Without its words the extension would start its work.
        for name in tomllib.loads((ROOT / "packaging/extensions.toml").read_text()):
            with self.subTest(name), tempfile.TemporaryDirectory() as home:
                for _ in range(20):
                    told = subprocess.run(
                        ["unshare", "-m", "sh", "-c", 'mount -t tmpfs none /proc && exec "$0" --version',
                         str(PROGRAM.with_name(f"dockface-{name}"))],
                        capture_output=True, text=True, timeout=60, env={"PATH": os.environ["PATH"], "HOME": home})
                    # libdispatch looks at its threads in /proc, and ends a process that it cannot observe, if it
                    # does so before the program's end. That, too, does no work.
                    if told.returncode != -signal.SIGILL:
                        break
                    self.assertRegex(told.stdout, r"^([0-9]+\.[0-9]+\.[0-9]+\n)?$")
                self.assertEqual(told.returncode, 0, told.stderr)
                self.assertRegex(told.stdout, r"^[0-9]+\.[0-9]+\.[0-9]+\n$")


class Units(unittest.TestCase):
    @unittest.skipUnless(shutil.which("systemd-analyze"), "no systemd here")
    def test_systemd_takes_both_units(self) -> None:
        for scope, name in [("--system", "dockface.service"), ("--user", "dockface-user.service")]:
            with self.subTest(name), tempfile.TemporaryDirectory() as folder:
                # The program is not installed here: another one replaces it.
                text = (ROOT / "packaging" / name).read_text().replace("/usr/bin/dockface", "/bin/true")
                unit = Path(folder) / "dockface.service"
                unit.write_text(text)
                told = subprocess.run(
                    ["systemd-analyze", scope, "verify", "--man=no", str(unit)], capture_output=True, text=True,
                    env={**os.environ, "XDG_RUNTIME_DIR": folder})
                about = [line for line in told.stderr.splitlines() if "dockface" in line]
                self.assertEqual(about, [])
                self.assertEqual(told.returncode, 0, told.stderr)

    def units(self, folder: str) -> dict[str, str]:
        """The system units of all extensions, by their names, written into a folder."""
        subprocess.run([str(ROOT / "scripts/units"), folder], check=True)
        return {unit.name: unit.read_text() for unit in Path(folder, "system").iterdir()}

    @unittest.skipUnless(shutil.which("systemd-analyze"), "no systemd here")
    def test_systemd_takes_the_units_of_all_extensions(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            for name, text in self.units(folder).items():
                with self.subTest(name):
                    unit = Path(folder, name)
                    unit.write_text(re.sub(r"(?m)^ExecStart=\S+", "ExecStart=/bin/true", text))
                    told = subprocess.run(
                        ["systemd-analyze", "--system", "verify", "--man=no", str(unit)], capture_output=True, text=True)
                    about = [line for line in told.stderr.splitlines() if name in line and "dockface.service" not in line]
                    self.assertEqual(about, [])

    def test_the_service_may_write_where_it_shows_depth(self) -> None:
        """The link is beside the socket that the unit names, in the one folder that the unit may write."""
        with tempfile.TemporaryDirectory() as folder:
            unit = self.units(folder)["dockface-depth.service"]
        socket = re.search(r"(?m)^Environment=DOCKFACE_SOCKET=(\S+)", unit)
        shared = re.search(r"(?m)^RuntimeDirectory=(\S+)$", unit)
        assert socket and shared
        self.assertIn("ProtectSystem=strict\n", unit)
        self.assertEqual(Path(socket[1]).parent, Path("/run", shared[1]))
        daemon = (ROOT / "packaging/dockface.service").read_text()
        for line in [shared[0], "RuntimeDirectoryPreserve=yes", "User=dockface", "Group=dockface"]:
            self.assertRegex(unit, rf"(?m)^{line}$")
            self.assertRegex(daemon, rf"(?m)^{line}$")

    @unittest.skipUnless(shutil.which("systemd-analyze"), "no systemd here")
    def test_both_units_are_hardened(self) -> None:
        """systemd's own figure of exposure, 0 to 10; most restrictions that a user's unit lacks need privileges."""
        for name, most in [("dockface.service", 2.5), ("dockface-user.service", 6.5)]:
            with self.subTest(name), tempfile.TemporaryDirectory() as folder:
                told = subprocess.run(
                    ["systemd-analyze", "security", "--offline=true", f"--threshold={int(most * 10)}",
                     str(ROOT / "packaging" / name)],
                    capture_output=True, text=True, env={**os.environ, "XDG_RUNTIME_DIR": folder})
                self.assertEqual(told.returncode, 0, told.stdout[-300:] + told.stderr)

    def test_what_a_user_unit_can_enforce_both_units_do(self) -> None:
        system, user = ((ROOT / "packaging" / name).read_text() for name in ("dockface.service", "dockface-user.service"))
        for line in ["NoNewPrivileges=yes", "LockPersonality=yes", "RestrictNamespaces=yes", "RestrictSUIDSGID=yes",
                     "SystemCallArchitectures=native", "SystemCallFilter=@system-service", "UMask=0077"]:
            self.assertRegex(system, rf"(?m)^{line}$")
            self.assertRegex(user, rf"(?m)^{line}$")
        self.assertRegex(user, r"(?m)^RestrictAddressFamilies=AF_UNIX AF_NETLINK$")

    def test_a_plug_starts_nothing_where_no_rig_was_adopted_and_no_port_is_named(self) -> None:
        unit = (ROOT / "packaging/dockface.service").read_text()
        found = re.search(r"(?m)^ExecCondition=/bin/sh -c '(.*)'$", unit)
        assert found
        rows = [
            (None, None, {}, False), ("", "", {}, False), ("# Rigs that were adopted\n", "", {}, False),
            ('\n[[rig]]\nname = "head"\n', None, {}, True), ("[[ rig ]]\n", "", {}, True), (None, said("config", "example"), {}, False),
            (None, 'speed = 40\nport = "head"\n', {}, True), (None, None, {"DOCKFACE_PORT": "head"}, True),
        ]
        for rigs, settings, variables, starts in rows:
            with self.subTest(rigs=rigs, settings=settings, variables=variables), tempfile.TemporaryDirectory() as folder:
                for name, text in [("rigs.toml", rigs), ("dockface.toml", settings)]:
                    if text is not None:
                        (Path(folder) / name).write_text(text)
                # For systemd two dollars are one.
                words = found.group(1).replace("$$", "$").replace("/etc/dockface", folder)
                told = subprocess.run(["/bin/sh", "-c", words], env={"PATH": os.environ["PATH"], **variables}, capture_output=True)
                # With 1 to 254 the start is skipped; 255 would be a failure.
                self.assertEqual(told.returncode == 0, starts, told.stderr)
                self.assertLess(told.returncode, 255)

    def test_the_options_of_the_units_are_options_of_run(self) -> None:
        known = said("run", "--help")
        for unit in ["dockface.service", "dockface-user.service"]:
            line = re.search(r"^ExecStart=/usr/bin/dockface run (.*)$", (ROOT / "packaging" / unit).read_text(), re.M)
            assert line
            for option in line.group(1).split():
                self.assertIn(option.split("=")[0], known)

    def test_what_safety_asks_of_a_unit_stands_in_ours(self) -> None:
        asked = re.search(r"```\n(Type=notify\n.*?)```", (ROOT / "docs/SAFETY.md").read_text(), re.S)
        assert asked
        unit = (ROOT / "packaging/dockface.service").read_text()
        for line in asked.group(1).splitlines():
            name, _, value = line.partition("=")
            for word in value.split():
                self.assertTrue(re.search(rf"^{name}=.*{re.escape(word)}", unit, re.M), line)


class Reading:
    """The effect of rules in udev on one device: `path` is the device and all above it, each with SUBSYSTEM, DRIVER and
    attributes.

    Supports only the keys of our rules, as udev reads them: all matches for parents (SUBSYSTEMS, ATTRS) must hold for the same
    element of the path, which begins with the device itself. Tests/Machine uses the real udev.
    """

    KEY = re.compile(r'([A-Z]+)(?:\{([^}]+)\})?(==|!=|\+=|=)"([^"]*)"')

    def __init__(self, lines: list[str], path: list[dict[str, str]], known: dict[str, str], action: str = "add") -> None:
        self.path, self.given, self.action, self.values = path, dict(known), action, {}
        label = None
        for line in lines:
            keys = self.KEY.findall(line)
            if label is None:
                label = self.read(keys)
            elif ("LABEL", "", "=", label) in keys:
                label = None

    def read(self, keys: list[tuple[str, str, str, str]]) -> str | None:
        """Returns the label to go to."""
        matches = [key for key in keys if key[2] in ("==", "!=")]
        above = [key for key in matches if key[0] in ("SUBSYSTEMS", "ATTRS")]
        if not all(self.holds(key, self.path[0]) for key in matches if key not in above):
            return None
        if not any(all(self.holds(key, device) for key in above) for device in self.path):
            return None
        label = None
        for name, more, _, value in (key for key in keys if key not in matches):
            value = re.sub(r"\$env\{(\w+)\}", lambda word: self.given.get(word[1], ""), value)
            if name == "GOTO":
                label = value
            elif name == "ENV":
                self.given[more] = value
                self.values[more] = value
            elif name in ("GROUP", "MODE", "TAG", "SYMLINK", "ATTR"):
                self.values.setdefault(name + more, []).append(value)
            elif name != "LABEL":
                raise AssertionError(f"this reader of rules does not know {name}")
        return label

    def holds(self, key: tuple[str, str, str, str], device: dict[str, str]) -> bool:
        name, more, operator, pattern = key
        if name == "ACTION":
            value = self.action
        elif name == "ENV":
            value = self.given.get(more, "")
        elif name in ("SUBSYSTEM", "SUBSYSTEMS", "DRIVER"):
            value = device.get(name.removesuffix("S"), "")
        elif name == "ATTRS":
            # A missing key neither matches nor differs.
            if more not in device:
                return False
            value = device[more]
        else:
            raise AssertionError(f"this reader of rules does not know {name}")
        return any(fnmatchcase(value, one) for one in pattern.split("|")) == (operator == "==")


class Rules(unittest.TestCase):
    (FILE,) = (ROOT / "packaging").glob("*.rules")
    TEXT = FILE.read_text().replace("\\\n", " ")
    LINES = [line for line in TEXT.splitlines() if line.strip() and not line.startswith("#")]
    #: The rules that set the properties ours needs (ID_SERIAL_SHORT, ID_USB_INTERFACE_NUM), and those that read what ours sets.
    SOURCE, READERS = "60-serial.rules", ["73-seat-late.rules", "77-mm-usb-device-blacklist.rules", "99-systemd.rules"]

    def read(self, usb: dict[str, str], number: str = "N1", interface: str = "00", lines: list[str] | None = None, **more: str) -> dict:
        """The effect of our rules on a serial port of a USB device."""
        path = [{"SUBSYSTEM": "tty"}, {"SUBSYSTEM": "usb", "bInterfaceNumber": interface}, {"SUBSYSTEM": "usb", **usb},
                {"SUBSYSTEM": "usb", "idVendor": "1d6b", "idProduct": "0002", "product": "xHCI Host Controller"}, {"SUBSYSTEM": "pci"}]
        known = {"ID_SERIAL_SHORT": number, "ID_USB_INTERFACE_NUM": interface} if lines or self.FILE.name > self.SOURCE else {}
        return Reading(lines or self.LINES, path, known, **more).values

    def claim(self, number: str) -> dict:
        links = {"SYMLINK": [f"dock/by-serial/{number}"]} if number else {}
        return {"DOCKFACE_DOCK": "1", "ID_MM_DEVICE_IGNORE": "1", "SYSTEMD_WANTS": "dockface.service", "GROUP": ["dialout"],
                "MODE": ["0660"], "TAG": ["uaccess", "systemd"], **links}

    def test_a_dock_that_says_so_is_claimed(self) -> None:
        for number in ["D0C10001", ""]:
            said = self.read({"idVendor": "16d0", "idProduct": "1234", "product": "dockface servo dock"}, number)
            self.assertEqual(said, self.claim(number))

    def test_of_a_maestro_the_first_port_is_claimed_and_the_second_left_alone(self) -> None:
        for product in ["0089", "008a", "008b", "008c"]:
            maestro = {"idVendor": "1ffb", "idProduct": product, "product": "Pololu Maestro Servo Controller"}
            self.assertEqual(self.read(maestro), self.claim("N1"))
            self.assertEqual(self.read(maestro, interface="02"), {"ID_MM_DEVICE_IGNORE": "1"})

    def test_nothing_else_is_claimed(self) -> None:
        dock = {"idVendor": "16d0", "idProduct": "1234", "product": "dockface servo dock"}
        for vendor, product, name in [("0403", "6001", "FT232R USB UART"), ("10c4", "ea60", "CP2102 USB to UART Bridge Controller"),
                                      ("1a86", "7523", "USB Serial"), ("067b", "2303", "USB-Serial Controller"),
                                      ("2341", "0043", "Arduino Uno"), ("1ffb", "0001", "Pololu Something")]:
            self.assertEqual(self.read({"idVendor": vendor, "idProduct": product, "product": name}), {}, name)
        self.assertEqual(self.read(dock, action="remove"), {})
        self.assertEqual(Reading(self.LINES, [{"SUBSYSTEM": "tty"}, {"SUBSYSTEM": "pnp"}], {}).values, {})
        self.assertEqual(Reading(self.LINES, [{"SUBSYSTEM": "usb", **dock}], {}).values, {}, "no port")

    def test_what_stands_at_its_end_claims_one_adapter(self) -> None:
        rest = self.TEXT.partition("# An adapter of your own")[2]
        lines = [line.removeprefix("# ") for line in rest.splitlines() if line.startswith("# SUBSYSTEM")]
        chip = {"idVendor": "0403", "idProduct": "6001", "product": "FT232R USB UART", "serial": "A50285BI"}
        self.assertEqual(self.read(chip, "A50285BI", lines=lines), {
            "ID_MM_DEVICE_IGNORE": "1", "TAG": ["systemd"], "SYMLINK": ["dock/by-serial/A50285BI"], "SYSTEMD_WANTS": "dockface.service"})
        self.assertEqual(self.read({**chip, "serial": "F7000001"}, "F7000001", lines=lines), {})
        port = [{"SUBSYSTEM": "usb-serial", "DRIVER": "ftdi_sio"}, {"SUBSYSTEM": "usb"}, {"SUBSYSTEM": "usb", **chip}]
        self.assertEqual(Reading(lines, port, {}).values, {"ATTRlatency_timer": ["1"]})

    def test_a_rule_of_ones_own_lets_one_dock_start_the_service(self) -> None:
        line = re.search(r'`(SUBSYSTEM=="tty", ENV\{DOCKFACE_DOCK\}[^`]+)`', (ROOT / "docs/SERVICE.md").read_text())
        assert line
        said = {"idVendor": "16d0", "idProduct": "1234", "product": "dockface servo dock"}
        lines = [*self.LINES, line.group(1)]
        self.assertEqual(self.read(said, "D0C10001", lines=lines), self.claim("D0C10001"))
        self.assertEqual(self.read(said, "BADBADBAD", lines=lines)["SYSTEMD_WANTS"], "")

    def test_it_is_read_after_what_it_asks_and_before_who_asks_it(self) -> None:
        names = [self.SOURCE, self.FILE.name, *self.READERS]
        self.assertEqual(names, sorted(names))
        self.assertIn(f"packaged as /usr/lib/udev/rules.d/{self.FILE.name}", self.TEXT)
        self.assertIn(f"put 644 packaging/{self.FILE.name} usr/lib/udev/rules.d/{self.FILE.name}\n", (ROOT / "scripts/package").read_text())
        pages = [self.FILE, *(ROOT / "docs").glob("*.md"), ROOT / "README.md"]
        theirs = {name for page in pages for name in re.findall(r"/etc/udev/rules\.d/([\w.-]+\.rules)", page.read_text())}
        self.assertTrue(theirs)
        for name in theirs:
            # Our file has its own number: it must sort later.
            self.assertLess(self.FILE.name[:2], name[:2])
            self.assertLess(name, self.READERS[0])

    def test_every_line_is_a_list_of_matches_and_assignments(self) -> None:
        part = re.compile(r'^[A-Z_]+(\{[^}]+\})?(==|!=|=|\+=|:=)"[^"]*"$')
        for line in self.LINES:
            for one in re.split(r", +", line):
                self.assertRegex(one.strip(), part)

    def test_every_jump_has_its_label(self) -> None:
        labels = set(re.findall(r'LABEL="([^"]+)"', self.TEXT))
        self.assertEqual(set(re.findall(r'GOTO="([^"]+)"', self.TEXT)), labels)


class Pages(unittest.TestCase):
    @unittest.skipUnless(shutil.which("mandoc"), "no mandoc here")
    def test_the_manual_is_written_without_a_warning(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([str(ROOT / "scripts/manual"), str(PROGRAM), folder, "2026-01-31"], check=True)
            pages = sorted(str(page) for page in Path(folder).iterdir())
            self.assertEqual([Path(page).name for page in pages], ["dockface.1", "dockface.toml.5"])
            pages.append(str(ROOT / "packaging/dockface-install-detectors.8"))
            told = subprocess.run(["mandoc", "-T", "lint", "-W", "warning", *pages], capture_output=True, text=True)
            warnings = [line for line in told.stdout.splitlines() if "missing date" not in line]
            self.assertEqual(warnings, [])
            text = Path(folder, "dockface.1").read_text()
            for verb in ["run", "adopt", "metrics", "config show", "tap"]:
                self.assertIn(f".SS dockface {verb}\n", text)
            keys = json.loads(said("config", "keys", "--json"))
            settings = Path(folder, "dockface.toml.5").read_text()
            for key in keys:
                self.assertIn(key["variable"].replace("-", "\\-"), settings)


class Completions(unittest.TestCase):
    def script(self, shell: str, folder: str) -> str:
        path = Path(folder) / f"dockface.{shell}"
        path.write_text(said("--generate-completion-script", shell))
        return str(path)

    def test_three_shells_can_read_them(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            for shell in ["bash", "zsh", "fish"]:
                script = self.script(shell, folder)
                if shutil.which(shell):
                    subprocess.run([shell, "-n", script], check=True)

    def completed(self, folder: str, words: str, begun: str) -> list[str]:
        """bash's completions after these words."""
        typed = ["dockface", *words.split(), begun]
        program = f"""
            source {self.script("bash", folder)}
            COMP_WORDS=({" ".join(repr(word) for word in typed)}); COMP_CWORD={len(typed) - 1}
            COMP_LINE="${{COMP_WORDS[*]}}"; COMP_POINT=${{#COMP_LINE}}
            _dockface dockface {begun!r} {typed[-2]!r}; printf '%s\\n' "${{COMPREPLY[@]}}"
        """
        told = subprocess.run(
            ["bash", "-c", program], capture_output=True, text=True, cwd=ROOT,
            env={**os.environ, "PATH": f"{folder}:{os.environ['PATH']}"})
        self.assertEqual(told.stderr, "")
        return told.stdout.split()

    def test_bash_completes_profiles_faces_and_words(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            os.symlink(PROGRAM, Path(folder) / "dockface")
            rows = [
                ("run --profile", "", "feetech-sts3215-pair"), ("run --face", "ha", "happy"), ("run --port", "", "sim"),
                ("animate", "", "kapow"), ("preset", "", "save"), ("run --mode", "", "manual"), ("", "met", "metrics"),
            ]
            for words, begun, wanted in rows:
                self.assertIn(wanted, self.completed(folder, words, begun), (words, begun))

    def test_every_detector_and_every_way_in_is_completed_and_told(self) -> None:
        def ways(text: str) -> set[str]:
            return set(re.findall(r"\b([a-z]+):(?=[A-Z])", text))

        def refused(*words: str) -> str:
            return subprocess.run([PROGRAM, *words], capture_output=True, text=True, stdin=subprocess.DEVNULL).stderr

        def help_of(verb: str) -> str:
            return re.search(r"\n  --detector <.*?(?=\n  --)", said(verb, "--help"), re.S)[0]

        run, page = ["run", "--port", "sim", "--headless"], (ROOT / "docs/DETECTORS.md").read_text()
        unknown = refused(*run, "--detector", "nobody")
        every, ours = ways(unknown), set(unknown.strip().partition("with a --camera ")[2].split(", "))
        self.assertLessEqual({"exec", "unix", "file", "scene"}, every, unknown)
        self.assertLessEqual({"blazeface", "yunet"}, ours, unknown)
        with tempfile.TemporaryDirectory() as folder:
            os.symlink(PROGRAM, Path(folder) / "dockface")
            offered = set(self.completed(folder, "run --detector", ""))
        # Rooms are offered by their names.
        self.assertLessEqual(every, {word.split(":")[0] for word in offered})
        self.assertLessEqual(every, ways(help_of("run")))
        # Those that are watched, and can be on standby.
        watched = every - {"file", "scene", "room"}
        for text in (refused(*run, "--detector", "stdin", "--detector", "none"), refused("detect", "--detector", "none"),
                     help_of("detect"), page):
            self.assertLessEqual(watched, ways(text), text)
        self.assertLessEqual(ours, offered)
        for name in ours:
            for text in (help_of("run"), help_of("detect")):
                self.assertRegex(text, rf"\b{name}\b(?!-)")
            self.assertIn(f"\n| `{name}`", page)
            self.assertIn(f'"{name}"', (ROOT / "Benchmarks/detector/run").read_text())
