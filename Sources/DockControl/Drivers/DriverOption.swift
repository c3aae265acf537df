/// The allowed values of one option of a driver.
public struct DriverOption: Sendable, Equatable {
    /// The smallest and the largest value, in the unit that the driver documents.
    public var range: ClosedRange<Double>
    /// Whether only whole numbers are allowed: IDs, addresses, table numbers, switches (0 and 1).
    public var isWhole: Bool

    /// Returns any number in a range.
    public static func number(_ range: ClosedRange<Double>) -> DriverOption {
        DriverOption(range: range, isWhole: false)
    }

    /// Returns a whole number in a range.
    public static func whole(_ range: ClosedRange<Double>) -> DriverOption { DriverOption(range: range, isWhole: true) }

    /// A switch: 1 means yes, 0 means no.
    public static let flag = whole(0...1)

    /// Returns whether a value is allowed.
    public func allows(_ value: Double) -> Bool { range.contains(value) && (!isWhole || value == value.rounded()) }
}
