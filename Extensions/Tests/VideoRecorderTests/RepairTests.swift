import DockTestKit
import DockTypes
import Foundation
import Geometry
import Testing

@testable import VideoRecorder

@Suite struct RepairTests {
    private let temporary = TemporaryFolder()

    private func repaired(_ bytes: [UInt8]) throws -> (names: [String], scan: FilmScan?) {
        let folder = try temporary.chunks()
        try temporary.write(bytes, "recordings/chunk_1000_covered.part")
        var news: [DiskReport] = []
        let desk = try DiskDesk(folder, RingLimits(), length: 10, news: &news)
        let names = temporary.names().filter { $0.hasPrefix("chunk_") }
        #expect(news.count == 1 && desk.ring.entries.count == names.count)
        let scan = try names.first.map { try folder.scan($0) }
        _ = try folder.delete(.all)
        return (names, scan)
    }

    private static let two = Box.head + Box.fragment(at: 0, [3000, 3000]) + Box.fragment(at: 6000, [3000])
    private static let first = Box.head.count + Box.fragment(at: 0, [3000, 3000]).count

    @Test func `a film that was cut at any byte is known to be whole up to its last fragment`() throws {
        let folder = try temporary.chunks()
        for count in 0...Self.two.count {
            try temporary.write(Array(Self.two[..<count]), "recordings/chunk_1000_covered.part")
            let scan = try folder.scan("chunk_1000_covered.part")
            #expect(scan.bytes == count)
            guard count >= Self.first else {
                #expect(scan.length.frames == 0)
                continue
            }
            #expect(scan.isFragmented && scan.wholeBytes == (count < Self.two.count ? Self.first : count))
            #expect(scan.length.frames == (count < Self.two.count ? 2 : 3))
        }
    }

    @Test(arguments: [
        0, 7, 8, 24, 25, Box.head.count, first - 1, first, first + 1, first + 8, two.count - 1, two.count,
    ])
    func `a film that was cut is cut back to its last whole fragment`(count: Int) throws {
        let (names, scan) = try repaired(Array(Self.two[..<count]))
        switch count {
        case ..<Self.first: #expect(names.isEmpty)
        case ..<Self.two.count:
            #expect(names == ["chunk_1000_67_covered.mp4"] && scan?.bytes == Self.first && scan?.isWhole == true)
        default: #expect(names == ["chunk_1000_100_covered.mp4"] && scan?.length.frames == 3)
        }
    }

    @Test func `a film with sound is cut behind a fragment of both, and its record names the sound`() throws {
        let folder = try temporary.chunks(), whole = Box.headWithSound + Box.fragment(at: 0, [3000, 3000], sound: 3)
        try temporary.write(
            whole + Box.fragment(at: 6000, [3000], sound: 2).dropLast(), "recordings/chunk_1000_covered.part")
        var news: [DiskReport] = []
        let desk = try DiskDesk(folder, RingLimits(), length: 10, news: &news)
        let name = ChunkName(start: 1000, duration: 67, verdict: .covered), scan = try folder.scan(name.file)
        #expect(scan.isWhole && scan.bytes == whole.count && scan.length.frames == 2)
        #expect(desk.book.record(of: name).hasSound)
        var silent = ChunkRecord(ChunkName(start: 2000, duration: 67, verdict: .covered))
        silent.hasSound = true
        try temporary.write(Box.head + Box.fragment(at: 0, [3000, 3000]), "recordings/" + silent.name.file)
        #expect(folder.problem(of: silent, decodes: false) == "it has no sound, and its list names some")
        #expect(folder.problem(of: desk.book.record(of: name), decodes: false) == nil)
    }

    @Test func `garbage, an empty file and a tail of zeros are no obstacle`() throws {
        #expect(try repaired([]).names.isEmpty)
        #expect(try repaired([UInt8](repeating: 0, count: 10_000)).names.isEmpty)
        #expect(try repaired(Array("no film".utf8)).names.isEmpty)
        let (names, scan) = try repaired(Box.film + [UInt8](repeating: 0, count: 4096))
        #expect(names == ["chunk_1000_150_covered.mp4"] && scan?.bytes == Box.film.count)
    }

    @Test func `a draft that was left is removed`() throws {
        let folder = try temporary.chunks()
        try temporary.write([1, 2, 3], "recordings/chunk_77.draft")
        var news: [DiskReport] = []
        _ = try DiskDesk(folder, RingLimits(), length: 10, news: &news)
        #expect(temporary.names() == [])
    }

    @Test(.enabled(if: Film.hasTools, "ffmpeg is not installed"))
    func `a real film that was cut at random bytes plays to its end`() throws {
        let whole = try film(MatroskaTests.times(150))
        var dice = Dice(41)
        let folder = try temporary.chunks()
        for _ in 0..<4 {
            let count = Int.random(in: whole.count / 3...whole.count, using: &dice)
            try temporary.write(Array(whole[..<count]), "recordings/chunk_1000_covered.part")
            var news: [DiskReport] = []
            let desk = try DiskDesk(folder, RingLimits(), length: 10, news: &news)
            let name = try #require(desk.ring.entries.first?.name)
            let frames = try Film.frames(folder.path(of: name.file))
            #expect(frames == Array(0..<frames.count) && frames.count >= 20)
            #expect(try folder.scan(name.file).length.frames == frames.count)
            _ = try folder.delete(.all)
        }
    }
}
