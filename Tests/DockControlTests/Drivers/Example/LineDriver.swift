import Geometry

@testable import DockControl

/// The driver that docs/DRIVERS.md explains: for a board of your own that accepts velocities and reports positions, one
/// text line each.
///
///     host   $H  $T,1  $V,30.00,-10.00  $S            hello, torque, velocities (deg/s, for 250 ms), stop
///     board  $I,MODEL,VERSION,UID  $P,12.34,-5.60,1   identity; position (deg) and torque, 50 times a second
///
/// Each line ends with `*` and two hexadecimal digits: the exclusive or of all bytes between `$` and `*`.
struct LineDriver: DockDriver {
    static let name = "line"
    static let options: [String: DriverOption] = [:]

    enum Phase { case closed, greeting, ready }

    /// The delay before an unconfirmed command is repeated, seconds.
    static let retryInterval: Seconds = 0.1

    private let profile: RigProfile
    private var phase = Phase.closed
    private var reader = LineReader()
    private var slope = PoseRate()
    private var isIdentified = false
    /// The wanted torque; nil: torque is not touched (a dry run).
    private var torqueWanted: Bool?
    private var torque = false, isReleaseReported = false
    private var nextWord: Seconds = 0

    init(profile: RigProfile) { self.profile = profile }

    var abilities: DriverAbilities {
        DriverAbilities(
            deadman: 0.25, setpoint: .velocity, reportsPose: true, reportsBattery: false,
            keepsLatch: false, showsDeafness: false)
    }
    var invalidBytes: Int { reader.invalidBytes }

    // MARK: sending

    mutating func begin(now: Seconds, motionless: Bool) {
        if !motionless { torqueWanted = true }
        if motionless, torqueWanted == true { torqueWanted = nil }
        (phase, isIdentified, isReleaseReported, nextWord) = (.greeting, false, false, now)
        slope.forget()
    }

    mutating func service(now: Seconds, into bytes: inout [UInt8]) -> Seconds {
        guard phase != .closed, now >= nextWord else { return max(nextWord, now + 0.001) }
        nextWord = now + Self.retryInterval
        if !isIdentified { append("H", to: &bytes) }
        if let torqueWanted, torqueWanted != torque { append("T,\(torqueWanted ? 1 : 0)", to: &bytes) }
        return nextWord
    }

    mutating func encode(_ setpoint: DockSetpoint, now: Seconds, into bytes: inout [UInt8]) {
        // A stop may be sent in any state; a motion needs a dock that is ready.
        guard case .velocity(let velocity) = setpoint else { return append("S", to: &bytes) }
        guard phase == .ready, torque else { return }
        let own = profile.mirrored(velocity)
        append("V,\(Self.text(own.pan)),\(Self.text(own.tilt))", to: &bytes)
    }

    /// Ends the line, so that the next one is complete whatever was cut off before.
    mutating func encodeResync(into bytes: inout [UInt8]) { bytes.append(UInt8(ascii: "\n")) }

    mutating func encodeStop(into bytes: inout [UInt8]) {
        encodeResync(into: &bytes)
        append("S", to: &bytes)
    }

    /// The board keeps no latch; the daemon does.
    mutating func encodeEmergencyStop(into bytes: inout [UInt8]) { encodeStop(into: &bytes) }
    mutating func encodeClear(into bytes: inout [UInt8]) {}

    /// Repeated by `service` until the board reports the wanted torque.
    mutating func encodeTorque(_ on: Bool, into bytes: inout [UInt8]) {
        (torqueWanted, isReleaseReported) = (on, false)
        append("T,\(on ? 1 : 0)", to: &bytes)
    }

    mutating func setActive(_ active: Bool, into bytes: inout [UInt8]) {}

    // MARK: receiving

    mutating func receive(_ bytes: UnsafeRawBufferPointer, now: Seconds, into reports: inout [DockReport]) {
        for byte in bytes {
            guard phase != .closed, let fields = reader.push(byte) else { continue }
            switch (fields[0], fields.count) {
            case ("I", 4):
                // The board introduces itself unasked after a restart, and its torque is off. It is greeted again.
                guard phase == .greeting else {
                    begin(now: now, motionless: torqueWanted != true)
                    return reports.append(.rebooted)
                }
                guard !isIdentified else { continue }
                isIdentified = true
                reports.append(.identified(DockIdentity(model: fields[1], firmware: fields[2], uid: fields[3])))
            case ("P", 4):
                // At most one full turn to either side: digits can be wrong even if the checksum is right.
                guard let pan = Double(fields[1]), let tilt = Double(fields[2]), abs(pan) <= 360, abs(tilt) <= 360
                else { continue }
                torque = fields[3] == "1"
                place(.degrees(pan: pan, tilt: tilt), now: now, into: &reports)
            default: continue
            }
        }
    }

    private mutating func place(_ board: PanTilt, now: Seconds, into reports: inout [DockReport]) {
        let rate = slope.record(board, at: now)
        guard isIdentified else { return }
        reports.append(
            .motion(
                MotionSample(time: now, pose: profile.mirrored(board), rate: profile.mirrored(rate)),
                deadmanTripped: false))
        if torqueWanted == false, !torque, !isReleaseReported {
            isReleaseReported = true
            reports.append(.released)
        }
        if phase == .greeting, torqueWanted.map({ $0 == torque }) ?? true {
            phase = .ready
            reports.append(.ready)
        }
    }

    // MARK: parts

    private static func text(_ radians: Double) -> String {
        let hundredths = Int((radians.inDegrees * 100).rounded().clamped(to: -100_000...100_000))
        return "\(hundredths < 0 ? "-" : "")\(abs(hundredths) / 100).\(String(100 + abs(hundredths) % 100).suffix(2))"
    }

    private func append(_ line: String, to bytes: inout [UInt8]) { bytes += LineReader.framed(line) }
}
