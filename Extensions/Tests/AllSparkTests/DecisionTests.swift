import DockTestKit
import ControlProtocol
import Testing

@testable import AllSpark

/// The parts of the conversation that decide by themselves.
@Suite struct DecisionTests {
    // MARK: names

    @Test func `a device is never called agent, and has three digits`() {
        #expect(device("agent").text == "dockface (Device-123)" && device(" AGENT ").word == "dockface")
        #expect(device("", 7).text == "dockface (Device-100)" && device("x", 100_000).number == 999)
        #expect(device("Küche/\u{1b}[2J", 200).text == "K-che---2J (Device-200)")
        #expect(device(String(repeating: "a", count: 99)).word.count == DeviceName.longest)
        var dice = Dice(3)
        let numbers = (0..<1000).map { _ in DeviceName.newNumber(using: &dice) }
        #expect(numbers.allSatisfy(DeviceName.numbers.contains))
    }

    @Test func `files are named by milliseconds, or by seconds for an older server`() {
        let now = UploadName(.milliseconds, device: device()), old = UploadName(.seconds, device: device("my lab"))
        #expect(now.name(of: .video(.mp4), for: chunk(0.25)) == "chunk_1795788303250.mp4")
        #expect(now.name(of: .video(.mov), for: chunk(0)) == "chunk_1795788303000.mov")
        #expect(now.name(of: .sound(.wav), for: chunk(0)) == "audio_1795788303000.wav")
        #expect(now.name(of: .timestamps, for: chunk(0)) == "timestamps_1795788303000.txt")
        #expect(now.name(of: .poses, for: chunk(0)) == "pose_1795788303000.json")
        var odd = chunk(0.007)
        odd.camera = "front_1/.."
        #expect(old.name(of: .video(.mp4), for: odd) == "recording_my-lab-123_front_1795788303.007.mp4")
        #expect(!old.allowsCompanions && now.allowsCompanions)
    }

    @Test func `times are written in UTC`() {
        #expect(UTCTime.text(noon) == "2026-11-27T14:05:03Z" && UTCTime.text(0) == "1970-01-01T00:00:00Z")
        #expect(UTCTime.text(951_782_400) == "2000-02-29T00:00:00Z" && UTCTime.text(-1) == "1969-12-31T23:59:59Z")
        #expect(UTCTime.text(1e300) == "1e+300 s since 1970" && UTCTime.text(.nan) == "nan s since 1970")
    }

    // MARK: time

    @Test func `a server that was there is tried every 5 s, another one less and less often`() {
        var plan = ReconnectPlan()
        let first = (0..<7).map { _ in plan.failed() }
        #expect(first == [5, 10, 20, 40, 60, 60, 60])
        plan.connected()
        let later = (0..<4).map { _ in plan.failed() }
        #expect(later == [5, 5, 5, 5])
    }

    @Test func `an answer may take 30 s, and longer after a large file`() {
        var answers = AnswerQueue()
        answers.expect(.announcement(chunk(0)), now: 100)
        answers.expect(.file(FileNeed(chunk: 1, role: .poses)), bytes: 60_000_000, now: 100)
        #expect(answers.deadline == 130 && answers.next == .announcement(chunk(0)))
        answers.pop()
        #expect(answers.deadline == 730)
        let announcements = answers.removeAll()
        #expect(announcements.isEmpty && answers.deadline == nil)
    }

    @Test func `a line is written once a minute, and at most 30 lines a minute`() {
        var gate = LineGate()
        let same = [0, 59, 60].map { gate.admits("a", now: $0) }
        #expect(same == [true, false, true])
        var flood = LineGate()
        let admitted = (0..<1000).count { flood.admits("line \($0)", now: 0) }
        #expect(admitted == 30)
    }

    // MARK: queue

    @Test func `each chunk waits once, the oldest first`() {
        var queue = UploadQueue()
        let added = [20.0, 0, 10, 0, 20].map { queue.add(chunk($0)) }
        #expect(added.allSatisfy { $0 })
        #expect(queue.tasks.map(\.chunk) == [chunk(0), chunk(10), chunk(20)])
        let first = queue.take()
        let second = queue.take()
        #expect(first?.chunk == chunk(0) && second == nil)
        // While it is being sent, it does not wait a second time.
        let isAdded = queue.add(chunk(0))
        #expect(isAdded && queue.tasks.count == 2)
        queue.finish(again: first)
        #expect(queue.tasks.map(\.chunk) == [chunk(0), chunk(10), chunk(20)])
    }

    @Test func `a long range is searched in parts, and no chunk of it is lost`() throws {
        let all = (0..<1000).map { chunk(Double($0) * 10) }
        var queue = UploadQueue(), taken: [ChunkReference] = [], most = 0
        _ = queue.request(range(0, 10_000))
        while !queue.isEmpty {
            if let search = queue.nextSearch() {
                let found = all.filter { search.range.overlaps(start: $0.start, end: $0.end) }
                let part = Array(found.prefix(search.limit))
                _ = queue.found(search.number, part, isComplete: part.count == found.count)
            }
            most = max(most, queue.tasks.count)
            if let task = queue.take() {
                taken.append(task.chunk)
                queue.finish()
            }
        }
        #expect(taken == all && most <= UploadQueue.most)
    }

    @Test func `too many ranges are refused, and an answer that was not asked for is ignored`() {
        var queue = UploadQueue()
        let admitted = (0..<100).count { queue.request(range(Double($0), Double($0) + 1)) }
        #expect(admitted == UploadQueue.mostRanges)
        let found = queue.found(7, [chunk(0)], isComplete: true)
        #expect(found == nil && queue.tasks.isEmpty)
    }

    @Test func `an answer to a search from before a stop is not taken for a newer one`() {
        var queue = UploadQueue()
        _ = queue.request(range(0, 10))
        let old = queue.nextSearch()
        queue.removeAll()
        _ = queue.request(range(20, 30))
        _ = queue.nextSearch()
        let found = queue.found(old?.number ?? 0, [chunk(0)], isComplete: true)
        #expect(found == nil && queue.tasks.isEmpty)
    }

    @Test func `a search that makes no progress ends`() {
        var queue = UploadQueue()
        _ = queue.request(range(100, 200))
        let search = queue.nextSearch()
        _ = queue.found(search?.number ?? 0, [chunk(0)], isComplete: false)
        let next = queue.nextSearch()
        #expect(next == nil)
    }
}

/// What a server may change in the owner's settings.
@Suite struct ConfigTests {
    /// Whether a result asks for more than the owner allows.
    static func widens(_ config: RecordingConfig, _ terms: OwnerTerms) -> Bool {
        (terms.video == nil && config.video != nil) || config.budget > terms.budget || config.rate > terms.rate
            || (!terms.keepsSound && config.sound != nil) || !RecordingConfig.lengths.contains(config.chunkLength)
            || config.budget < min(terms.leastBudget, terms.budget) || !(config.rate > 0)
    }

    private static func merge(
        _ members: [String: JSONValue], _ terms: OwnerTerms = OwnerTerms()
    ) -> (config: RecordingConfig, complaints: [String]) { RecordingConfig.merge(members, into: terms) }

    @Test func `a server can narrow what the owner allows`() {
        var terms = OwnerTerms()
        (terms.keepsSound, terms.keepsPoses) = (true, true)
        let (config, complaints) = Self.merge(
            [
                "videoFormat": .string("mov"), "videoChunkDurationMs": .number(10_000),
                "videoBufferMaxMB": .number(1000), "fps": .number(15), "audioFormat": .string("m4a"),
                "timestampFormat": .string("txt"), "poseFormat": .string("json"), "newKey": .bool(true),
                "communicationsPolicy": .object(["wifi": .bool(false), "usb": .bool(true), "pigeon": .bool(false)]),
            ], terms)
        #expect(complaints.isEmpty)
        #expect(config.video == .mov && config.chunkLength == 10 && config.rate == 15 && config.sound == .m4a)
        #expect(config.budget == 1000 * 1_048_576 && config.wantsTimestamps && config.wantsPoses)
        #expect(config.forbidden == [.wifi])
        #expect(config.companions(of: chunk(0)) == [.sound(.m4a), .timestamps, .poses])
        #expect(config.companions(of: chunk(0, hasSound: false)) == [.timestamps, .poses])
    }

    @Test func `a server cannot widen it`() {
        var terms = OwnerTerms()
        (terms.video, terms.budget, terms.rate) = (nil, 1_000_000_000, 10)
        let (config, complaints) = Self.merge(
            [
                "videoFormat": .string("mp4"), "videoBufferMaxMB": .number(1e12), "fps": .number(60),
                "audioFormat": .string("wav"), "videoChunkDurationMs": .number(1),
            ], terms)
        #expect(config.video == nil && config.budget == 1_000_000_000 && config.rate == 10 && config.sound == nil)
        #expect(config.chunkLength == 2)
        #expect(
            complaints.map { $0.split(separator: " ").first } == ["videoChunkDurationMs", "videoBufferMaxMB", "fps"])
    }

    @Test func `a server cannot make the recorder delete all that it keeps`() {
        #expect(Self.merge(["videoBufferMaxMB": .number(1)]).config.budget == OwnerTerms().leastBudget)
    }

    @Test func `a wrong type is ignored with one line`() {
        let (config, complaints) = Self.merge([
            "videoFormat": .number(4), "videoChunkDurationMs": .string("10000"), "videoBufferMaxMB": .null,
            "fps": .number(-1), "audioFormat": .string("flac"), "communicationsPolicy": .array([]),
        ])
        #expect(config == RecordingConfig(OwnerTerms()) && complaints.count == 6)
    }

    @Test func `no configuration widens the terms`() {
        var dice = Dice(5), narrowed = 0
        let values: [JSONValue] = [
            .null, .bool(true), .string("none"), .string("mov"), .string("wav"), .number(0), .number(-5),
            .number(1e300),
            .number(3), .number(.infinity), .array([]), .object(["wifi": .bool(false)]), .number(20_000),
            .number(9_000),
        ]
        let keys = [
            "videoFormat", "videoChunkDurationMs", "videoBufferMaxMB", "fps", "audioFormat", "poseFormat",
            "timestampFormat", "communicationsPolicy",
        ]
        for _ in 0..<5000 {
            var terms = OwnerTerms()
            terms.video = dice.once(in: 3) ? nil : .mp4
            terms.budget = Int.random(in: 0...20_000, using: &dice) * RecordingConfig.megabyte
            terms.rate = Double.random(in: 0.5...60, using: &dice)
            terms.keepsSound = .random(using: &dice)
            var members: [String: JSONValue] = [:]
            for key in keys where .random(using: &dice) { members[key] = values.randomElement(using: &dice) }
            let config = Self.merge(members, terms).config
            #expect(!Self.widens(config, terms), "\(members) \(terms)")
            if config != RecordingConfig(terms) { narrowed += 1 }
        }
        #expect(narrowed > 1000)
    }

    @Test func `the rule notices a configuration that widens`() {
        let terms = OwnerTerms()
        var wide = RecordingConfig(terms)
        wide.budget = terms.budget + 1
        #expect(Self.widens(wide, terms))
        wide = RecordingConfig(terms)
        wide.sound = .wav
        #expect(Self.widens(wide, terms))
    }
}
