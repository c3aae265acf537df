import DockControl
import Files
import Geometry
import Glibc
import Testing
import TestSupport

@testable import Companion

/// `dockface calibrate` without a rig: its steps, its evaluation and its chart.
@Suite struct CalibrationTests {
    static let profile: RigProfile = {
        var profile = RigProfile.dlpDock
        profile.source = "a test"
        return profile
    }()

    /// A recording of a rig of delay and lag that moves back and forth, with rates in its unit of speed.
    static func recording(
        delay: Seconds = 0.02, lag: Seconds = 0.06, gain: Double = 1, rates: Double = 1
    ) -> MotionRecording {
        var recording = MotionRecording(commands: [], readings: [], cuts: []), now: Seconds = 11
        var changes: [(at: Seconds, by: Double)] = []
        for stroke in Wiggle(maxSpeed: 10).strokes {
            recording.cuts.append(now)
            recording.commands.append(.init(time: now, velocity: stroke.velocity))
            recording.commands.append(.init(time: now + stroke.duration, velocity: 0))
            changes += [(now + delay, stroke.velocity), (now + stroke.duration + delay, -stroke.velocity)]
            now += stroke.duration + Wiggle.rest
        }
        recording.cuts.append(now)
        for at in stride(from: 10.0, to: now, by: 0.02) {
            var position = 0.0, rate = 0.0
            for change in changes where at > change.at {
                let elapsed = at - change.at, rest = exp(-elapsed / lag)
                position += gain * change.by * (elapsed - lag * (1 - rest))
                rate += gain * change.by * (1 - rest)
            }
            recording.readings.append(.init(time: at, position: position, rate: rate * rates))
        }
        return recording
    }

    /// Runs a calibration against a rig that obeys. Returns its steps as words.
    private func run(
        _ feedback: DriverAbilities.Feedback = .measured, profile: RigProfile = profile, from: PanTilt = .zero,
        answers: [DockCheck.Answer] = [.yes], way: Double? = nil, does: (Axis, Double) -> Double = { $1 },
        sweeps: Bool = true, canLetGo: Bool = true
    ) -> (calibration: DockCalibration, words: [String], pose: PanTilt) {
        var work = DockCalibration(profile: profile, feedback: feedback, canLetGo: canLetGo, pose: from), pose = from
        var words: [String] = [], answers = answers, lowest = 1000.0, highest = -1000.0
        for _ in 0..<60 {
            switch work.step {
            case .move(let axis, let angle):
                let before = pose
                pose[axis] += does(axis, angle)
                words.append("\(axis.rawValue) \(Int(angle.inDegrees.rounded()))")
                work.moved(from: before, to: pose)
            case .askSense(let axis):
                words.append("\(axis.rawValue)?")
                work.answered(answers.count > 1 ? answers.removeFirst() : answers[0])
            case .wiggle(let axis, let wiggle):
                var place = pose[axis]
                for stroke in wiggle.strokes {
                    place += stroke.velocity * stroke.duration
                    (lowest, highest) = (min(lowest, place - pose[axis]), max(highest, place - pose[axis]))
                    #expect(profile[axis].softRange.contains(place))
                    #expect(abs(stroke.velocity) <= .degrees(20.001) && abs(stroke.velocity) <= profile[axis].maxSpeed)
                }
                #expect(abs(place - pose[axis]) < 1e-9 && highest <= .degrees(5.001) && lowest >= .degrees(-5.001))
                words.append("\(axis.rawValue) wiggles")
                work.wiggled(Self.recording())
            case .askWay(let axis, let commanded):
                words.append("\(axis.rawValue) \(Int(commanded.inDegrees.rounded()))?")
                work.measured(way: way)
            case .sweep:
                words.append("sweep")
                if sweeps {
                    work.swept(low: .degrees(pan: -160, tilt: -25), high: .degrees(pan: 150, tilt: 70))
                } else {
                    work.notSwept()
                }
            case .over: return (work, words, pose)
            }
        }
        Issue.record("it does not end: \(words)")
        return (work, words, pose)
    }

    @Test func `each axis is moved to show its direction, returns and is wiggled; then the ends are found by hand`() {
        let (work, words, pose) = run()
        #expect(
            words == [
                "pan 5", "pan?", "pan -5", "pan wiggles", "tilt 5", "tilt?", "tilt -5", "tilt wiggles", "sweep",
            ])
        #expect(work.step == .over(.measured) && pose.magnitude < 1e-9)
        #expect(work.findings.pan.isSenseRight == true && work.findings.tilt.ends != nil)
    }

    @Test func `a rig that cannot let go is not offered for moving by hand`() {
        let (work, words, _) = run(canLetGo: false)
        #expect(words.last == "tilt wiggles" && work.step == .over(.measured) && work.findings.tilt.ends == nil)
    }

    @Test func `an axis near its end first turns away from it, and one without room is left alone`() {
        let (near, words, _) = run(from: .degrees(pan: 165, tilt: -28))
        #expect(words.first == "pan -5" && words.contains("tilt 8") && near.step == .over(.measured))
        var narrow = Self.profile
        narrow.tilt.range = .degrees(-8)...(.degrees(8))
        let (work, rest, _) = run(profile: narrow)
        #expect(!rest.contains { $0.hasPrefix("tilt") } && work.step == .over(.measured))
        let report = CalibrationReport(work.findings, date: "2026-01-31", isReal: true)
        #expect(report.notes.contains { $0.contains("tilt was not moved") } && !report.profile.verified)
    }

    @Test func `again repeats the demonstration, q stops it, and a dock that does not move fails`() {
        #expect(run(answers: [.again, .yes]).words.prefix(5) == ["pan 5", "pan?", "pan -5", "pan 5", "pan?"])
        #expect(run(answers: [.quit]).calibration.step == .over(.stopped))
        #expect(run(does: { _, _ in 0 }).calibration.step == .over(.failed(.notMoved(.pan))))
        #expect(run(does: { -$1 }).calibration.step == .over(.failed(.reportsAgainst(.pan))))
        #expect(run(does: { $0 == .tilt ? $1 / 2 : $1 }).words.contains("tilt 5"))
        var work = DockCalibration(profile: Self.profile, feedback: .measured, pose: .zero)
        work.stopped()
        work.moved(from: .zero, to: .zero)
        #expect(work.step == .over(.stopped))
    }

    @Test func `a modelled rig is shown and asked about, not measured`() {
        let (work, words, pose) = run(.modelled, way: .degrees(8))
        #expect(
            words == [
                "pan 5", "pan?", "pan -10", "pan 10?", "pan 5", "tilt 5", "tilt?", "tilt -10", "tilt 10?", "tilt 5",
            ])
        #expect(pose.magnitude < 1e-9)
        var findings = CalibrationFindings(profile: Self.rig("maestro"), feedback: .modelled)
        (findings.pan, findings.tilt) = (work.findings.pan, work.findings.tilt)
        findings.fit()
        let report = CalibrationReport(findings, date: "2026-01-31", isReal: true)
        #expect(report.notes.first?.hasPrefix("nothing measures how this rig moves") == true, "\(report.notes)")
        // The axis turned 8 degrees when commanded 10: each degree needs more pulse.
        #expect(report.profile.options["pan_us_per_degree"] == 12.5)
        #expect(report.profile.options["tilt_us_per_degree"] == 12.5)
        #expect(report.profile.commandLatency == Self.profile.commandLatency && !report.profile.verified)
        #expect(!report.rows.contains { $0.name.contains("latency") || $0.name.contains("lag") })
        #expect(run(.modelled, way: .degrees(9.8)).calibration.findings.wrongSpeed(.pan) == nil)
    }

    // MARK: results

    static func rig(_ driver: String, _ options: [String: Double] = [:]) -> RigProfile {
        var rig = profile
        rig.driver = driver
        rig.options = options
        return rig
    }

    /// A report whose axes were recorded alike, confirmed and swept.
    private func report(
        _ profile: RigProfile = profile, gain: Double = 1, rates: Double = 1, isReal: Bool = true,
        change: (inout CalibrationFindings) -> Void = { _ in }
    ) -> CalibrationReport {
        var findings = CalibrationFindings(profile: profile, feedback: .measured)
        for axis in Axis.allCases {
            findings[axis].recording = Self.recording(gain: gain, rates: rates)
            findings[axis].isSenseRight = true
        }
        findings.pan.ends = .degrees(-160.03)...(.degrees(150))
        findings.tilt.ends = .degrees(-25)...(.degrees(70))
        change(&findings)
        findings.fit()
        return CalibrationReport(findings, date: "2026-01-31", isReal: isReal)
    }

    @Test func `the profile contains what was measured, rounded down to the millisecond, without the margins`() {
        let report = report(), profile = report.profile
        #expect(abs(profile.commandLatency - 0.02) < 0.0015 && abs(profile.pan.lag - 0.06) < 0.0021, "\(report.lines)")
        #expect((profile.commandLatency * 1000).rounded() == profile.commandLatency * 1000)
        #expect(abs(profile.pan.range.lowerBound.inDegrees + 159) < 1e-9)
        #expect(abs(profile.pan.range.upperBound.inDegrees - 149) < 1e-9 && !profile.pan.invert)
        #expect(profile.verified && profile.options.isEmpty)
        #expect(
            profile.source.hasPrefix(
                "a test; measured by dockface calibrate on 2026-01-31 (link.latency_ms, pan.lag_ms"))
        // A second measurement is mentioned only once.
        var next = Self.profile
        next.source = profile.source
        #expect(self.report(next).profile.source.components(separatedBy: "measured by") == 2)
        #expect(report.lines.contains { $0.contains("pan.min") && $0.hasSuffix("-> -159") }, "\(report.lines)")
        #expect(report.notes.isEmpty)
    }

    @Test func `verified means that a person confirmed everything on a real rig`() {
        #expect(!report(isReal: false).profile.verified)
        #expect(!report { $0.tilt.isSenseRight = nil }.profile.verified)
        #expect(!report { $0.pan.ends = nil }.profile.verified)
        #expect(!report { $0.tilt.recording = nil }.profile.verified)
        #expect(!report { $0.pan.isSenseRight = false }.profile.verified)
    }

    @Test func `an axis that turned the wrong way is inverted, and its ends are mirrored`() {
        let profile = report { $0.pan.isSenseRight = false }.profile
        #expect(profile.pan.invert && !profile.tilt.invert)
        #expect(abs(profile.pan.range.lowerBound.inDegrees + 149) < 1e-9)
        #expect(abs(profile.pan.range.upperBound.inDegrees - 159) < 1e-9)
    }

    @Test func `an inverted axis whose range its device does not support is mirrored, and can be read back`() throws {
        var rig = Self.rig("waveshare")
        rig.tilt.range = .degrees(-30)...(.degrees(80))
        rig.tilt.home = .degrees(40)
        func wrong(_ rig: RigProfile, ends: ClosedRange<Double>? = nil) -> CalibrationReport {
            report(rig) {
                $0.tilt.isSenseRight = false
                ($0.pan.ends, $0.tilt.ends) = (nil, ends)
            }
        }
        let proposal = wrong(rig), tilt = proposal.profile.tilt
        #expect(tilt.invert && tilt.home == .degrees(-40))
        #expect(tilt.range == .degrees(-80)...(.degrees(30)), "\(proposal.lines)")
        for line in [("tilt.min", "-> -80"), ("tilt.max", "-> 30"), ("tilt.home", "-> -40")] {
            #expect(proposal.lines.contains { $0.hasPrefix(line.0) && $0.hasSuffix(line.1) }, "\(proposal.lines)")
        }
        #expect(proposal.notes.contains { $0.hasPrefix("tilt.min and tilt.max are mirrored") }, "\(proposal.notes)")
        #expect(try ProfileReader.read(proposal.text(comment: ["x"]), file: "x").tilt == tilt)
        // A range that fits both ways stays as it was written.
        rig.tilt.home = 0
        rig.tilt.range = .degrees(-25)...(.degrees(30))
        #expect(wrong(rig).profile.tilt.range == rig.tilt.range)
        // The ends found by hand are outside the board's range in that direction: no such profile is written.
        let refused = wrong(rig, ends: .degrees(-80)...(.degrees(28)))
        #expect(throws: FileError.self) { try refused.text(comment: []) }
        #expect(refused.notes.contains { $0.contains("tilt.max") }, "\(refused.notes)")
    }

    @Test func `invalid ends, or ends without home between them, change nothing`() {
        let small = report { $0.pan.ends = .degrees(-3)...(.degrees(4)) }
        #expect(small.profile.pan.range == Self.profile.pan.range && small.notes.contains { $0.contains("pan.min") })
        let aside = report { $0.pan.ends = .degrees(20)...(.degrees(140)) }
        #expect(aside.profile.pan.range == Self.profile.pan.range && !aside.notes.isEmpty)
    }

    @Test func `a wrong speed changes the setting that causes it, and 5 percent change nothing`() {
        #expect(report(Self.rig("waveshare"), gain: 1.04).profile.options.isEmpty)
        #expect(abs((report(Self.rig("waveshare"), gain: 1.5).profile.options["speed_unit_steps"] ?? 0) - 1.5) < 0.02)
        let feetech = Self.rig("feetech", ["speed_unit_steps": 2])
        #expect(abs((report(feetech, rates: 2).profile.options["speed_unit_steps"] ?? 0) - 1) < 0.02)
        #expect(report(feetech, rates: 1.03).profile.options["speed_unit_steps"] == 2)
        let visca = report(Self.rig("visca", ["pan_max_speed": 100]), gain: 0.8).profile.options
        #expect(abs((visca["pan_max_speed"] ?? 0) - 80) < 1 && abs((visca["pan_min_speed"] ?? 0) - 0.8) < 0.01)
        #expect(abs((visca["tilt_max_speed"] ?? 0) - 96) < 1)
        let table = report(Self.rig("visca", ["speed_table": 2]), gain: 0.8)
        #expect(table.profile.options == ["speed_table": 2] && table.notes.contains { $0.contains("speed_table = 2") })
        let ours = report(gain: 0.8)
        #expect(ours.profile.options.isEmpty && ours.notes.contains { $0.contains("pan turns 0.8 times") })
        // No unit that the driver would refuse.
        let wild = report(Self.rig("feetech", ["speed_unit_steps": 0.15]), rates: 3)
        #expect(wild.profile.options["speed_unit_steps"] == 0.15 && !wild.notes.isEmpty)
    }

    @Test func `every report makes a profile that can be read`() throws {
        for profile in [report().profile, report(Self.rig("visca"), gain: 0.8).profile] {
            #expect(try ProfileReader.read(ProfileWriter.text(of: profile), file: "x.toml") == profile)
        }
    }

    @Test func `a fit that fails keeps latency and lag, and is reported`() {
        let report = report(gain: -1)
        #expect(report.profile.commandLatency == Self.profile.commandLatency && report.profile.pan.lag == 0.04)
        #expect(report.notes.contains { $0.hasPrefix("no first-order response fits") })
    }

    @Test func `the chart has its size, and the commanded path with the reported path behind it`() {
        let lines = CalibrationPlot.lines(Self.recording(delay: 0.05, lag: 0.15), title: "pan")
        #expect(lines.count == CalibrationPlot.height + 2 && lines[0].hasPrefix("pan"))
        let rows = lines[1...CalibrationPlot.height].map { Array($0.dropFirst(8)) }
        #expect(rows.allSatisfy { $0.count == CalibrationPlot.width })
        let marks = rows.joined()
        #expect(marks.contains(".") && marks.contains("o") && marks.contains("@"))
        // When commanded to turn, it is where it was until a little later: in each row on the way up, "." comes before
        // "o".
        let middle = rows[CalibrationPlot.height / 3]
        let commanded = middle.firstIndex { $0 == "." || $0 == "@" }
        let reported = middle.firstIndex { $0 == "o" || $0 == "@" }
        #expect((commanded ?? 99) < (reported ?? 0), "\(lines.joined(separator: "\n"))")
        #expect(CalibrationPlot.lines(MotionRecording(commands: [], readings: [], cuts: []), title: "x").isEmpty)
    }
}

extension String {
    /// The number of parts between occurrences of a text.
    fileprivate func components(separatedBy text: String) -> Int { ranges(of: text).count + 1 }
}
