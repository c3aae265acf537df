import DockControl
import Glibc
import Processes
import TestSupport
import Testing

@testable import Companion

/// What the log says when the state folder does not store a change.
@Suite struct DockRecordTests {
    private func folder() throws -> String {
        var template = Array("/tmp/dockface-record-XXXXXX".utf8CString)
        _ = try #require(mkdtemp(&template))
        return String(decoding: template.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private func record(
        _ marker: RunMarker, _ folder: String, _ change: (DockRecord) -> Void
    ) -> [DockRecord.Loss] {
        let keeper = Keeper(store: MotionStore(rig: "x", root: folder)), losses = Locked<[DockRecord.Loss]>([])
        change(DockRecord(marker, keeper: keeper, onFound: { _ in }) { loss, _ in losses.withLock { $0.append(loss) } })
        keeper.finish()
        return losses.withLock { $0 }
    }

    @Test func `a latch or a release note that is not written is reported as such`() throws {
        let folder = try folder(), marker = RunMarker(port: "/dev/ttyACM0", folder: folder)
        // Others could remove files from it: nothing is stored there.
        chmod(folder, 0o777)
        #expect(record(marker, folder) { $0.changed(.ready) } == [])
        #expect(record(marker, folder) { $0.changed(.faulted(.stall)) } == [.latchNotWritten])
        #expect(record(marker, folder) { $0.released(true) } == [.releaseNotWritten])
    }

    @Test func `a latch or a release note that is not removed is reported as such`() throws {
        let folder = try folder(), marker = RunMarker(port: "/dev/ttyACM0", folder: folder)
        // Anything that is not a file counts as a latch, and cannot be removed.
        mkdir(folder + "/" + marker.latchNames[0], 0o700)
        let cleared = record(marker, folder) { record in
            record.changed(.faulted(.device))
            record.changed(.ready)
        }
        #expect(cleared == [.latchNotRemoved])
        rmdir(folder + "/" + marker.latchNames[0])
        mkdir(folder + "/" + marker.releaseNames[0], 0o700)
        #expect(record(marker, folder) { $0.released(false) } == [.releaseNotRemoved])
        rmdir(folder + "/" + marker.releaseNames[0])
        #expect(record(marker, folder) { $0.changed(.ready) } == [])
    }

    @Test func `each loss has its own text, which says what the next run does`() {
        let all: [DockRecord.Loss] = [.latchNotWritten, .latchNotRemoved, .releaseNotWritten, .releaseNotRemoved]
        #expect(Set(all.map(\.text)).count == 4 && all.allSatisfy { $0.text.contains("the next one") })
    }
}
