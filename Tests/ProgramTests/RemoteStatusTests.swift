import Glibc
import Testing
import TestSupport

extension ProgramTests {
    /// `status` and `watch`, against a socket that sends what the test wants.
    @Suite(.timeLimit(.minutes(10))) struct RemoteStatus {
        private static let accessory =
            #"{"state":"docked","dock":"ready","reason":null,"identity":{"name":"dock","model":"DLP-1","firmware":"1.0","#
            + #""uid":"17"},"trackingButtonEnabled":true,"mode":"system","framing":"auto","region":[0,0,1,1],"#
            + #""selected":[],"limits":{"pan":{"min":-2.967,"max":2.967,"speed":2.094},"tilt":{"min":-0.5236,"#
            + #""max":1.396,"speed":1.047}},"torque":true,"control":null}"#
        private static func motion(_ pan: Double, running: String = "null", ended: String = "null") -> String {
            #"{"t":1.5,"position":{"pan":\#(pan),"tilt":-0.07},"velocity":{"pan":0,"tilt":0},"commanded":{"pan":0,"#
                + #""tilt":0},"source":"measured","owner":"tracking","reason":{"pan":"deadZone","tilt":"deadZone"},"#
                + #""motion":\#(running),"ended":\#(ended)}"#
        }
        private static let tracking =
            #"{"t":1.5,"phase":"tracking","followed":3,"setPoint":[0.5,0.5],"subjects":[{"id":3,"kind":"person","#
            + #""rect":[0.4,0.2,0.1,0.2],"saliency":1,"age":2,"coasting":false,"speaking":null,"looking":null,"selected":true}]}"#
        private static let battery =
            #"{"batteries":[{"name":"main","level":0.85,"charge":"charging","low":false,"critical":false,"voltage":7.4}]}"#
        private static let face = #"{"expression":"happy","random":false,"gestures":true}"#
        private static func status(_ why: String = "") -> String {
            #"{"version":"0.1.0","uptime":75.2,"accessory":\#(accessory),"motion":\#(motion(0.215)),"#
                + #""tracking":\#(tracking),"battery":\#(battery),"face":\#(face),"camera":null,"#
                + #""detector":{"source":"scene","frames":1041,"dropped":2,"rate":10.02},"lease":false,"counters":{}\#(why)}"#
        }
        private static let why =
            #","why":{"pan":{"state":"deadZone","text":"the subject is in place"},"#
            + #""tilt":{"state":"moving","text":"moving as wanted"}}"#

        @Test(arguments: [
            ("nothingToDo", "manual", "scene", 9, "; `dockface mode system` follows faces"),
            ("nothingToDo", "system", "scene", 9, "pan       stands still: text"),
            ("noSubject", "system", "none", nil, ": no detector is connected; see `dockface doctor`"),
            ("noSubject", "system", "stdin", nil, "text: see `dockface doctor`"),
            ("noSubject", "system", "stdin", 9, "pan       stands still: text"),
            ("notConnected", "manual", "stdin", 9, "text: see `dockface doctor`"),
        ])
        func `a standstill that a person can end is reported with the command`(
            _ reason: String, _ mode: String, _ source: String, _ rate: Int?, _ ending: String
        ) throws {
            let why = #","why":{"pan":{"state":"\#(reason)","text":"text"},"tilt":{"state":"moving","text":"text"}}"#
            let figure = rate.map { "\($0)" } ?? "null"
            let answer = Self.status(why).replacing(#""mode":"system""#, with: #""mode":"\#(mode)""#)
                .replacing(#""source":"scene""#, with: #""source":"\#(source)""#)
                .replacing(#""rate":10.02"#, with: #""rate":\#(figure)"#)
            let daemon = try FakeDaemon { _ in [.result(answer)] }
            defer { daemon.end() }
            let program = try Program(["status", "--why", "--socket", daemon.path])
            #expect(program.end() == .exit(0), "\(program.errors)")
            let line = program.output.split(separator: "\n").first { $0.hasPrefix("pan ") }
            #expect(line?.hasSuffix(ending) == true, "\(program.output)")
        }

        /// Starts `watch`, and waits until it listens.
        private func watch(_ arguments: [String], _ daemon: FakeDaemon, _ setup: Program.Setup = .init()) throws
            -> Program
        {
            let program = try Program(["watch", "--socket", daemon.path] + arguments, setup)
            #expect(program.wait { daemon.methods == ["subscribe"] }, "\(program.errors)")
            return program
        }

        @Test func `status is one aligned block, in degrees`() throws {
            let daemon = try FakeDaemon { _ in [.result(Self.status())] }
            defer { daemon.end() }
            let program = try Program(["status", "--socket", daemon.path])
            #expect(program.end() == .exit(0), "\(program.errors)")
            #expect(
                program.output == """
                    dock      ready: dock, model DLP-1, firmware 1.0, uid 17
                    mode      system, framing auto, region whole frame
                    control   none
                    tracking  tracking, follows subject 3; in sight: 3 person
                    selected  automatic
                    pose      pan +12.3 tilt -4.0 deg
                    speed     pan +0.0 tilt +0.0 deg/s
                    motion    none
                    limits    pan -170...170 deg, 120 deg/s; tilt -30...80 deg, 60 deg/s
                    torque    on
                    battery   main 85 %, charging, 7.4 V
                    face      happy, random off, gestures on
                    camera    none
                    detector  scene, 10.0 frames per second, 1041 in total, 2 dropped
                    lease     free
                    daemon    dockface 0.1.0, up 1 min 15 s

                    """)
            #expect(daemon.requests.map(\.line) == [#"{"id":1,"jsonrpc":"2.0","method":"status"}"#])
        }

        @Test func `status says that a latched dock is not connected, and what tracking would follow`() throws {
            let daemon = try FakeDaemon { _ in
                let unplugged = #""state":"undocked","dock":"faulted","reason":"emergencyStop""#
                return [
                    .result(
                        Self.status().replacing(#""state":"docked","dock":"ready","reason":null"#, with: unplugged)
                            .replacing(#""phase":"tracking""#, with: #""phase":"idle""#))
                ]
            }
            defer { daemon.end() }
            let program = try Program(["status", "--socket", daemon.path])
            #expect(program.end() == .exit(0), "\(program.errors)")
            #expect(
                program.output.contains("dock      faulted (emergencyStop), not connected: dock"), "\(program.output)")
            #expect(program.output.contains("tracking  idle, would follow subject 3;"), "\(program.output)")
        }

        @Test func `status shows the state of camera and detectors`() throws {
            let eyes =
                #","camera":{"name":"/dev/video0","state":"running","restarts":0,"problem":null,"width":640,"height":480,"#
                + #""rate":29.97,"estimated":true},"sources":[{"name":"blazeface","state":"running","active":true,"#
                + #""detector":"blazeface-full","restarts":2,"problem":"it ended","latency":0.0054},{"name":"unix","#
                + #""state":"stalled","active":false,"detector":null,"restarts":0,"problem":"nothing came","latency":null}]}"#
            let daemon = try FakeDaemon { _ in
                [.result(Self.status().replacing(#""rate":10.02}"#, with: #""rate":10.02"# + eyes))]
            }
            defer { daemon.end() }
            let program = try Program(["status", "--socket", daemon.path])
            #expect(program.end() == .exit(0), "\(program.errors)")
            #expect(
                program.output.contains(
                    """
                    detector  scene, 10.0 frames per second, 1041 in total, 2 dropped
                    frames    /dev/video0 running, 640x480 at 30.0 per second, exposure times are estimated
                    source    blazeface running, steers, 5 ms per frame, restarted 2 times
                    source    unix stalled, on standby: nothing came

                    """), "\(program.output)")
        }

        @Test func `status can give reasons, and the original JSON`() throws {
            let daemon = try FakeDaemon { _ in [.result(Self.status(Self.why))] }
            defer { daemon.end() }
            let program = try Program(["status", "--why", "--socket", daemon.path])
            #expect(program.end() == .exit(0))
            #expect(
                program.output.hasSuffix(
                    "pan       stands still: the subject is in place\ntilt      moves as commanded\n"),
                "\(program.output)")
            #expect(daemon.requests.last?.line.contains(#""params":{"why":true}"#) == true)
            let json = try Program(["--json", "status", "--socket", daemon.path])
            #expect(json.end() == .exit(0) && json.output.components(of: "\n") == 1)
            #expect(json.output.contains(#""detector":{"dropped":2,"frames":1041,"rate":10.02,"source":"scene"}"#))
        }

        @Test(
            .serialized,
            arguments: ["{}", "[]", "null", #"{"accessory":{"limits":7},"motion":{"motion":[]},"uptime":1e300}"#])
        func `a status that lacks everything is still shown`(_ status: String) throws {
            let daemon = try FakeDaemon { _ in [.result(status)] }
            defer { daemon.end() }
            let program = try Program(["status", "--why", "--socket", daemon.path])
            #expect(program.end() == .exit(0) && program.output.contains("pose      unknown"), "\(program.errors)")
        }

        @Test func `watch prints the first state, then the changes, and ends well at Ctrl-C`() throws {
            let daemon = try FakeDaemon { _ in
                [
                    .result(#"{"topics":["accessory","motion"]}"#),
                    .event(topic: "accessory", data: Self.accessory, kind: "snapshot"),
                    .event(
                        topic: "motion",
                        data: Self.motion(0.215, ended: #"{"id":1,"name":"home","outcome":"completed"}"#),
                        kind: "snapshot"),
                ]
            }
            defer { daemon.end() }
            let program = try watch(["accessory", "motion"], daemon)
            #expect(daemon.requests.last?.line.contains(#""params":{"topics":["accessory","motion"]}"#) == true)
            daemon.tell(.event(topic: "accessory", data: Self.accessory.replacing("\"system\"", with: "\"manual\"")))
            daemon.tell(.event(topic: "accessory", data: Self.accessory.replacing("\"system\"", with: "\"manual\"")))
            daemon.tell(
                .event(
                    topic: "motion",
                    data: Self.motion(0.3, running: #"{"id":2,"name":"orient","fraction":0.5,"duration":2}"#)))
            daemon.tell(
                .event(topic: "motion", data: Self.motion(0.3, ended: #"{"id":2,"name":"orient","outcome":"limited"}"#))
            )
            #expect(program.wait { program.output.contains("limited") }, "\(program.output)")
            program.signal(SIGINT)
            #expect(program.end() == .exit(0) && program.errors.isEmpty)
            let lines = program.output.split(separator: "\n").map { line in
                // Begins with the seconds since the start.
                #expect(line.prefix(9).contains(".") && Double(line.prefix(9).drop { $0 == " " }) != nil, "\(line)")
                return String(line.dropFirst(11))
            }
            #expect(lines.count == 6, "\(program.output)")
            #expect(
                lines[0].hasPrefix("accessory  dock ready: dock, model DLP-1") && lines[0].contains("control none"))
            #expect(
                lines.dropFirst() == [
                    "motion     pose pan +12.3 tilt -4.0 deg, speed pan +0.0 tilt +0.0 deg/s, owner tracking, motion none",
                    "accessory  mode manual",
                    "motion     pose pan +17.2 tilt -4.0 deg, motion orient 50 % of 2.0 s",
                    "motion     motion none",
                    "motion     orient (2) ended: limited",
                ], "\(program.output)")
        }

        @Test func `buttons, log lines and lost events are printed one by one`() throws {
            let daemon = try FakeDaemon { _ in
                [
                    .result("{}"),
                    .event(topic: "log", data: #"{"recent":[{"level":"warning","text":"first"}]}"#, kind: "snapshot"),
                    .event(topic: "log", data: #"{"level":"error","text":"second"}"#),
                    .event(topic: "events", data: #"{"recent":[]}"#, kind: "snapshot"),
                    .event(topic: "events", data: #"{"event":"button","id":3,"pressed":true}"#),
                    .event(topic: "events", data: #"{"event":"cameraZoom","factor":0.2}"#),
                    .event(topic: "events", data: #"{"event":"of another version"}"#),
                    .line(
                        #"{"jsonrpc":"2.0","method":"event","params":{"topic":"events","kind":"change","seq":90,"lost":12,"#
                            + #""data":{"event":"cameraShutter"}}}"#),
                ]
            }
            defer { daemon.end() }
            let program = try watch([], daemon)
            #expect(program.wait { program.output.contains("shutter") }, "\(program.output)")
            program.signal(SIGTERM)
            #expect(program.end() == .exit(0))
            #expect(
                program.output.split(separator: "\n").map { $0.dropFirst(11) } == [
                    "log        warning: first", "log        error: second", "events     button 3 pressed",
                    "events     zoom wheel in 0.20", "events     12 events were lost", "events     shutter button",
                ], "\(program.output)")
        }

        @Test func `programs get the original data, one line per event`() throws {
            let daemon = try FakeDaemon { _ in
                [.result("{}"), .event(topic: "face", data: Self.face, kind: "snapshot")]
            }
            defer { daemon.end() }
            let program = try watch(["face", "--json"], daemon)
            #expect(program.wait { program.output.hasSuffix("\n") })
            program.signal(SIGINT)
            #expect(program.end() == .exit(0))
            #expect(
                program.output
                    == #"{"data":{"expression":"happy","gestures":true,"random":false},"kind":"snapshot","seq":1,"topic":"face"}"#
                    + "\n")
        }

        @Test func `on a terminal a moving dock gives a line four times a second, and the last state is not lost`()
            throws
        {
            let daemon = try FakeDaemon { _ in
                [.result("{}")] + (0..<50).map { .event(topic: "motion", data: Self.motion(Double($0) / 100)) }
            }
            defer { daemon.end() }
            var setup = Program.Setup()
            setup.terminal = try Terminal(columns: 200)
            let program = try watch(["motion"], daemon, setup)
            // 0.49 rad = 28.1 degrees
            #expect(program.wait { program.output.contains("pan +28.1") }, "\(program.output)")
            #expect((2...4).contains(program.output.components(of: "pose")), "\(program.output)")
            program.signal(SIGINT)
            #expect(program.end() == .exit(0))
        }

        @Test func `watch exits cleanly when its reader goes away, even if nothing happens`() throws {
            let daemon = try FakeDaemon()
            defer { daemon.end() }
            // The shell's `true` reads nothing and ends at once.
            let program = try watch([], daemon)
            program.closeOutput()
            #expect(program.end() == .exit(0), "\(program.errors)")
        }
    }
}
