internal import Geometry

/// A place in a servo's memory.
struct ServoMemory: Sendable, Equatable {
    /// The first byte's address.
    var address: UInt16
    /// Bytes.
    var count: Int
}

/// What a servo said.
struct ServoPacket: Sendable, Equatable {
    var id: UInt8
    /// Error bits, as the protocol has them.
    var errors: UInt8
    var parameters: [UInt8]
}

/// Something that is written to one servo before it may be moved.
struct ServoWrite: Sendable, Equatable {
    var memory: ServoMemory
    var bytes: [UInt8]

    init(_ memory: ServoMemory, _ bytes: [UInt8]) {
        self.memory = memory
        self.bytes = bytes
    }
}

/// What a feedback block says.
struct ServoReading: Sendable, Equatable {
    /// The position, in the servo's own units; and its change a second.
    var position: Double
    var rate: Double
    /// Volts; nil: not told.
    var voltage: Double?
}

/// A protocol of bus servos with a memory: its packets, its table, its units. A row of facts, without a state.
protocol ServoProtocol: Sendable {
    /// Of a rig's profile.
    init(profile: RigProfile)

    // MARK: packets

    /// What stands at the front of received bytes.
    func match(_ bytes: UnsafeBufferPointer<UInt8>) -> FrameScanner.Match
    /// What a servo says in a whole frame; nil: it is no answer (an echo of our own).
    func packet(_ frame: UnsafeBufferPointer<UInt8>) -> ServoPacket?
    func read(_ memory: ServoMemory, of id: UInt8) -> [UInt8]
    func write(_ write: ServoWrite, to id: UInt8) -> [UInt8]
    /// Several servos answer one question; nil: this series does not know that.
    func read(_ memory: ServoMemory, of ids: [UInt8]) -> [UInt8]?
    func write(_ memory: ServoMemory, _ values: [(id: UInt8, bytes: [UInt8])]) -> [UInt8]
    /// What ends `frame`, wherever it was cut off, so that it is not obeyed and takes nothing of the next one along.
    func filler(behind frame: [UInt8]) -> [UInt8]
    /// Bytes of an answer around its parameters.
    var answerOverhead: Int { get }

    // MARK: the table

    var identity: ServoMemory { get }
    /// Model number and firmware of what stands there; nil: too short.
    func identified(_ bytes: [UInt8]) -> (model: UInt16, firmware: String)?
    func name(ofModel number: UInt16) -> String
    /// What must stand at `mode` so that it follows places; nil: it always does.
    var mode: ServoWrite? { get }
    /// What is written where it does not, in this order. The torque is off then.
    var modeChange: [ServoWrite] { get }
    /// Limits and such, at every attach.
    func settings(_ axis: RigProfile.AxisProfile) -> [ServoWrite]
    /// It takes no goals any more when it hears nothing for so long, seconds; nil: it has no such watchdog.
    var watchdogTime: Seconds? { get }
    /// 0: off; anything else: on.
    var torque: ServoMemory { get }
    var goal: ServoMemory { get }
    /// A place, and the fastest way to it, both in the servo's units.
    func goalBytes(_ position: Double, speed: Double) -> [UInt8]
    /// Makes any motion as slow as it can be, whatever the goal: kept ready for the guard.
    var slowest: ServoWrite { get }
    var feedback: ServoMemory { get }
    func reading(_ bytes: [UInt8]) -> ServoReading?
    /// Positions in a turn of 2 pi, and the last one.
    var countsPerTurn: Double { get }
    var lastPosition: Double { get }
    /// The highest speed that a goal can have, positions a second.
    var mostSpeed: Double { get }
    /// Speeds that the line can be set to, from the slowest to the fastest, bits a second.
    var bauds: ClosedRange<Int> { get }
    /// Where it stands what is wrong, for protocols whose error bits say only that something is; nil: the bits say it.
    var faultDetail: ServoMemory? { get }
    /// What the error bits mean, with what stands at `faultDetail`; nil: it is well, or not known yet.
    func fault(_ errors: UInt8, detail: UInt8?) -> DockFault?
    /// What releases a fault that the servo keeps; empty: it keeps none.
    func recovery(of id: UInt8) -> [UInt8]
}

extension ServoProtocol {
    var watchdogTime: Seconds? { nil }
}
