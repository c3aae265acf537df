import DockSimulator
import Geometry

@testable import DockControl

/// A driver and simulated servos, in virtual time, with a line that can be bad.
struct ServoStage<Servos: BusServos> {
    var device: SimulatedRig<Servos>
    var driver: any DockDriver
    var reports: [DockReport] = []
    /// The frames that the servos have received.
    private(set) var frames: [[UInt8]] = []
    /// Longer answers than this are lost, in bytes.
    var longest = Int.max
    /// While the line is stalled, answers wait in it.
    var stalled: ClosedRange<Seconds> = -1 ... -1
    /// How long answers are on their way.
    var delay: Seconds = 0
    /// The farthest that the head was from its place at the start, in radians.
    private(set) var farthest = 0.0
    private let start: PanTilt
    private var late: [(at: Seconds, bytes: [UInt8])] = []
    private(set) var now: Seconds = 0

    init(
        _ profile: RigProfile, options: [String: Double]? = nil, motionless: Bool = false, pose: PanTilt = .zero,
        _ change: (inout Servos) -> Void = { _ in }
    ) throws {
        device = SimulatedRig(options: options ?? profile.options, seed: 3, pose: pose, time: 0)
        start = pose
        change(&device.electronics)
        driver = try DriverTable.make(for: profile)
        driver.begin(now: 0, motionless: motionless)
    }

    mutating func run(_ seconds: Seconds) {
        for _ in 0..<Int((seconds * 1000).rounded()) {
            now += 0.001
            var bytes: [UInt8] = []
            device.advance(to: now)
            farthest = max(farthest, (device.pose - start).magnitude)
            let output = device.drainOutput()
            if !output.isEmpty, output.count <= longest { late.append((now + delay, output)) }
            while !stalled.contains(now), let first = late.first, first.at <= now {
                first.bytes.withUnsafeBytes { driver.receive($0, now: now, into: &reports) }
                late.removeFirst()
            }
            _ = driver.service(now: now, into: &bytes)
            send(bytes)
        }
    }

    /// `isLost`: the servos do not receive the command itself, only what follows.
    mutating func torque(_ on: Bool, isLost: Bool = false) {
        var bytes: [UInt8] = []
        driver.encodeTorque(on, into: &bytes)
        if !isLost { send(bytes) }
    }

    mutating func turn(at velocity: PanTilt) {
        var bytes: [UInt8] = []
        driver.encode(.velocity(velocity), now: now, into: &bytes)
        send(bytes)
    }

    mutating func moves() {
        var bytes: [UInt8] = []
        driver.setActive(true, into: &bytes)
        send(bytes)
    }

    mutating func clear() {
        var bytes: [UInt8] = []
        driver.encodeClear(into: &bytes)
        send(bytes)
    }

    private mutating func send(_ bytes: [UInt8]) {
        guard !bytes.isEmpty else { return }
        frames.append(bytes)
        device.receive(bytes, at: now)
    }

    /// The advice so far.
    var advice: [String] { reports.compactMap { if case .advice(let text) = $0 { text } else { nil } } }
    /// What the driver has refused so far.
    var refusals: [String] { reports.compactMap { if case .refused(let text) = $0 { text } else { nil } } }

    /// The numbers of the frames that write one byte to an address of a servo.
    func writes(to address: Int, of id: UInt8, value: UInt8? = nil) -> [Int] {
        frames.indices.filter { Servos.Servo.isWrite(frames[$0], to: address, of: id, value: value) }
    }
}

extension BusServo {
    /// Returns whether a frame writes to an address of one servo.
    fileprivate static func isWrite(_ frame: [UInt8], to address: Int, of id: UInt8, value: UInt8?) -> Bool {
        let (head, place) = modeAddress == 33 ? (4, 5) : (7, 8), first = place + (modeAddress == 33 ? 1 : 2)
        guard frame.count > first, frame[head] == 3, frame[place] == UInt8(address) else { return false }
        return frame[modeAddress == 33 ? 2 : 4] == id && (value ?? frame[first]) == frame[first]
    }
}
