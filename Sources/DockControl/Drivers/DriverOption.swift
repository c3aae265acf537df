/// Allowed values of one option of a driver.
public struct DriverOption: Sendable, Equatable {
    /// Smallest and largest value, in the unit that the driver documents.
    public var range: ClosedRange<Double>
    /// Whole numbers only: IDs, addresses, table numbers, switches (0 and 1).
    public var isWhole: Bool

    /// Any number in a range.
    public static func number(_ range: ClosedRange<Double>) -> DriverOption {
        DriverOption(range: range, isWhole: false)
    }

    /// A whole number in a range.
    public static func whole(_ range: ClosedRange<Double>) -> DriverOption { DriverOption(range: range, isWhole: true) }

    /// 1: yes, 0: no.
    public static let flag = whole(0...1)

    /// Whether a value is allowed.
    public func allows(_ value: Double) -> Bool { range.contains(value) && (!isWhole || value == value.rounded()) }
}
