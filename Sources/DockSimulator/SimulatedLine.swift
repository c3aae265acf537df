internal import Geometry

/// The line between the host and a device: what is under way in both directions.
struct SimulatedLine: Sendable {
    /// From the host to the device, and back.
    private(set) var input = TimedBytes(), output = TimedBytes()

    /// Passes bytes on to the device; they leave the host at `time`.
    mutating func send(_ bytes: [UInt8], leaving time: Seconds, _ faults: LineFaults) {
        guard !faults.isDead else { return }
        input.append(bytes, at: time + faults.clampedDelay)
    }

    /// Passes bytes on to the host; they leave the device at `time`.
    mutating func answer(_ bytes: [UInt8], leaving time: Seconds, _ faults: LineFaults) {
        guard !faults.isDead else { return }
        output.append(bytes, at: time + faults.clampedDelay)
    }

    /// The next bytes that have reached the device by `time`.
    @inline(__always)
    mutating func next(until time: Seconds) -> (at: Seconds, bytes: [UInt8])? { input.removeFirst(until: time) }

    /// All bytes that have reached the host by `time`; each is returned once.
    mutating func drainOutput(until time: Seconds) -> [UInt8] { output.drain(until: time) }

    /// If a delay is reduced, bytes under way arrive earlier by the difference.
    mutating func change(from old: SimulatedDock.Faults, to new: SimulatedDock.Faults, now: Seconds) {
        input.hasten(by: old.toDock.clampedDelay - new.toDock.clampedDelay, now: now)
        output.hasten(by: old.toHost.clampedDelay - new.toHost.clampedDelay, now: now)
    }

    /// Loses all bytes under way.
    mutating func removeAll() {
        input.removeAll()
        output.removeAll()
    }

    /// The earlier one of `wake` and the time at which bytes under way can lead to output. The device answers after `answerTime`.
    func wake(_ wake: Seconds, answerTime: Seconds) -> Seconds {
        min(wake, (input.next ?? .infinity) + answerTime, output.next ?? .infinity)
    }
}
