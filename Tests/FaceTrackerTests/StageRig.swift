import CPosix
import Geometry
import Glibc
import Processes
import Synchronization
import Testing

@testable import FaceTracker

/// A stage with the pipe that a session would read.
final class StageRig: Sendable {
    let stage: DetectorStage
    let descriptor: Int32
    private let notes = StageNotes()

    init(_ script: String, feed: PictureFeed? = nil, change: (inout DetectorStage.Options) -> Void = { _ in })
        throws
    {
        var readEnd: Int32 = -1, writeEnd: Int32 = -1
        try #require(cposix_pipe(&readEnd, &writeEnd) == 0)
        descriptor = readEnd
        var options = DetectorStage.Options(name: "test", words: ["/bin/sh", "-c", script])
        options.patience.first = 0.01
        options.patience.grace = 0.2
        change(&options)
        let notes = notes
        stage = try #require(
            DetectorStage(
                options, feed: feed, outlet: DetectionOutlet(writeEnd),
                listener: .init(
                    onChange: { health in notes.reported.withLock { $0.append(health) } },
                    onLog: { line in notes.said.withLock { $0.append(line) } })))
        stage.start()
    }

    deinit { close(descriptor) }

    var states: [ProcessWatch.State] { notes.reported.withLock { $0.map(\.state) } }
    var health: DetectorHealth? { notes.reported.withLock { $0.last } }
    var log: [String] { notes.said.withLock { $0 } }

    /// Reads lines from the pipe, until `isEnough` or the pipe's end, for at most a minute.
    func lines(until isEnough: (([String]) -> Bool)? = nil) -> [String] {
        var text: [UInt8] = [], chunk = [UInt8](repeating: 0, count: 1 << 16)
        let deadline = cposix_monotonic_now() + 60
        while cposix_monotonic_now() < deadline {
            var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&wait, 1, 100) > 0 else {
                if isEnough?(Self.split(text)) == true { break }
                continue
            }
            let count = read(descriptor, &chunk, chunk.count)
            guard count > 0 else { break }
            text += chunk[..<count]
            if isEnough?(Self.split(text)) == true { break }
        }
        return Self.split(text)
    }

    /// Waits for a state, for at most a minute.
    func waits(for state: ProcessWatch.State) -> Bool {
        let deadline = cposix_monotonic_now() + 60
        while cposix_monotonic_now() < deadline {
            if states.contains(state) { return true }
            poll(nil, 0, 5)
        }
        return false
    }

    private static func split(_ text: [UInt8]) -> [String] {
        text.split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) }
    }
}

/// The notes of the stage.
private final class StageNotes: Sendable {
    let reported = Mutex<[DetectorHealth]>([])
    let said = Mutex<[String]>([])
}
