internal import DockControl
internal import DockSimulator
internal import DockWire
internal import Geometry

/// What remains of a run: the first broken rule, and a hash that shows whether two runs are the same.
struct OracleRecord {
    private(set) var violation: Violation?
    private(set) var fingerprint: UInt64 = 0xCBF2_9CE4_8422_2325

    mutating func fail(_ violation: Violation) { if self.violation == nil { self.violation = violation } }

    /// Adds bytes on the wire, and their time, seconds.
    mutating func note(_ bytes: [UInt8], _ time: Seconds) {
        for byte in bytes { fingerprint = (fingerprint ^ UInt64(byte)) &* 0x100_0000_01B3 }
        fingerprint = (fingerprint ^ time.bitPattern) &* 0x100_0000_01B3
    }
}

/// The rig of a story.
struct ObservedRig {
    let profile: RigProfile
    let model: RigModel
}

/// What the oracle knows from the bytes on the wire.
struct WireView {
    var toDock = FrameDecoder(), toHost = FrameDecoder()
    /// The last set-point on the wire; nil if it was a stop.
    var moving: PanTilt?
    var lastSetpointAt: Seconds = -1
    var lastFrameWasStop = false
    var lastMotionReportAt: Seconds = -1
    var openedAt: Seconds = 0
    var isPlugged = false
    var helloAt: Seconds?
    var firstMotionAt: Seconds?
    var lastWriteWasCut = false
    /// Until then the dock receives nothing and the effect may still show, seconds.
    var deafUntil: Seconds = -1
    /// When a write was last cut off, seconds.
    var cutAt: Seconds = -1
    /// The next bytes complete a frame whose write was cut off.
    var followsCutWrite = false
    var pace = SetpointPace()
}

/// The times between set-points: each leaves the line free for the one before it, and in any time there is at most one
/// more than at a steady 60 a second.
struct SetpointPace {
    private var last: Seconds = -1
    /// When the next set-point would be due at a steady rate, seconds.
    private var steadyAt: Seconds = -1
    /// The interval at the steady rate, and the time of a set-point on the line of our dock (29 bytes at 115,200 baud),
    /// seconds.
    private static let interval: Seconds = 1.0 / 60, onLine: Seconds = 290 / 115_200
    /// What the pacer rounds, and the resolution of the virtual time, seconds.
    private static let error: Seconds = 0.001

    /// Takes a set-point, and returns what is wrong with its time.
    mutating func moves(at time: Seconds, followsCutWrite: Bool) -> String? {
        // The frame that was cut is sent again.
        if followsCutWrite { (last, steadyAt) = (-1, -1) }
        let (before, due) = (last, steadyAt)
        (last, steadyAt) = (time, max(steadyAt, time) + Self.interval)
        if before >= 0, time - before < Self.onLine - Self.error {
            return "set-points \(milliseconds(time - before)) apart"
        }
        guard due < 0 || time > due - Self.interval - Self.error else {
            return "more than 60 set-points a second: one is \(milliseconds(due - time)) early"
        }
        return nil
    }

    private func milliseconds(_ seconds: Seconds) -> String { "\((seconds * 10_000).rounded() / 10) ms" }
}

/// The true axes, and what is known to be wrong with them.
struct AxisView {
    var pose = PanTilt.zero
    var rate = PanTilt.zero
    /// Until then the last set-point may move the dock, seconds.
    var freshUntil: Seconds = 0
    /// When the axes must stand after a stop; nil: no stop is in effect.
    var standsBy: Seconds?
    var hasTorque = true
    /// Axes with a wrong motor or encoder, the end of that fault (nil: it lasts), and how long they have turned since.
    var lying: [Axis: (until: Seconds?, turned: Seconds)] = [:]
    var hasLied = false
    var observedAt: Seconds = 0
}

/// Whether the dock, its line and the daemon work, as far as the story decides it.
struct LineHealth {
    /// Since when nothing has disturbed the line, seconds.
    var soundSince: Seconds = 0
    /// The number of faults that last.
    var troubles = 0
    /// The daemon was held up, and must greet the dock again.
    var gapNeedsHello = false
    /// Another dock took the place of ours behind the same open port and has not identified itself.
    var isSwapUnknown = false
    /// Whether a guard is ready.
    var hasGuard: () -> Bool = { true }
    var readySince: Seconds?
    /// The loop's turns in the present second.
    var turns = (count: 0, since: Seconds(0))
}

/// What people, programs and detectors requested.
struct Requests {
    var mustBeStill = false
    /// ... but the mode was set since then, and the head may move with the face's gestures.
    var mayStir = false
    /// When a mode was last admitted, seconds.
    var modeSetAt: Seconds = -.infinity
    /// Tracking was allowed, and nothing has ended that.
    var isTracking: Bool
    var isLatched = false
    var stopIsDue = false, prefixIsDue = false
    var manualUntil: Seconds = 0
    var torqueIsAsked = false
    var clearAskedAt: Seconds = -1, emergencyAskedAt: Seconds = -1, emergencyAt: Seconds = -1
    var lastSightAt: Seconds = -1
}

/// The limits of motion that are in force.
struct MotionBounds {
    /// The newest report that reached the host shows a critical battery.
    var isSaving = false
    /// Until then the head may go home for a critical battery, seconds.
    var mayGoHomeUntil: Seconds = -1
    var limits: [Axis: (range: ClosedRange<Double>, speed: Double)] = [:]
    var limitsSetAt: Seconds = -1
    /// Since when the dock reports a low battery, seconds.
    var lowSince: Seconds?
    /// The lower speed for a person who is near.
    var near = NearWatch()
}

/// Who has the dock, and what waits for an answer.
struct Ownership {
    var personHolds = false
    var heldBefore = false
    /// The takeovers by people since the dock was last released, and those that are not answered yet.
    var takeovers: [MotionCommand] = []
    var lease: (client: Int, until: Seconds)?
    var running: (id: MotionID, client: Int?, isLeased: Bool)?
    var orphanedAt: Seconds?
    var commandsOut = 0
    var motionsOut: Set<Int> = []
}

/// Rules about messages to and from the dock.
struct WireRules {
    var stops = StopWatch()
    var release = ReleaseWatch()
    var latch = LatchWatch()
    var deaf = DeafWatch()
    var holds = HoldWatch()
    var drift = DriftWatch()
    var queue = QueueWatch()
}

/// Rules about the motion of the axes.
struct AxisRules {
    var retreats = RetreatWatch()
    var blocks = BlockWatch()
    var deadEncoders = DeadEncoderWatch()
    var accusations = Accusations()
    var proof = ProofWatch()
    var pole = PoleWatch()
    var signs: SignWatch
}

/// Rules about people, programs and detections.
struct SessionRules {
    var lost: LostWatch
    var endings = EndingWatch()
    var people = PeopleWatch()
    var frames: FrameWatch
    var leases = LeaseWatch()
}
