internal import CPosix
public import DockControl
internal import Geometry
internal import Processes

extension DockAccessory {
    /// A motion in progress: its progress and outcome, and a way to cancel it.
    public final class Progress: Sendable {
        /// Its number.
        public let id: MotionID
        /// Its planned duration.
        public let duration: Duration

        private struct State {
            var outcome: MotionOutcome?
            var waiting: [CheckedContinuation<MotionOutcome, Never>] = []
            /// Ends the watch of the motion's end.
            var endWatch: (@Sendable () -> Void)?
        }

        private let state = Locked(State())
        private let run: any DockRun
        private let start: Seconds
        private let planned: Seconds

        init(id: MotionID, duration: Seconds, run: any DockRun) {
            self.id = id
            self.duration = .seconds(duration)
            self.run = run
            planned = duration
            start = cposix_monotonic_now()
            let endWatch = run.watch(id) { [weak self] in self?.end($0) }
            let isOver = state.withLock { state in
                state.endWatch = endWatch
                return state.outcome != nil
            }
            // It may have ended before the watch was kept.
            if isOver { endWatch() }
        }

        deinit { state.withLock({ $0.endWatch })?() }

        /// The elapsed fraction of the planned duration, 0...1; 1 only when the motion has ended.
        public var fractionCompleted: Double {
            if isFinished { return 1 }
            return planned > 0 ? ((cposix_monotonic_now() - start) / planned).clamped(to: 0...0.999) : 0
        }

        /// The planned duration in milliseconds, at least 1.
        public var totalUnitCount: Int64 { max(1, Int64((planned * 1000).rounded())) }

        /// The elapsed part of `totalUnitCount`; all of it only when the motion has ended.
        public var completedUnitCount: Int64 {
            let total = totalUnitCount
            return isFinished ? total : min(total - 1, Int64(fractionCompleted * Double(total)))
        }

        /// Whether it has ended, with any outcome.
        public var isFinished: Bool { outcome != nil }

        /// Whether it was ended by `cancel()`.
        public var isCancelled: Bool { outcome == .cancelled }

        /// The outcome, or nil if it has not ended.
        public var outcome: MotionOutcome? { state.withLock { $0.outcome } }

        /// Cancels it: the dock comes to rest inside its limits, and after an animation the tracking mode is restored.
        public func cancel() {
            // A motion that has ended, or a run, has nothing left to cancel.
            try? run.request(.motion(.cancel(id, .cancelled)))
        }

        /// Waits for its end and returns the outcome.
        public func finished() async -> MotionOutcome {
            await withCheckedContinuation { continuation in
                let outcome = state.withLock { state in
                    if state.outcome == nil { state.waiting.append(continuation) }
                    return state.outcome
                }
                if let outcome { continuation.resume(returning: outcome) }
            }
        }

        private func end(_ outcome: MotionOutcome) {
            let (waiting, endWatch) = state.withLock { state in
                guard state.outcome == nil else {
                    return ([CheckedContinuation<MotionOutcome, Never>](), (@Sendable () -> Void)?.none)
                }
                state.outcome = outcome
                defer { (state.waiting, state.endWatch) = ([], nil) }
                return (state.waiting, state.endWatch)
            }
            endWatch?()
            for continuation in waiting { continuation.resume(returning: outcome) }
        }
    }
}
