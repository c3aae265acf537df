public import DockControl
public import Files

/// The state of an adopted rig before it is driven: whether it is connected, whether its profile is usable, and the
/// next step for its owner.
public struct RigSurvey: Sendable, Equatable {
    /// The rig.
    public var rig: AdoptedRig
    /// Whether it is connected.
    public var presence: RigPresence
    /// The problem with its profile, or nil if there is none.
    public var problem: ProfileTrouble?
    /// Whether it has passed `dockface check` with the present state of its profile.
    public var isChecked: Bool
    /// Advice if its line is too slow for smooth motion, or nil if it is not, or if it is not a serial line.
    public var slowLine: String?

    /// Examines rigs without opening a port or a connection.
    /// - Parameters:
    ///   - adopted: the rigs.
    ///   - plugged: the connected ports.
    ///   - library: the profiles.
    ///   - stamps: the docks that were checked.
    ///   - device: resolves a path to its device.
    public static func of(
        _ adopted: [AdoptedRig], plugged: [PortInfo], library: ProfileLibrary = ProfileLibrary(),
        stamps: CheckStamps = CheckStamps(), device: (String) -> String? = RigPresence.device(at:)
    ) -> [RigSurvey] {
        adopted.map { rig in
            var survey = RigSurvey(
                rig: rig, presence: rig.presence(plugged: plugged, device: device), problem: nil, isChecked: false)
            switch library.look(for: rig.profile) {
            case .success(let profile):
                if rig.isOnUsb { survey.slowLine = profile.slowLine }
                let docks = (try? stamps.docks(checkedWith: profile, at: rig.port.description)) ?? []
                // The answer is stored as model and number.
                survey.isChecked = docks.contains { rig.answered.hasSuffix(" " + $0) }
            case .failure(let trouble): survey.problem = trouble
            }
            return survey
        }
    }

    /// The text that states whether it is connected.
    public var place: String {
        switch presence {
        case .there: "connected"
        case .absent: rig.isOnUsb ? "not plugged in" : "not connected"
        case .network: "over the network, not tried"
        }
    }

    /// The arguments of `dockface` for the next step with this rig.
    public var next: String {
        guard problem == nil, presence != .absent else { return "doctor" }
        return (isChecked ? "run" : "check") + " --port \(rig.name)"
    }

    /// Returns a line for each rig, in columns: name, port, profile, whether it is connected, and the next step.
    public static func lines(_ rigs: [RigSurvey]) -> [String] {
        let rows = rigs.map { row in
            [
                row.rig.name, row.rig.port.description,
                row.rig.profile + (row.problem == nil ? "" : " (cannot be used)"), row.place,
                "next: dockface " + row.next,
            ]
        }
        let widths = (0..<5).map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            zip(row, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }.joined(separator: "  ")
        }.map { line in String(line.reversed().drop { $0 == " " }.reversed()) }
    }

    /// A suggested step for a user who ran `dockface` without a verb.
    public struct Step: Sendable, Equatable {
        /// The arguments of `dockface`.
        public var words: String
        /// What the step does.
        public var what: String
    }

    /// Returns the next steps for a user with these rigs and connected ports. `isKnown`: whether the list of rigs could
    /// be read.
    public static func steps(_ rigs: [RigSurvey], plugged: [PortInfo], isKnown: Bool = true) -> [Step] {
        guard isKnown else {
            return [
                Step(words: "doctor", what: "look for other problems"),
                Step(words: "demo", what: "meanwhile: watch a simulated dock follow people"),
                Step(words: "face happy", what: "look at a face"),
            ]
        }
        let meant = try? RigChoice.only(rigs.map { ($0.rig, $0.presence) })
        let alone = meant.flatMap { rig in rigs.first { $0.rig == rig } }
        // If there is no unique choice, the first rig that may be connected is named.
        let named = alone == nil ? rigs.first { $0.presence != .absent } : nil
        if let rig = alone ?? named {
            let port = alone == nil ? " --port \(rig.rig.name)" : ""
            guard rig.problem == nil else {
                return [
                    Step(words: "doctor", what: "show what is wrong with the profile of \"\(rig.rig.name)\""),
                    Step(words: "adopt --port \(rig.rig.port)", what: "choose another profile for the rig"),
                    Step(words: "demo", what: "meanwhile: watch a simulated dock follow people"),
                ]
            }
            return [
                Step(
                    words: "check" + port,
                    what: "check that it turns the right way: 3 degrees per axis, and two questions"),
                Step(words: "calibrate" + port, what: "measure how fast it responds, with small moves"),
                Step(words: "run" + port, what: "drive it, with the face and the arrow keys"),
            ]
        }
        if plugged.contains(where: { $0.identity != nil }) {
            return [
                Step(words: "adopt", what: "register the rig, once"),
                Step(words: "doctor", what: "look for problems on this machine"),
                Step(words: "demo", what: "meanwhile: watch a simulated dock follow people"),
            ]
        }
        return [
            Step(words: "demo", what: "watch a simulated dock follow people, with the face and the keys"),
            Step(words: "face happy", what: "look at a face"),
            Step(words: "doctor", what: "find out why a dock does not work"),
        ]
    }
}

/// The reason why the profile of a rig cannot be used.
public enum ProfileTrouble: Error, Sendable, Equatable {
    /// There is no such file in the folders that were searched for the name.
    case missing(folders: [String])
    /// The file exists but has mistakes.
    case broken(path: String, FileError)
}

extension ProfileLibrary {
    /// Returns the profile of a rig by name or path, or why it cannot be used and which folders were searched.
    public func look(for nameOrPath: String) -> Result<RigProfile, ProfileTrouble> {
        let isPath = UserFile.isPath(nameOrPath)
        guard let path = isPath ? Self.exists(nameOrPath) ? nameOrPath : nil : path(of: nameOrPath) else {
            return .failure(.missing(folders: isPath ? [] : folders))
        }
        return Self.read(path).mapError { .broken(path: path, $0) }
    }
}
