public import Geometry

/// Two servos on one bus, each with a memory that is kept without a supply.
public protocol BusServos: RigElectronics {
    /// Replaces both servos by new ones, as they leave the factory: both have the same id.
    mutating func makeNew()
    /// Stores bytes in the memory of an axis's servo, as another program might have done before. Settings among them
    /// are kept without a supply.
    mutating func store(_ bytes: [UInt8], at place: Int, on axis: Axis)
    /// Returns the byte that an axis's servo has after its supply was interrupted; nil if that part is not kept.
    func stored(at place: Int, on axis: Axis) -> UInt8?
}
