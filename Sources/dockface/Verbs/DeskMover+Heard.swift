import CPosix
import DockControl
import DockTypes
import Geometry
import Glibc
import Synchronization

extension DeskMover {
    /// The reports of the loop's thread.
    struct Heard: Sendable {
        var snapshot = LoopSnapshot()
        var identity: DockIdentity?
        var ended: [EndedMotion] = []
        /// All notes about dock and line, each once, the newest last.
        var notes: [String] = []
        /// The recorder's contents, on request.
        var trace: TraceCopy?
        /// The range that the head covered while its torque was off.
        var swept: (low: PanTilt, high: PanTilt)?

        /// Adds a note. A repeated note moves to the end, because the last note describes the current state.
        mutating func record(note: String) {
            notes.removeAll { $0 == note }
            notes = (notes + [note]).suffix(16)
        }

        mutating func record(_ shot: LoopSnapshot) {
            snapshot = shot
            guard !shot.torque else { return }
            for sample in shot.device.poses.track {
                var (low, high) = swept ?? (sample.pose, sample.pose)
                for axis in Axis.allCases {
                    low[axis] = min(low[axis], sample.pose[axis])
                    high[axis] = max(high[axis], sample.pose[axis])
                }
                swept = (low, high)
            }
        }
    }

    final class HeardBox: Sendable {
        let value = Mutex(Heard())
        let wake: Int32
        init() throws(DockError) { wake = try WaitDescriptors.wake() }
        deinit { close(wake) }
        func change(_ use: (inout Heard) -> Void) {
            value.withLock { use(&$0) }
            cposix_wake_ring(wake)
        }
    }
}
