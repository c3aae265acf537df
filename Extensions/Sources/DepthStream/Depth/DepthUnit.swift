/// How far one count of a depth picture is.
public struct DepthUnit: Sendable, Hashable {
    /// Metres per count.
    public let metres: Double

    /// The units that are accepted, in metres per count.
    static let range = 1e-6...1.0

    /// A millimetre.
    public static let millimetres = DepthUnit(trusted: 0.001)
    /// 5 metres are 65535 counts, as the app sends them.
    public static let fiveMetres = DepthUnit(trusted: 5.0 / 65_535)

    private init(trusted metres: Double) { self.metres = metres }

    /// Creates a unit; nil if it is out of range. A number that was rounded on its way is the usual unit next to it.
    public init?(metres: Double) {
        guard Self.range.contains(metres) else { return nil }
        let usual = [Self.millimetres, .fiveMetres].first { abs($0.metres / metres - 1) < 0.001 }
        self = usual ?? DepthUnit(trusted: metres)
    }

    /// Reads a unit as a person types it: `mm`, `5m`, or metres per count, such as `0.00025`.
    public init?(_ text: String) {
        switch text {
        case "mm": self = .millimetres
        case "5m": self = .fiveMetres
        default:
            guard let metres = Double(text), let unit = DepthUnit(metres: metres) else { return nil }
            self = unit
        }
    }

    /// The unit as a person types it.
    public var text: String { self == .millimetres ? "mm" : self == .fiveMetres ? "5m" : "\(metres)" }
}

/// A unit, and why it counts.
public struct UnitDecision: Sendable, Equatable {
    /// The reasons, the strongest first.
    public enum Reason: String, Sendable {
        /// A person has set it.
        case setting
        /// It fits the size of a face.
        case face
        /// The sender names it.
        case sender
        /// It is that of the app.
        case usual

        /// The reason in words.
        public var words: String {
            switch self {
            case .setting: "as set"
            case .face: "by the size of a face"
            case .sender: "named by the sender"
            case .usual: "that of the app"
            }
        }
    }

    /// The unit.
    public let unit: DepthUnit
    /// Why.
    public let reason: Reason
}

/// Which byte of a sample comes first. The PNG format says the highest; some senders have it the other way round.
public enum SampleOrder: String, Sendable, CaseIterable {
    case big, little
}
