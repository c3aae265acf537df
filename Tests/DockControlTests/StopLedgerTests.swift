import Geometry
import Testing

@testable import DockControl

/// The stops that are owed: how often, when again, and until when.
@Suite struct StopLedgerTests {
    private static let velocity = PanTilt.degrees(pan: 10, tilt: 0)

    /// One turn of the loop: decide, encode, write.
    private static func turn(_ stops: inout StopLedger, moves: Bool, isWhole: Bool = true) -> Bool {
        guard stops.decide(moves: moves) else { return false }
        stops.encodedSetpoint()
        stops.sent(velocity, moves: moves)
        _ = stops.wrote(isWhole: isWhole)
        return true
    }

    @Test func `a motion ends with a stop and its repeat, and then with silence`() {
        var stops = StopLedger()
        #expect(stops.isSettled && !Self.turn(&stops, moves: false), "nothing is owed at first")
        #expect(Self.turn(&stops, moves: true) && stops.isMoving && stops.lastVelocity == Self.velocity)
        var written = 0
        while Self.turn(&stops, moves: false) { written += 1 }
        #expect(written == StopLedger.repeats && stops.isSettled && stops.lastVelocity == .zero)
    }

    @Test func `a stop that was cut off is due again, behind a resync`() {
        var stops = StopLedger()
        _ = Self.turn(&stops, moves: true)
        _ = Self.turn(&stops, moves: false)
        #expect(Self.turn(&stops, moves: false, isWhole: false))
        #expect(stops.isMoving && stops.repeatsLeft == StopLedger.repeats)
        #expect(stops.takeResync() && !stops.takeResync(), "once")
        // A cut frame of another message, without a stop in it, only needs the resync.
        var others = StopLedger()
        #expect(!others.wrote(isWhole: false) && others.needsResync && others.isSettled)
    }

    @Test func `the head counts as turning when a whole set-point has turned it`() {
        var stops = StopLedger()
        _ = Self.turn(&stops, moves: true, isWhole: false)
        #expect(!stops.isTurning, "the dock received only a part")
        _ = Self.turn(&stops, moves: true)
        #expect(stops.isTurning)
        _ = Self.turn(&stops, moves: true, isWhole: false)
        #expect(stops.isTurning, "the dock still follows the one before")
        _ = Self.turn(&stops, moves: false)
        #expect(!stops.isTurning)
        for ends in [{ $0.halted(isWhole: nil) }, { $0.emergencyStopped() }, { $0.greets(now: 1) }, { $0.closed() }]
            as [(inout StopLedger) -> Void]
        {
            _ = Self.turn(&stops, moves: true)
            ends(&stops)
            #expect(!stops.isTurning)
        }
    }

    @Test func `a stop that a full line dropped stays owed, a motion does not`() {
        for moves in [true, false] {
            var stops = StopLedger()
            _ = Self.turn(&stops, moves: true)
            _ = stops.decide(moves: moves)
            stops.dropped(moves: moves)
            stops.sent(Self.velocity, moves: moves)
            #expect(stops.isMoving && stops.repeatsLeft == StopLedger.repeats)
        }
    }

    @Test func `a halt that wrote a stop repeats it, and one that wrote none owes nothing`() {
        for (isWhole, owes, cut) in [(true, true, false), (false, true, true), (nil, false, false)]
            as [(Bool?, Bool, Bool)]
        {
            var stops = StopLedger()
            _ = Self.turn(&stops, moves: true)
            stops.halted(isWhole: isWhole)
            #expect(stops.isMoving == owes && stops.repeatsLeft == (owes ? StopLedger.repeats : 0))
            #expect(stops.needsResync == cut && stops.lastVelocity == .zero)
        }
    }

    @Test func `the stop before the first motion is owed until one was written completely`() {
        var stops = StopLedger()
        stops.wroteFirstStop(isWhole: true)
        #expect(!stops.isFirstStopPending)
        stops.wroteFirstStop(isWhole: false)
        #expect(stops.isFirstStopPending && stops.needsResync)
        stops.schedule()
        stops.encodedStop()
        _ = stops.wrote(isWhole: false)
        #expect(stops.isFirstStopPending)
        stops.encodedStop()
        _ = stops.wrote(isWhole: true)
        #expect(!stops.isFirstStopPending)
        stops.wroteFirstStop(isWhole: false)
        stops.greets(now: 5)
        #expect(!stops.isFirstStopPending, "the next handshake has its own")
    }

    @Test func `a dock that is not ready gets one stop per interval`() {
        var stops = StopLedger(), written = 0
        stops.greets(now: 100)
        for step in 0..<200 {
            stops.scheduleDuringHandshake(now: 100 + Double(step) * 0.01)
            guard stops.isMoving else { continue }
            stops.encodedStop()
            _ = stops.wrote(isWhole: true)
            written += 1
        }
        #expect(written == Int(2 / StopLedger.interval))
    }

    @Test func `nothing is owed to a closed port, or after an emergency stop`() {
        var closed = StopLedger(), latched = StopLedger()
        closed.schedule()
        closed.closed()
        latched.schedule()
        latched.emergencyStopped()
        #expect(closed.isSettled && latched.isSettled)
    }
}
