import Glibc
import Testing
import TestSupport

extension ProgramTests.Programs {
    /// Every fault of the line in every mode, in real time: the axis stops, the state names the reason, and everything
    /// recovers with the line.
    @Suite(.alone, .timeLimit(.minutes(10))) struct LineFaultMatrix {
        @Test(.serialized, arguments: Mover.allCases)
        func `whatever happens to the line, the axis stops, the state names it, and the dock comes back`(
            mover: Mover
        ) throws {
            // All at the same time, with one daemon and one dock each.
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
