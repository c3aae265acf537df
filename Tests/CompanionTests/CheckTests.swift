import DockControl
import DockTypes
import Files
import Geometry
import Glibc
import Testing
import TestSupport

@testable import Companion

@Suite struct CheckTests {
    /// Runs a check against a rig that answers every move with `does` and every question with `answers`, repeating the
    /// last answer.
    private func run(
        _ answers: [DockCheck.Answer] = [.yes],
        does: (Axis, Double) -> PanTilt = { axis, angle in
            axis == .pan ? PanTilt(pan: angle, tilt: 0) : PanTilt(pan: 0, tilt: angle)
        }
    ) -> (result: DockCheck.Result, moves: [String], asked: Int) {
        var check = DockCheck(), pose = PanTilt.zero, moves: [String] = [], asked = 0
        for _ in 0..<50 {
            switch check.step {
            case .move(let axis, let angle):
                if check.returnsFirst {
                    pose = pose - does(axis, angle)
                    check.returned()
                }
                moves.append("\(axis.rawValue) \(Int(angle.inDegrees.rounded()))")
                let from = pose
                pose = pose + does(axis, angle)
                #expect(pose.magnitude < DockCheck.stroke * 1.7, "it drifts away")
                check.moved(from: from, to: pose)
            case .ask:
                check.answered(answers[min(asked, answers.count - 1)])
                asked += 1
            case .over(let result): return (result, moves, asked)
            }
        }
        return (.stopped, moves, asked)
    }

    @Test func `each axis goes 3 degrees to both sides, and two questions are asked`() {
        let seen = run()
        #expect(seen.result == .passed && seen.asked == 2)
        #expect(
            seen.moves == [
                "pan 3", "pan -3", "pan -3", "pan 3", "tilt 3", "tilt -3", "tilt -3", "tilt 3",
            ])
    }

    @Test func `no names the setting to flip, again repeats the motion, q ends the check`() {
        #expect(run([.no]).result == .failed(.turnedWrong(.pan)))
        #expect(run([.yes, .no]).result == .failed(.turnedWrong(.tilt)))
        var profile = RigProfile.dlpDock
        #expect(DockCheck.Problem.turnedWrong(.pan).text(profile).contains("`pan.invert = true`"))
        profile.tilt.invert = true
        #expect(DockCheck.Problem.turnedWrong(.tilt).text(profile).contains("`tilt.invert = false`"))
        let again = run([.again, .yes])
        #expect(again.result == .passed && again.asked == 3)
        #expect(run([.quit]).result == .stopped)
    }

    @Test func `the measured motion must equal the commanded one`() {
        func pan(_ share: Double, aside: Double = 0) -> (Axis, Double) -> PanTilt {
            { axis, angle in
                axis == .pan ? PanTilt(pan: angle * share, tilt: angle * aside) : PanTilt(pan: 0, tilt: angle)
            }
        }
        #expect(run(does: pan(0)).result == .failed(.notMoved(.pan)))
        #expect(run(does: pan(-1)).result == .failed(.reportsAgainst(.pan)))
        #expect(run(does: pan(0, aside: 1)).result == .failed(.otherMoved(.pan)))
        #expect(run(does: pan(1, aside: 0.8)).result == .failed(.otherMoved(.pan)))
        #expect(run(does: pan(0.8)).result == .passed)
        guard case .failed(.wrongSize(.pan, let moved, _)) = run(does: pan(0.5)).result else {
            Issue.record("half the motion counted as right")
            return
        }
        #expect(abs(moved.inDegrees - 1.5) < 0.01)
    }

    private func folder() throws -> String {
        var template = Array("/tmp/dockface-check-XXXXXX".utf8CString)
        _ = try #require(mkdtemp(&template))
        return String(decoding: template.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    @Test func `a stamp holds for one dock, one profile, and the signs and ranges that were checked`() throws {
        let folder = try folder()
        let stamps = CheckStamps(folder: folder), profile = RigProfile.dlpDock
        #expect(try stamps.all().isEmpty)
        try stamps.stamp(dock: "d0cf", at: "/p", profile: profile, date: "2026-01-31")
        try stamps.stamp(dock: "beef", at: "/p", profile: profile, date: "2026-02-01")
        try stamps.stamp(dock: "d0cf", at: "/p", profile: profile, date: "2026-02-02")
        #expect(try stamps.docks(checkedWith: profile, at: "/p") == ["d0cf", "beef"])
        #expect(try stamps.all().map(\.date) == ["2026-02-01", "2026-02-02"])
        var other = profile
        other.name = "another \"name\""
        #expect(try stamps.docks(checkedWith: other, at: "/p").isEmpty)
        try stamps.stamp(dock: "d0cf", at: "/p", profile: other, date: "2026-02-03")
        #expect(try stamps.docks(checkedWith: other, at: "/p") == ["d0cf"])
        other = profile
        other.pan.invert = true
        #expect(try stamps.docks(checkedWith: other, at: "/p").isEmpty)
        other = profile
        other.tilt.range = .degrees(-20) ... .degrees(80)
        #expect(try stamps.docks(checkedWith: other, at: "/p").isEmpty)
        other = profile
        other.commandLatency = 0.1
        #expect(try stamps.docks(checkedWith: other, at: "/p").count == 2)
    }

    @Test func `a dock without a serial number counts as checked only at the port where it was checked`() throws {
        let stamps = CheckStamps(folder: try folder()), profile = RigProfile.dlpDock
        try stamps.stamp(dock: "1-777+2-777", at: "/a", profile: profile, date: "2026-01-31")
        #expect(try stamps.docks(checkedWith: profile, at: "/a") == ["1-777+2-777"])
        #expect(try stamps.docks(checkedWith: profile, at: "/b").isEmpty)
        try stamps.stamp(dock: "d0cface000000001", at: "/a", profile: profile, date: "2026-01-31")
        #expect(try stamps.docks(checkedWith: profile, at: "/b") == ["d0cface000000001"])
    }

    @Test func `a latch, and torque that was switched off, are found under every name of a USB port`() throws {
        let folder = try folder()
        let identity = UsbIdentity(vendor: 0x1A86, product: 0x55D3, serial: "ABC123", place: "0000:00:14.0/1.2:00")
        let port = PortInfo(path: "/dev/ttyUSB7", description: "", identity: identity)
        func marker(_ name: String) -> RunMarker { RunMarker(port: name, folder: folder, plugged: [port]) }
        let names = ["usb:ABC123", "place:0000:00:14.0/1.2:00", "/dev/ttyUSB7"]
        for first in names {
            marker(first).keep(.faulted(.emergencyStop), time: 5)
            marker(first).keep(released: true)
            for second in names {
                #expect(
                    marker(second).latch?.fault == .emergencyStop && marker(second).isReleased, "\(first) \(second)")
            }
            #expect(RunMarker(port: "/dev/ttyUSB8", folder: folder, plugged: [port]).latch == nil)
            let last = names.first { $0 != first } ?? first
            marker(last).keep(.ready, time: 6)
            marker(last).keep(released: false)
            for second in names {
                #expect(marker(second).latch == nil && !marker(second).isReleased, "\(first) \(second)")
            }
        }
    }

    @Test(arguments: ["checked = 3", "[[checked]]\ndock = \"a\"\n", "[[checked]", "[checked]\ndock = 1\n"])
    func `invalid stamps are reported and not overwritten`(text: String) throws {
        let folder = try folder()
        try StoredFile.write(text, to: folder + "/checked.toml")
        let stamps = CheckStamps(folder: folder)
        #expect(throws: DockError.self) { try stamps.docks(checkedWith: .dlpDock, at: "/p") }
        #expect(throws: DockError.self) { try stamps.stamp(dock: "a", at: "/p", profile: .dlpDock, date: "") }
        #expect(try StoredFile.read(stamps.path) == text)
    }
}

@Suite struct StartRuleTests {
    private func frames(_ rule: inout StartRule, from: Double, to: Double, every: Double = 0.1) -> TrackingMode? {
        var mode: TrackingMode?, now = from
        while now < to {
            rule.frame(now: now)
            mode = mode ?? rule.due(now: now)
            now += every
        }
        return mode
    }

    @Test func `on a rig without arming the session begins in the requested mode`() {
        var rule = StartRule(asked: nil, isCareful: false, checked: [], hasCrashed: true)
        #expect(rule.first == .system && rule.identified("a") == nil && rule.due(now: 9) == nil)
        #expect(StartRule(asked: .custom, isCareful: false, checked: [], hasCrashed: false).first == .custom)
        #expect(StartRule().first == .manual)
    }

    @Test func `a checked dock begins by following people as soon as it is identified`() {
        var rule = StartRule(asked: nil, isCareful: true, checked: ["a"], hasCrashed: false)
        #expect(rule.first == .manual && rule.due(now: 1) == nil)
        #expect(rule.identified("a") == nil)
        #expect(rule.due(now: 1) == .system && rule.due(now: 2) == nil)
    }

    @Test func `an unchecked dock begins in manual mode and says what to do, once`() {
        var rule = StartRule(asked: nil, isCareful: true, checked: ["a"], hasCrashed: false)
        #expect(rule.identified("b")?.contains("dockface check") == true)
        #expect(rule.identified("b") == nil && rule.due(now: 1) == nil)
        var asked = StartRule(asked: .system, isCareful: true, checked: [], hasCrashed: false)
        #expect(asked.first == .system && asked.identified("b")?.contains("20 deg/s") == true)
    }

    @Test func `after a crash the mode returns when the detector has been healthy for 3 s`() {
        var rule = StartRule(asked: .system, isCareful: true, checked: [], hasCrashed: true)
        #expect(rule.first == .manual && rule.due(now: 0) == nil)
        #expect(frames(&rule, from: 10, to: 12.9) == nil)
        // A gap restarts the 3 s.
        #expect(frames(&rule, from: 14, to: 16.9) == nil)
        #expect(frames(&rule, from: 16.9, to: 17.2) == .system)
        #expect(rule.due(now: 18) == nil)
    }

    @Test func `a crash without a detector, or with manual motion in between, leaves it manual`() {
        var rule = StartRule(asked: .custom, isCareful: true, checked: [], hasCrashed: true)
        #expect(rule.first == .manual && rule.due(now: 100) == nil)
        rule.acted()
        #expect(frames(&rule, from: 10, to: 20) == nil)
        var manual = StartRule(asked: .manual, isCareful: true, checked: [], hasCrashed: true)
        #expect(frames(&manual, from: 10, to: 20) == nil)
    }
}
