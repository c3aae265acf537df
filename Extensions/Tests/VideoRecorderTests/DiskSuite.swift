import DockTypes
import Foundation
import Geometry
import Synchronization

@testable import VideoRecorder

/// A disk with so much room, as a file layer sees it.
final class FakeDisk: Sendable {
    private let room: Mutex<Int>
    init(room: Int) { self.room = Mutex(room) }

    var left: Int { room.withLock { $0 } }
    func set(_ bytes: Int) { room.withLock { $0 = bytes } }

    /// Writes what fits, as write(2) does on a disk that gets full.
    var put: ChunkFile.Put {
        { [self] descriptor, bytes in
            let count = room.withLock { room in
                defer { room -= min(room, bytes.count) }
                return min(room, bytes.count)
            }
            guard count > 0 else {
                errno = ENOSPC
                return -1
            }
            return write(descriptor, bytes.baseAddress, count)
        }
    }
}

/// A suite about a recorder's disk, in a folder of its own.
protocol DiskSuite {
    var temporary: TemporaryFolder { get }
}

extension DiskSuite {
    var wide: DiskSpace { DiskSpace(free: 1 << 50, total: 1 << 40) }

    func desk(
        _ folder: ChunkFolder, _ limits: RingLimits = RingLimits(), disk: FakeDisk = FakeDisk(room: .max),
        news: inout [DiskReport]
    ) throws -> DiskDesk {
        let wide = wide
        return try DiskDesk(folder, limits, length: 10, news: &news, put: disk.put) { _ in wide }
    }

    func facts(_ frames: Int = 60, duration: Double = 2) -> ChunkFacts {
        var tally = ChunkTally()
        tally.clear = frames
        return ChunkFacts(
            duration: duration, exposures: 100...(100 + duration), size: PictureSize(width: 64, height: 48),
            tally: tally)
    }

    func stored(_ reports: [DiskReport]) -> [ChunkRecord] {
        reports.compactMap { if case .stored(let record, _) = $0 { record } else { nil } }
    }

    /// Writes a film as a chunk.
    func write(_ id: Int, date: Int, to desk: DiskDesk, film: [UInt8] = Box.film) -> [DiskReport] {
        var reports = desk.carryOut(.begin(id, date: date, verdict: .covered), now: 0)
        reports += desk.carryOut(.append(id, film), now: 0)
        return reports + desk.carryOut(.finish(id, facts()), now: 0)
    }
}
