import DockSimulator
import TestSupport

/// How long this machine has kept a program, its simulated dock and the test itself from running. A test of real time
/// must subtract this from what it measures. On an idle machine it is almost 0.
struct CoreWait {
    private let program: Program
    private let dock: SimulatedDockPort
    private let before: [Int32: Double]
    private let own: Double
    private let late: Double

    /// Counts from now on.
    init(_ program: Program, _ dock: SimulatedDockPort) {
        self.program = program
        self.dock = dock
        before = program.coreWaits()
        own = ownCoreWait()
        late = dock.delays
    }

    init(_ daemon: Daemon) { self.init(daemon.program, daemon.dock) }

    /// The time since the start, in seconds: that of the program's thread that has waited longest, of the dock and of the
    /// test.
    var seconds: Double {
        let longest = program.coreWaits().map { thread, wait in wait - (before[thread] ?? 0) }.max() ?? 0
        return max(longest, 0) + max(ownCoreWait() - own, 0) + dock.delays - late
    }

    /// Whether the machine was too busy for a statement about the program's times. A test that has failed then repeats
    /// what it did, at most twice.
    var isLong: Bool { seconds > 0.3 }
}
