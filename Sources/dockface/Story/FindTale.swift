import ControlProtocol
import Geometry
import PlainText

/// What happens in `dockface demo --find`, from the lines that the extension `find` prints.
struct FindTale: Sendable, Equatable {
    /// The parts of the demo, in order.
    enum Part: Int, Sendable, CaseIterable {
        /// The head looks round until it has found the thing.
        case search = 1
        /// The extension says what it remembers.
        case memory
        /// The head has turned away, and looks whether the thing is still there.
        case look
    }

    /// How a search ended.
    struct Outcome: Sendable, Equatable {
        /// Whether the thing was found.
        var isFound: Bool
        /// Where, in radians; nil if it was not found.
        var bearing: PanTilt?
        /// How long it took, in seconds, and after how many looks.
        var took: Seconds, looks: Int
        /// Why it ended, in the words of the extension.
        var reason: String
    }

    /// What is searched.
    let thing: String
    /// How the search ended; nil until then.
    private(set) var search: Outcome?
    /// How the look back ended; nil until then.
    private(set) var look: Outcome?
    /// What the extension remembers, in its words; nil until it was asked.
    private(set) var memory: String?
    /// What it said last that is no progress, for the case that it fails.
    private(set) var complaint: String?
    /// Whether the session ended before the story did: a person pressed q, or the time was over.
    var isCut = false
    private var begun: Seconds = 0
    private var last = ""

    /// A tale that has not begun.
    init(of thing: String) { self.thing = thing }

    /// Whether the story is complete: the thing was found, remembered and found again.
    var isComplete: Bool { search?.isFound == true && memory != nil && look?.isFound == true }

    /// Begins the search of a part. The time counts from here.
    mutating func begin(now: Seconds) { (begun, last) = (now, "") }

    /// The heading of a part.
    func heading(of part: Part) -> String {
        let what =
            switch part {
            case .search: "look round for: \(thing)"
            case .memory: "remember the place"
            case .look: "look away, and look whether it is still there"
            }
        return "\(part.rawValue) of \(Part.allCases.count): \(what)"
    }

    /// Reads a line of the extension. Returns what is new for a person, or nil.
    mutating func receive(_ line: String, in part: Part, now: Seconds) -> String? {
        guard let json = JSONValue(json: line.utf8), let phase = json["phase"]?.string else {
            let plain = ForeignText.line(line, longest: 300)
            if part == .memory { memory = memory ?? plain } else if !plain.isEmpty { complaint = plain }
            return part == .memory ? "remembered: \(plain)" : nil
        }
        let looks = json["looks"]?.integer ?? 0, reason = ForeignText.line(json["reason"]?.string ?? "", longest: 200)
        let outcome = Outcome(
            isFound: phase == "found", bearing: json["bearing"]?.panTilt, took: max(0, now - begun), looks: looks,
            reason: reason)
        if part == .search { search = outcome } else { look = outcome }
        guard phase + reason != last else { return nil }
        last = phase + reason
        let share = Int(((json["share"]?.number ?? 0).clamped(to: 0...1) * 100).rounded(.down))
        let far = looks == 0 ? "" : " (\(looks) look\(looks == 1 ? "" : "s"), \(share) % of the room)"
        return "\(ForeignText.line(phase, longest: 40)): \(reason)\(far)"
    }

    /// The whole story, one line for each part.
    var lines: [String] {
        var lines = [line(search, found: "found", missed: "not found")]
        if let memory { lines.append("remembered: \(memory)") }
        if search?.isFound == true {
            lines.append(line(look, found: "found again where it was", missed: "not found again"))
        }
        return lines
    }

    private func line(_ outcome: Outcome?, found: String, missed: String) -> String {
        guard let outcome, outcome.isFound else {
            return
                "\(missed): \(thing): \(isCut ? "the demo was ended before" : outcome?.reason ?? "it was not searched")"
        }
        let place = outcome.bearing.map { place in
            " at pan \(Self.tenths(place.pan.inDegrees)), tilt \(Self.tenths(place.tilt.inDegrees))"
        }
        // A thing that is found at the place that was remembered needs no look round.
        let looks = outcome.looks == 0 ? "" : " and \(outcome.looks) look\(outcome.looks == 1 ? "" : "s")"
        return "\(found): \(thing)\(place ?? ""), after \(Self.tenths(outcome.took)) s\(looks)"
    }

    /// The story for programs.
    var json: JSONValue {
        .object([
            "thing": .string(thing), "search": Self.json(search), "remembered": .string(orNull: memory),
            "look": Self.json(look),
        ])
    }

    private static func json(_ outcome: Outcome?) -> JSONValue {
        guard let outcome else { return .null }
        return .object([
            "found": .bool(outcome.isFound), "bearing": outcome.bearing.map(JSONValue.panTilt) ?? .null,
            "seconds": .number((outcome.took * 100).rounded() / 100), "looks": .number(outcome.looks),
            "reason": .string(outcome.reason),
        ])
    }

    private static func tenths(_ value: Double) -> String { String((value * 10).rounded() / 10) }
}
