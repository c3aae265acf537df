/// Makes the state of a pad from the events of its device.
public struct PadDecoder: Sendable {
    /// What an event means.
    public enum Output: Sendable, Equatable {
        /// A frame is complete: the state counts now.
        case frame
        /// The kernel has dropped events: ask the device for all keys and axes, and call `resync`.
        case resync
    }

    private let mapping: PadMapping
    private var raw: RawState
    private var isLost = false
    private var hasNews = false
    /// The state after the last complete frame.
    public private(set) var state = PadState()

    /// The share of a trigger's way at which it counts as pressed, and as released.
    static let press = 0.6, release = 0.4

    /// Creates a decoder for a device.
    public init(_ mapping: PadMapping, _ device: DeviceProfile) {
        self.mapping = mapping
        raw = RawState(device)
    }

    /// Takes an event. Returns nil if nothing is to be done for it.
    public mutating func receive(_ event: DeviceEvent) -> Output? {
        switch (event.type, event.code) {
        case (EventCode.sync, EventCode.dropped):
            isLost = true
            return .resync
        case (EventCode.sync, EventCode.report):
            guard !isLost else {
                isLost = false
                return .resync
            }
            guard hasNews else { return nil }
            hasNews = false
            state = described()
            return .frame
        // The frame in which events were dropped is incomplete.
        case (_, _) where isLost: return nil
        // The kernel repeats a key that is held (2). That is no sign of life of the device.
        case (EventCode.key, let code) where event.value != 2:
            raw.setKey(code, event.value != 0)
            hasNews = true
        case (EventCode.axis, let code):
            raw.setAxis(code, event.value)
            hasNews = true
        case (_, _): break
        }
        return nil
    }

    /// Sets all keys and axes, as the device was asked for them.
    public mutating func resync(keys: Set<UInt16>, axes: [UInt16: Int32]) {
        raw.releaseKeys()
        for key in keys { raw.setKey(key, true) }
        for (code, value) in axes { raw.setAxis(code, value) }
        hasNews = false
        state = described()
    }

    private func described() -> PadState {
        var sticks = [Double](repeating: 0, count: PadAxis.allCases.count)
        var new = PadState()
        for link in mapping.links {
            let value = link.value(raw)
            switch link.target {
            case .button(let button):
                if value > (state.buttons.contains(button) ? Self.release : Self.press) { new.buttons.insert(button) }
            case .stick(let axis, .whole): sticks[axis.rawValue] += 2 * value - 1
            case .stick(let axis, .positive): sticks[axis.rawValue] += value
            case .stick(let axis, .negative): sticks[axis.rawValue] -= value
            }
        }
        let limited = sticks.map { min(1, max(-1, $0)) }
        new.left = SIMD2(limited[0], limited[1])
        new.right = SIMD2(limited[2], limited[3])
        return new
    }
}
