import DockTypes
import Files
import Glibc
import TestSupport
import Testing

@testable import Companion
@testable import DockControl
@testable import Geometry

/// Traces as files.
@Suite struct TraceTests {
    /// One record of each kind.
    static func copy(cause: String = "stall") -> TraceCopy {
        let recorder = FlightRecorder()
        recorder.now = 12.25
        [UInt8]([1, 2, 255, 0]).withUnsafeBytes {
            recorder.wire(.toDock, $0)
            recorder.wire(.fromDock, $0)
            recorder.wire(.toDock, $0, isCut: true)
        }
        recorder.pose(
            MotionSample(time: 12.125, pose: PanTilt(pan: 0.5, tilt: -0.25), rate: .zero), deadmanTripped: true)
        recorder.decided(PanTilt(pan: 0.125, tilt: 0), owner: .tracking, reason: .moving)
        recorder.state(.faulted(.stall), mode: .manual)
        recorder.state(.ready, mode: .system)
        recorder.ended(EndedMotion(id: MotionID(7), name: "yes", outcome: .faulted))
        recorder.note("a \"line\" of two")
        recorder.command(.orient(PanTilt(pan: 1, tilt: 2), duration: 0.5, relative: true), program: nil)
        recorder.command(.stop, program: nil)
        recorder.rectangles(exposure: 12, count: 2) { index in
            .init(
                id: index, rect: Rect(x: 0.25, y: 0.5, width: 0.125, height: 0.25), isCoasting: index == 0,
                isFollowed: index == 1)
        }
        return recorder.copy(cause: cause)
    }

    static func text(_ copy: TraceCopy = copy()) -> String {
        let about = TraceWriter.About(
            rig: "a \"rig\"", driver: "dlp", program: "1", unix: 1_763_747_308, monotonic: 12.5)
        return TraceWriter.text(of: copy, copy.records, about: about)
    }

    @Test func `what is written reads back as it was, with its header`() throws {
        let copy = Self.copy(), trace = try Trace(Array(Self.text(copy).utf8), name: "t")
        #expect(trace.records == copy.records && trace.records.count == 12)
        #expect(trace.rig == "a \"rig\"" && trace.driver == "dlp" && trace.cause == "stall")
        #expect(trace.written == "2025-11-21T17:48:28Z" && !trace.isCut && trace.unknown == 0)
    }

    @Test func `a trace of another program is read as plain lines`() throws {
        let text = Self.text().replacing(" of two", with: #"\n\u001b[2J\u202e"#).replacing(
            #"a \"rig\""#, with: #"a\u009brig"#)
        let trace = try Trace(Array(text.utf8), name: "t")
        #expect(trace.rig == #"a\u{9b}rig"#)
        #expect(trace.records.contains { $0.body == .note(#"a "line"\u{a}\u{1b}[2J\u{202e}"#) })
    }

    @Test func `every line begins with time and kind`() {
        let lines = Self.text().split(separator: "\n")
        #expect(lines[0].hasPrefix(#"{"t":12.25,"k":"trace","at":12.25,"cause":"stall""#))
        #expect(lines[1] == #"{"t":12.25,"k":"tx","hex":"0102ff00"}"#)
        #expect(lines.allSatisfy { $0.hasPrefix(#"{"t":12.25,"k":""#) })
    }

    @Test func `a file that was cut off anywhere after its header is read up to there`() throws {
        let bytes = Array(Self.text().utf8), header = try #require(bytes.firstIndex(of: 0x0A))
        for end in header + 1...bytes.count {
            let trace = try Trace(Array(bytes.prefix(end)), name: "t")
            #expect(trace.records.count <= 12)
        }
    }

    @Test func `a line of an unknown newer kind is counted and skipped`() throws {
        let text = Self.text() + #"{"t":13,"k":"smell","strength":3}"# + "\n"
        #expect(try Trace(Array(text.utf8), name: "t").unknown == 1)
    }

    @Test(arguments: [
        ("", "t is empty"), ("hello\n", "t:1: not a line of a trace"),
        (#"{"t":1,"k":"note","text":"x"}"# + "\n", "t:1: a trace begins with its header"),
        (#"{"t":1,"k":"trace","v":2}"# + "\n", "t:1: version 2"),
        (#"{"t":1,"k":"trace","v":1}"# + "\n{\n{}\n", "t:2: not a line of a trace"),
        (#"{"t":1,"k":"trace","v":1}"# + "\n" + #"{"t":1,"k":"tx","hex":"0g"}"# + "\n", "t:2: a \"tx\""),
        (#"{"t":1,"k":"trace","v":1}"# + "\n" + #"{"k":"note","text":"x"}"# + "\n", "t:2: \"t\" is missing"),
        (
            #"{"t":1,"k":"trace","v":1}"# + "\n" + #"{"t":1,"k":"rect","exposure":1,"subjects":[{"id":1}]}"# + "\n",
            "t:2: a"
        ),
        (
            #"{"t":1,"k":"trace","v":1}"# + "\n"
                + #"{"t":1,"k":"distances","subjects":[{"id":1,"distance":0,"until":2}]}"# + "\n",
            "t:2: a \"distances\""
        ),
    ]) func `an invalid trace is refused with its line`(text: String, expected: String) throws {
        do throws(DockError) {
            _ = try Trace(Array(text.utf8), name: "t")
            Issue.record("it was accepted")
        } catch {
            #expect(error.message.hasPrefix(expected), "\(error.message)")
        }
    }

    @Test func `the newest files are kept, and requested traces displace no trace of a fault`() throws {
        var template = Array("/tmp/dockface-test-XXXXXX".utf8CString)
        #expect(mkdtemp(&template) != nil)
        let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        defer { _ = system("rm -rf '\(path)'") }
        let folder = try #require(TraceFolder(path: path + "/traces"))
        func files() throws -> [String] { try StoredFile.names(in: folder.path).filter { $0.hasSuffix(".jsonl") } }
        for _ in 0..<3 { _ = try folder.write(Self.copy(), profile: .dlpDock, program: "1") }
        for _ in 0..<8 { _ = try folder.write(Self.copy(cause: "asked"), profile: .dlpDock, program: "1") }
        #expect(try files().count == 3 + TraceFolder.mostAsked)
        for _ in 0..<25 { _ = try folder.write(Self.copy(), profile: .dlpDock, program: "1") }
        #expect(try files().count == TraceFolder.mostFaults + TraceFolder.mostAsked)
    }

    @Test(arguments: ["asked", "stall"])
    func `a trace that was just written exists, and the newest are kept`(cause: String) throws {
        var template = Array("/tmp/dockface-test-XXXXXX".utf8CString)
        #expect(mkdtemp(&template) != nil)
        let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        defer { _ = system("rm -rf '\(path)'") }
        let folder = try #require(TraceFolder(path: path))
        let most = cause == "asked" ? TraceFolder.mostAsked : TraceFolder.mostFaults
        // Since then the clock was set back.
        for number in 1...most {
            try StoredFile.write("{}\n", to: "\(path)/2999-01-01T00-00-0\(number % 10)Z-dock-\(cause)_\(number).jsonl")
        }
        let early = try folder.write(Self.copy(cause: cause), profile: .dlpDock, program: "1")
        if case .trace(let file, _, _) = early { #expect(access(file, F_OK) == 0, "\(file)") }
        try StoredFile.names(in: path).filter { $0.hasPrefix("2999") }.forEach {
            try StoredFile.remove("\(path)/\($0)")
        }
        var written: [String] = []
        for _ in 0..<most + 12 {
            let value = try folder.write(Self.copy(cause: cause), profile: .dlpDock, program: "1")
            guard case .trace(let file, _, _) = value else { throw DockError(.busy, "\(value)", hint: "") }
            written.append(file)
            #expect(written.suffix(most).allSatisfy { access($0, F_OK) == 0 }, "\(written.count): \(file)")
        }
        #expect(Set(written).count == written.count, "no name is given twice")
    }

    @Test func `faults in a row give one file in ten seconds; simultaneous requests get one answer`() {
        var desk = TraceDesk()
        #expect(desk.admits(now: 5) && !desk.admits(now: 6) && !desk.admits(now: 14.9) && desk.admits(now: 15))
        #expect(desk.ask(.words) == true && desk.ask(.keys) == false)
        #expect(desk.answered() == [.words, .keys] && desk.answered().isEmpty)
        for _ in 0..<TraceDesk.mostWaiting { #expect(desk.ask(.words) != nil) }
        #expect(desk.ask(.words) == nil)
    }
}
