import Geometry

/// Converts a stream's `t` to exposure on CLOCK_MONOTONIC, and decides which frames are usable.
struct FrameClock: Sendable {
    /// The decision about a frame.
    enum Verdict: Equatable {
        case accept(Seconds), acceptInNewEpoch(Seconds)
        /// The frame is not used; its exposure if known.
        case drop(DropReason, Seconds?)
    }

    /// The distance into the future at which a frame is an error, in seconds.
    static let futureTolerance: Seconds = 0.02
    /// The number of frames from the future in a row after which the clock is not the one that the stream declares.
    static let mismatchCount = 10

    private let options: DecoderOptions
    private var declared: StreamClock?
    private var guessed: StreamClock?
    private var offset = SlidingMinimum()
    private var remote = RemoteClock()
    private var lastTime: Seconds?
    private var lastExposure: Seconds?
    private var lastSequence: Int?
    private(set) var futureInARow = 0
    private var framePeriod: Seconds = 0.1

    init(options: DecoderOptions) { self.options = options }

    /// The clock in use, if it is known yet.
    var clock: StreamClock? { declared ?? guessed }

    /// Begins a new epoch and forgets the previous frames.
    mutating func begin(hello: StreamHello) {
        self = FrameClock(options: options)
        declared = hello.clock
        if let rate = hello.framesPerSecond { framePeriod = 1 / rate }
    }

    /// Processes the answer to a ping: `time` was the detector's clock between `sent` and `arrival`, both
    /// CLOCK_MONOTONIC.
    mutating func pong(time: Seconds, sent: Seconds, arrival: Seconds) {
        remote.pong(time: time, sent: sent, arrival: arrival)
    }

    /// Decides about a frame.
    mutating func judge(time: Seconds?, sequence: Int?, arrival: Seconds, realtime: Seconds) -> Verdict {
        guard options.isLive else { return judgeRecorded(time: time, sequence: sequence) }
        if declared == nil, guessed == nil, let time {
            guessed = abs(time - arrival) < 2 ? .monotonic : abs(time - realtime) < 2 ? .unix : .media
        }
        var startsEpoch = false
        guard let time, clock != StreamClock.none else {
            if let verdict = wrongSequence(sequence, &startsEpoch) { return verdict }
            return accept(arrival - options.cameraLatency, time: nil, sequence: sequence, startsEpoch)
        }
        if time == lastTime { return .drop(.repeated, lastExposure) }
        if let last = lastTime, time < last, clock == .media || clock == .remote {
            guard last - time > 1 else { return .drop(.outOfOrder, lastExposure.map { $0 - (last - time) }) }
            offset.clear()
            startsEpoch = true
        }
        let exposure = self.exposure(time, arrival: arrival, realtime: realtime)
        if exposure - arrival > Self.futureTolerance {
            futureInARow += 1
            if futureInARow == Self.mismatchCount { guessed = nil }
            return .drop(.future, exposure)
        }
        if !startsEpoch, let last = lastExposure, clock == .monotonic || clock == .unix, exposure <= last {
            return .drop(.outOfOrder, exposure)
        }
        if arrival - exposure > options.maximumAge {
            if startsEpoch { lastTime = time }
            return .drop(.tooOld, exposure)
        }
        return accept(exposure, time: time, sequence: sequence, startsEpoch)
    }

    private mutating func exposure(_ time: Seconds, arrival: Seconds, realtime: Seconds) -> Seconds {
        switch clock {
        case .monotonic: return time
        case .unix: return time + (arrival - realtime)
        case .remote:
            if let offset = remote.offset { return time + offset }
            fallthrough
        default: return time + offset.add(arrival - time, at: arrival) - options.cameraLatency
        }
    }

    private mutating func judgeRecorded(time: Seconds?, sequence: Int?) -> Verdict {
        var startsEpoch = false
        guard let time else {
            if let verdict = wrongSequence(sequence, &startsEpoch) { return verdict }
            return accept((lastExposure ?? -framePeriod) + framePeriod, time: nil, sequence: sequence, startsEpoch)
        }
        if let last = lastTime {
            if time == last { return .drop(.repeated, time) }
            if time < last {
                guard last - time > 1 else { return .drop(.outOfOrder, time) }
                startsEpoch = true
            }
        }
        return accept(time, time: time, sequence: sequence, startsEpoch)
    }

    /// Checks the number of a frame. Without times, the numbers give the order. A detector that restarts counts from
    /// its first number again.
    private func wrongSequence(_ sequence: Int?, _ startsEpoch: inout Bool) -> Verdict? {
        guard let sequence, let last = lastSequence else { return nil }
        if sequence == last { return .drop(.repeated, nil) }
        guard sequence < last else { return nil }
        guard sequence <= 1 || last - sequence > 100 else { return .drop(.outOfOrder, nil) }
        startsEpoch = true
        return nil
    }

    private mutating func accept(
        _ exposure: Seconds, time: Seconds?, sequence: Int?, _ startsEpoch: Bool
    ) -> Verdict {
        futureInARow = 0
        lastTime = time
        lastSequence = sequence
        lastExposure = exposure
        return startsEpoch ? .acceptInNewEpoch(exposure) : .accept(exposure)
    }
}

/// The smallest value of the last ten seconds, kept in half-second steps.
struct SlidingMinimum: Sendable {
    private static let step: Seconds = 0.5
    private static let count = 20
    private var values = [Double](repeating: .infinity, count: count)
    private var slots = [Int](repeating: .min, count: count)

    mutating func clear() { self = SlidingMinimum() }

    /// Adds a value and returns the smallest.
    mutating func add(_ value: Double, at now: Seconds) -> Double {
        guard now.magnitude < 1e12 else { return value }
        let slot = Int((now / Self.step).rounded(.down))
        let place = ((slot % Self.count) + Self.count) % Self.count
        if slots[place] != slot {
            slots[place] = slot
            values[place] = value
        } else if value < values[place] {
            values[place] = value
        }
        var smallest = value
        for index in 0..<Self.count where slots[index] > slot - Self.count && slots[index] <= slot {
            smallest = min(smallest, values[index])
        }
        return smallest
    }
}

/// Another machine's clock: the offset of the fastest ping of the last minute.
struct RemoteClock: Sendable {
    private(set) var offset: Seconds?
    private var roundTrip: Seconds = 0
    private var measured: Seconds = 0

    mutating func pong(time: Seconds, sent: Seconds, arrival: Seconds) {
        let taken = arrival - sent
        guard taken >= 0, taken < 5, time.isFinite else { return }
        guard offset == nil || taken <= roundTrip || arrival - measured > 60 else { return }
        offset = (sent + arrival) / 2 - time
        roundTrip = taken
        measured = arrival
    }
}
