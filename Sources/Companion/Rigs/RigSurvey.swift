public import DockControl

/// What is known of an adopted rig before it is driven: whether it is there, whether its profile can be used, and what its
/// owner does next.
public struct RigSurvey: Sendable, Equatable {
    /// The rig.
    public var rig: AdoptedRig
    /// Whether it is there.
    public var presence: RigPresence
    /// What is wrong with its profile; nil: nothing.
    public var problem: ProfileTrouble?
    /// It has passed `dockface check` with its profile as it is now.
    public var isChecked: Bool

    /// Looks at all of them; opens no port and no connection.
    /// - Parameters:
    ///   - adopted: the rigs.
    ///   - plugged: the ports that there are.
    ///   - library: where their profiles are looked for.
    ///   - stamps: which docks were checked.
    ///   - device: which device a path leads to.
    public static func of(
        _ adopted: [AdoptedRig], plugged: [PortInfo], library: ProfileLibrary = ProfileLibrary(),
        stamps: CheckStamps = CheckStamps(), device: (String) -> String? = RigPresence.device(at:)
    ) -> [RigSurvey] {
        adopted.map { rig in
            var survey = RigSurvey(
                rig: rig, presence: rig.presence(plugged: plugged, device: device), problem: nil, isChecked: false)
            switch library.look(for: rig.profile) {
            case .success(let profile):
                let docks = (try? stamps.docks(checkedWith: profile, at: rig.port.description)) ?? []
                // What answered is kept as model and number.
                survey.isChecked = docks.contains { rig.answered.hasSuffix(" " + $0) }
            case .failure(let trouble): survey.problem = trouble
            }
            return survey
        }
    }

    /// Whether it is there, for a person.
    public var place: String {
        switch presence {
        case .there: "there"
        case .absent: rig.isOnUsb ? "not plugged in" : "not there"
        case .network: "over the network, not tried"
        }
    }

    /// The words behind `dockface` that come next for this rig.
    public var next: String {
        guard problem == nil, presence != .absent else { return "doctor" }
        return (isChecked ? "run" : "check") + " --port \(rig.name)"
    }

    /// Name, port, profile, whether it is there, and what comes next: a line for each, in columns.
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

    /// A step for somebody who asked for nothing: the words behind `dockface`, and what they do.
    public struct Step: Sendable, Equatable {
        /// As they are typed.
        public var words: String
        /// What they do.
        public var what: String
    }

    /// The next steps of who has these rigs, and these ports plugged in; `isKnown`: the list of rigs could be read.
    public static func steps(_ rigs: [RigSurvey], plugged: [PortInfo], isKnown: Bool = true) -> [Step] {
        guard isKnown else {
            return [
                Step(words: "doctor", what: "what else is wrong here"),
                Step(words: "run --port sim", what: "meanwhile: drive a simulated dock"),
                Step(words: "face happy", what: "look at a face"),
            ]
        }
        let meant = try? RigChoice.only(rigs.map { ($0.rig, $0.presence) })
        let alone = meant.flatMap { rig in rigs.first { $0.rig == rig } }
        // Where no word is enough, the first that may be there is named.
        let named = alone == nil ? rigs.first { $0.presence != .absent } : nil
        if let rig = alone ?? named {
            let port = alone == nil ? " --port \(rig.rig.name)" : ""
            guard rig.problem == nil else {
                return [
                    Step(words: "doctor", what: "what is wrong with the profile of \"\(rig.rig.name)\""),
                    Step(words: "adopt --port \(rig.rig.port)", what: "give the rig another profile"),
                    Step(words: "run --port sim", what: "meanwhile: drive a simulated dock"),
                ]
            }
            return [
                Step(words: "check" + port, what: "does it turn the right way? 3 degrees per axis, and two questions"),
                Step(words: "calibrate" + port, what: "measure how fast it answers, by small moves"),
                Step(words: "run" + port, what: "drive it, with the face and the arrow keys"),
            ]
        }
        if plugged.contains(where: { $0.identity != nil }) {
            return [
                Step(words: "adopt", what: "tell once which rig it is"),
                Step(words: "doctor", what: "what could keep it from working here"),
                Step(words: "run --port sim", what: "meanwhile: drive a simulated dock"),
            ]
        }
        return [
            Step(words: "run --port sim", what: "drive a simulated dock, with the face and the arrow keys"),
            Step(words: "face happy", what: "look at a face"),
            Step(words: "doctor", what: "if a dock is plugged in all the same"),
        ]
    }
}

/// Why the profile of a rig cannot be used.
public enum ProfileTrouble: Error, Sendable, Equatable {
    /// There is no such file; by a name it was looked for in these folders.
    case missing(folders: [String])
    /// It is there, and wrong.
    case broken(path: String, FileError)
}

extension ProfileLibrary {
    /// The profile of a rig, by its name or path; or why there is none, and where it was looked for.
    public func look(for nameOrPath: String) -> Result<RigProfile, ProfileTrouble> {
        let isPath = UserFile.isPath(nameOrPath)
        guard let path = isPath ? Self.isThere(nameOrPath) ? nameOrPath : nil : path(of: nameOrPath) else {
            return .failure(.missing(folders: isPath ? [] : folders))
        }
        return Self.read(path).mapError { .broken(path: path, $0) }
    }
}
