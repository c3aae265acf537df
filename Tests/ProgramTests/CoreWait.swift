import DockSimulator
import TestSupport

/// How long this machine has kept a program, its simulated dock and the test itself from running. What a test of real
/// time measures is the program's only after that was subtracted, and on an idle machine it is next to nothing.
struct CoreWait {
    private let program: Program
    private let dock: SimulatedDockPort
    private let before: [Int32: Double]
    private let own: Double

    /// Counts from now on.
    init(_ program: Program, _ dock: SimulatedDockPort) {
        self.program = program
        self.dock = dock
        before = program.coreWaits()
        own = ownCoreWait()
        _ = dock.takeLateness()
    }

    init(_ daemon: Daemon) { self.init(daemon.program, daemon.dock) }

    /// The time of all threads together, in seconds, since the start. The dock's delay is its longest one since the last
    /// call.
    var seconds: Double {
        let waits = program.coreWaits().map { thread, wait in wait - (before[thread] ?? 0) }
        return waits.reduce(max(ownCoreWait() - own, 0) + dock.takeLateness()) { $0 + max($1, 0) }
    }

    /// Whether the machine was too busy for a statement about the program's times. A test that has failed then repeats
    /// what it did, at most twice.
    var isLong: Bool { seconds > 0.3 }
}
