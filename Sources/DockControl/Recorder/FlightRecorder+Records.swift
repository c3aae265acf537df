internal import DockTypes
public import Geometry

/// The kinds of records. Numbers are in the machine's format, because a copy is read in the same process.
/// FlightRecorder+Inputs has the inputs of decisions.
extension FlightRecorder {
    /// Records bytes to the dock or from it. `isCut`: the system did not accept all of the bytes to the dock.
    func wire(_ kind: TraceKind, _ bytes: UnsafeRawBufferPointer, isCut: Bool = false) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let part = rest.prefix(Self.longest)
            let place = open(kind, flag: isCut ? 1 : 0, size: part.count)
            place.copyMemory(from: UnsafeRawBufferPointer(rebasing: part))
            rest = rest.dropFirst(part.count)
        }
    }

    /// Records a reported pose.
    func pose(_ sample: MotionSample, deadmanTripped: Bool) {
        let place = open(.pose, flag: deadmanTripped ? 1 : 0, size: 24)
        place.storeBytes(of: sample.time, as: Double.self)
        place.store(sample.pose, at: 8)
        place.store(sample.rate, at: 16)
    }

    /// Records a decision: velocity (rad/s), owner and reason.
    func decided(_ velocity: PanTilt, owner: MotionOwner, reason: MotionReason) {
        let place = open(.set, flag: owner.code, size: 17)
        place.storeBytes(of: velocity.pan, as: Double.self)
        place.storeBytes(of: velocity.tilt, toByteOffset: 8, as: Double.self)
        place[16] = reason.code
    }

    /// Records the dock's state and the mode.
    func state(_ state: DockState, mode: TrackingMode) {
        let (code, detail) = state.codes
        let place = open(.state, flag: code, size: 2)
        place[0] = detail
        place[1] = mode.code
    }

    /// Records a motion that ended.
    func ended(_ motion: EndedMotion) {
        text(.end, flag: motion.outcome.code, number: motion.id.value, motion.name)
    }

    /// Records a log line, truncated to the longest record.
    func note(_ line: String) { text(.note, flag: 0, number: 0, line) }

    /// Records a command and the program that sent it.
    func command(_ command: MotionCommand, program: ProgramID?) {
        if let program { given(by: program) }
        let (text, values) = command.parts, utf8 = text.utf8
        let size = 2 + values.count * 8 + utf8.count
        // A script that is too long for a record is recorded by its name only.
        let isWhole = size <= Self.longestCommand
        let place = open(.command, flag: command.code, size: isWhole ? size : 2 + min(utf8.count, Self.longest))
        place.storeBytes(of: UInt16(isWhole ? values.count : 0), as: UInt16.self)
        var at = 2
        for value in isWhole ? values : [] {
            place.storeBytes(of: value, toByteOffset: at, as: Double.self)
            at += 8
        }
        for byte in utf8.prefix(place.count - at) {
            place[at] = byte
            at += 1
        }
    }

    private func text(_ kind: TraceKind, flag: UInt8, number: Int, _ text: String) {
        let utf8 = text.utf8
        let length = min(utf8.count, Self.longest - 4)
        let place = open(kind, flag: flag, size: 4 + length)
        place.storeBytes(of: Int32(truncatingIfNeeded: number), as: Int32.self)
        var index = 4
        for byte in utf8.prefix(length) {
            place[index] = byte
            index += 1
        }
    }
}

extension FlightRecorder {
    /// One rectangle of a frame: normalised, origin at the top left, upright.
    public struct Rectangle: Sendable, Equatable {
        /// The number of the subject.
        public var id: Int
        /// The measured rectangle or, while coasting, the predicted one.
        public var rect: Rect
        /// Whether no detection matched in this frame.
        public var isCoasting: Bool
        /// Whether the dock follows this subject.
        public var isFollowed: Bool

        /// Creates a rectangle with its number.
        public init(id: Int, rect: Rect, isCoasting: Bool, isFollowed: Bool) {
            self.id = id
            self.rect = rect
            self.isCoasting = isCoasting
            self.isFollowed = isFollowed
        }
    }

    /// The largest number of recorded rectangles of one frame.
    public static let mostRectangles = 40

    /// Records the rectangles of a frame captured at `exposure` (CLOCK_MONOTONIC); `rectangle` returns each of `count`.
    public func rectangles(exposure: Seconds, count: Int, _ rectangle: (Int) -> Rectangle) {
        let count = min(count, Self.mostRectangles)
        let place = open(.rectangles, flag: UInt8(count), size: 8 + count * 21)
        place.storeBytes(of: exposure, as: Double.self)
        for index in 0..<count {
            let one = rectangle(index), base = 8 + index * 21
            place.storeBytes(of: Int32(truncatingIfNeeded: one.id), toByteOffset: base, as: Int32.self)
            place.storeBytes(of: Float(one.rect.x), toByteOffset: base + 4, as: Float.self)
            place.storeBytes(of: Float(one.rect.y), toByteOffset: base + 8, as: Float.self)
            place.storeBytes(of: Float(one.rect.width), toByteOffset: base + 12, as: Float.self)
            place.storeBytes(of: Float(one.rect.height), toByteOffset: base + 16, as: Float.self)
            place[base + 20] = (one.isCoasting ? 1 : 0) | (one.isFollowed ? 2 : 0)
        }
    }
}

extension UnsafeMutableRawBufferPointer {
    /// Stores both axes as floats, which are exact to a ten-thousandth of a degree.
    fileprivate func store(_ pair: PanTilt, at offset: Int) {
        storeBytes(of: Float(pair.pan), toByteOffset: offset, as: Float.self)
        storeBytes(of: Float(pair.tilt), toByteOffset: offset + 4, as: Float.self)
    }
}
