import Glibc
import Testing
import TestSupport

extension ProgramTests.Programs {
    /// Every fault of the line in every mode, in real time: the axis stands, the state says why, and all is well again
    /// when the line is.
    @Suite(.alone, .timeLimit(.minutes(2))) struct LineFaultMatrix {
        @Test(.serialized, arguments: Mover.allCases)
        func `whatever becomes of the line, the axis stands, the state names it, and the dock comes back`(
            mover: Mover
        ) throws {
            // All at the same time, a daemon and a dock each.
            let stages = try LineFault.allCases.map { try FaultStage($0, mover) }
            for stage in stages { try stage.begin() }
            while case let open = stages.filter({ !$0.isDone }), !open.isEmpty {
                for stage in open { try stage.step() }
                stages.forEach { _ = $0.daemon.program.wait(0) { true } }
                usleep(10_000)
            }
            try FaultRow.write(stages.map(\.row))
        }
    }
}
