public import Aerie
public import Geometry

/// The conversation with one server as a pure value: it receives events and the time, and returns actions.
///
/// The caller carries out the actions in order. It owns the connection, the pictures and the robot's screen; the
/// machine decides whether a picture leaves this machine, and which.
public struct UplinkMachine: Sendable {
    /// A time on both clocks.
    public struct Moment: Sendable, Equatable {
        /// CLOCK_MONOTONIC.
        public var monotonic: Seconds
        /// Seconds since 1970.
        public var unix: Double

        /// Creates a time.
        public init(monotonic: Seconds, unix: Double) { (self.monotonic, self.unix) = (monotonic, unix) }
    }

    /// What happens.
    public enum Event: Sendable, Equatable {
        /// The owner wants the connection.
        case start
        /// The owner no longer wants it.
        case stop
        /// The connection is made: the answer to `connect`.
        case opened
        /// No connection could be made, and why: the answer to `connect`.
        case refused(String)
        /// The server at that address is not the one that the owner trusts, and why: the answer to `connect`.
        case distrusted(String)
        /// The connection has ended. `code`: the number in the server's close frame, if it sent one.
        case ended(code: Int?, reason: String)
        /// A text message has arrived.
        case received([UInt8])
        /// The last `send` is complete.
        case written
        /// The robot shows that frames are sent, or why it cannot show that.
        case signed(problem: String?)
        /// The robot may no longer show that frames are sent: the daemon is away, or is another one.
        case signLost
        /// The camera has taken a picture at this time, CLOCK_MONOTONIC. `isStill`: it shows what the last one showed.
        case pictured(exposure: Seconds, isStill: Bool)
        /// The answer to `encode`: the payload of the message, or nil if the picture is gone.
        case encoded(payload: [UInt8]?)
    }

    /// What to do.
    public enum Action: Sendable, Equatable {
        /// Connect to the server, with text messages in frames of at most so many bytes. Report `opened` or `refused`.
        case connect(fragment: Int)
        /// End the connection or the attempt, with a reason for the server. Report `ended` or `refused`.
        case disconnect(reason: String)
        /// Send a text message. Report `written`.
        case send([UInt8])
        /// The server is trusted: take larger messages of it.
        case accept
        /// Show on the robot that frames are sent. Report `signed`.
        case sign
        /// Make the message of the newest picture in this shape. Report `encoded`.
        case encode(FrameShape)
        /// The next picture of a video must need no other one.
        case keyFrame
        /// The server says where people were at this time, CLOCK_MONOTONIC.
        case people(PoseReport, time: Seconds)
        /// Show the state of the connection.
        case show(UplinkState)
        /// Write to the program's log.
        case log(String, isWarning: Bool)
    }

    let identity: UplinkIdentity
    let terms: UplinkTerms

    var link = Link.stopped
    var plan: RetryPlan
    var governor: FrameGovernor
    /// The size of a frame of the WebSocket, in bytes. The reference server takes no more than the first.
    var fragment = Self.fragments[0]
    var clock = ServerClock()
    var meter = UplinkMeter()
    var gate = LineBudget(), warnings = LineBudget()
    var totals = Totals()
    /// The state that was shown last.
    public internal(set) var state = UplinkState.off

    /// What was counted since the start.
    struct Totals: Sendable, Equatable {
        var sent = 0, dropped = 0
        var age: Seconds?, peopleAge: Seconds?
    }

    static let fragments = [16_384, 4_096]

    /// Creates the conversation. It begins with `start`.
    /// - Parameter seed: makes the pauses between attempts differ from one robot to another.
    public init(identity: UplinkIdentity, terms: UplinkTerms, seed: UInt64) {
        (self.identity, self.terms) = (identity, terms)
        plan = RetryPlan(seed: seed)
        governor = FrameGovernor(best: terms.shape)
    }

    /// Handles an event, and returns what to do.
    public mutating func handle(_ event: Event, at now: Moment) -> [Action] {
        var actions: [Action] = []
        switch event {
        case .start: start(&actions)
        case .stop: stop(&actions)
        case .opened: opened(now, &actions)
        case .refused(let reason): refused(reason, now, &actions)
        case .distrusted(let reason): distrusted(reason, now, &actions)
        case .ended(let code, let reason): ended(code, reason, now, &actions)
        case .received(let bytes): received(bytes, now, &actions)
        case .written: written(&actions)
        case .signed(let problem): signed(problem, now, &actions)
        case .signLost: signLost(&actions)
        case .pictured(let exposure, let isStill): pictured(exposure, isStill, now, &actions)
        case .encoded(let payload): encoded(payload, now, &actions)
        }
        return actions
    }

    /// Does what is due. Call it at `deadline`.
    public mutating func tick(at now: Moment) -> [Action] {
        var actions: [Action] = []
        due(now, &actions)
        return actions
    }

    /// The figures at a time.
    public func readout(at now: Moment) -> UplinkReadout {
        var readout = UplinkReadout()
        (readout.rate, readout.megabits) = meter.figures(now: now.monotonic)
        (readout.sent, readout.dropped) = (totals.sent, totals.dropped)
        (readout.age, readout.peopleAge) = (totals.age, totals.peopleAge)
        (readout.roundTrip, readout.shape) = (clock.roundTrip, governor.shape)
        if case .open(let session) = link { readout.shape.isVideo = session.takesVideo }
        return readout
    }
}

/// Who this robot is, and the secret that it shares with the server.
public struct UplinkIdentity: Sendable, Equatable {
    /// The robot's name for itself, which it keeps: a UUID.
    public var device: String
    /// Its name for people.
    public var name: String
    /// The version of the program.
    public var version: String
    /// The secret.
    public var secret: SharedSecret

    /// Creates an identity.
    public init(device: String, name: String, version: String, secret: SharedSecret) {
        (self.device, self.name, self.version, self.secret) = (device, name, version, secret)
    }
}

/// What the owner wants and allows.
public struct UplinkTerms: Sendable, Equatable {
    /// How a server shows that it may see frames.
    public enum Trust: String, Sendable, CaseIterable {
        /// It proves that it knows the secret.
        case proof
        /// Its certificate is enough.
        case tls
        /// Any server at that address.
        case any
    }

    /// The form of this robot's signature.
    public enum Token: String, Sendable, CaseIterable {
        /// The one that a server can verify.
        case nonce
        /// The one of the source system.
        case source
    }

    /// The server's name, for people.
    public var server: String
    /// How it shows that it may see frames.
    public var trust = Trust.proof
    /// The form of the signature.
    public var token = Token.nonce
    /// Whether the connection is encrypted, and the certificate verified.
    public var isEncrypted = false
    /// The best shape of a picture.
    public var shape = FrameShape()
    /// Whether pictures are sent as H.264 to a server that accepts it.
    public var sendsVideo = false

    /// Creates the usual terms.
    public init(server: String) { self.server = server }
}
