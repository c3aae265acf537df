public import DockTypes
internal import Files

/// The kind of a record.
public enum LogKind: String, Sendable, CaseIterable {
    /// A button of the dock, or a change of its camera.
    case event
    /// Whether the dock is ready, detached or in another state.
    case dock
    /// A fault or an emergency stop that was latched or cleared.
    case fault
    /// A stop that binds programs, or its end.
    case stop
    /// A person who was seen, from when to when.
    case person
    /// An object that was seen, from when to when.
    case object
    /// A change of the power supply.
    case battery
    /// What a program does with pictures, sound or data, as it tells the people nearby.
    case indicator
    /// A warning or an error from the daemon's log.
    case message
    /// The connection to the daemon.
    case daemon
    /// The log itself: its start, its end, gaps and losses.
    case recorder

    /// How much a reader would miss it when room is short.
    enum Weight: Int, Comparable {
        case light, normal, grave

        static func < (a: Weight, b: Weight) -> Bool { a.rawValue < b.rawValue }
    }

    var weight: Weight {
        switch self {
        case .person, .object: .light
        case .event, .battery, .indicator, .message: .normal
        case .dock, .fault, .stop, .daemon, .recorder: .grave
        }
    }

    /// Whether its records must be on the disk at once.
    var isUrgent: Bool { self == .fault || self == .stop }
}

extension LogKind {
    /// Returns the names in a list with commas: "fault,person".
    /// - Throws: `invalidParameter` with the nearest name.
    public static func named(in list: String) throws(DockError) -> Set<String> {
        let known = allCases.map(\.rawValue)
        let names = list.split(separator: ",").map { $0.drop { $0 == " " } }.map(String.init).filter { !$0.isEmpty }
        for name in names where !known.contains(name) {
            let near = Spelling.nearest(to: name, among: known)
            throw DockError(
                .invalidParameter, "\"\(name)\" is not a kind of records",
                hint: near.map { "did you mean \"\($0)\"?" } ?? "name some of: \(known.joined(separator: ", "))")
        }
        return Set(names)
    }
}
