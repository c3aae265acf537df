/// A button of a gamepad, named by its place. The letters on the buttons differ between makers.
public enum PadButton: String, Sendable, CaseIterable {
    /// The four buttons under the right thumb: A, B, X and Y on most pads.
    case south, east, west, north
    /// The upper buttons at the front: LB and RB.
    case leftShoulder = "left-shoulder", rightShoulder = "right-shoulder"
    /// The lower buttons at the front, which many pads measure: LT and RT.
    case leftTrigger = "left-trigger", rightTrigger = "right-trigger"
    /// The small buttons in the middle: Back (or Select, Share), Start (or Menu, Options), and the maker's own.
    case back, start, guide
    /// A stick that is pressed down.
    case leftStick = "left-stick", rightStick = "right-stick"
    /// The D-pad.
    case up, down, left, right

    var bit: UInt32 { 1 << UInt32(Self.places[self] ?? 31) }

    private static let places = Dictionary(uniqueKeysWithValues: zip(allCases, 0...))
}

/// A direction in which a stick is measured. Right and down are positive, as the kernel reports them.
public enum PadAxis: Int, Sendable, CaseIterable {
    /// The left stick.
    case leftX, leftY
    /// The right stick.
    case rightX, rightY
}

/// Some buttons of a gamepad.
public struct PadButtons: Sendable, Equatable, ExpressibleByArrayLiteral {
    private var bits: UInt32 = 0

    /// Collects some buttons.
    public init(arrayLiteral buttons: PadButton...) { for button in buttons { insert(button) } }

    /// Whether a button is among them.
    public func contains(_ button: PadButton) -> Bool { bits & button.bit != 0 }

    /// Adds a button.
    public mutating func insert(_ button: PadButton) { bits |= button.bit }

    /// Removes a button.
    public mutating func remove(_ button: PadButton) { bits &= ~button.bit }

    /// The buttons that are not among the others, in the order of `PadButton`.
    public func subtracting(_ others: PadButtons) -> [PadButton] {
        let new = bits & ~others.bits
        return new == 0 ? [] : PadButton.allCases.filter { new & $0.bit != 0 }
    }
}

/// What a person does with a gamepad at one moment.
public struct PadState: Sendable, Equatable {
    /// The sticks, -1...1; x to the right, y down.
    public var left = SIMD2<Double>.zero, right = SIMD2<Double>.zero
    /// The buttons that are pressed.
    public var buttons: PadButtons = []

    /// Creates the state of a pad that no one touches.
    public init() {}

    /// Creates a state.
    public init(left: SIMD2<Double> = .zero, right: SIMD2<Double> = .zero, buttons: PadButtons = []) {
        (self.left, self.right, self.buttons) = (left, right, buttons)
    }
}
