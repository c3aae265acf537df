package import Geometry

/// Two servos on one bus, each with a memory that is kept without a supply.
package protocol BusServos: RigElectronics {
    associatedtype Servo: BusServo
    var servos: [Servo] { get set }
}

/// One servo on a bus.
package protocol BusServo: Sendable {
    /// The address of its operating mode, in which 1 is speed mode.
    static var modeAddress: Int { get }
    var axis: Axis { get }
    /// Its number on the bus.
    var id: UInt8 { get }
    /// The speed of its line, bits per second.
    var baud: Int { get }
    /// Resets the memory to the state in which the servo leaves the factory.
    mutating func makeNew()
    /// Puts a byte into its memory, as another program might have done before.
    mutating func put(_ byte: UInt8, at place: Int)
    /// Returns the byte that it has after its supply was interrupted; nil if that part is not kept.
    func stored(at place: Int) -> UInt8?
}

extension BusServos {
    /// The id of packets to all servos, in both protocols.
    static var everyone: UInt8 { 0xFE }

    /// Replaces both servos by new ones, as they leave the factory: both have the same id.
    package mutating func makeNew() { for index in servos.indices { servos[index].makeNew() } }

    /// Leaves both servos in speed mode, as another program might.
    package mutating func leaveInSpeedMode() {
        for index in servos.indices { servos[index].put(1, at: Servo.modeAddress) }
    }

    /// Stores bytes in the memory of an axis's servo, as another program might have done before. Settings among them
    /// are kept without a supply.
    package mutating func store(_ bytes: [UInt8], at place: Int, on axis: Axis) {
        for index in servos.indices where servos[index].axis == axis {
            for (offset, byte) in bytes.enumerated() { servos[index].put(byte, at: place + offset) }
        }
    }

    /// Returns the byte that an axis's servo has after its supply was interrupted; nil if that part is not kept.
    package func stored(at place: Int, on axis: Axis) -> UInt8? {
        servos.first { $0.axis == axis }.flatMap { $0.stored(at: place) }
    }

    /// Returns the servos that have this id, are connected, and are set to the speed of the line.
    func listeners(_ id: UInt8) -> [Int] {
        servos.indices.filter { index in
            (servos[index].id == id || id == Self.everyone) && !unplugged.contains(servos[index].axis)
                && SharedBus.understands(lineSpeed, own: servos[index].baud)
        }
    }
}
