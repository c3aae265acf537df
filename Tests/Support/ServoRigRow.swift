package import DockSimulator
internal import Geometry

/// A rig of bus servos as people plug it in, and its end.
package struct ServoRigRow<Servos: BusServos>: Sendable {
    /// What is unusual about it.
    package let name: String
    /// Whether it becomes ready.
    package let isReady: Bool
    /// A part of the one note about it; nil: there is none.
    package let note: String?
    /// Brings a rig that fits the profile into this state.
    package let prepare: @Sendable (inout SimulatedRig<Servos>) -> Void

    init(
        _ name: String, ready: Bool, note: String? = nil,
        _ prepare: @escaping @Sendable (inout SimulatedRig<Servos>) -> Void
    ) {
        self.name = name
        isReady = ready
        self.note = note
        self.prepare = prepare
    }
}

/// The rigs of FeeTech STS servos.
package let feetechRigs: [ServoRigRow<FeetechServos>] = [
    ServoRigRow("as the profile says", ready: true) { _ in },
    ServoRigRow("both are new", ready: false, note: "several servos have this id") { $0.electronics.makeNew() },
    ServoRigRow("only pan is plugged in", ready: false, note: "servo 1 answers, and servo 2 does not") {
        $0.faults.unplugged = [.tilt]
    },
    ServoRigRow("only tilt is plugged in", ready: false, note: "servo 2 answers, and servo 1 does not") {
        $0.faults.unplugged = [.pan]
    },
    ServoRigRow("none is plugged in", ready: false) { $0.faults.unplugged = [.pan, .tilt] },
    ServoRigRow("tilt has another id", ready: false, note: "its id and speed with `dockface servo scan`") {
        $0.electronics.store([7], at: 5, on: .tilt)
    },
    ServoRigRow("both have another speed", ready: false) {
        $0.lineSpeed = 1_000_000
        for axis in Axis.allCases { $0.electronics.store([4], at: 6, on: axis) }
    },
    ServoRigRow("tilt has another speed", ready: false, note: "servo 1 answers, and servo 2 does not") {
        $0.lineSpeed = 1_000_000
        $0.electronics.store([4], at: 6, on: .tilt)
    },
    ServoRigRow("limits of another arm", ready: true, note: "servo 1 turns only from position 1000 to 3000") {
        $0.electronics.store([0xE8, 3, 0xB8, 0x0B], at: 9, on: .pan)
    },
    ServoRigRow("no answers to writes", ready: false, note: "servo 2 does not answer writes (status level 0)") {
        $0.electronics.store([0], at: 8, on: .tilt)
    },
    ServoRigRow("an offset", ready: true) { $0.electronics.store([0x2C, 0x09], at: 31, on: .pan) },
    ServoRigRow("speed mode", ready: true) { $0.electronics.leaveInSpeedMode() },
    ServoRigRow("another unit of speed", ready: true, note: "set speed_unit_steps = 50") {
        $0.electronics.store([8], at: 18, on: .pan)
    },
]

/// The rigs of Dynamixel XL330 servos.
package let dynamixelRigs: [ServoRigRow<DynamixelServos>] = [
    ServoRigRow("as the profile says", ready: true) { _ in },
    ServoRigRow("both are new", ready: false, note: "several servos have this id") { $0.electronics.makeNew() },
    ServoRigRow("only pan is plugged in", ready: false, note: "servo 1 answers, and servo 2 does not") {
        $0.faults.unplugged = [.tilt]
    },
    ServoRigRow("both have another speed", ready: false) {
        $0.lineSpeed = 57_600
        for axis in Axis.allCases { $0.electronics.store([3], at: 8, on: axis) }
    },
    ServoRigRow("limits of another arm", ready: true, note: "servo 2 turns only from position 1900 to 2200") {
        $0.electronics.store([0x98, 0x08, 0, 0, 0x6C, 0x07, 0, 0], at: 48, on: .tilt)
    },
    ServoRigRow("a time-based profile", ready: false, note: "refused to be moved: servo 1 has a time-based profile") {
        $0.electronics.store([4], at: 10, on: .pan)
    },
    ServoRigRow("torque with every goal", ready: false, note: "servo 1 switches its torque on with every goal") {
        $0.electronics.store([8], at: 10, on: .pan)
    },
    ServoRigRow("no answers to writes", ready: true, note: "a run sets it to answer them until its supply") {
        $0.electronics.store([1], at: 68, on: .pan)
    },
    ServoRigRow("answers to pings only", ready: false, note: "servo 2 answers, and servo 1 does not") {
        $0.electronics.store([0], at: 68, on: .pan)
    },
    ServoRigRow("reversed", ready: true) { $0.electronics.store([1], at: 10, on: .pan) },
    ServoRigRow("speed mode", ready: true) { $0.electronics.leaveInSpeedMode() },
]
