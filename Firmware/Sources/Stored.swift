internal import DockFirmware
internal import DockWire
internal import Support

/// Settings and the counter of boots, in flash if the board has it. The counter is also in memory that survives a
/// reset.
struct Stored {
    private var log: RecordLog<ThisBoard.Storage>?
    /// Whether flash stores data.
    private(set) var isThere = false
    /// Counter of boots, one higher at every start.
    private(set) var boots: UInt16 = 1

    private static let mark: UInt32 = 0x646F_636B

    /// Counts this boot and returns the stored settings.
    mutating func begin() -> FirmwareSettings {
        if retained.mark != Self.mark {
            retained.mark = Self.mark
            retained.boots = 0
            retained.fault = 0
            retained.fault_pc = 0
        }
        var settings = FirmwareSettings()
        var last = UInt16(truncatingIfNeeded: retained.boots)
        if let storage = ThisBoard.storage {
            var log = RecordLog(storage)
            if let record = log.newest {
                settings = FirmwareSettings(record)
                last = UInt16(truncatingIfNeeded: record[0])
            }
            isThere = log.begin(with: settings.record(boots: last &+ 1))
            self.log = log
        }
        boots = last &+ 1
        retained.boots = UInt32(boots)
        return settings
    }

    /// Saves the settings. Returns whether flash stored them.
    mutating func save(_ settings: FirmwareSettings) -> Bool {
        log?.append(settings.record(boots: boots)) ?? false
    }
}

/// Thirteen words: boots and which limits exist, five words per axis, report rate and idle time, trims.
extension FirmwareSettings {
    init(_ record: InlineArray<13, UInt32>) {
        self.init()
        if record[0] & 1 << 16 != 0 { pan = AxisLimits(record, at: 1) }
        if record[0] & 1 << 17 != 0 { tilt = AxisLimits(record, at: 6) }
        motionRate = Int32(record[11] & 0xFFFF)
        idleRelax = Int32(record[11] >> 16)
        panTrim = Int32(Int16(truncatingIfNeeded: record[12]))
        tiltTrim = Int32(Int16(truncatingIfNeeded: record[12] >> 16))
    }

    func record(boots: UInt16) -> InlineArray<13, UInt32> {
        var record = InlineArray<13, UInt32>(repeating: 0)
        record[0] = UInt32(boots) | (pan == nil ? 0 : 1 << 16) | (tilt == nil ? 0 : 1 << 17)
        pan?.write(to: &record, at: 1)
        tilt?.write(to: &record, at: 6)
        record[11] = pair(motionRate, idleRelax)
        record[12] = pair(panTrim, tiltTrim)
        return record
    }
}

/// Packs two 16-bit values in a word.
private func pair(_ low: Int32, _ high: Int32) -> UInt32 {
    UInt32(UInt16(truncatingIfNeeded: low)) | UInt32(UInt16(truncatingIfNeeded: high)) << 16
}

extension AxisLimits {
    fileprivate init(_ record: InlineArray<13, UInt32>, at start: Int) {
        self.init(
            minimumPosition: Int32(bitPattern: record[start]), maximumPosition: Int32(bitPattern: record[start + 1]),
            velocity: record[start + 2], acceleration: record[start + 3], jerk: record[start + 4])
    }

    fileprivate func write(to record: inout InlineArray<13, UInt32>, at start: Int) {
        record[start] = UInt32(bitPattern: minimumPosition)
        record[start + 1] = UInt32(bitPattern: maximumPosition)
        record[start + 2] = velocity
        record[start + 3] = acceleration
        record[start + 4] = jerk
    }
}
