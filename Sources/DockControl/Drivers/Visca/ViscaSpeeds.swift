internal import Geometry

/// The speeds of one axis of a camera, by code. Code 1 is the first.
struct SpeedLadder: Sendable, Equatable {
    /// The speeds in rad/s, in ascending order.
    let speeds: [Double]

    /// Creates the speeds that the options of a profile define.
    init(_ axis: Axis, of profile: RigProfile) {
        let options = profile.options, name = axis.rawValue
        self =
            Self.table(Int(options["speed_table"] ?? 0), axis)
            ?? .straight(
                codes: Int(options[name + "_codes"] ?? (axis == .pan ? 0x18 : 0x14)),
                from: options[name + "_min_speed"] ?? 1,
                to: options[name + "_max_speed"] ?? profile[axis].maxSpeed.inDegrees)
    }

    /// Creates a ladder from degrees per second, in ascending order.
    init(degrees: [Double]) { speeds = degrees.map { .degrees($0) } }

    /// Returns the codes below and above a speed (rad/s, >= 0). 0 is standstill, and above the last code there is only
    /// the last code.
    func around(_ speed: Double) -> (below: Int, above: Int) {
        let below = speeds.lastIndex { $0 <= speed }.map { $0 + 1 } ?? 0
        return (below, min(below + 1, speeds.count))
    }

    /// Returns the velocity of a signed code, in rad/s.
    func speed(of code: Int) -> Double {
        guard code != 0, !speeds.isEmpty else { return 0 }
        let speed = speeds[min(abs(code), speeds.count) - 1]
        return code < 0 ? -speed : speed
    }

    /// Returns a known speed table by its number, as in the option `speed_table`, or nil if there is no such table. 0
    /// means equal steps.
    static func table(_ number: Int, _ axis: Axis) -> SpeedLadder? {
        switch (number, axis) {
        case (1, .pan): SpeedLadder(degrees: d100)
        // Tilt has the same codes, up to 14 (hex).
        case (1, .tilt): SpeedLadder(degrees: Array(d100.prefix(0x14)))
        case (2, .pan): SpeedLadder(degrees: telycamPan)
        case (2, .tilt): SpeedLadder(degrees: telycamTilt)
        default: nil
        }
    }

    /// Returns equal steps from the slowest to the fastest code (deg/s).
    static func straight(codes: Int, from slowest: Double, to fastest: Double) -> SpeedLadder {
        let steps = Double(max(codes - 1, 1))
        return SpeedLadder(
            degrees: (0..<max(codes, 1)).map { slowest + (max(fastest, slowest) - slowest) * Double($0) / steps })
    }

    /// The speeds of the Sony EVI-D100/D100P, Technical Manual, page 44 ("Pan/tilt speed").
    private static let d100: [Double] = [
        2, 2.4, 3, 3.7, 4.7, 6.1, 7.4, 9.1, 11, 14, 18, 22, 27, 34, 42, 52, 65, 81, 100, 125, 155, 190, 240, 300,
    ]
    /// The speeds in the Telycam TLC-700-S user manual, page 13, and in the CleverMic 4035UHS manual, page 17: the same
    /// numbers from the same manufacturer.
    private static let telycamPan: [Double] = [
        1, 1.5, 2.2, 2.4, 2.6, 2.8, 3, 3.2, 3.4, 3.8, 4.5, 6, 9, 15, 19, 25, 32, 38, 45, 58, 75, 88, 105, 120,
    ]
    private static let telycamTilt: [Double] = [
        1, 1.5, 2.2, 3.6, 4.7, 6, 8, 10, 12, 15, 18, 23, 30, 39, 48, 59, 69, 80,
    ]
}

/// Produces speeds between two codes by carrying the error: each code corrects the excess or deficit of the previous
/// one. A camera whose slowest code is 2 deg/s thus follows 0.5 deg/s, in steps of 0.1 degrees every quarter second.
struct SpeedDither: Sendable, Equatable {
    /// The angle that is still to be turned, in radians.
    private(set) var carry = 0.0
    private var sent = 0
    private var wanted = 0.0
    private var last: Seconds = -.infinity

    /// The longest time between two set-points, in seconds. After a longer pause, the error is forgotten.
    static let longestStep: Seconds = 0.25
    /// The fraction of its previous speed below which an axis counts as decelerating.
    static let brakingShare = 0.9

    /// Returns the signed code for a velocity (rad/s) at `now`. `step` is the time until the next code, in seconds.
    mutating func code(_ velocity: Double, _ ladder: SpeedLadder, step: Seconds, now: Seconds) -> Int {
        guard velocity != 0, velocity.isFinite else {
            reset()
            return 0
        }
        let elapsed = now - last
        if elapsed > Self.longestStep || elapsed < 0 || wanted * velocity < 0 {
            carry = 0
        } else {
            carry += (wanted - ladder.speed(of: sent)) * elapsed
        }
        let sense = velocity < 0 ? -1 : 1
        let (below, above) = ladder.around(abs(velocity))
        let slow = ladder.speed(of: below), fast = ladder.speed(of: above)
        // An error of more than one step's difference is not corrected, because it does not come from the ladder.
        carry = carry.clamped(to: -(fast - slow) * step...(fast - slow) * step)
        let owed = abs(velocity) + Double(sense) * carry / max(step, 0.001)
        // An axis may decelerate because an end is near. It must never be faster than commanded, however large the
        // error is.
        let brakes = abs(velocity) < Self.brakingShare * abs(wanted)
        (wanted, last) = (velocity, now)
        sent = sense * (brakes || owed - slow < fast - owed ? below : above)
        return sent
    }

    mutating func reset() { self = SpeedDither() }
}
