import CPosix
import Geometry
import Glibc
import Processes
import Synchronization
import Testing

@testable import FaceTracker

/// Real children that behave, crash, hang, flood and talk nonsense.
@Suite struct DetectorStageTests {
    /// A stage with the pipe that a session would read.
    private final class Rig: Sendable {
        let stage: DetectorStage
        let descriptor: Int32
        private let notes = Notes()

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
                    options, feed: feed, output: writeEnd,
                    listener: .init(
                        onChange: { health in notes.told.withLock { $0.append(health) } },
                        onLog: { line in notes.said.withLock { $0.append(line) } })))
            stage.start()
        }

        deinit { close(descriptor) }

        var states: [ProcessWatch.State] { notes.told.withLock { $0.map(\.state) } }
        var health: DetectorHealth? { notes.told.withLock { $0.last } }
        var log: [String] { notes.said.withLock { $0 } }

        /// Lines from the pipe, until `isEnough` or the pipe's end; ten seconds at most.
        func lines(until isEnough: ([String]) -> Bool) -> [String] {
            var text: [UInt8] = [], chunk = [UInt8](repeating: 0, count: 1 << 16)
            let deadline = cposix_monotonic_now() + 10
            while cposix_monotonic_now() < deadline {
                var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
                guard poll(&wait, 1, 100) > 0 else {
                    if isEnough(Self.split(text)) { break }
                    continue
                }
                let count = read(descriptor, &chunk, chunk.count)
                guard count > 0 else { break }
                text += chunk[..<count]
                if isEnough(Self.split(text)) { break }
            }
            return Self.split(text)
        }

        /// Waits for a state; ten seconds at most.
        func waits(for state: ProcessWatch.State) -> Bool {
            let deadline = cposix_monotonic_now() + 10
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

    /// What the stage has told.
    private final class Notes: Sendable {
        let told = Mutex<[DetectorHealth]>([])
        let said = Mutex<[String]>([])
    }

    private static let frame = #"{"faces":[{"rect":[0.4,0.2,0.1,0.2]}]}"#

    @Test func `lines of a child are handed on, and its bye ends the stream`() throws {
        let rig = try Rig("echo '\(Self.frame)'; echo '{\"type\":\"bye\",\"reason\":\"eof\"}'")
        let lines = rig.lines { _ in false }
        #expect(lines.first == Self.frame)
        #expect(lines.last?.contains(#""type":"bye""#) == true)
        #expect(lines.count == 2)
        rig.stage.stop()
    }

    @Test func `a child that crashes is started again, and says so`() throws {
        let rig = try Rig("echo '\(Self.frame)'; echo broken >&2; kill -SEGV $$")
        let lines = rig.lines { $0.count >= 3 }
        #expect(lines.count >= 3)
        #expect(lines.allSatisfy { $0 == Self.frame }, "no bye: the stream goes on")
        #expect(rig.waits(for: .restarting))
        #expect(rig.waits(for: .failed), "five ends in a minute")
        #expect(rig.log.contains { $0.contains("broken") })
        #expect(rig.health?.problem?.contains("signal 11") == true)
        rig.stage.stop()
    }

    @Test func `a child that hangs is ended and started again`() throws {
        let rig = try Rig("trap '' TERM; echo '\(Self.frame)'; while :; do sleep 1; done") { options in
            options.patience.silence = 0.2
        }
        #expect(rig.waits(for: .stalled))
        let lines = rig.lines { $0.count >= 2 }
        #expect(lines.count >= 2, "another one speaks")
        rig.stage.stop()
    }

    @Test func `nonsense stops here, and after twenty lines of it the child is started again`() throws {
        let rig = try Rig("echo '\(Self.frame)'; for i in $(seq 25); do echo \"error $i\"; done; sleep 60")
        let lines = rig.lines { $0.count >= 2 }
        #expect(lines.allSatisfy { $0 == Self.frame })
        #expect(rig.health?.restarts ?? 0 >= 1)
        #expect(rig.log.contains { $0.contains("only standard input takes commands") })
        rig.stage.stop()
    }

    @Test func `a flood neither fills memory nor keeps the stage from ending`() throws {
        let rig = try Rig("yes '\(Self.frame)'")
        // Nobody reads the pipe.
        #expect(rig.waits(for: .running))
        poll(nil, 0, 300)
        let before = cposix_monotonic_now()
        rig.stage.stop()
        #expect(cposix_monotonic_now() - before < 2)
        // What waits is bounded: the pipe's 64 KiB, and no half line.
        let lines = rig.lines { _ in false }
        #expect(lines.dropLast().allSatisfy { $0 == Self.frame })
    }

    @Test func `a child that cannot begin says why, and is not nagged`() throws {
        let rig = try Rig("echo 'no module named brain' >&2; exit 69")
        #expect(rig.waits(for: .failed))
        #expect(rig.health?.problem == "no module named brain (exit status 69)")
        #expect(rig.health?.restarts == 0)
        rig.stage.stop()
    }

    @Test func `a program that does not exist is told`() throws {
        let rig = try Rig("") { $0.words = ["/nowhere/detector"] }
        #expect(rig.waits(for: .failed))
        #expect(rig.health?.problem == "/nowhere/detector: No such file or directory")
        rig.stage.stop()
    }

    @Test func `another version of the stream is refused in words`() throws {
        let rig = try Rig(#"echo '{"type":"hello","v":2}'; sleep 60"#)
        #expect(rig.waits(for: .stalled))
        #expect(rig.log.contains { $0.contains("speaks version 2") })
        rig.stage.stop()
    }

    @Test func `what it started ends with it`() throws {
        let rig = try Rig("sleep 1000 & echo \"{\\\"faces\\\":[],\\\"pid\\\":$!}\"; wait")
        let line = try #require(rig.lines { $0.count >= 1 }.first)
        let child = try #require(pid_t(line.split(separator: ":").last?.dropLast() ?? ""))
        #expect(kill(child, 0) == 0)
        rig.stage.stop()
        let isGone = (0..<500).contains { _ in
            defer { poll(nil, 0, 10) }
            return kill(child, 0) != 0 || Self.isZombie(child)
        }
        #expect(isGone)
    }

    private static func isZombie(_ id: pid_t) -> Bool {
        let file = open("/proc/\(id)/stat", O_RDONLY)
        guard file >= 0 else { return true }
        defer { close(file) }
        var text = [UInt8](repeating: 0, count: 256)
        let count = read(file, &text, text.count)
        return String(decoding: text[..<max(count, 0)], as: UTF8.self).contains(") Z")
    }

    @Test func `on standby it is asked to rest, and nobody hears it`() throws {
        let rig = try Rig("while read -r line; do echo \"$line\" >&2; done")
        rig.stage.isActive = false
        let isAsked = (0..<1000).contains { _ in
            defer { poll(nil, 0, 5) }
            return rig.log.contains { $0.contains("pause") }
        }
        #expect(isAsked)
        rig.stage.isActive = true
        let goesOn = (0..<1000).contains { _ in
            defer { poll(nil, 0, 5) }
            return rig.log.contains { $0.contains("resume") }
        }
        #expect(goesOn)
        rig.stage.stop()
    }

    // MARK: fed with pictures

    private final class Picture: StagePicture {
        let sequence: Int, exposure: Seconds, arrival: Seconds
        let width = 640, height = 480
        nonisolated(unsafe) let bytes: UnsafeRawBufferPointer

        init(_ sequence: Int) {
            self.sequence = sequence
            arrival = cposix_monotonic_now()
            exposure = arrival - 0.03
            let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 640 * 480 * 3, alignment: 16)
            memory.initializeMemory(as: UInt8.self, repeating: UInt8(truncatingIfNeeded: sequence))
            bytes = UnsafeRawBufferPointer(memory)
        }

        deinit { bytes.deallocate() }
    }

    /// As many pictures as asked for, always ready; then none any more.
    private static func feed(_ count: Int) -> PictureFeed {
        let next = Mutex(0)
        return PictureFeed(
            descriptor: -1, isLossless: true,
            take: {
                next.withLock { next in
                    guard next < count else { return nil }
                    next += 1
                    return Picture(next - 1)
                }
            }, isOver: { next.withLock { $0 == count } })
    }

    /// Answers each picture with the value of its first byte as the rectangle's x, in hundredths.
    private static let echo = """
        exec python3 -u -c '
        import sys, json
        print(json.dumps({"type": "hello", "v": 1, "detector": "echo", "clock": "monotonic"}))
        while line := sys.stdin.buffer.readline():
            ask = json.loads(line)
            if ask["type"] != "image": continue
            pixels = sys.stdin.buffer.read(ask["w"] * ask["h"] * 3)
            assert len(set(pixels)) == 1
            print(json.dumps({"seq": ask["seq"], "t": ask["t"], "faces": [{"rect": [pixels[0] / 100, 0.1, 0.1, 0.1]}]}))
        print(json.dumps({"type": "bye", "reason": "eof"}))
        '
        """

    @Test func `each picture arrives whole, with its number and its time, and is answered`() throws {
        let rig = try Rig(Self.echo, feed: Self.feed(40)) { $0.framesPerSecond = .infinity }
        let lines = rig.lines { _ in false }
        #expect(lines.count == 42, "hello, forty pictures, bye")
        for (index, line) in lines.dropFirst().dropLast().enumerated() {
            #expect(line.contains("\"seq\": \(index),"))
            #expect(line.contains("\"rect\": [\(Double(index) / 100)"))
        }
        #expect(rig.health?.latency ?? 0 > 0)
        rig.stage.stop()
    }

    @Test func `it is given no more pictures than it should get`() throws {
        let start = cposix_monotonic_now()
        let rig = try Rig(Self.echo, feed: Self.feed(11)) { $0.framesPerSecond = 20 }
        let lines = rig.lines { _ in false }
        #expect(lines.count == 13)
        #expect(cposix_monotonic_now() - start >= 0.5, "eleven pictures at twenty a second")
        rig.stage.stop()
    }

    @Test func `a child that dies in the middle of a picture is started again and given the next one`() throws {
        let rig = try Rig(
            "head -c 100000 >/dev/null; exit 3", feed: Self.feed(.max)
        ) { $0.framesPerSecond = .infinity }
        // Without a hello it is given nothing, so it says one first.
        #expect(rig.waits(for: .starting))
        rig.stage.stop()
        let second = try Rig(
            #"echo '{"type":"hello","v":1}'; head -c 100000 >/dev/null; exit 3"#, feed: Self.feed(.max)
        ) { $0.framesPerSecond = .infinity }
        #expect(second.waits(for: .restarting))
        #expect(second.waits(for: .failed))
        second.stage.stop()
    }
}

/// When a stage is given its next picture.
@Suite struct StagePaceTests {
    @Test func `the mean is what was asked for, however the pictures come`() {
        var pace = StagePace(framesPerSecond: 10)
        var now = 0.0, count = 0
        // A camera of 30 pictures a second whose pictures come up to 5 ms late.
        for picture in 0..<3000 {
            now = Double(picture) / 30 + Double(picture * 7 % 11) / 2200
            guard !pace.isWaiting, now >= pace.due else { continue }
            pace.handedOut(arrival: now, now: now)
            _ = pace.answered(now: now + 0.006)
            count += 1
        }
        #expect((995...1002).contains(count), "\(count) in 100 s")
    }

    @Test func `a stage that is slower than the pace is not flooded afterwards`() {
        var pace = StagePace(framesPerSecond: 10)
        pace.handedOut(arrival: 0, now: 0)
        _ = pace.answered(now: 5)
        pace.handedOut(arrival: 5, now: 5)
        #expect(pace.due > 5.04)
    }

    @Test func `latency counts from the picture, or from when the stage was free`() {
        var pace = StagePace(framesPerSecond: .infinity)
        pace.handedOut(arrival: 1, now: 1.002)
        #expect(abs((pace.answered(now: 1.010)?.median ?? 0) - 0.010) < 1e-9)
        pace.handedOut(arrival: 1.001, now: 1.010)
        #expect(abs((pace.answered(now: 1.018)?.median ?? 0) - 0.010) < 1e-9)
    }
}

/// What is handed on of a stage's stream.
@Suite struct StreamRelayTests {
    private func feed(_ relay: inout StreamRelay, _ text: String) -> [StreamRelay.Event] {
        Array(text.utf8).withUnsafeBytes { relay.feed($0, now: 100, realtime: 1e9) }
    }

    private func waiting(_ relay: StreamRelay) -> String { String(decoding: relay.waiting, as: UTF8.self) }

    @Test func `whole lines are handed on, half ones wait`() {
        var relay = StreamRelay()
        #expect(feed(&relay, #"{"faces":[]}"#) == [])
        #expect(waiting(relay) == "")
        #expect(feed(&relay, "\n{\"fa") == [.frame(sequence: nil)])
        #expect(waiting(relay) == "{\"faces\":[]}\n")
        relay.begin()
        _ = feed(&relay, "{\"type\":\"hello\",\"v\":1}\n")
        #expect(
            waiting(relay) == "{\"faces\":[]}\n{\"type\":\"hello\",\"v\":1}\n", "half a line of a dead child is nothing"
        )
    }

    @Test func `a reader that does not read gets whole lines and no more than there is room for`() {
        var relay = StreamRelay()
        let line = "{\"faces\":[],\"x\":\"" + String(repeating: "x", count: 1000) + "\"}\n"
        for _ in 0..<1000 { _ = feed(&relay, line) }
        #expect(relay.waiting.count <= StreamRelay.room)
        #expect(relay.waiting.count % line.utf8.count == 0)
        #expect(relay.dropped == 1000 - relay.waiting.count / line.utf8.count)
    }

    @Test func `who is on standby ends its line and says no more`() {
        var relay = StreamRelay()
        _ = feed(&relay, "{\"faces\":[]}\n{\"faces\":[]}\n")
        relay.wrote(5)
        relay.yield()
        #expect(waiting(relay) == "es\":[]}\n")
        relay.wrote(8)
        _ = feed(&relay, "{\"faces\":[]}\n")
        relay.yield()
        #expect(waiting(relay) == "")
    }

    @Test func `a late picture is a sign of life all the same`() {
        var relay = StreamRelay()
        _ = feed(&relay, "{\"type\":\"hello\",\"v\":1,\"clock\":\"monotonic\"}\n")
        #expect(feed(&relay, "{\"t\":90,\"faces\":[]}\n") == [.frame(sequence: nil)])
    }
}
