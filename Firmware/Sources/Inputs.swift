/// Inputs that a hand can press.
struct Pins: OptionSet {
    let rawValue: UInt8

    static let button0 = Pins(rawValue: 1 << 0)
    static let button1 = Pins(rawValue: 1 << 1)
    static let tracking = Pins(rawValue: 1 << 2)
    /// The emergency input is open.
    static let emergency = Pins(rawValue: 1 << 3)
}

/// Debounces a contact: a change counts after it has lasted.
///
/// A contact that is pressed at boot raises no event, neither for the press nor for its release.
struct Contact {
    /// Samples, one a millisecond, until a change counts.
    let patience: UInt8
    private(set) var isPressed: Bool
    private var isOld: Bool
    private var different: UInt8 = 0

    init(patience: UInt8, atBoot isPressed: Bool) {
        self.patience = patience
        self.isPressed = isPressed
        isOld = isPressed
    }

    /// Whether this sample completes a change that must be reported.
    mutating func sample(_ isDown: Bool) -> Bool {
        guard isDown != isPressed else {
            different = 0
            return false
        }
        different += 1
        guard different >= patience else { return false }
        different = 0
        isPressed = isDown
        defer { isOld = false }
        return !isOld
    }
}

/// The emergency input: one open sample stops the dock, and a quarter second closed releases the input.
struct EmergencyInput {
    static let release: UInt16 = 250
    private(set) var isActive = false
    private var closed: UInt16 = 0

    /// Takes one sample per millisecond. Returns whether it is a change.
    mutating func sample(_ isOpen: Bool) -> Bool {
        if isOpen {
            closed = 0
            defer { isActive = true }
            return !isActive
        }
        guard isActive else { return false }
        closed += 1
        guard closed >= Self.release else { return false }
        isActive = false
        closed = 0
        return true
    }
}

/// Converts the edges of an encoder to steps of a wheel, four edges per step. The remainder is kept.
struct Wheel {
    private var last: UInt16
    private var rest: Int32 = 0

    init(edges: UInt16) { last = edges }

    /// Whole steps since the last call, signed.
    mutating func steps(_ edges: UInt16) -> Int16 {
        rest += Int32(Int16(bitPattern: edges &- last))
        last = edges
        let steps = rest / 4
        rest -= 4 * steps
        return Int16(truncatingIfNeeded: steps)
    }
}

/// Counts edges of an encoder by sampling its two pins, for a board without a hardware counter.
struct Quadrature {
    private(set) var edges: UInt16 = 0
    private var last: UInt8 = 0

    /// Bit 0: pin A, bit 1: pin B. A jump over two edges has no known direction and is not counted.
    mutating func sample(_ pins: UInt8) {
        // The order 0, 1, 3, 2 is a turn to the right.
        let place = pins ^ (pins >> 1), before = last ^ (last >> 1)
        switch (place &- before) & 3 {
        case 1: edges &+= 1
        case 3: edges &-= 1
        default: break
        }
        last = pins
    }
}
