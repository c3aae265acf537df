internal import Geometry

/// A part of a servo's memory.
struct ServoMemory: Sendable, Equatable {
    /// The first byte's address.
    var address: UInt16
    /// Bytes.
    var count: Int
}

/// A packet from a servo.
struct ServoPacket: Sendable, Equatable {
    var id: UInt8
    /// Error bits, as the protocol defines them.
    var errors: UInt8
    var parameters: [UInt8]
}

/// A value that is written to one servo before it may be moved.
struct ServoWrite: Sendable, Equatable {
    var memory: ServoMemory
    var bytes: [UInt8]

    init(_ memory: ServoMemory, _ bytes: [UInt8]) {
        self.memory = memory
        self.bytes = bytes
    }
}

/// Contents of a feedback block.
struct ServoReading: Sendable, Equatable {
    /// Position in the servo's own units, and its change per second.
    var position: Double
    var rate: Double
    /// Volts; nil: not reported.
    var voltage: Double?
}

/// A protocol of bus servos with a memory: its packets, its table, its units. A row of facts, without state.
protocol ServoProtocol: Sendable {
    /// For a rig's profile.
    init(profile: RigProfile)

    // MARK: packets

    /// Matches the front of received bytes.
    func match(_ bytes: UnsafeBufferPointer<UInt8>) -> FrameScanner.Match
    /// The answer in a whole frame; nil: it is no answer (an echo of our own frame).
    func packet(_ frame: UnsafeBufferPointer<UInt8>) -> ServoPacket?
    func read(_ memory: ServoMemory, of id: UInt8) -> [UInt8]
    func write(_ write: ServoWrite, to id: UInt8) -> [UInt8]
    /// A question that several servos answer; nil: this series does not support it.
    func read(_ memory: ServoMemory, of ids: [UInt8]) -> [UInt8]?
    func write(_ memory: ServoMemory, _ values: [(id: UInt8, bytes: [UInt8])]) -> [UInt8]
    /// Bytes that end `frame`, wherever it was cut off, so that it is not obeyed and does not damage the next frame.
    func filler(behind frame: [UInt8]) -> [UInt8]
    /// Bytes of an answer besides its parameters.
    var answerOverhead: Int { get }

    // MARK: the table

    var identity: ServoMemory { get }
    /// Model number and firmware in the bytes of `identity`; nil: too short.
    func identified(_ bytes: [UInt8]) -> (model: UInt16, firmware: String)?
    func name(ofModel number: UInt16) -> String
    /// The value of `mode` that makes a servo follow positions; nil: it always does.
    var mode: ServoWrite? { get }
    /// What to write, in this order, if `mode` has another value. The torque is off then.
    var modeChange: [ServoWrite] { get }
    /// Limits and other settings, written at every attach.
    func settings(_ axis: RigProfile.AxisProfile) -> [ServoWrite]
    /// A servo that hears nothing for this time takes no more goals, seconds; nil: it has no such watchdog.
    var watchdogTime: Seconds? { get }
    /// 0: off; anything else: on.
    var torque: ServoMemory { get }
    var goal: ServoMemory { get }
    /// A position, and the highest speed on the way to it, both in the servo's units.
    func goalBytes(_ position: Double, speed: Double) -> [UInt8]
    /// Makes any motion as slow as possible, whatever the goal: prepared for the guard.
    var slowest: ServoWrite { get }
    var feedback: ServoMemory { get }
    func reading(_ bytes: [UInt8]) -> ServoReading?
    /// Positions per turn (2 pi), and the last position.
    var countsPerTurn: Double { get }
    var lastPosition: Double { get }
    /// The highest speed that a goal can have, positions per second.
    var mostSpeed: Double { get }
    /// Speeds that the line can be set to, from the slowest to the fastest, bits per second.
    var bauds: ClosedRange<Int> { get }
    /// Where the details of an error are, for protocols whose error bits only show that there is one; nil: the bits have them.
    var faultDetail: ServoMemory? { get }
    /// Meaning of the error bits, with the details at `faultDetail`; nil: no fault, or not known yet.
    func fault(_ errors: UInt8, detail: UInt8?) -> DockFault?
    /// Bytes that release a fault that the servo keeps; empty: it keeps none.
    func recovery(of id: UInt8) -> [UInt8]
}

extension ServoProtocol {
    var watchdogTime: Seconds? { nil }
}
