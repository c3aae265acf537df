import DockClient
import Foundation
import Glibc
import Testing
import TestSupport

extension ProgramTests {
    /// `detect` beside a running daemon: the daemon's pictures, the rectangles of its detector, and other programs' layers.
    @Suite(.timeLimit(.minutes(10))) struct DetectBeside {
        // MARK: the daemon

        /// A detector that finds the same face in every picture.
        private static let detector = """
            import json, sys
            print(json.dumps({"type": "hello", "v": 1, "detector": "steady", "clock": "monotonic"}), flush=True)
            for line in sys.stdin.buffer:
                said = json.loads(line)
                if said.get("type") != "image": continue
                sys.stdin.buffer.read(said["w"] * said["h"] * 3)
                face = {"rect": [0.4, 0.3, 0.1, 0.2], "score": 0.9, "yaw": 0.25, "lm": [0.42, 0.35]}
                print(json.dumps({"seq": said["seq"], "t": said["t"], "faces": [face]}), flush=True)
            """

        /// A daemon with a camera, and a detector that always finds a face at 40,30 of size 10x20 %.
        private final class Seeing {
            let daemon: ControlledDaemon
            private let script: TemporaryFile

            init(_ camera: [String] = ["--camera", "test"], detector: String = DetectBeside.detector) throws {
                script = try TemporaryFile(detector, ".py")
                daemon = try ControlledDaemon(camera + ["--detector", "exec:exec python3 \(script.path)"])
            }
        }

        /// Starts `detect` on a terminal with 24-bit colours, and its errors apart.
        private func shown(_ daemon: ControlledDaemon, _ terminal: Terminal, _ more: [String] = []) throws -> Program {
            var setup = Program.Setup()
            setup.environment = ["DOCKFACE_SOCKET": daemon.socket, "COLORTERM": "truecolor"]
            setup.terminal = terminal
            setup.hasInput = false
            return try Program(["detect"] + more, setup)
        }

        private func screen(_ program: Program) -> TextScreen { TextScreen(program.outputBytes) }

        private static let found = "1 face: at 40,30 size 10x20 % (sure 90 %)"

        // MARK: on a terminal

        @Test func `it shows the picture with the rectangles of the daemon's detector and the layers of programs`()
            throws
        {
            let seeing = try Seeing(), daemon = seeing.daemon, peer = try daemon.peer()
            // Away from home, where a pose of zero would be right by chance.
            try peer.result("subscribe", #"{"topics":["motion"]}"#)
            let turn = try peer.result("setOrientation", #"{"pan":0.4,"tilt":0.2}"#)["motion"].int
            #expect(peer.outcome(of: turn) == "completed")
            #expect(daemon.daemon.rest())
            let terminal = try Terminal(), settings = terminal.settings
            let program = try shown(daemon, terminal)
            func draw() {
                // The door is where the head looks, 2 m away.
                let x = 2 * sin(0.4) * cos(0.2), y = 2 * sin(0.2), z = -2 * cos(0.4) * cos(0.2)
                let room = [("door", x, y, z), ("wall", -x, -y, -z)].map { text, x, y, z in
                    #"{"kind":"label","text":"\#(text)","points":[[\#(x),\#(y),\#(z)]]}"#
                }
                peer.notify(
                    "setLayer", #"{"name":"room","space":"world","ttl":2,"items":[\#(room.joined(separator: ","))]}"#)
                peer.notify(
                    "setLayer",
                    #"{"name":"things","ttl":2,"items":[{"kind":"label","text":"cup","points":[[0.25,0.25]]}]}"#)
                peer.pump(0)
            }
            let isShown = program.wait(20, meanwhile: draw) {
                let screen = screen(program)
                return ["cup", "door", Self.found].allSatisfy(screen.text.contains)
            }
            let now = screen(program)
            #expect(isShown && now.bottom.contains(Self.found + "  (q quits)"), "\(now.text) \(program.errors)")
            #expect(program.output.contains("255;208;0"), "the face has a yellow box")
            #expect(!now.text.contains("wall"), "it is behind the camera")
            // The picture has 61 x 23 cells in the middle of 80 columns.
            #expect(place(of: "cup", in: now) == [9 + 15, 6])
            let door = try #require(place(of: "door", in: now))
            #expect(abs(door[0] - (9 + 30)) <= 1 && abs(door[1] - 11) <= 1, "\(door)")
            let status = try peer.result("status")
            #expect(status["detector"]["camera"]["readers"].int == 1, "the robot's screen says so")
            let children = try String(
                contentsOfFile: "/proc/\(program.id)/task/\(program.id)/children", encoding: .utf8)
            #expect(children.isEmpty, "it opens neither a camera nor a detector")
            program.type("q")
            #expect(program.end() == .exit(0), "\(program.errors)")
            #expect(terminal.settings == settings && program.output.hasSuffix("\u{1b}[?1049l"))
            #expect(try peer.wait { try peer.result("status")["detector"]["camera"]["readers"].int == 0 })
        }

        /// The column and the row where a text begins.
        private func place(of text: String, in screen: TextScreen) -> [Int]? {
            let wanted = Array(text.unicodeScalars)
            for (row, cells) in screen.rows.enumerated() {
                for column in 0..<(cells.count - wanted.count)
                where Array(cells[column..<(column + wanted.count)]) == wanted { return [column, row] }
            }
            return nil
        }

        /// A detector that takes its time, and says with the place of its rectangle how bright its picture is.
        private static let slowDetector = """
            import json, sys, time
            print(json.dumps({"type": "hello", "v": 1, "clock": "monotonic"}), flush=True)
            for line in sys.stdin.buffer:
                said = json.loads(line)
                if said.get("type") != "image": continue
                pixels = sys.stdin.buffer.read(said["w"] * said["h"] * 3)
                time.sleep(0.3)
                face = {"rect": [pixels[0] / 256, 0.4, 0.2, 0.2]}
                print(json.dumps({"seq": said["seq"], "t": said["t"], "faces": [face]}), flush=True)
            """

        @Test func `an answer is shown in the picture that it is about, not in a later one`() throws {
            let film = try TemporaryFile("", ".mp4")
            // It brightens by 4 of 256 with each frame, 36 in the time that the detector takes, and begins again.
            let status = system(
                "ffmpeg -hide_banner -loglevel error -y -f lavfi -i color=black:size=320x240:rate=30:duration=8 "
                    + "-vf \"format=yuv420p,geq=lum='16+mod(N*4,200)':cb=128:cr=128\" '\(film.path)'")
            try #require(status == 0)
            let seeing = try Seeing(
                ["--open-loop", "--camera", "file:\(film.path),loop=again"], detector: Self.slowDetector)
            let terminal = try Terminal(), program = try shown(seeing.daemon, terminal)
            let mark = "1 face: at "
            #expect(
                program.wait(20) { program.output.ranges(of: mark).count > 10 },
                "\(screen(program).text) \(program.errors)")
            // Before each line are the colours of its picture; the yellow box is not grey.
            var shown = 0, earlier: Substring = ""
            for part in program.output.split(separator: mark) {
                let percent = part.prefixMatch(of: /(\d+),40\s/).flatMap { Double($0.1) }
                let grey = earlier.matches(of: /48;2;(\d+);(\d+);(\d+)m/).last {
                    $0.1 == $0.2 && $0.2 == $0.3
                }
                if let percent, let grey = grey.flatMap({ Double($0.1) }) {
                    shown += 1
                    #expect(abs(grey - percent / 100 * 256) < 8, "grey \(grey), found at \(percent) %")
                }
                earlier = part
            }
            #expect(shown > 5, "\(shown)")
            program.type("q")
            #expect(program.end() == .exit(0), "\(program.errors)")
        }

        @Test(arguments: [
            ("exec:cat > /dev/null", "the detector does not answer"), ("exec:exit 3", "exit status 3"),
        ])
        func `without answers it shows the pictures, and says why there are no boxes`(
            _ detector: String, _ says: String
        ) throws {
            let daemon = try ControlledDaemon(["--camera", "test", "--detector", detector]), terminal = try Terminal()
            let program = try shown(daemon, terminal, ["--seconds", "15"])
            #expect(
                program.wait(15) {
                    let screen = screen(program)
                    return screen.bottom.contains(says) && screen.rows[11].count(where: { $0 == "\u{2584}" }) > 50
                }, "\(screen(program).text) \(program.errors)")
            program.type("\u{3}")
            #expect(program.end() == .exit(0), "\(program.errors)")
        }

        @Test func `when the daemon's camera changes its size, the pictures go on`() throws {
            func film(_ colour: String, _ size: String) throws -> TemporaryFile {
                let file = try TemporaryFile("", ".mp4")
                let status = system(
                    "ffmpeg -hide_banner -loglevel error -y -f lavfi -i color=\(colour):size=\(size):rate=30:duration=5 "
                        + "-pix_fmt yuv420p '\(file.path)'")
                try #require(status == 0)
                return file
            }
            let red = try film("red", "640x480"), blue = try film("blue", "320x180")
            let seeing = try Seeing([
                "--open-loop", "--camera", "file:\(red.path),loop=again", "--other-camera",
                "file:\(blue.path),loop=again",
            ])
            let peer = try seeing.daemon.peer(), terminal = try Terminal()
            let program = try shown(seeing.daemon, terminal)
            // Each cell states the colours of its two pixels.
            #expect(program.wait(15) { program.output.contains(/48;2;2[45]\d;\d;\dm/) }, "\(program.errors)")
            try peer.result("flipCamera")
            program.forget()
            #expect(
                program.wait(15) { program.news.contains(/48;2;\d;\d;2[45]\dm/) },
                "\(screen(program).text) \(program.errors)")
            program.type("q")
            #expect(program.end() == .exit(0), "\(program.errors)")
        }

        // MARK: for programs

        @Test func `it prints the stream of the active source with the numbers and times of the pictures`() throws {
            let seeing = try Seeing(), daemon = seeing.daemon
            let client = try ControlClient(path: daemon.socket), pictures = try client.openPictures()
            let program = try daemon.start(["detect", "--json", "--summary", "--seconds", "3"])
            var exposures: [Int: Double] = [:]
            let hasEnded = program.wait(20) {
                if let picture = try? pictures.next(timeout: 0.02) {
                    exposures[picture.facts.sequence] = picture.facts.exposure
                }
                return program.hasEnded
            }
            #expect(hasEnded && program.end() == .exit(0), "\(program.errors)")
            let lines = program.output.split(separator: "\n").map { JSON(line: $0.utf8) }
            try #require(lines.count > 8, "\(program.output)")
            let hello = lines[0], bye = lines[lines.count - 2], summary = lines[lines.count - 1]
            #expect(hello["type"].string == "hello" && hello["detector"].string == "steady")
            #expect(bye["type"].string == "bye")
            let frames = lines[1..<(lines.count - 2)]
            #expect(frames.count > 5 && summary["frames"].int == frames.count && summary["mostInAPicture"].int == 1)
            #expect(summary["restarts"].int == 0 && (summary["latencyMs"]["p50"].number ?? 0) > 0, "\(summary)")
            var same = 0, last = -1
            for frame in frames {
                let number = try #require(frame["seq"].int), face = frame["faces"][0]
                #expect(number > last)
                last = number
                #expect(face["rect"].array.compactMap(\.number) == [0.4, 0.3, 0.1, 0.2], "\(frame)")
                #expect(face["score"].number == 0.9 && face["yaw"].number == 0.25 && !face["lm"].exists)
                if let exposure = exposures[number] {
                    same += 1
                    #expect(abs(exposure - (frame["t"].number ?? 0)) < 1e-5)
                }
            }
            #expect(same > 5, "\(same) of \(frames.count)")
        }

        /// The daemon reads the detections from its standard input and has no camera.
        @Test func `a daemon without a camera gives rectangles, and --socket names it`() throws {
            let daemon = try ControlledDaemon(["--detector", "stdin"])
            func lines(_ arguments: [String], _ wanted: String) throws {
                let program = try Program(["detect", "--socket", daemon.socket] + arguments)
                let isPrinted = program.wait(
                    meanwhile: { daemon.program.tell(#"{"faces":[{"rect":[0.5,0.25,0.1,0.2],"score":0.75}]}"#) },
                    until: { program.output.contains(wanted) })
                #expect(isPrinted, "\(program.output) \(program.errors)")
                program.signal(SIGINT)
                #expect(program.end() == .exit(0), "\(program.errors)")
            }
            try lines(["--json"], #""faces":[{"rect":[0.5,0.25,0.1,0.2],"score":0.75}]}"#)
            try lines([], "1 face: at 50,25 size 10x20 % (sure 75 %)")
        }

        // MARK: ends

        @Test func `the daemon's end is its end, with status 69, and the terminal is restored`() throws {
            let seeing = try Seeing(), terminal = try Terminal(), settings = terminal.settings
            let program = try shown(seeing.daemon, terminal), lines = try seeing.daemon.start(["detect", "--json"])
            #expect(program.wait(15) { screen(program).bottom.contains(Self.found) }, "\(program.errors)")
            #expect(lines.wait(15) { lines.output.contains(#""faces":[{"#) }, "\(lines.errors)")
            seeing.daemon.program.signal(SIGTERM)
            for one in [program, lines] {
                #expect(one.end() == .exit(69))
                #expect(one.errors.contains("the dockface at \(seeing.daemon.socket) has ended"), "\(one.errors)")
                #expect(one.errors.contains("dockface run"), "\(one.errors)")
            }
            #expect(terminal.settings == settings && program.output.hasSuffix("\u{1b}[?1049l"))
            #expect(lines.output.split(separator: "\n").last == #"{"type":"bye","reason":"eof"}"#)
        }

        /// What to write instead is in the error.
        @Test func `without a daemon and without a camera the error names both ways`() throws {
            // The runtime folder of the other tests has daemons.
            var setup = Program.Setup()
            setup.environment = ["XDG_RUNTIME_DIR": TemporaryFile.freePath("alone")]
            let alone = try Program(["detect"], setup)
            #expect(alone.end() == .exit(69))
            for words in ["no dockface is running", "dockface run --camera", "dockface detect --camera"] {
                #expect(alone.errors.contains(words), "\(alone.errors)")
            }
            let blind = try ControlledDaemon(), beside = try blind.verb("detect", "--json")
            #expect(beside.ending == .exit(69) && beside.output.isEmpty)
            for words in ["neither a camera nor a detector", "dockface run --camera", "dockface detect --camera"] {
                #expect(beside.errors.contains(words), "\(beside.errors)")
            }
        }

        @Test(.serialized, arguments: [["--fps", "5"], ["--scores", "0.7,0.5"], ["--profile", "dlp-dock"]])
        func `options of a detector of its own need one`(_ options: [String]) throws {
            let program = try Program(["detect"] + options)
            #expect(program.end() == .exit(64) && program.errors.contains("--camera or --detector"))
        }

        @Test func `a camera of its own and a daemon's socket exclude each other`() throws {
            let program = try Program(["detect", "--camera", "test", "--socket", "/nowhere/x.sock"])
            #expect(program.end() == .exit(64) && program.errors.contains("leave out --camera"), "\(program.errors)")
        }
    }
}
