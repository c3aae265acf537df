"""Runs every command and program of the documents as printed, in a temporary home with simulated rigs.

A line of a block without a language is a command. It is run as a person would. For commands that ask questions, never end by
themselves or need what no test has (a camera, systemd), a `Way` below names a replacement, or the script that runs them
instead. Any other command is simply run, and must end with 0.
"""

import dataclasses
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "Peers"))
from programs import PROGRAM, ROOT
from test_terminal import FRAME, Stage

PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), ROOT / "profiles/README.md", ROOT / "clients/python/README.md",
                ROOT / "Benchmarks/README.md"])
#: A shell command, as opposed to a dialogue, a unit file or a drawing.
SHELL = re.compile(r"^(dockface|scripts/|swift |python3|pip |mkdir|my-detector|sudo|export|Benchmarks/|Examples/)")


@dataclasses.dataclass(frozen=True)
class Way:
    """How a command is run."""

    #: Matches the beginning of the command.
    pattern: str
    #: Appended to the command.
    append: str = ""
    #: The answers of a person.
    answers: str = ""
    #: The keys that end it, if it draws.
    keys: bytes = b""
    #: Whether it needs a terminal, and ends by itself.
    terminal: bool = False
    #: A file of this project that runs it, and words in that file that prove it.
    elsewhere: tuple[str, str] = ("", "")
    #: The valid exit statuses.
    status: tuple[int, ...] = (0,)
    #: Whether it needs a running daemon.
    daemon: bool = False
    #: ... with the camera beside the dock.
    isFixed: bool = False
    #: ... with a camera, whose detector finds no person.
    hasCamera: bool = False


WAYS = [
    Way(r"scripts/test --full|scripts/test$", elsewhere=(".ci/run", "scripts/test")),
    Way(r"(scripts/demo|dockface demo) --find",
        elsewhere=("Extensions/Tests/FindProgramTests/DemoProgramTests.swift", 'demo("--find", "--summary")')),
    Way(r"scripts/demo", elsewhere=("Tests/ProgramTests/SettingsTests.swift", '"demo", "--seconds"')),
    Way(r"scripts/extensions", elsewhere=("scripts/test-package", "the extensions")),
    Way(r"scripts/setup --camera", elsewhere=("scripts/test", "scripts/setup --camera")),
    Way(r"scripts/(package|release)", elsewhere=("scripts/test-package", "scripts/release")),
    Way(r"scripts/setup$", elsewhere=("scripts/demo", "scripts/setup")),
    Way(r"swift build -c release", elsewhere=("scripts/demo", "swift build -c release --static-swift-stdlib --scratch-path .build-static")),
    Way(r"pip install \./dockface-", elsewhere=("scripts/test-package", "dockface-*.whl")),
    Way(r"Benchmarks/run", elsewhere=("scripts/test-full", "Benchmarks/run")),
    Way(r"swift test --disable-xctest --filter DriverConformanceTests", elsewhere=("scripts/test", "--skip ProgramTests")),
    Way(r"swift build --package-path Examples", elsewhere=("scripts/test", "--package-path Examples")),
    Way(r"sudo ", elsewhere=("scripts/test-package", "docs/SERVICE.md")),
    Way(r"python3 -m unittest discover -s clients", elsewhere=("scripts/test", "clients/python/tests")),
    Way(r"python3 -m unittest discover -s Tests/Peers", elsewhere=("scripts/test", "Tests/Peers")),
    Way(r"python3 Tests/Peers/traces.py re(build|cord)", elsewhere=("Tests/Peers/test_traces.py", "traces")),
    Way(r"python3 clients/python/examples/scripted_show", append=" --seconds 3", daemon=True),
    Way(r"python3 clients/python/examples/follow_and_greet", daemon=True),
    Way(r"python3 clients/python/examples/own_detector", append=" --seconds 3", daemon=True, isFixed=True),
    Way(r"python3 clients/python/examples/save_pictures", daemon=True, hasCamera=True),
    Way(r"python3 clients/python/examples/label_people", append=" --seconds 3", daemon=True),
    Way(r"pip install", append=" --target site --quiet --no-deps --disable-pip-version-check"),
    # Without a terminal it says what it would ask, and that it needs an answer.
    Way(r"dockface adopt$", append=" --port /tmp/first --profile feetech-sts3215-pair --name first", answers="y\n"),
    # Both servos of the simulated rig are plugged in, so no id is written.
    Way(r"dockface servo id ", answers="\n", status=(69,)),
    Way(r"dockface check$", append=" --port first", answers="y\ny\ny\n"),
    Way(r"dockface check ", answers="y\ny\ny\n"),
    Way(r"dockface calibrate$", append=" --port first --name measured", answers="y\ny\ny\n\n\ny\n"),
    Way(r"dockface run --port sim --headless$", append=" --seconds 2"),
    Way(r"dockface run --camera|dockface run --port sim$|.*\| *dockface run$", append=" --port sim --headless --seconds 2"),
    Way(r"dockface run --port sim --detector", append=" --headless --seconds 2"),
    Way(r"dockface run --dry-run", append=" --port first --headless --seconds 2"),
    Way(r"dockface run", append=" --headless --seconds 2"),
    Way(r"dockface detect$", append=" --json --seconds 3", daemon=True, hasCamera=True),
    Way(r"dockface detect ", append=" --json --seconds 3"),
    # They run until they are ended.
    Way(r"dockface log$", elsewhere=("Extensions/Tests/EventLogTests/ProgramTests.swift", "SIGTERM")),
    Way(r"dockface log show .*--follow", elsewhere=("Extensions/Tests/EventLogTests/ShowTests.swift", "follow")),
    Way(r"dockface log delete --before", answers="y\n"),
    Way(r"dockface record$", elsewhere=("Extensions/Tests/RecordProgramTests/Recordings.swift", "dockface-record")),
    Way(r"dockface record (sheet|play) ", elsewhere=("Extensions/Tests/RecordProgramTests/ProgramTests.swift", '"sheet"')),
    Way(r"dockface record (join|upload) ", elsewhere=("Extensions/Tests/RecordProgramTests/UploadProgramTests.swift", '"join"')),
    Way(r"dockface record export ", elsewhere=("Extensions/Tests/RecordProgramTests/Recordings.swift", "dockface-record")),
    Way(r"dockface find", elsewhere=("Extensions/Tests/FindProgramTests/SearchProgramTests.swift", "dockface-find")),
    Way(r"dockface room", elsewhere=("Extensions/Tests/UplinkProgramTests/RoomProgramTests.swift", "dockface-room")),
    Way(r"dockface depth serve", elsewhere=("Extensions/Tests/DepthProgramTests/ServeTests.swift", '["serve"]')),
    Way(r"dockface depth (show|save|send)", elsewhere=("Extensions/Tests/DepthProgramTests/ServeTests.swift", '"send"')),
    Way(r"dockface uplink", elsewhere=("Extensions/Tests/UplinkProgramTests/RoomProgramTests.swift", "dockface-uplink")),
    Way(r"dockface teleop", elsewhere=("Extensions/Tests/TeleopProgramTests/TeleopProgramTests.swift", "dockface-teleop")),
    Way(r"dockface voice doctor", status=(0, 1)),
    Way(r"dockface voice( --| test|$)", elsewhere=("Extensions/Tests/VoiceProgramTests/VoiceProgramTests.swift", "dockface-voice")),
    Way(r"dockface gesture", elsewhere=("Extensions/Tests/GestureProgramTests/GestureProgramTests.swift", "dockface-gesture")),
    Way(r"dockface pad$|dockface pad --(map|dry-run|device)", elsewhere=("Extensions/Tests/EventDeviceTests/PadProgram.swift", "dockface-pad")),
    # Nothing here is set up properly, and it says so.
    Way(r"dockface doctor", status=(0, 1)),
    Way(r"dockface face --reset$", terminal=True),
    Way(r"dockface face (--all|--test-card)$|dockface face --all --png|dockface face --check"),
    Way(r"dockface face joy --toml"),
    Way(r"dockface face ", keys=b"q"),
    Way(r"dockface (status|trace|metrics|latency|source)", daemon=True),
    Way(r"dockface snapshot", daemon=True, hasCamera=True),
    Way(r"Examples/.build/debug/dock-control"),
]


def blocks(page):
    """Language and text of every block of a page."""
    return re.findall(r"^```(\w*)\n(.*?)^```", page.read_text(), re.M | re.S)


def bare(line):
    """A command without its comment."""
    return re.split(r"\s{2,}#? ?|\s+#\s", line.strip(), maxsplit=1)[0]


class Home:
    """A user's home with the program in the path, the project beside it, and simulated rigs."""

    def __init__(self, folder):
        self.folder = Path(folder)
        self.children = []
        for name in ("bin", "home/.config/dockface", "tmp", "tree", "run"):
            (self.folder / name).mkdir(parents=True)
        (self.folder / "run").chmod(0o700)
        (self.folder / "bin/dockface").symlink_to(PROGRAM)
        (self.folder / "bin/my-detector").write_text(
            "#!/bin/sh\nfor i in 1 2 3 4 5; do echo '{\"faces\":[{\"rect\":[0.41,0.22,0.12,0.21]}]}'; sleep 0.1; done\n")
        (self.folder / "bin/my-detector").chmod(0o755)
        (self.folder / "extensions").mkdir()
        for manifest in ROOT.glob("Extensions/Sources/dockface-*/*.toml"):
            name = "dockface-" + manifest.stem
            (self.folder / "extensions" / manifest.name).symlink_to(manifest)
            (self.folder / "extensions" / name).symlink_to(ROOT / ".build/debug" / name)
        for entry in ROOT.iterdir():
            if not entry.name.startswith((".git", ".build")):
                (self.folder / "tree" / entry.name).symlink_to(entry)
        self.variables = {
            "HOME": str(self.folder / "home"), "XDG_RUNTIME_DIR": str(self.folder / "run"), "TERM": "xterm-256color",
            "LANG": "C.UTF-8", "USER": "somebody", "PYTHONDONTWRITEBYTECODE": "1", "SWIFT_BACKTRACE": "enable=no",
            "PATH": f"{self.folder}/bin:{os.path.dirname(sys.executable)}:/usr/sbin:/usr/bin:/sbin:/bin",
            "LD_LIBRARY_PATH": os.environ.get("LD_LIBRARY_PATH", ""),
            "DOCKFACE_DETECTORS": os.environ.get("DOCKFACE_DETECTORS", str(ROOT / ".build/detectors")),
            "DOCKFACE_EXTENSIONS": str(self.folder / "extensions"),
            "PYTHONPATH": f"{ROOT}/clients/python:{os.environ.get('PYTHONPATH', '')}",
        }

    def here(self, command):
        """The command with paths that do not exist here replaced by paths that do."""
        # The project's own folder may be in /tmp, so that is replaced first. exec: uses the Python that has a
        # detector's packages.
        for there, here in [("/tmp/", f"{self.folder}/tmp/"), ("Examples/.build/", f"{ROOT}/.build/"),
                            ("exec:python3 ", f"exec:{self.variables['DOCKFACE_DETECTORS']}/bin/python3 "),
                            ("/dev/video0", "test"), ("/dev/ttyUSB0", f"{self.folder}/tmp/first"),
                            ("/var/lib/prometheus/node-exporter", str(self.folder / "tmp"))]:
            command = command.replace(there, here)
        return command

    def run(self, command, answers="", seconds=60):
        return subprocess.run(["bash", "-c", self.here(command)], cwd=self.folder / "tree", env=self.variables, input=answers,
                              capture_output=True, text=True, timeout=seconds)

    def start(self, command):
        """Starts a program in the background until the end."""
        child = subprocess.Popen(["bash", "-c", "exec " + self.here(command)], cwd=self.folder / "tree", env=self.variables,
                                 stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.children.append(child)
        return child

    def rig(self, name):
        self.start(f"dockface simulate --profile feetech-sts3215-pair --link /tmp/{name}")
        self.wait(lambda: (self.folder / "tmp" / name).exists())

    def daemon(self, isFixed=False, hasCamera=False):
        """A daemon for other programs to talk to: with people to follow, with a camera beside the dock and no person, or with a
        camera that sees a test pattern."""
        profile = self.folder / "tmp/fixed.toml"
        profile.write_text((ROOT / "profiles/dlp-dock.toml").read_text().replace('mount = "head"', 'mount = "fixed"'))
        source = "--profile /tmp/fixed.toml" if isFixed else "--detector scene:Examples/faces/two-people.jsonl,loop=pingpong"
        if hasCamera:
            source = "--camera test --detector 'exec:cat > /dev/null'"
        child = self.start("dockface run --port sim --headless --config none " + source)
        self.wait(lambda: re.search(r"^dock +ready", self.run("dockface status").stdout, re.M))
        return child

    def end(self, child):
        child.stdin.close()
        child.terminate()
        child.wait(20)

    @staticmethod
    def wait(holds, seconds=20):
        end = time.monotonic() + seconds
        while not holds():
            if time.monotonic() > end:
                raise AssertionError("the condition did not hold in time")
            time.sleep(0.05)

    def close(self):
        for child in self.children:
            if child.poll() is None:
                self.end(child)


class Documents(unittest.TestCase):
    maxDiff = None

    def home(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        home = Home(folder.name)
        self.addCleanup(home.close)
        return home

    def perform(self, home, command):
        """Runs one command of a page."""
        if command.endswith("&"):
            home.start(command[:-1].strip())
            if link := re.search(r"--link (\S+)", home.here(command)):
                home.wait(lambda: os.path.exists(link[1]))
            return
        way = next((way for way in WAYS if re.match(way.pattern, command)), Way(""))
        if way.elsewhere[0]:
            place, words = way.elsewhere
            self.assertTrue(words in (ROOT / place).read_text(), f"{place} was to run: {command}")
            return
        if way.keys or way.terminal:
            stage = Stage(["-c", f"cd {home.folder}/tree && " + home.here(command)], program="bash", **home.variables)
            self.addCleanup(stage.close)
            if way.terminal:
                self.assertEqual(stage.end(10), 0)
                return
            self.assertTrue(stage.read(10, until=lambda sent: FRAME in sent), stage.sent[-300:])
            stage.type(way.keys)
            self.assertEqual(stage.end(), 0)
            return
        child = home.daemon(way.isFixed, way.hasCamera) if way.daemon else None
        done = home.run(command + way.append, way.answers)
        if child:
            home.end(child)
        self.assertTrue(done.returncode in way.status, f"{done.returncode}: {command}\n{done.stdout[-1500:]}\n{done.stderr[-1500:]}")

    def commands(self, text):
        # One that continues on the next line, and two in one.
        return [command for line in text.replace("\\\n", " ").splitlines() if (command := bare(line)) and SHELL.match(command)]

    def sender(self, home, text):
        """Runs the sender of a page beside the program that receives it, at a port of this test."""
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = str(free.getsockname()[1])
        (home.folder / "tree/my_detector.py").write_text(text.replace("6789", port))
        done = home.run(f"dockface teleop --dry-run --listen 127.0.0.1:{port} > aims & "
                        f"until (echo > /dev/tcp/127.0.0.1/{port}) 2> /dev/null; do sleep 0.1; done; "
                        "python3 my_detector.py && until grep -q 'let go' aims; do sleep 0.1; done; kill %1; wait; cat aims")
        self.assertIn("engage", done.stdout, done.stderr)
        self.assertGreater(done.stdout.count("aim "), 10, done.stdout + done.stderr)

    def page(self, name):
        """Runs all commands of a block, in order, in one home; Python programs with a daemon."""
        home = self.home()
        home.rig("first")
        for language, text in blocks(ROOT / name):
            if language == "":
                self.prepare(home, name, text)
                for command in self.commands(text):
                    with self.subTest(page=name, command=command):
                        self.perform(home, command)
            elif language == "python":
                (home.folder / "tree/my_detector.py").write_text(text)
                # A stage, which the daemon starts; and a sender, which Tests/Peers/test_depth.py runs.
                if "stage.run" in text or name == "docs/DEPTH.md":
                    continue
                if name.endswith("TELEOP.md"):
                    self.sender(home, text)
                    continue
                if "verify.run" in text:
                    # One red pixel, as a search asks about it.
                    ask = '{"type":"ask","id":1,"w":1,"h":1,"rect":[0,0,1,1],"seconds":9}'
                    done = home.run("printf '%s\\n%s\\nz!!' '{\"type\":\"wish\",\"label\":\"cup\"}' '" + ask + "' | "
                                    f"{home.variables['DOCKFACE_DETECTORS']}/bin/python3 my_detector.py")
                    self.assertIn('"verdict":"match"', done.stdout, done.stderr)
                    continue
                with self.subTest(page=name, program=text.splitlines()[-1]):
                    child = home.daemon(hasCamera="dock.pictures(" in text)
                    # A program that listens forever runs until it is ended.
                    listens = re.search(r"for event in dock.events\(|for picture in pictures|while True", text) and "break" not in text
                    done = home.run(("timeout --preserve-status -s INT 5 " if listens else "") + "python3 my_detector.py")
                    home.end(child)
                    self.assertIn(done.returncode, (130, -2, 1) if listens else (0,), done.stderr)
                    self.assertTrue(not listens or done.stdout or "KeyboardInterrupt" in done.stderr, done.stderr)
            elif language == "toml" and "protocol =" in text:
                manifest = home.folder / "extensions" / (re.search(r'name = "(.*?)"', text)[1] + ".toml")
                manifest.write_text(text)
                program = manifest.parent / ("dockface-" + manifest.stem)
                program.write_text("#!/bin/sh\n")
                program.chmod(0o755)
                done = home.run("dockface extensions")
                self.assertEqual(done.returncode, 0, done.stderr + done.stdout)
            elif language == "toml" and (stem := Path(name).stem) in ("LOG", "PAD", "RECORD", "VOICE"):
                # The settings of an extension, which the commands after it read.
                folder = home.folder / "home/.config/dockface"
                (folder / (stem.lower() + ".toml")).write_text(text)
                done = home.run(f"dockface {stem.lower()} " + ({"PAD": "--list", "VOICE": "doctor"}.get(stem, "status")))
                self.assertNotIn(done.returncode, (78, 64), done.stderr)
            elif language == "toml" and Path(name).stem == "FIND":
                # The model; there is no daemon to search with.
                (home.folder / "home/.config/dockface/find.toml").write_text(text)
                done = home.run("timeout -s INT 3 dockface find cup --llm")
                self.assertNotIn(done.returncode, (78, 64, 69), done.stderr)
            elif language == "toml" and Path(name).stem == "TELEOP":
                # The settings; standard input ends at once.
                (home.folder / "home/.config/dockface/teleop.toml").write_text(text)
                done = home.run("dockface teleop --stdin --dry-run < /dev/null")
                self.assertEqual(done.returncode, 0, done.stderr)
            elif language == "toml" and text.startswith(("[camera.lens]", "[stand]")):
                # A part of a profile.
                whole = re.sub(r"(?m)^camera *=.*$", "", (ROOT / "profiles/dlp-dock.toml").read_text())
                (home.folder / "tmp/part.toml").write_text(whole + "\n" + text)
                done = home.run("dockface profiles check /tmp/part.toml")
                self.assertEqual(done.returncode, 0, done.stderr + done.stdout)
            elif language == "toml" and Path(name).stem == "DEPTH":
                # With an address that is none of this machine, it ends after it has read its settings.
                (home.folder / "home/.config/dockface/depth.toml").write_text(text)
                done = home.run("dockface depth serve --listen 192.0.2.1:5000")
                self.assertEqual(done.returncode, 69, done.stderr)
            elif language == "toml" and Path(name).stem in ("ROOM", "UPLINK"):
                # The settings of a server or of a robot. Neither address is one of this machine.
                folder, isServer = home.folder / "home/.config/dockface", "host =" in text
                (folder / ("room.toml" if isServer else "uplink.toml")).write_text(text)
                (folder / "room.secret").write_text("a secret of at least thirty-two bytes")
                (folder / "room.secret").chmod(0o600)
                done = home.run("dockface room --host 192.0.2.1" if isServer else "dockface uplink check --server ws://127.0.0.1:1")
                self.assertIn(done.returncode, (66, 69), done.stderr)
            elif language == "toml":
                (home.folder / "tmp/settings.toml").write_text(text)
                done = home.run("dockface config check /tmp/settings.toml")
                self.assertEqual(done.returncode, 0, done.stderr + done.stdout)

    def prepare(self, home, name, text):
        """Prepares what a block assumes: that a rig was adopted, that a trace was written."""
        if re.search(r"^dockface (check|calibrate|run)( |$)", text, re.M) and "dockface adopt" not in text:
            home.run("dockface adopt --port /tmp/first --profile feetech-sts3215-pair --name first --yes")
        if re.search(r"\b(FILE|BEFORE|session\.jsonl)\b", text):
            made = home.run("dockface run --port sim --detector scene:Examples/faces/walking.jsonl --headless --seconds 3.5 "
                            "--trace FILE")
            self.assertEqual(made.returncode, 0, made.stderr)
            for copy in ("BEFORE", "AFTER"):
                shutil.copy(home.folder / "tree/FILE", home.folder / "tree" / copy)
        if "FACES" in text:
            shutil.copy(ROOT / "Examples/faces/walking.jsonl", home.folder / "tree/FACES")

    def test_every_option_that_a_page_names_exists(self):
        tool = json.loads(subprocess.run([PROGRAM, "--experimental-dump-help"], capture_output=True, check=True).stdout)
        verbs = {verb["commandName"]: verb for verb in tool["command"]["subcommands"]}
        for manifest in ROOT.glob("Extensions/Sources/dockface-*/*.toml"):
            help = [ROOT / ".build/debug" / ("dockface-" + manifest.stem), "--experimental-dump-help"]
            verbs[manifest.stem] = json.loads(subprocess.run(help, capture_output=True, check=True).stdout)["command"]

        def options(verb):
            found = {"--help", "--version", "-h"}
            for argument in verb.get("arguments", []):
                found |= {("-" if name["kind"] == "short" else "--") + name["name"] for name in argument.get("names", [])}
            for part in verb.get("subcommands", []):
                found |= options(part)
            return found

        told = 0
        for page in PAGES:
            text = page.read_text()
            said = [line for language, block in blocks(page) if language == "" for line in map(bare, block.splitlines())]
            said += re.findall(r"`((?:\S+ \| )?dockface [^`]+)`", re.sub(r"^```.*?^```", "", text, flags=re.M | re.S))
            for command in said:
                for part in re.split(r"[|;&]", command):
                    found = re.match(r"\s*(?:sudo )?dockface ([a-z-]+)(.*)", part.replace("\n", " "))
                    if not found:
                        continue
                    with self.subTest(page=page.name, command=part.strip()):
                        told += 1
                        self.assertIn(found[1], verbs)
                        # The demo is a run with one option more.
                        known = options(verbs["run"]) | {"--find"} if found[1] == "demo" else options(verbs[found[1]])
                        # What is in quotes are the options of another program.
                        for option in re.findall(r"(?:^|\s)(--?[a-z][a-z-]*)", re.sub(r'"[^"]*"', "", found[2])):
                            self.assertIn(option, known)
        self.assertGreater(told, 80)

    def test_every_file_that_a_page_points_to_is_there(self):
        for page in PAGES:
            text = re.sub(r"^```.*?^```", "", page.read_text(), flags=re.M | re.S)
            for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", text):
                if not target.startswith("http"):
                    with self.subTest(page=page.name, target=target):
                        self.assertTrue((page.parent / target).exists())
            for path in re.findall(r"`((?:Sources|Tests|scripts|docs|profiles|packaging|Examples|Benchmarks|Fuzz|clients|detectors)/[\w./+-]+)`", text):
                # XDriver.swift, NAME.trace: placeholders.
                if re.search(r"/X[A-Z]|NAME|\.build", path):
                    continue
                with self.subTest(page=page.name, path=path):
                    self.assertTrue((ROOT / path).exists() or (page.parent / path).exists())

    def test_every_page_knows_how_many_faces_there_are(self):
        schema = json.loads((ROOT / "docs/control-api.schema.json").read_text())
        count = len(schema["definitions"]["types"]["expression"]["examples"])
        places = [page for page in PAGES if page.name != "CHANGELOG.md"]
        for place in [*places, ROOT / "packaging/debian/description", ROOT / "clients/python/dockface/looks.py"]:
            for told in re.findall(r"(\d+) expressions\b|[Tt]he (\d+) faces|one of the (\d+)\b", place.read_text()):
                with self.subTest(place=place.name):
                    self.assertEqual(int("".join(told)), count)

    def test_every_anchor_that_a_page_points_to_is_there(self):
        def anchors(page):
            heads = re.findall(r"^#+ (.*)$", re.sub(r"^```.*?^```", "", page.read_text(), flags=re.M | re.S), re.M)
            return {re.sub(r"[^\w\- ]", "", re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", head)).strip().lower().replace(" ", "-") for head in heads}

        for page in PAGES:
            for target, anchor in re.findall(r"\]\(([^)#]*\.md|)#([^)]+)\)", page.read_text()):
                with self.subTest(page=page.name, target=target, anchor=anchor):
                    self.assertIn(anchor, anchors(page.parent / target if target else page))


def add(page):
    name = str(page.relative_to(ROOT))
    setattr(Documents, "test_" + re.sub(r"\W", "_", name.removesuffix(".md").lower()), lambda self: self.page(name))


for path in PAGES:
    if any(language in ("", "python", "toml") for language, _ in blocks(path)):
        add(path)

if __name__ == "__main__":
    unittest.main()
