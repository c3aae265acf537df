import DockTestKit
import DockTypes
import Foundation
import Synchronization
import Testing

@testable import EventLog

@Suite struct LogFileTests {
    private let temporary = TemporaryFolder()
    private let today = day("2026-11-27")

    private func folder() throws -> LogFolder { try LogFolder.open(temporary.path + "/log", makes: true) }

    private func line(_ order: Int, _ day: Day, what: String = "x", isUrgent: Bool = false) -> LogLine {
        let time = wall(day.text + "T12:00:00+00:00")
        return LogLine(
            bytes: LogRecord(.event, what).line(time: time, order: order), day: day, isUrgent: isUrgent)
    }

    @Test func `only the owner can read the folder and its files`() throws {
        let folder = try folder(), writer = LogWriter(folder)
        #expect(writer.append(line(1, day("2026-11-27")), now: 0) == nil)
        #expect(temporary.mode(of: "log") == 0o700 && temporary.mode(of: "log/2026-11-27.jsonl") == 0o600)
    }

    @Test func `a folder that a person made readable is closed`() throws {
        let path = temporary.path + "/open"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        chmod(path, 0o755)
        _ = try LogFolder.open(path, makes: true)
        #expect(temporary.mode(of: "open") == 0o700)
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
        let text = temporary.text(of: "log/2026-11-27.jsonl") ?? ""
        #expect(text.split(separator: "\n").count == 1 && StoredRecord(line: text.utf8.dropLast())?.order == 2)
    }

    @Test func `a file that a person deletes is replaced, and no record is lost`() throws {
        let folder = try folder(), writer = LogWriter(folder)
        _ = writer.append(line(1, day("2026-11-27")), now: 0)
        try folder.remove(day("2026-11-27"))
        #expect(writer.append(line(2, day("2026-11-27")), now: 0) == nil)
        #expect(StoredRecord(line: (temporary.text(of: "log/2026-11-27.jsonl") ?? "").utf8.dropLast())?.order == 2)
    }

    @Test func `a link in the place of a file is not followed`() throws {
        let folder = try folder()
        temporary.write("mine", to: "victim")
        symlink(temporary.path + "/victim", temporary.path + "/log/2026-11-27.jsonl")
        #expect(LogWriter(folder).append(line(1, day("2026-11-27")), now: 0) != nil)
        #expect(temporary.text(of: "victim") == "mine")
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

    // MARK: the disk

    @Test func `lines that the disk refuses are in doubt, and it must prove that it works again`() throws {
        let status = Atomic<Int32>(0), count = Atomic(0)
        let writer = LogWriter(
            try folder(),
            flush: { _ in
                count.add(1, ordering: .relaxed)
                errno = EIO
                return status.load(ordering: .relaxed)
            })
        for order in 1...3 { #expect(writer.append(line(order, today), now: 0) == nil) }
        #expect(writer.takeDoubt() == nil && count.load(ordering: .relaxed) == 0)
        status.store(-1, ordering: .relaxed)
        writer.synchronise(now: LogWriter.patience)
        #expect(writer.takeDoubt() == LogWriter.Doubt(records: 3, reason: "Input/output error"))
        #expect(writer.append(line(4, today), now: 6) == "Input/output error" && writer.takeDoubt() == nil)
        status.store(0, ordering: .relaxed)
        #expect(writer.append(line(5, today), now: 7) == nil && count.load(ordering: .relaxed) == 3)
        #expect(writer.append(line(6, today), now: 7) == nil && count.load(ordering: .relaxed) == 3, "it works")
    }

    @Test func `a grave line that the disk refuses is lost, and those before it are in doubt`() throws {
        let writer = LogWriter(
            try folder(),
            flush: { _ in
                errno = EIO
                return -1
            })
        #expect(writer.append(line(1, today), now: 0) == nil)
        #expect(writer.append(line(2, today, isUrgent: true), now: 0) == "Input/output error")
        #expect(writer.takeDoubt()?.records == 1)
    }

    // MARK: a clock that was wrong

    @Test func `a file of a day in the future does not hide the last record, nor its torn line`() throws {
        let folder = try folder(), writer = LogWriter(folder)
        _ = writer.append(line(7, day("2099-01-01")), now: 0)
        _ = writer.append(line(8, today), now: 0)
        writer.finish()
        #expect(try folder.last(today: today)?.order == 8)
        let name = "log/2026-11-27.jsonl", whole = temporary.text(of: name) ?? ""
        temporary.write(whole + whole.dropLast(9), to: name)
        #expect(try folder.repair(today: today) > 0 && temporary.text(of: name) == whole)
        // The clock was set after the last record.
        _ = writer.append(line(9, day("2099-01-02")), now: 0)
        writer.finish()
        #expect(try folder.last(today: today)?.order == 9)
        let late = "log/2099-01-02.jsonl", text = temporary.text(of: late) ?? ""
        temporary.write(text + "{", to: late)
        #expect(try folder.repair(today: today) == 1)
    }

    @Test func `a reader that follows finds new records, also beside a file of a day in the future`() throws {
        let folder = try folder(), writer = LogWriter(folder)
        let reader = LogReader(folder, LogRange()) { day("2026-11-27") }
        _ = writer.append(line(1, day("2099-01-01")), now: 0)
        _ = writer.append(line(2, day("2026-11-26")), now: 0)
        #expect(try reader.next().map(\.order) == [1])
        #expect(try reader.next().map(\.order) == [2])
        #expect(try reader.next().isEmpty)
        _ = writer.append(line(3, today), now: 0)
        #expect(try reader.next().map(\.order) == [3])
        #expect(try reader.next().isEmpty)
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
        temporary.write(whole + whole.dropLast(9), to: "log/2026-11-27.jsonl")
        #expect(try folder.repair(today: today) == whole.utf8.count - 9)
        #expect(temporary.text(of: "log/2026-11-27.jsonl") == whole)
        temporary.write(String(whole.dropLast()), to: "log/2026-11-27.jsonl")
        #expect(try folder.repair(today: today) == 0)
        #expect(temporary.text(of: "log/2026-11-27.jsonl") == whole)
        #expect(try folder.last(today: today)?.order == 5)
    }

    @Test func `a file of garbage is no obstacle`() throws {
        let folder = try folder()
        temporary.write(String(repeating: "x", count: 300_000), to: "log/2026-11-27.jsonl")
        #expect(try folder.repair(today: today) == 300_000)
        #expect(try folder.last(today: today) == nil)
        #expect(LogWriter(folder).append(line(1, day("2026-11-27")), now: 0) == nil)
    }

    // MARK: reading

    @Test func `records are read in order, over midnight, while they are written`() throws {
        let folder = try folder(), writer = LogWriter(folder)
        let reader = LogReader(folder, LogRange()) { day("2026-11-27") }
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
        let reader = LogReader(folder, LogRange()) { day("2026-11-27") }
        let long = String(repeating: "y", count: 3 * LogReader.longest)
        temporary.write("{broken\n" + long + "\n" + whole.prefix(20), to: "log/2026-11-27.jsonl")
        #expect(try reader.next().isEmpty)
        #expect(reader.damaged == 2)
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: temporary.path + "/log/2026-11-27.jsonl"))
        try file.seekToEnd()
        try file.write(contentsOf: Data(whole.dropFirst(20).utf8))
        #expect(try reader.next().map(\.order) == [1])
    }

    @Test func `a reader that has seen a torn line reads what replaces it`() throws {
        let folder = try folder(), whole = String(decoding: line(1, day("2026-11-27")).bytes, as: UTF8.self)
        let reader = LogReader(folder, LogRange()) { day("2026-11-27") }
        temporary.write(whole + whole.dropLast(9), to: "log/2026-11-27.jsonl")
        #expect(try reader.next().map(\.order) == [1])
        #expect(try reader.next().isEmpty)
        _ = try folder.repair(today: today)
        let writer = LogWriter(folder)
        for order in 2...4 { _ = writer.append(line(order, day("2026-11-27")), now: 0) }
        #expect(try reader.next().map(\.order) == [2, 3, 4] && reader.damaged == 0)
    }

    @Test func `a reader survives the deletion of its file`() throws {
        let folder = try folder(), writer = LogWriter(folder)
        let reader = LogReader(folder, LogRange()) { day("2026-11-27") }
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
        let reader = LogReader(folder, range) { day("2026-11-27") }
        var orders: [Int] = []
        while case let records = try reader.next(), !records.isEmpty { orders += records.map(\.order) }
        #expect(orders == [1, 2])
        range.kinds = ["fault"]
        let none = LogReader(folder, range) { day("2026-11-27") }
        #expect(try none.next().isEmpty)
    }
}
