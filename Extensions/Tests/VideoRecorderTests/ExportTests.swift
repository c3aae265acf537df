import DockTypes
import Foundation
import Processes
import Testing

@testable import VideoRecorder

@Suite struct ExportPlanTests {
    private func name(_ start: Int, _ duration: Int) -> ChunkName {
        ChunkName(start: start, duration: duration, verdict: .clear)
    }

    private func plan(_ names: [ChunkName], _ range: DateRange = .all, coding: [UInt64] = []) -> ExportPlan {
        ExportPlan(names.enumerated().map { ($1, $0 < coding.count ? coding[$0] : 1) }, range: range)
    }

    @Test func `chunks that follow each other keep their distance, to the millisecond`() {
        let plan = plan([name(10_000, 10_010), name(20_012, 9_990), name(30_000, 5000)])
        #expect(plan.parts.count == 1 && plan.parts[0].pieces.map(\.length) == [10_012, 9_988, 5000])
        #expect(plan.gaps.isEmpty && plan.length == 25_000)
    }

    @Test func `a time without recording is left out, and named`() {
        let plan = plan([name(10_000, 10_000), name(60_000, 10_000)])
        #expect(plan.gaps == [ExportPlan.Gap(from: 20_000, to: 60_000)] && plan.length == 20_000)
    }

    @Test func `a range is cut at its ends`() {
        let plan = plan(
            [name(0, 10_000), name(10_000, 10_000), name(20_000, 10_000), name(30_000, 10_000)],
            DateRange(from: 14_000, to: 25_500))
        #expect(plan.names.map(\.start) == [10_000, 20_000] && plan.length == 11_500)
        let list = plan.parts[0].list(in: "/a b/it's")
        #expect(
            list == """
                ffconcat version 1.0
                file 'file:/a b/it'\\''s/chunk_10000_10000_clear.mp4'
                inpoint 4.000
                duration 6.000
                file 'file:/a b/it'\\''s/chunk_20000_10000_clear.mp4'
                inpoint 0.000
                outpoint 5.500
                duration 5.500

                """)
    }

    @Test func `another coding makes another film`() {
        let plan = plan([name(0, 10), name(10, 10), name(20, 10), name(30, 10)], coding: [1, 1, 2, 1])
        #expect(plan.parts.map { $0.pieces.count } == [2, 1, 1])
        #expect(FilmExport.files(plan, output: "/x/visit.mp4") == ["/x/visit.mp4", "/x/visit-2.mp4", "/x/visit-3.mp4"])
        #expect(FilmExport.files(plan, output: "visit").first == "visit.mp4")
        #expect(FilmExport.files(plan, output: "visit.mov").prefix(2) == ["visit.mov", "visit-2.mov"])
    }

    @Test func `chunks of a clock that was set back are shown whole`() {
        let plan = plan([name(0, 10_000), name(1000, 10_000)])
        #expect(plan.parts[0].pieces.map(\.length) == [10_000, 10_000])
    }

    @Test func `nothing makes no film`() {
        #expect(plan([]).parts.isEmpty && plan([name(0, 10)], DateRange(from: 50, to: 60)).parts.isEmpty)
    }
}

@Suite(.enabled(if: Film.hasTools, "ffmpeg is not installed"), .timeLimit(.minutes(10)))
struct FilmExportTests {
    private let temporary = TemporaryFolder()

    @Test func `chunks become one film with every frame at its time`() throws {
        let shop = try Workshop(temporary) { $0.copies = true }
        #expect(shop.start())
        shop.film(250, from: 0)
        #expect(shop.wait { $0.stored.count >= 3 })
        #expect(
            shop.wait { shop in
                shop.stored.prefix(2).allSatisfy { (try? shop.folder.scan($0.name.file))?.isFragmented == false }
            })
        shop.finish()
        let export = FilmExport(shop.folder), plan = try export.plan(.all)
        #expect(plan.parts.count == 1 && plan.names.count == shop.stored.count && plan.gaps.isEmpty)
        let file = temporary.path + "/visit.mp4"
        try export.write(plan, to: [file])
        let times = try Film.times(file), numbers = try Film.frames(file)
        #expect(numbers == Array(numbers[0]..<(numbers[0] + numbers.count)))
        #expect(numbers.count == shop.stored.reduce(0) { $0 + $1.tally.frames })
        #expect(zip(times, 0...).allSatisfy { abs($0 - Double($1) / 30) <= 0.002 })
        let error = #expect(throws: DockError.self) { try export.write(plan, to: [file]) }
        #expect(error?.message.contains("exists already") == true)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: temporary.path).sorted() == ["recordings", "visit.mp4"])
    }

    @Test func `a range begins at most a second early`() throws {
        let shop = try Workshop(temporary) { $0.length = 10 }
        #expect(shop.start())
        shop.film(200, from: 0)
        shop.finish()
        let record = try #require(shop.stored.first), start = record.name.start
        let export = FilmExport(shop.folder)
        let plan = try export.plan(DateRange(from: start + 2500, to: start + 4000)), file = temporary.path + "/part.mp4"
        try export.write(plan, to: [file])
        let numbers = try Film.frames(file)
        let first = try #require(numbers.first), last = try #require(numbers.last)
        let begin = try Film.frames(shop.folder.path(of: record.name.file))[0]
        #expect(
            (45...75).contains(first - begin) && (118...121).contains(last - begin),
            "\(first - begin)...\(last - begin)")
    }
}

/// Files that ffmpeg writes. No other user may read them, not even while they are written.
@Suite struct DraftTests {
    private let temporary = TemporaryFolder()

    /// A program that notes the mode and the path of the file that it is to write, and fails.
    private func program() throws -> String {
        let path = temporary.path + "/program", seen = temporary.path + "/seen"
        let text = """
            #!/bin/sh
            for last; do :; done
            stat -c '%a %n' "${last#file:}" >> \(seen)
            exit 3
            """
        // A child writes it. A program that another test starts meanwhile would hold a descriptor of ours.
        let run = try ChildRun.run(
            ["/bin/sh", "-c", "cat > \"$0\" && chmod 700 \"$0\"", path], input: Array((text + "\n").utf8))
        #expect(run.ending == .exited(0))
        return path
    }

    private var seen: [Substring] {
        ((try? String(contentsOfFile: temporary.path + "/seen", encoding: .utf8)) ?? "").split(separator: "\n")
    }

    private func chunk() throws -> ChunkName {
        let name = ChunkName(start: 1000, duration: 150, verdict: .clear)
        _ = try temporary.chunks()
        try temporary.write(Box.film, "recordings/" + name.file)
        return name
    }

    @Test func `an export is written into a file of its own, under a name that cannot be guessed`() throws {
        _ = try chunk()
        let export = try FilmExport(temporary.chunks(), program: program()), plan = try export.plan(.all)
        for _ in 0..<2 {
            #expect(throws: DockError.self) { try export.write(plan, to: [temporary.path + "/visit.mp4"]) }
        }
        #expect(seen.count == 2 && seen.allSatisfy { $0.hasPrefix("600 \(temporary.path)/.dockface-") })
        #expect(Set(seen).count == 2)
        let left = try FileManager.default.contentsOfDirectory(atPath: temporary.path)
        #expect(left.sorted() == ["program", "recordings", "seen"])
    }

    @Test func `the copy of a chunk is written into a file of its own`() throws {
        let name = try chunk(), copies = try FastStart(temporary.chunks(), program: program())
        try temporary.write([1], "recordings/chunk_1000.draft")
        copies.add(name)
        var reports: [DiskReport] = []
        let end = ClockReading.now().monotonic + 60
        repeat {
            reports += copies.turn(now: ClockReading.now().monotonic) { _ in true }
            var waits = copies.waits
            if !copies.isIdle { _ = poll(&waits, nfds_t(waits.count), 100) }
        } while !copies.isIdle && ClockReading.now().monotonic < end
        #expect(reports.count == 1 && seen == ["600 \(temporary.path)/recordings/chunk_1000.draft"])
        #expect(temporary.names() == [name.file])
    }
}
