import ControlProtocol
import DockControl
import Foundation
import Testing

@testable import Companion

/// The doctor on machines with problems.
@Suite struct DoctorTests {
    static let right = ["TERM": "xterm-256color", "COLORTERM": "truecolor", "LANG": "C.UTF-8"]

    /// A machine described by files: text for a file, "-> target" for a link.
    private func machine(
        _ files: [String: String], environment: [String: String] = right, _ use: (Doctor, SystemView) throws -> Void
    ) throws {
        let root = NSTemporaryDirectory() + "machine-\(UInt32.random(in: 0 ... .max))"
        let manager = FileManager.default
        defer { try? manager.removeItem(atPath: root) }
        for (path, text) in files {
            let folder = (root + path as NSString).deletingLastPathComponent
            try manager.createDirectory(atPath: folder, withIntermediateDirectories: true)
            if text.hasPrefix("-> ") {
                try manager.createSymbolicLink(atPath: root + path, withDestinationPath: root + text.dropFirst(3))
            } else {
                try text.write(toFile: root + path, atomically: true, encoding: .utf8)
            }
        }
        let system = SystemView(root: root, environment: environment)
        try use(Doctor(system), system)
    }

    @Test func `a service has the network exactly if its settings need it`() throws {
        let unit = ["/usr/lib/systemd/system/dockface.service": "[Service]\n"]
        let folder = "/etc/systemd/system/dockface.service.d/"
        let half = [folder + "own.conf": "[Service]\nRestrictAddressFamilies=AF_INET\n"]
        let dropIn = [folder + "network.conf": "[Service]\nRestrictAddressFamilies=AF_INET\nIPAddressDeny=\n"]
        let other = ["/etc/systemd/system/dockface.service.d/port.conf": "[Service]\nEnvironment=A=1\n"]
        try machine([:]) { doctor, _ in #expect(doctor.network(camera: nil, ports: ["tcp:dock:4000"]) == nil) }
        try machine(unit.merging(other) { $1 }) { doctor, _ in
            #expect(doctor.network(camera: "/dev/video0", ports: ["usb:1"]) == nil)
            let finding = doctor.network(camera: "rtsp://me:secret@door/live", ports: ["usb:1", "tcp:dock:4000"])
            #expect(finding?.level == .warning && finding?.text.contains("the dock at tcp:dock:4000") == true)
            #expect(finding?.text.contains("door") == true && finding?.text.contains("secret") == false)
        }
        try machine(unit.merging(half) { $1 }) { doctor, _ in
            #expect(doctor.network(camera: nil, ports: ["tcp:dock:4000"])?.level == .warning)
        }
        try machine(unit.merging(dropIn) { $1 }) { doctor, _ in
            #expect(doctor.network(camera: nil, ports: ["tcp:dock:4000"]) == nil)
            #expect(doctor.network(camera: nil, ports: ["usb:1"])?.level == .note)
        }
    }

    static let port = PortInfo(path: "/dev/ttyUSB0", description: "", identity: RigTests.bridge)

    @Test func `a port without problems`() throws {
        try machine(["/dev/ttyUSB0": "", "/proc/1/comm": "init\n"]) { doctor, _ in
            let adopted = [RigTests.rig("desk", .place("0000:00:14.0/2:00"))]
            let findings = doctor.port(Self.port, adopted: adopted)
            #expect(findings == [Finding("port", .ok, "/dev/ttyUSB0: adopted as \"desk\", 1a86:7523")])
            #expect(doctor.port(Self.port, adopted: []).first?.hint?.contains("place:0000:00:14.0/2:00") == true)
            #expect(doctor.rivals().isEmpty)
        }
    }

    @Test func `the process that holds a port is named, with advice`() throws {
        let files = ["/dev/ttyUSB0": "", "/proc/71/comm": "minicom\n", "/proc/71/fd/4": "-> /dev/ttyUSB0"]
        try machine(files) { doctor, _ in
            let finding = doctor.port(Self.port, adopted: []).first
            #expect(finding?.level == .bad && finding?.text.contains("minicom (process 71)") == true)
            #expect(finding?.hint == "end it: kill 71")
        }
        let own = ["/dev/ttyUSB0": "", "/proc/71/comm": "dockface\n", "/proc/71/fd/4": "-> /dev/ttyUSB0"]
        try machine(own) { doctor, _ in #expect(doctor.port(Self.port, adopted: []).first?.level == .note) }
    }

    @Test func `beside a daemon, nothing advises to kill the daemon or its guard`() throws {
        var files = ["/dev/ttyUSB0": "", "/proc/71/comm": "dockface\n", "/proc/71/fd/4": "-> /dev/ttyUSB0"]
        files.merge(["/proc/72/comm": "dock-guard\n", "/proc/72/fd/5": "-> /dev/ttyUSB0"]) { $1 }
        try machine(files) { doctor, _ in
            let findings = doctor.port(Self.port, adopted: [])
            #expect(findings.map(\.level) == [.note])
            #expect(findings.first?.text == "/dev/ttyUSB0 is driven by dockface (process 71)")
            #expect(findings.first?.hint == "to end it: dockface quit")
        }
        files["/proc/71/comm"] = nil
        files["/proc/71/fd/4"] = nil
        try machine(files) { doctor, _ in
            let findings = doctor.port(Self.port, adopted: [])
            #expect(findings.map(\.level) == [.note])
            #expect(findings.allSatisfy { $0.hint?.contains("kill") == false })
        }
    }

    @Test
    func
        `an adopted rig on a path: its holder is found through any link, and the creator of its pseudo-terminal is not a holder`()
        throws
    {
        let rig = RigTests.rig("desk", .path("/tmp/rig"))
        var files = [
            "/dev/pts/7": "", "/dev/ptmx": "", "/tmp/rig": "-> /dev/pts/7", "/proc/71/comm": "minicom\n",
            "/proc/71/fd/4": "-> /dev/pts/7", "/proc/72/comm": "python3\n", "/proc/72/fd/4": "-> /dev/pts/7",
            "/proc/72/fd/5": "-> /dev/ptmx", "/proc/72/fdinfo/5": "pos:\t0\ntty-index:\t7\n",
        ]
        let library = ProfileLibrary(folders: [])
        try machine(files) { doctor, _ in
            let findings = doctor.rig(rig, ports: [], library: library, answer: nil)
            try #require(findings.map(\.subject) == ["rig", "port", "profile"], "\(findings)")
            #expect(findings[0].text == "\"desk\" (/tmp/rig, profile dlp-dock) is connected: /dev/pts/7")
            #expect(findings[1].text == "/tmp/rig is held by minicom (process 71)" && findings[1].level == .bad)
        }
        // The other end of another pseudo-terminal.
        files["/proc/72/fdinfo/5"] = "pos:\t0\ntty-index:\t77\n"
        try machine(files) { doctor, system in
            #expect(system.holders(of: "/tmp/rig").map(\.id) == ["71", "72"])
            // A link to a USB device is that port, and is listed once.
            let usb = PortInfo(path: "/dev/pts/7", description: "", identity: RigTests.bridge)
            #expect(!doctor.rig(rig, ports: [usb], library: library, answer: nil).contains { $0.subject == "port" })
            #expect(doctor.port(usb, adopted: [rig]).allSatisfy { $0.subject == "port" && $0.level == .bad })
        }
        try machine([:]) { doctor, _ in
            let gone = doctor.rig(rig, ports: [], library: library, answer: nil)[0]
            #expect(gone.level == .warning && gone.text.hasSuffix("is not connected: no such device"))
            #expect(gone.hint?.contains("dockface adopt --forget desk") == true)
        }
    }

    @Test func `a rig over the network is described by its server's answer, and not probed while it is in use`() throws
    {
        let rig = RigTests.rig("far", .server(host: "h", port: 8080)), library = ProfileLibrary(folders: [])
        let table = "  sl  local rem st\n   0: 0100007F:1F90 0100007F:C001 01 00000000:00000000\n"
        try machine(["/proc/net/tcp": table]) { doctor, _ in
            func finding(_ answer: NetworkAnswer?) -> Finding {
                doctor.rig(rig, ports: [], library: library, answer: answer)[0]
            }
            #expect(finding(nil).level == .note && finding(.answers).level == .ok && finding(.inUse).level == .ok)
            #expect(finding(.silent("refused")).level == .warning)
            #expect(finding(.silent("refused")).text.hasSuffix("does not answer: refused"))
            // Our own server has that port, and no connection of ours does.
            #expect(doctor.mayTry(rig) && !doctor.mayTry(RigTests.rig("desk", .path("/x"))))
        }
        try machine(["/proc/net/tcp6": table.replacing("0100007F:C001", with: "0200000A:1F90")]) { doctor, _ in
            #expect(!doctor.mayTry(rig))
        }
    }

    @Test func `a rig whose profile is missing or invalid is reported, with the folders searched and advice`() throws {
        try machine(["/p/bad.toml": "name = 3\n", "/q/x": "", "/dev/ttyACM0": ""]) { doctor, system in
            let library = ProfileLibrary(folders: [system.root + "/p", system.root + "/q"])
            func finding(_ profile: String) -> Finding? {
                var rig = RigTests.rig("desk", .path("/dev/ttyACM0"))
                rig.profile = profile
                return doctor.rig(rig, ports: [], library: library, answer: nil).first { $0.subject == "profile" }
            }
            let missing = finding("gone")
            #expect(missing?.level == .bad && missing?.text.contains("\(system.root)/p, \(system.root)/q") == true)
            #expect(missing?.hint?.hasSuffix("dockface adopt --port /dev/ttyACM0 --name desk") == true)
            #expect(finding("/gone/x.toml")?.hint?.hasPrefix("restore it as /gone/x.toml") == true)
            #expect(finding("bad")?.text.contains("\(system.root)/p/bad.toml:1:") == true)
            #expect(finding("bad")?.hint?.contains("dockface profiles check \(system.root)/p/bad.toml") == true)
            #expect(finding(Self.shipped) == nil)
        }
    }

    static let shipped = #filePath.replacing("Tests/CompanionTests/DoctorTests.swift", with: "profiles/dlp-dock.toml")

    @Test func `the detector: none, or the one that the running daemon uses`() throws {
        try machine([:]) { doctor, _ in
            let none = doctor.detector(nil)
            #expect(none.level == .note && none.text.hasPrefix("no daemon answers"))
            #expect(none.hint?.contains("dockface run --detector stdin") == true)
            #expect(doctor.detector(DetectorOfDaemon(source: "none", frames: 0)).level == .note)
            #expect(doctor.detector(DetectorOfDaemon(source: "stdin", frames: 0)).level == .warning)
            let right = doctor.detector(DetectorOfDaemon(source: "stdin", frames: 12))
            #expect(right.level == .ok && right.text.hasSuffix("from stdin: 12 frames so far") && right.hint == nil)
        }
    }

    @Test func `a daemon whose dock is not ready is reported, with the next command`() throws {
        func finding(_ accessory: String) -> Finding? {
            JSONValue(json: Array(#"{"accessory":\#(accessory)}"#.utf8)).flatMap { Doctor.daemon($0).first }
        }
        let ready = finding(#"{"dock":"ready","reason":null,"identity":{"name":"desk"}}"#)
        #expect(ready?.text == "the running daemon's dock is ready: desk" && ready?.level == .ok)
        let none = finding(#"{"dock":"detached","reason":"noPort"}"#)
        #expect(none?.text.contains("without a dock") == true && none?.level == .ok)
        let mute = finding(#"{"dock":"detached","reason":"noAnswer"}"#)
        #expect(mute?.text == "the running daemon's dock is detached (noAnswer)" && mute?.level == .warning)
        #expect(mute?.hint?.hasSuffix("dockface quit, then dockface adopt") == true)
        #expect(finding(#"{"dock":"faulted","reason":"stall"}"#)?.hint?.hasSuffix("then: dockface clear") == true)
    }

    @Test func `what a rig reports about its setup is reported`() throws {
        let status = #"{"accessory":{"dock":"ready","reason":null},"findings":["servo 1 is reversed"]}"#
        let findings = Doctor.daemon(try #require(JSONValue(json: Array(status.utf8))))
        #expect(findings.map(\.text).last == "servo 1 is reversed" && findings.map(\.level) == [.ok, .warning])
    }

    @Test func `a detector that has stopped is a problem, also after many frames`() throws {
        func finding(_ detector: String) throws -> Finding {
            let status = JSONValue(json: Array(#"{"detector":\#(detector)}"#.utf8))
            return Doctor().detector(DetectorOfDaemon(status: try #require(status)))
        }
        let right = try finding(
            #"{"source":"exec:a","frames":9,"rate":30,"sources":[{"active":true,"state":"running"}]}"#)
        #expect(right.level == .ok)
        let dead = try finding(
            #"{"source":"exec:a","frames":9,"rate":30,"sources":[{"active":true,"state":"failed","problem":"exit status 1"}]}"#
        )
        #expect(dead.level == .warning && dead.text.hasSuffix("from exec:a: failed, exit status 1"))
        #expect(dead.hint?.contains("dockface detect --detector") == true)
        #expect(try finding(#"{"source":"stdin","frames":9,"rate":null}"#).text.hasSuffix("no frame for a while"))
    }

    @Test func `a camera that waits is named, and not its detector`() throws {
        func finding(_ camera: String) throws -> Finding {
            let detector = #"{"source":"exec:a","frames":9,"rate":null,"camera":\#(camera)}"#
            let status = JSONValue(json: Array(#"{"detector":\#(detector)}"#.utf8))
            return Doctor().detector(DetectorOfDaemon(status: try #require(status)))
        }
        let waits = try finding(#"{"state":"starting","problem":"no sender at 127.0.0.1:5000"}"#)
        #expect(waits.level == .warning)
        #expect(waits.text.hasSuffix("no pictures from its camera: starting, no sender at 127.0.0.1:5000"))
        #expect(try finding(#"{"state":"running","problem":null}"#).text.hasSuffix("no frame for a while"))
        #expect(try finding("null").text.hasSuffix("no frame for a while"))
    }

    @Test func `the process that uses a camera is named`() throws {
        let files = ["/dev/video0": "", "/proc/9/comm": "cheese\n", "/proc/9/fd/3": "-> /dev/video0"]
        try machine(files) { doctor, _ in
            #expect(doctor.cameras().map(\.text) == ["/dev/video0 is open in cheese (process 9)"])
            #expect(doctor.cameras().map(\.level) == [.note])
        }
    }

    @Test func `a slow adapter, and programs that take ports`() throws {
        let files = [
            "/dev/ttyUSB0": "", "/sys/class/tty/ttyUSB0/device/latency_timer": "16\n",
            "/proc/12/comm": "ModemManager\n", "/proc/13/comm": "brltty\n", "/proc/self/comm": "gpsd\n",
        ]
        try machine(files) { doctor, _ in
            let slow = doctor.port(Self.port, adopted: []).last
            #expect(slow?.level == .warning && slow?.text.contains("16 ms") == true)
            #expect(slow?.hint?.contains("/sys/class/tty/ttyUSB0/device/latency_timer") == true)
            #expect(doctor.rivals().map { $0.text.split(separator: " ").first } == ["ModemManager", "brltty"])
        }
    }

    @Test func `terminals and cameras`() throws {
        try machine([:]) { doctor, _ in
            #expect(doctor.terminal().map(\.level) == [.ok])
            #expect(doctor.cameras().first?.level == .note && doctor.hotplug().level == .note)
        }
        try machine(["/dev/video0": "", "/run/udev/control": ""], environment: ["TERM": "dumb"]) { doctor, _ in
            #expect(doctor.terminal().map(\.level) == [.warning, .note])
            #expect(doctor.cameras().first?.text == "1 camera device: /dev/video0" && doctor.hotplug().level == .ok)
        }
        try machine([:], environment: ["TERM": "xterm", "LC_ALL": "C", "LANG": "C.UTF-8"]) { doctor, _ in
            #expect(doctor.terminal().map(\.text).first?.contains("(C) is not UTF-8") == true)
        }
    }

    @Test func `a line that is too slow for its servos is named, if it is a line`() throws {
        try machine([:]) { doctor, _ in
            var rig = RigTests.rig("desk", .serial("A1"))
            rig.profile = "dynamixel-xl330-pair"
            func slow() -> [Finding] {
                doctor.examine(ports: [], adopted: [rig]).filter { $0.text.contains("57600 baud carries about") }
            }
            #expect(slow().map(\.level) == [.note])
            rig.port = .server(host: "robot", port: 4000)
            #expect(slow().isEmpty)
        }
    }

    @Test func `an empty machine is reported, and the worst finding counts`() throws {
        try machine([:]) { doctor, _ in
            let findings = doctor.examine(ports: [], adopted: [RigTests.rig("desk", .serial("A1"))])
            #expect(findings.first?.level == .warning && findings.first?.text == "no USB serial port is plugged in")
            #expect(findings.contains { $0.subject == "clock" } && findings.contains { $0.subject == "detector" })
            // A user whose only rig is of another kind needs no USB port.
            let others = doctor.examine(ports: [], adopted: [RigTests.rig("desk", .path("/dev/ttyAMA0"))])
            #expect(others.first?.subject == "rig" && !others.contains { $0.text.contains("USB") })
            #expect(Finding.Level.bad > .warning && Finding.Level.warning > .note && Finding.Level.note > .ok)
        }
    }
}
