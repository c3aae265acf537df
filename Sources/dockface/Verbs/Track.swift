import ArgumentParser
import FaceTracker
import Geometry
import Glibc

/// `dockface track`: a filter from detections to tracked subjects.
struct Track: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Filter: detections on standard input, tracked subjects with stable ids on standard output.",
        discussion: """
            Prints one JSON line per frame, at once. Uses no dock, and no clock except the stream's. Lines that are not \
            detections are skipped and reported on standard error: the first twenty, then one per second of the stream, and \
            their number at the end.
            """)

    @Option(help: ArgumentHelp("Select the subject at this point.", valueName: "x,y"))
    var select: String?

    @Option(
        help: ArgumentHelp("Choose subjects automatically only in this part of the frame.", valueName: "x,y,w,h"))
    var region: String?

    @Option(help: "auto, center, left or right; accepted for symmetry with run, without effect on the subjects.")
    var framing: String?

    func run() throws {
        var options = TrackFilter.Options()
        if let select {
            let numbers = try numbers(select, count: 2, name: "--select")
            options.select = Point(x: numbers[0], y: numbers[1])
        }
        if let region {
            let numbers = try numbers(region, count: 4, name: "--region")
            guard numbers[2] > 0, numbers[3] > 0 else { throw ValidationError("--region needs a width and a height.") }
            options.region = Rect(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
        }
        if let framing, !["auto", "automatic", "center", "left", "right"].contains(framing) {
            throw ValidationError("--framing must be auto, center, left or right.")
        }
        signal(SIGPIPE, SIG_IGN)
        var filter = TrackFilter(options: options)
        var input = [UInt8](repeating: 0, count: 65_536), output: [UInt8] = []
        while true {
            let count = read(0, &input, input.count)
            if count < 0, errno == EINTR { continue }
            output.removeAll(keepingCapacity: true)
            if count > 0 {
                input[..<count].withUnsafeBytes { filter.feed($0, to: &output) }
            } else {
                filter.finish(to: &output)
            }
            tell(&filter)
            guard writeAll(output) else { return }
            if let version = filter.refusedVersion {
                throw fail(
                    "the stream has version \(version), but this program supports version 1: update one of them",
                    status: 65)
            }
            if count <= 0 { break }
        }
        if filter.counters.frames == 0, filter.counters.badLines > 0 {
            throw fail("no frame in \(filter.counters.lines) lines: is this a detection stream?", status: 65)
        }
        if filter.counters.badLines > 0 {
            let counters = filter.counters
            printLine("dockface: warning: \(counters.badLines) of \(counters.lines) lines were skipped", to: 2)
        }
    }

    private func tell(_ filter: inout TrackFilter) {
        for problem in filter.problems {
            let more = problem.count > 1 ? " (and \(problem.count - 1) more problems)" : ""
            printLine("dockface: warning: line \(problem.line): \(problem.text)\(more)", to: 2)
        }
        filter.problems.removeAll()
    }

    private func numbers(_ text: String, count: Int, name: String) throws -> [Double] {
        let parts = text.split(separator: ",").compactMap { Double($0) }.filter { (-1...2).contains($0) }
        guard parts.count == count else {
            throw ValidationError("\(name) needs \(count) numbers between 0 and 1, separated by commas.")
        }
        return parts
    }
}
