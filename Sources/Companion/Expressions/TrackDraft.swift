internal import Files
internal import RobotFace

/// One `[[motion]]` of an expression's file.
struct TrackDraft: Sendable, Equatable {
    var moves = "", curve = "sine", by = MotionOperation.plus.rawValue
    var amount = 0.0, every = 0.0, phase = 0.0, hertz = 0.0, on = 0.0, off = 0.0
    var keys: [SIMD2<Double>] = []

    static let rows: [FileRow<TrackDraft>] = [
        FileRow("moves", .text, required: true, get: { .text($0.moves) }) { $0.moves = $1.text },
        FileRow("curve", .oneOf(["sine", "hop", "shake", "keys"]), required: true, get: { .text($0.curve) }) {
            $0.curve = $1.text
        },
        FileRow("by", .oneOf(["plus", "times"]), get: { .text($0.by) }) { $0.by = $1.text },
        number("amount", -90...90, \.amount), number("every", 0.1...60, \.every), number("phase", 0...1, \.phase),
        number("hertz", 0.5...15, \.hertz), number("on", 0.05...60, \.on), number("off", 0...60, \.off),
        FileRow("keys", .curve(most: 32, -90...90), get: { $0.keys.isEmpty ? nil : .curve($0.keys) }) {
            $0.keys = $1.curve
        },
    ]

    private static func number(
        _ name: String, _ range: ClosedRange<Double>, _ path: any WritableKeyPath<TrackDraft, Double> & Sendable
    ) -> FileRow<TrackDraft> {
        FileRow(name, .number(range), get: { .number($0[keyPath: path]) }) {
            $0[keyPath: path] = $1.number
        }
    }

    /// The keys that each kind of curve requires and permits; any other key is a mistake.
    private static let needs: [String: (must: Set<String>, may: Set<String>)] = [
        "sine": (["amount", "every"], ["phase"]), "hop": (["amount", "every"], []),
        "shake": (["amount", "hertz", "on"], ["off"]), "keys": (["keys"], ["every"]),
    ]

    /// Returns the mistake if a key is missing or not permitted. `given`: the keys of the file.
    func contradiction(given: Set<String>) -> String? {
        guard let row = Self.needs[curve] else { return nil }
        if let missing = row.must.subtracting(given).min() {
            return "\"\(missing)\" is missing: curve = \"\(curve)\" needs \(row.must.sorted().joined(separator: ", "))"
        }
        let extra = given.subtracting(row.must).subtracting(row.may).subtracting(["moves", "curve", "by"])
        return extra.min().map { "\"\($0)\" has no meaning with curve = \"\(curve)\"" }
    }

    /// Returns whether the file must contain this key.
    func mustSay(_ key: String) -> Bool {
        ["moves", "curve"].contains(key) || Self.needs[curve]?.must.contains(key) ?? false
    }

    // MARK: tracks

    /// The names that `moves` can have, and their targets.
    static let targets: [(name: String, target: MotionTarget)] =
        [("eyes", MotionTarget.eyes), ("left", MotionTarget.left), ("right", MotionTarget.right)].flatMap {
            side, target in
            EyeParameter.allCases.filter { $0 != .morph && $0 != .lid }.map {
                (side + "." + FileText.key($0), target($0))
            }
        } + FaceParameter.allCases.filter { $0 != .gazeGain }.map { ("face." + FileText.key($0), .face($0)) }

    /// The track, or nil if `moves` is unknown.
    var track: MotionTrack? {
        guard let target = Self.targets.first(where: { $0.name == moves })?.target,
            let operation = MotionOperation(rawValue: by)
        else { return nil }
        let curve: MotionTrack.Curve
        switch self.curve {
        case "sine": curve = .sine(amplitude: Float(amount), period: every, phase: phase)
        case "hop": curve = .hop(amplitude: Float(amount), period: every)
        case "shake": curve = .shake(amplitude: Float(amount), hertz: hertz, on: on, off: off)
        default:
            curve = .keys(keys.map { MotionKey(time: $0.x, value: Float($0.y)) }, period: every)
        }
        return MotionTrack(target: target, operation: operation, curve: curve)
    }

    init() {}

    init(_ track: MotionTrack) {
        moves = Self.targets.first { $0.target == track.target }?.name ?? ""
        by = track.operation.rawValue
        switch track.curve {
        case .sine(let amplitude, let period, let phase):
            (curve, amount, every, self.phase) = ("sine", FileText.short(amplitude), period, phase)
        case .hop(let amplitude, let period): (curve, amount, every) = ("hop", FileText.short(amplitude), period)
        case .shake(let amplitude, let hertz, let on, let off):
            (curve, amount, self.hertz, self.on, self.off) = ("shake", FileText.short(amplitude), hertz, on, off)
        case .keys(let keys, let period):
            (curve, every, self.keys) = ("keys", period, keys.map { SIMD2($0.time, FileText.short($0.value)) })
        }
    }
}
