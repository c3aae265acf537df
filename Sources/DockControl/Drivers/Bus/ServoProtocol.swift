internal import Geometry

/// A part of a servo's memory.
struct ServoMemory: Sendable, Equatable {
    /// The address of the first byte.
    var address: UInt16
    /// The number of bytes.
    var count: Int
}

/// A packet from a servo.
struct ServoPacket: Sendable, Equatable {
    var id: UInt8
    /// The error bits, as the protocol defines them.
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

/// The contents of a feedback block.
struct ServoReading: Sendable, Equatable {
    /// The position in the servo's own units, and its change per second.
    var position: Double
    var rate: Double
    /// The voltage in volts, or nil if not reported.
    var voltage: Double?
}

/// A protocol of bus servos with a memory: its packets, its table, its units. A value without state.
protocol ServoProtocol: Sendable {
    /// Creates the protocol for a rig's profile.
    init(profile: RigProfile)

    // MARK: packets

    /// Matches the front of received bytes.
    func match(_ bytes: UnsafeBufferPointer<UInt8>) -> FrameScanner.Match
    /// Returns the answer in a whole frame, or nil if it is not an answer but an echo of our own frame.
    func packet(_ frame: UnsafeBufferPointer<UInt8>) -> ServoPacket?
    func read(_ memory: ServoMemory, of id: UInt8) -> [UInt8]
    func write(_ write: ServoWrite, to id: UInt8) -> [UInt8]
    /// Returns a question that several servos answer, or nil if this series does not support it.
    func read(_ memory: ServoMemory, of ids: [UInt8]) -> [UInt8]?
    func write(_ memory: ServoMemory, _ values: [(id: UInt8, bytes: [UInt8])]) -> [UInt8]
    /// Returns bytes that end `frame`, wherever it was cut off, so that it is not executed and does not damage the next
    /// frame.
    func filler(behind frame: [UInt8]) -> [UInt8]
    /// The number of bytes in an answer besides its parameters.
    var answerOverhead: Int { get }

    // MARK: the table

    var identity: ServoMemory { get }
    /// Returns the model number and firmware in the bytes of `identity`, or nil if they are too few.
    func identified(_ bytes: [UInt8]) -> (model: UInt16, firmware: String)?
    func name(ofModel number: UInt16) -> String
    /// The value of `mode` that makes a servo follow positions, or nil if the servo always does.
    var mode: ServoWrite? { get }
    /// The writes, in this order, that are needed if `mode` has another value. The torque is off at that time.
    var modeChange: [ServoWrite] { get }
    /// Returns limits and other settings, which are written whenever a dock is attached.
    func settings(_ axis: RigProfile.AxisProfile) -> [ServoWrite]
    /// The watchdog time, in seconds: a servo that receives nothing for this time accepts no more goals. It is nil if
    /// the servo has no such watchdog.
    var watchdogTime: Seconds? { get }
    /// The torque switch: 0 is off, anything else is on.
    var torque: ServoMemory { get }
    var goal: ServoMemory { get }
    /// Returns a position, and the highest speed on the way to it, both in the servo's units.
    func goalBytes(_ position: Double, speed: Double) -> [UInt8]
    /// The write that makes any motion as slow as possible, whatever the goal. It is prepared for the guard.
    var slowest: ServoWrite { get }
    var feedback: ServoMemory { get }
    func reading(_ bytes: [UInt8]) -> ServoReading?
    /// The number of positions per turn (2 pi), and the last position.
    var countsPerTurn: Double { get }
    var lastPosition: Double { get }
    /// The highest speed that a goal can have, in positions per second.
    var mostSpeed: Double { get }
    /// The speeds to which the line can be set, in bits per second.
    var bauds: ClosedRange<Int> { get }
    /// The location of an error's details, for protocols whose error bits only show that there is an error. It is nil
    /// if the bits contain the details.
    var faultDetail: ServoMemory? { get }
    /// Returns the meaning of the error bits, with the details at `faultDetail`, or nil if there is no fault or it is
    /// not yet known.
    func fault(_ errors: UInt8, detail: UInt8?) -> DockFault?
    /// Returns bytes that release a fault that the servo keeps; empty if it keeps none.
    func recovery(of id: UInt8) -> [UInt8]

    // MARK: first contact

    /// The last ID that a servo can have; the first one is 0.
    var lastID: UInt8 { get }
    /// Returns the question whether a servo has this ID, which it answers at every status level. `pingOfAll` asks all
    /// servos, and only their IDs are in the answers.
    func ping(_ id: UInt8) -> [UInt8]
    var pingOfAll: [UInt8] { get }
    /// Returns the model number and firmware in the answer to a ping, or nil if it contains too few bytes.
    func pinged(_ parameters: [UInt8]) -> (model: UInt16, firmware: String)?
    /// The speeds of the line by their codes, in bits per second. All sources agree on the first `certainSpeeds`.
    var speeds: [Int] { get }
    var certainSpeeds: Int { get }
    /// Returns where a setting is kept, or nil if this series does not have it.
    func row(_ setting: StoredSetting) -> StoredRow?
    /// The parts of the memory that contain all settings.
    var storedParts: [ServoMemory] { get }
    /// The switch that must be 0 while a setting is written that is to be kept, or nil if there is none.
    var lock: ServoMemory? { get }
    /// Converts between the bytes of a number and its raw value, without a sign.
    func decode(_ bytes: [UInt8]) -> Int
    func encode(_ raw: Int, count: Int) -> [UInt8]
    /// Returns why a servo refused a write, from its answer, or nil if it did not.
    func refusal(_ answer: ServoPacket?) -> String?
    /// Returns what is wrong with a drive mode for this profile, as clauses about the servo.
    func objections(toDriveMode number: Int) -> [ServoObjection]
}

extension ServoProtocol {
    var watchdogTime: Seconds? { nil }
}
