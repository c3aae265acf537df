internal import Geometry

/// One motor of a simulated VISCA camera: the speeds of its codes and its position units, from the manuals of the
/// cameras that the option `speed_table` numbers.
struct ViscaMotor: Sendable {
    /// Speeds from code 1 on, rad/s.
    private let speeds: [Double]
    /// Position units per degree.
    let unitsPerDegree: Double

    /// Sony EVI-D100 Technical Manual, page 44.
    private static let sony: [Double] = [
        2.0, 2.4, 3.0, 3.7, 4.7, 6.1, 7.4, 9.1, 11, 14, 18, 22, 27, 34, 42, 52, 65, 81, 100, 125, 155, 190, 240, 300,
    ]
    /// Telycam TLC-700-S user manual, page 13.
    private static let telycam: (pan: [Double], tilt: [Double]) = (
        [
            1.0, 1.5, 2.2, 2.4, 2.6, 2.8, 3.0, 3.2, 3.4, 3.8, 4.5, 6.0, 9.0, 15, 19, 25, 32, 38, 45, 58, 75, 88, 105,
            120,
        ],
        [1.0, 1.5, 2.2, 3.6, 4.7, 6.0, 8.0, 10, 12, 15, 18, 23, 30, 39, 48, 59, 69, 80]
    )

    init(_ axis: Axis, _ options: [String: Double], _ model: RigModel) {
        let name = axis == .pan ? "pan" : "tilt"
        let degrees: [Double]
        switch options["speed_table"] ?? 0 {
        case 1: degrees = axis == .pan ? Self.sony : Array(Self.sony[..<20])
        case 2: degrees = axis == .pan ? Self.telycam.pan : Self.telycam.tilt
        default:
            // Its codes are evenly spaced from the slowest to the fastest.
            let last = Int(options[name + "_codes"] ?? (axis == .pan ? 24 : 20)) - 1
            let low = options[name + "_min_speed"] ?? 1
            let high = options[name + "_max_speed"] ?? model.maximumSpeed.inDegrees
            degrees = (0...max(last, 0)).map { last > 0 ? low + (high - low) / Double(last) * Double($0) : low }
        }
        speeds = degrees.map { Double.degrees($0) }
        unitsPerDegree = options[name + "_units_per_degree"] ?? 14.4
    }

    /// The speed of a code from 1 on, rad/s. Codes above the last one have its speed.
    func speed(_ code: Int) -> Double { speeds[min(max(code, 1), speeds.count) - 1] }
}
