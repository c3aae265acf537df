internal import DockTypes
public import Geometry

/// One record of a trace.
public struct TraceRecord: Sendable, Equatable {
    /// The time of the record, CLOCK_MONOTONIC.
    public var time: Seconds
    /// The content of the record.
    public var body: Body

    /// Creates a record with its time.
    public init(time: Seconds, body: Body) {
        self.time = time
        self.body = body
    }

    /// The content of a record. Names are those of the enumerations.
    public enum Body: Sendable, Equatable {
        /// Bytes to the dock; `isCut`: the system did not accept all of them.
        case toDock([UInt8], isCut: Bool)
        /// Bytes from the dock.
        case fromDock([UInt8])
        /// The measured pose and velocity (radians, rad/s), and whether the dock's own deadman had stopped it.
        case pose(MotionSample, deadmanTripped: Bool)
        /// The rectangles of a frame, and when it was captured.
        case rectangles(exposure: Seconds, [FlightRecorder.Rectangle])
        /// The decided velocity (rad/s), its owner and its reason.
        case set(PanTilt, owner: String, reason: String)
        /// A command: its name, its numbers in the order of its case, its text.
        case command(String, [Double], text: String)
        /// The dock's state, its cause if it has one, and the mode.
        case state(String, cause: String?, mode: String)
        /// A motion ended: its number, name and outcome.
        case end(Int, name: String, outcome: String)
        /// A log line.
        case note(String)
        /// An input of decisions.
        case input(TraceInput)
    }
}

extension TraceCopy {
    /// The records of the copy, oldest first, no older than the lifetime.
    public var records: [TraceRecord] {
        TraceRecord.all(in: bytes).filter { $0.time >= time - FlightRecorder.lifetime }
    }
}

extension TraceRecord {
    /// Returns the records in a recorder's bytes, oldest first.
    public static func all(in bytes: [UInt8]) -> [TraceRecord] {
        var records: [TraceRecord] = []
        bytes.withUnsafeBytes { all in
            var at = 0
            while at + FlightRecorder.head <= all.count {
                let size = Int(all.loadUnaligned(fromByteOffset: at, as: UInt16.self))
                guard size >= FlightRecorder.head, at + size <= all.count else { break }
                let time = all.loadUnaligned(fromByteOffset: at + 4, as: Double.self)
                let rest = UnsafeRawBufferPointer(rebasing: all[at + FlightRecorder.head..<at + size])
                if let kind = TraceKind(rawValue: all[at + 2]) {
                    records.append(TraceRecord(time: time, body: body(kind, flag: all[at + 3], rest)))
                }
                at += size
            }
        }
        return records
    }

    private static func body(_ kind: TraceKind, flag: UInt8, _ bytes: UnsafeRawBufferPointer) -> TraceRecord.Body {
        switch kind {
        case .toDock: return .toDock(Array(bytes), isCut: flag != 0)
        case .fromDock: return .fromDock(Array(bytes))
        case .pose:
            return .pose(
                MotionSample(time: bytes.double(0), pose: bytes.pair(8), rate: bytes.pair(16)),
                deadmanTripped: flag != 0)
        case .rectangles:
            let rectangles = (0..<Int(flag)).map { index in
                let base = 8 + index * 21
                return FlightRecorder.Rectangle(
                    id: bytes.integer(base),
                    rect: Rect(
                        x: bytes.float(base + 4), y: bytes.float(base + 8), width: bytes.float(base + 12),
                        height: bytes.float(base + 16)), isCoasting: bytes[base + 20] & 1 != 0,
                    isFollowed: bytes[base + 20] & 2 != 0)
            }
            return .rectangles(exposure: bytes.double(0), rectangles)
        case .set:
            return .set(
                PanTilt(pan: bytes.double(0), tilt: bytes.double(8)),
                owner: TraceNames.name(flag, in: TraceNames.owners),
                reason: TraceNames.name(bytes[16], in: TraceNames.reasons))
        case .command:
            let count = Int(bytes.loadUnaligned(as: UInt16.self))
            return .command(
                TraceNames.name(flag, in: TraceNames.commands), (0..<count).map { bytes.double(2 + $0 * 8) },
                text: String(decoding: bytes[(2 + count * 8)...], as: UTF8.self))
        case .state:
            let cause: String? =
                switch flag {
                case 0: TraceNames.name(bytes[0], in: DetachReason.names)
                case 3: TraceNames.name(bytes[0], in: DockFault.names)
                default: nil
                }
            let modes = TrackingMode.allCases.map(\.rawValue)
            return .state(
                TraceNames.name(flag, in: TraceNames.states), cause: cause, mode: TraceNames.name(bytes[1], in: modes))
        case .end:
            let outcomes = MotionOutcome.allCases.map(\.rawValue)
            return .end(bytes.integer(0), name: bytes.text, outcome: TraceNames.name(flag, in: outcomes))
        case .note: return .note(bytes.text)
        default: return .input(TraceInput(kind, flag: flag, bytes))
        }
    }
}

extension UnsafeRawBufferPointer {
    func double(_ offset: Int) -> Double { loadUnaligned(fromByteOffset: offset, as: Double.self) }
    fileprivate func float(_ offset: Int) -> Double { Double(loadUnaligned(fromByteOffset: offset, as: Float.self)) }
    func integer(_ offset: Int) -> Int { Int(loadUnaligned(fromByteOffset: offset, as: Int32.self)) }
    fileprivate func pair(_ offset: Int) -> PanTilt { PanTilt(pan: float(offset), tilt: float(offset + 4)) }
    fileprivate var text: String { String(decoding: self[4...], as: UTF8.self) }
}
