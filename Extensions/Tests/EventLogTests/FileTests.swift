import DockTypes
import Foundation
import Synchronization
import Testing

@testable import EventLog

@Suite struct LogFileTests {
    private let temporary = TemporaryFolder()

    private func folder() throws -> LogFolder { try LogFolder.open(temporary.path + "/log", makes: true) }

    private func line(_ order: Int, _ day: Day, what: String = "x", isUrgent: Bool = false) -> LogLine {
        let time = wall(day.text + "T12:00:00+00:00")
        return LogLine(
            bytes: LogRecord(.event, what).line(time: time, order: order), day: day, isUrgent: isUrgent)
    }

    @Test func `only the owner can read the folder and its files`() throws {
        let folder = try folder(), writer = LogWriter(folder)
        #expect(writer.append(line(1, day("2026-11-27")), now: 0) == nil)
        #expect(temporary.mode("log") == 0o700 && temporary.mode("log/2026-11-27.jsonl") == 0o600)
    }

    @Test func `a folder that a person made readable is closed`() throws {
        let path = temporary.path + "/open"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        chmod(path, 0o755)
        _ = try LogFolder.open(path, makes: true)
        #expect(temporary.mode("open") == 0o700)
    }

    @Test func `a folder that others can write to is rejected`() throws {
        let path = temporary.path + "/public"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        chmod(path, 0o777)
        let error = #expect(throws: DockError.self) { try LogFolder.open(path, makes: true) }
        #expect(error?.code == .permission)
    }

    @Test func `a line goes to the file of its day`() throws {
        let folder = try folder(), writer = LogWriter(folder)
        for (order, text) in ["2026-11-26", "2026-11-27", "2026-11-27"].enumerated() {
            #expect(writer.append(line(order, day(text)), now: 0) == nil)
        }
        let sizes = try folder.days()
        #expect(sizes.keys.sorted() == [day("2026-11-26"), day("2026-11-27")])
        #expect(sizes[day("2026-11-27")] == 2 * (sizes[day("2026-11-26")] ?? 0))
    }

    @Test func `half a line never stays when the disk is full`() throws {
        let isFull = Atomic(true)
        let writer = LogWriter(try folder()) { descriptor, bytes in
            write(descriptor, bytes, isFull.load(ordering: .relaxed) ? bytes.count / 2 : bytes.count)
        }
        #expect(writer.append(line(1, day("2026-11-27")), now: 0) == "No space left on device")
        isFull.store(false, ordering: .relaxed)
        #expect(writer.append(line(2, day("2026-11-27")), now: 0) == nil)
        let text = temporary.text("log/2026-11-27.jsonl") ?? ""
        #expect(text.split(separator: "\n").count == 1 && StoredRecord(line: text.utf8.dropLast())?.order == 2)
    }

    @Test func `a file that a person deletes is replaced, and no record is lost`() throws {
        let folder = try folder(), writer = LogWriter(folder)
        _ = writer.append(line(1, day("2026-11-27")), now: 0)
        try folder.remove(day("2026-11-27"))
        #expect(writer.append(line(2, day("2026-11-27")), now: 0) == nil)
        #expect(StoredRecord(line: (temporary.text("log/2026-11-27.jsonl") ?? "").utf8.dropLast())?.order == 2)
    }

    @Test func `a link in the place of a file is not followed`() throws {
        let folder = try folder()
        try temporary.write("mine", "victim")
        symlink(temporary.path + "/victim", temporary.path + "/log/2026-11-27.jsonl")
        #expect(LogWriter(folder).append(line(1, day("2026-11-27")), now: 0) != nil)
        #expect(temporary.text("victim") == "mine")
    }

    @Test func `one program at a time records in a folder`() throws {
        let folder = try folder()
        #expect(!LogLock.isHeld(folder))
        do {
            let lock = try LogLock(folder)
            #expect(LogLock.isHeld(folder))
            let error = #expect(throws: DockError.self) { try LogLock(folder) }
            #expect(error?.exitStatus == 75)
            withExtendedLifetime(lock) {}
        }
        #expect(!LogLock.isHeld(folder))
    }

    // MARK: repair

    @Test func `the end of a file after a crash is judged`() {
        let whole = Array(#"{"kind":"event","order":1,"time":"2026-11-27T12:00:00Z","what":"x"}"#.utf8)
        #expect(TornTail([]) == .none && TornTail(whole + [0x0A]) == .none)
        #expect(TornTail(whole + [0x0A] + whole) == .addEnd)
        #expect(TornTail(whole + [0x0A] + whole.dropLast(5)) == .cut(whole.count - 5))
        #expect(TornTail(whole + [0x0A] + [UInt8](repeating: 0, count: 4096)) == .cut(4096))
    }

    @Test func `a torn last line is removed at the start, and an end that is missing is added`() throws {
        let folder = try folder()
        let whole = String(decoding: line(5, day("2026-11-27")).bytes, as: UTF8.self)
        try temporary.write(whole + whole.dropLast(9), "log/2026-11-27.jsonl")
        #expect(try folder.repair() == whole.utf8.count - 9)
        #expect(temporary.text("log/2026-11-27.jsonl") == whole)
        try temporary.write(String(whole.dropLast()), "log/2026-11-27.jsonl")
        #expect(try folder.repair() == 0)
        #expect(temporary.text("log/2026-11-27.jsonl") == whole)
        #expect(try folder.last()?.order == 5)
    }

    @Test func `a file of garbage is no obstacle`() throws {
        let folder = try folder()
        try temporary.write(String(repeating: "x", count: 300_000), "log/2026-11-27.jsonl")
        #expect(try folder.repair() == 300_000)
        #expect(try folder.last() == nil)
        #expect(LogWriter(folder).append(line(1, day("2026-11-27")), now: 0) == nil)
    }

    // MARK: reading

    @Test func `records are read in order, over midnight, while they are written`() throws {
        let folder = try folder(), writer = LogWriter(folder)
        let reader = LogReader(folder, LogRange())
        #expect(try reader.next().isEmpty)
        _ = writer.append(line(1, day("2026-11-26")), now: 0)
        #expect(try reader.next().map(\.order) == [1])
        #expect(try reader.next().isEmpty)
        _ = writer.append(line(2, day("2026-11-26")), now: 0)
        _ = writer.append(line(3, day("2026-11-27")), now: 0)
        _ = writer.append(line(4, day("2026-11-27")), now: 0)
        #expect(try reader.next().map(\.order) == [2])
        #expect(try reader.next().map(\.order) == [3, 4])
        #expect(try reader.next().isEmpty && reader.damaged == 0)
    }

    @Test func `half a line waits for its end, and damaged lines are counted`() throws {
        let folder = try folder(), whole = String(decoding: line(1, day("2026-11-27")).bytes, as: UTF8.self)
        let reader = LogReader(folder, LogRange())
        let long = String(repeating: "y", count: 3 * LogReader.longest)
        try temporary.write("{broken\n" + long + "\n" + whole.prefix(20), "log/2026-11-27.jsonl")
        #expect(try reader.next().isEmpty)
        #expect(reader.damaged == 2)
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: temporary.path + "/log/2026-11-27.jsonl"))
        try file.seekToEnd()
        try file.write(contentsOf: Data(whole.dropFirst(20).utf8))
        #expect(try reader.next().map(\.order) == [1])
    }

    @Test func `a reader that has seen a torn line reads what replaces it`() throws {
        let folder = try folder(), whole = String(decoding: line(1, day("2026-11-27")).bytes, as: UTF8.self)
        let reader = LogReader(folder, LogRange())
        try temporary.write(whole + whole.dropLast(9), "log/2026-11-27.jsonl")
        #expect(try reader.next().map(\.order) == [1])
        #expect(try reader.next().isEmpty)
        _ = try folder.repair()
        let writer = LogWriter(folder)
        for order in 2...4 { _ = writer.append(line(order, day("2026-11-27")), now: 0) }
        #expect(try reader.next().map(\.order) == [2, 3, 4] && reader.damaged == 0)
    }

    @Test func `a reader survives the deletion of its file`() throws {
        let folder = try folder(), writer = LogWriter(folder)
        let reader = LogReader(folder, LogRange())
        _ = writer.append(line(1, day("2026-11-27")), now: 0)
        _ = try reader.next()
        try folder.remove(day("2026-11-27"))
        #expect(try reader.next().isEmpty)
        _ = writer.append(line(2, day("2026-11-27"), what: "after"), now: 0)
        #expect(try reader.next().map(\.what) == ["after"])
        try folder.remove(day("2026-11-27"))
        _ = writer.append(line(3, day("2026-11-27"), what: "later"), now: 0)
        #expect(try reader.next().map(\.what) == ["later"])
        #expect(try reader.next().isEmpty, "no record is read twice")
    }

    @Test func `only records of the range and the kinds are read`() throws {
        let folder = try folder(), writer = LogWriter(folder)
        for (order, text) in ["2026-11-20", "2026-11-25", "2026-11-26", "2026-11-27"].enumerated() {
            _ = writer.append(line(order, day(text)), now: 0)
        }
        let since = wall("2026-11-25T00:00:00Z").unix, until = wall("2026-11-26T23:00:00Z").unix
        var range = LogRange(since: since, until: until)
        let reader = LogReader(folder, range)
        var orders: [Int] = []
        while case let records = try reader.next(), !records.isEmpty { orders += records.map(\.order) }
        #expect(orders == [1, 2])
        range.kinds = ["fault"]
        let none = LogReader(folder, range)
        #expect(try none.next().isEmpty)
    }
}
