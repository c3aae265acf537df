/// What one option of a driver may be.
public struct DriverOption: Sendable, Equatable {
    /// Smallest and largest value, in the unit that the driver documents.
    public var range: ClosedRange<Double>
    /// Only whole numbers: ids, addresses, numbers of tables, switches (0 and 1).
    public var isWhole: Bool

    /// Any number of a range.
    public static func number(_ range: ClosedRange<Double>) -> DriverOption {
        DriverOption(range: range, isWhole: false)
    }

    /// A whole number of a range.
    public static func whole(_ range: ClosedRange<Double>) -> DriverOption { DriverOption(range: range, isWhole: true) }

    /// 1: it is so, 0: it is not.
    public static let flag = whole(0...1)

    /// Whether a value is one of them.
    public func allows(_ value: Double) -> Bool { range.contains(value) && (!isWhole || value == value.rounded()) }
}
