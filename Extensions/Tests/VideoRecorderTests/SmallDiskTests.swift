import DockTestKit
import DockTypes
import Foundation
import Geometry
import Testing

@testable import VideoRecorder

/// A real disk of 300 kB, in memory; nil if this user may not mount one.
final class SmallDisk {
    let path: String

    /// Whether this user may mount one.
    static let isPossible = SmallDisk() != nil

    init?() {
        var template = Array("/tmp/dockface-disk-XXXXXX".utf8CString)
        path = mkdtemp(&template).map { String(cString: $0) } ?? ""
        guard geteuid() == 0, mount("tmpfs", path, "tmpfs", 0, "size=300k,mode=700") == 0 else {
            rmdir(path)
            return nil
        }
    }

    deinit {
        umount2(path, 2)
        rmdir(path)
    }
}

@Suite(.enabled(if: SmallDisk.isPossible, "this user may not mount a file system")) struct SmallDiskTests {
    @Test func `a real disk that gets full keeps whole pieces, and takes more when there is room`() throws {
        let disk = try #require(SmallDisk())
        let folder = try ChunkFolder.open(disk.path + "/recordings", makes: true)
        var news: [DiskReport] = []
        let desk = try DiskDesk(
            folder, RingLimits(), length: 10, news: &news, space: { _ in DiskSpace(free: 1 << 50, total: 1 << 40) })
        var facts = ChunkFacts(
            duration: 1, exposures: 1...2, size: PictureSize(width: 64, height: 48), tally: ChunkTally())
        facts.tally.clear = 1
        _ = desk.carryOut(.begin(1, date: 1000, verdict: .covered), now: 0)
        #expect(desk.carryOut(.append(1, Box.head), now: 0).isEmpty)
        var reports: [DiskReport] = [], pieces = 0
        while reports.isEmpty, pieces < 20 {
            let piece = Box.fragment(at: UInt32(pieces) * 3000, [3000], bytes: 50_000)
            reports = desk.carryOut(.append(1, piece), now: 0)
            pieces += 1
        }
        #expect(reports == [.failed(1, "cannot write chunk_1000_covered.part: No space left on device")] && pieces > 3)
        _ = desk.carryOut(.finish(1, facts), now: 0)
        let name = try #require(desk.ring.entries.first?.name), scan = try folder.scan(name.file)
        #expect(scan.isWhole && scan.length.frames == pieces - 1)
        _ = try folder.delete(.all)
        _ = desk.carryOut(.begin(2, date: 2000, verdict: .covered), now: 0)
        #expect(desk.carryOut(.append(2, Box.film), now: 0).isEmpty)
        guard case .stored? = desk.carryOut(.finish(2, facts), now: 0).first else {
            Issue.record("it is not stored")
            return
        }
    }

    @Test func `space and a folder on another disk are seen as they are`() throws {
        let disk = try #require(SmallDisk())
        let folder = try ChunkFolder.open(disk.path + "/recordings", makes: true), space = try folder.space()
        #expect(space.total <= 300 * 1024 && space.free <= space.total)
        let temporary = TemporaryFolder(), register = temporary.path + "/state/register"
        try FolderMark(register: register).check(folder)
        #expect(FolderMark(register: register).isRemembered(folder.path))
        let marks = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(marks.count == 1 && marks[0].hasPrefix("dockface-recordings-"))
        try FolderMark(register: register).check(folder)
        unlink(folder.path(of: marks[0]))
        #expect(throws: DockError.self) { try FolderMark(register: register).check(folder) }
    }
}
