import Dispatch
import Glibc
import Synchronization
import Testing

/// How many tests of the built program run side by side. They measure real time, and mostly wait: a few of them leave
/// the machine idle enough for bounds meant for a single one. DOCKFACE_LANES sets another number; with 1 the tables of
/// docs/SAFETY.md are measured.
final class Lanes: Sendable {
    static let all = Lanes(getenv("DOCKFACE_LANES").flatMap { Int(String(cString: $0)) } ?? 3)

    /// All of them: for tests that load the machine, or whose measurements others would disturb.
    let count: Int
    private let state: Mutex<State>

    private struct State {
        var free: Int
        var waiting: [(lanes: Int, go: CheckedContinuation<Void, Never>)] = []

        /// Removes those that may begin now, in order of arrival.
        mutating func next() -> [CheckedContinuation<Void, Never>] {
            var admitted: [CheckedContinuation<Void, Never>] = []
            while let first = waiting.first, first.lanes <= free {
                free -= first.lanes
                admitted.append(waiting.removeFirst().go)
            }
            return admitted
        }
    }

    init(_ count: Int) {
        self.count = max(count, 1)
        state = Mutex(State(free: self.count))
    }

    /// Waits for a number of lanes, without blocking a thread.
    func enter(_ lanes: Int) async {
        await withCheckedContinuation { go in
            let admitted = state.withLock { state in
                state.waiting.append((lanes, go))
                return state.next()
            }
            for go in admitted { go.resume() }
        }
    }

    /// Returns them.
    func leave(_ lanes: Int) {
        let admitted = state.withLock { state in
            state.free += lanes
            return state.next()
        }
        for go in admitted { go.resume() }
    }

    /// A separate thread for a test: it waits in system calls, and the task pool has one thread per core.
    final class Thread: TaskExecutor {
        private let queue = DispatchQueue(label: "lane")

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
        }
    }
}

/// A test takes a lane before its time limit starts, and returns it after its last case. The cases of one test run one
/// after another (`.serialized`): each has its own limit, which would run while it waits for the one before it.
struct InLanes: SuiteTrait, TestTrait, TestScoping {
    let takesAll: Bool
    /// If a suite and a nested one both have the trait, the outer one counts.
    @TaskLocal private static var isInLane = false
    var isRecursive: Bool { true }

    func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? {
        guard !test.isSuite, testCase == nil else { return nil }
        // A test with its own `alone` trait does not also take a lane for its suite.
        let isAlone = test.traits.contains { ($0 as? Self)?.takesAll == true }
        return takesAll == isAlone ? self : nil
    }

    @concurrent func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable @concurrent () async throws -> Void
    ) async throws {
        guard !Self.isInLane else { return try await function() }
        let lanes = takesAll ? Lanes.all.count : 1
        await Lanes.all.enter(lanes)
        defer { Lanes.all.leave(lanes) }
        try await Self.$isInLane.withValue(true) {
            try await withTaskExecutorPreference(Lanes.Thread()) { try await function() }
        }
    }
}

extension Trait where Self == InLanes {
    /// Side by side with a few others.
    static var inLanes: Self { Self(takesAll: false) }
    /// Nothing else runs meanwhile: it loads the machine.
    static var alone: Self { Self(takesAll: true) }
}
