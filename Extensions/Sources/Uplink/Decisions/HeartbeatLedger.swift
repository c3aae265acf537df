internal import Geometry

/// The heartbeats that were sent and answered on one connection. They carry no number, so they are counted: the answer
/// to one says that everything before it has been read.
struct HeartbeatLedger: Sendable, Equatable {
    /// What is known when an answer arrives.
    struct Answer: Sendable, Equatable {
        /// The time there and back.
        var roundTrip: Seconds
        /// When the pictures that were read since the last answer had been taken.
        var exposures: [Seconds]
    }

    private struct Beat: Sendable, Equatable {
        var sent: Seconds
        var unix: Double
        var exposures: [Seconds]
    }

    /// Pictures that were sent after the newest heartbeat.
    private var fresh: [Seconds] = []
    private var beats: [Beat] = []
    /// The number of pictures of which it is not known that they were read.
    var unread: Int { fresh.count + beats.reduce(0) { $0 + $1.exposures.count } }

    /// When the oldest heartbeat without an answer was sent. A server that leaves one for long is lost, so there are never
    /// many.
    var oldest: Seconds? { beats.first?.sent }

    /// Records a picture that was sent, by the time at which it was taken.
    mutating func sent(picture exposure: Seconds) { fresh.append(exposure) }

    /// Records a heartbeat, at this time on both clocks.
    mutating func sent(at now: UplinkMachine.Moment) {
        beats.append(Beat(sent: now.monotonic, unix: now.unix, exposures: fresh))
        fresh = []
    }

    /// Receives an answer: of the oldest heartbeat without one. The result is nil if none is expected.
    mutating func answered(serverTime: Double, clock: inout ServerClock, now: UplinkMachine.Moment) -> Answer? {
        guard !beats.isEmpty else { return nil }
        let beat = beats.removeFirst(), roundTrip = max(0, now.monotonic - beat.sent)
        clock.learn(offset: serverTime - (beat.unix + now.unix) / 2, roundTrip: roundTrip)
        return Answer(roundTrip: roundTrip, exposures: beat.exposures)
    }
}
