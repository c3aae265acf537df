import DockControl
import FaceTracker
import Testing

@testable import Companion

/// The page of metrics, as a monitoring system reads it.
@Suite struct MetricsTests {
    /// A line of a page that is not a comment.
    private struct Sample: Equatable {
        var name: String, labels: [String: String], value: Double
    }

    private enum Wrong: Error { case line(Substring) }

    /// Reads a page strictly: every family has HELP and TYPE once, and its samples are consecutive.
    private func samples(_ page: String) throws -> [Sample] {
        var found: [Sample] = [], families: [String: String] = [:], family = ""
        for line in page.split(separator: "\n") {
            let words = line.split(separator: " ", maxSplits: 3)
            if line.hasPrefix("# TYPE ") {
                guard words[2] == family, families[family] == "" else { throw Wrong.line(line) }
                families[family] = String(words[3])
                continue
            }
            if line.hasPrefix("# HELP ") {
                family = String(words[2])
                guard families[family] == nil, words.count == 4 else { throw Wrong.line(line) }
                families[family] = ""
                continue
            }
            guard let space = line.lastIndex(of: " "), let value = Double(line[line.index(after: space)...]) else {
                throw Wrong.line(line)
            }
            var name = line[..<space], labels: [String: String] = [:]
            if let brace = name.firstIndex(of: "{") {
                guard name.hasSuffix("\"}") else { throw Wrong.line(line) }
                for pair in name[name.index(after: brace)...].dropLast(2).split(separator: "\",") {
                    let parts = pair.split(separator: "=\"", maxSplits: 1, omittingEmptySubsequences: false)
                    guard parts.count == 2 else { throw Wrong.line(line) }
                    labels[String(parts[0])] = String(parts[1])
                }
                name = name[..<brace]
            }
            let bare = ["_bucket", "_sum", "_count"].first { name.hasSuffix($0) && families[family] == "histogram" }
            guard name.dropLast(bare?.count ?? 0) == family else { throw Wrong.line(line) }
            if families[family] == "counter", !family.hasSuffix("_total") { throw Wrong.line(line) }
            found.append(Sample(name: String(name), labels: labels, value: value))
        }
        return found
    }

    @Test func `the page of an empty status is complete`() throws {
        let page = MetricsText.text(of: SessionStatus(), process: ProcessFigures())
        let found = try samples(page)
        #expect(found.first { $0.name == "dockface_frames_total" }?.value == 0)
        // Unknown values are left out; 0 would be wrong.
        #expect(!page.contains("dockface_pose_radians") && !page.contains("battery"))
        #expect(found.filter { $0.name == "dockface_dock_state" }.map(\.value).reduce(0, +) == 1)
    }

    @Test func `a histogram has cumulative buckets, each at least as large as the one before`() throws {
        var tally = LatencyTally()
        for time in [0.000_04, 0.000_9, 0.003, 0.003, 0.4, 3] { tally.add(time) }
        var status = SessionStatus()
        status.loop.timing.lateness = tally.whole
        let found = try samples(MetricsText.text(of: status, process: ProcessFigures()))
        let buckets = found.filter { $0.name == "dockface_loop_lateness_seconds_bucket" }
        #expect(buckets.map(\.labels["le"]).last == "+Inf" && buckets.count == LatencyHistogram.bounds.count + 1)
        #expect(buckets.map(\.value) == buckets.map(\.value).sorted())
        func below(_ bound: String) -> Double? { buckets.first { $0.labels["le"] == bound }?.value }
        #expect(below("5e-05") == 1 && below("0.001") == 2 && below("0.005") == 4 && below("0.5") == 5)
        #expect(below("1.0") == 5 && below("+Inf") == 6)
        let sum = found.first { $0.name == "dockface_loop_lateness_seconds_sum" }?.value ?? 0
        #expect(abs(sum - 3.406_94) < 1e-9)
    }

    @Test func `names of people and docks cannot break a line`() throws {
        var status = SessionStatus()
        status.rig.name = "a \"rig\"\nof \\mine"
        let page = MetricsText.text(of: status, process: ProcessFigures())
        #expect(page.contains(#"rig="a \"rig\"\nof \\mine""#))
        #expect(page.split(separator: "\n").count { $0.hasPrefix("dockface_info") } == 1)
    }

    @Test func `every sample names its dock`() throws {
        var status = SessionStatus()
        status.rig.port = "/dev/ttyACM0"
        let found = try samples(MetricsText.text(of: status, process: ProcessFigures()))
        #expect(found.count > 20 && found.allSatisfy { $0.labels["port"] == "/dev/ttyACM0" })
    }

    @Test func `the figures of this process are those of the system`() {
        let figures = ProcessFigures.own()
        #expect(figures.residentMemory > 1 << 20 && figures.openDescriptors > 2 && figures.threads >= 1)
        #expect(figures.processorTime > 0 && figures.mostDescriptors >= figures.openDescriptors)
    }

    @Test func `a histogram bucket counts values up to its bound`() {
        var histogram = LatencyHistogram()
        for bound in LatencyHistogram.bounds { histogram.add(bound * 0.93) }
        let counts = histogram.counts
        for lane in LatencyHistogram.bounds.indices { #expect(Int(counts[lane]) == lane + 1) }
        for lane in LatencyHistogram.bounds.count..<16 { #expect(counts[lane] == 0) }
    }
}
