/// Where a value of a pad comes from: a key, or a part of an axis. A hat of SDL's database is two axes of the kernel.
enum PadSource: Sendable, Equatable {
    case key(UInt16)
    case axis(UInt16, AxisPart, isInverted: Bool = false)
}

/// The part of an axis that counts.
enum AxisPart: Sendable, Equatable { case whole, positive, negative }

/// What a value of a pad means: a button, or a stick in one direction or both.
enum PadTarget: Sendable, Equatable {
    case button(PadButton)
    case stick(PadAxis, AxisPart = .whole)
}

/// One row of a mapping: what a key or an axis means.
struct PadLink: Sendable, Equatable {
    var source: PadSource
    var target: PadTarget

    /// Whether a device has the source, and the source can be at rest. A key cannot be a whole stick: it would be at
    /// the end of the range while no one presses it.
    func fits(_ device: DeviceProfile) -> Bool {
        switch source {
        case .key(let code):
            if case .stick(_, .whole) = target { return false }
            return device.keys.contains(code)
        case .axis(let code, _, _): return device.axes[code]?.isUsable ?? false
        }
    }

    /// Returns the source's value, 0...1: of a key, or of the part of the axis that counts.
    func value(_ raw: RawState) -> Double {
        switch source {
        case .key(let code): return raw.isPressed(code) ? 1 : 0
        case .axis(let code, let part, let isInverted):
            let share = raw.share(code)
            let value =
                switch part {
                case .whole: (share + 1) / 2
                case .positive: max(0, share)
                case .negative: max(0, -share)
                }
            return isInverted ? 1 - value : value
        }
    }
}

/// The keys and axes of a device as last reported. The sizes are the kernel's, so that an event costs nothing more.
struct RawState: Sendable, Equatable {
    private var keys = [Bool](repeating: false, count: EventCode.keyCount)
    private var values = [Int32](repeating: 0, count: EventCode.axisCount)
    private let ranges: [AxisRange]

    init(_ device: DeviceProfile) {
        ranges = (0..<EventCode.axisCount).map { device.axes[UInt16($0)] ?? AxisRange(low: 0, high: 0) }
        // At rest until the device says otherwise.
        for (index, range) in ranges.enumerated() {
            values[index] = Int32(clamping: (Int64(range.low) + Int64(range.high)) / 2)
        }
    }

    func isPressed(_ code: UInt16) -> Bool { Int(code) < keys.count && keys[Int(code)] }

    func share(_ code: UInt16) -> Double {
        Int(code) < values.count ? ranges[Int(code)].share(of: values[Int(code)]) : 0
    }

    mutating func setKey(_ code: UInt16, _ isPressed: Bool) {
        if Int(code) < keys.count { keys[Int(code)] = isPressed }
    }

    mutating func setAxis(_ code: UInt16, _ value: Int32) { if Int(code) < values.count { values[Int(code)] = value } }

    mutating func releaseKeys() { keys = Array(repeating: false, count: keys.count) }
}
