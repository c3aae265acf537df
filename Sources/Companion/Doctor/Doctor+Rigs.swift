internal import DockControl

/// What a server said that a rig over the network hangs on.
public enum NetworkAnswer: Sendable, Equatable {
    /// It takes connections.
    case answers
    /// It does not; why.
    case silent(String)
    /// It was not asked, since this machine has a connection there: a second one could end the first.
    case inUse
}

/// Adopted rigs: whether each is there, and whether its profile can be used.
extension Doctor {
    /// A rig over the network that a look may connect to: not while a connection is open.
    public func mayTry(_ rig: AdoptedRig) -> Bool {
        if case .server(_, let port) = rig.port { !system.isConnected(toPort: port) } else { false }
    }

    func rig(
        _ rig: AdoptedRig, ports: [PortInfo], library: ProfileLibrary, answer: NetworkAnswer?
    ) -> [Finding] {
        let survey = RigSurvey.of([rig], plugged: ports, library: library, device: system.device)[0]
        var findings = [presence(survey, answer)]
        if case .path(let path) = rig.port, case .there(let device) = survey.presence,
            // What is on USB was looked at as a port.
            !ports.contains(where: { $0.path == device && $0.identity != nil })
        {
            findings += hindrances(path, "adopted as \"\(rig.name)\"")
        }
        if let problem = survey.problem { findings.append(profile(problem, of: rig)) }
        return findings
    }

    private func presence(_ survey: RigSurvey, _ answer: NetworkAnswer?) -> Finding {
        let rig = survey.rig, what = "\"\(rig.name)\" (\(rig.port), profile \(rig.profile))"
        // Where its profile is wrong, that comes first.
        let next = survey.problem == nil ? "next: dockface \(survey.next)" : nil
        let forget = "if it is gone for good: dockface adopt --forget \(rig.name)"
        switch (survey.presence, answer) {
        case (.there(let path), _):
            return Finding(
                "rig", .ok, what + " is there" + (path == rig.port.description ? "" : ": \(path)"), hint: next)
        case (.absent, _):
            return Finding(
                "rig", .warning, what + (rig.isOnUsb ? " is not plugged in" : " is not there: no such device"),
                hint: "plug it in and switch it on; " + forget)
        case (.network, .answers?):
            return Finding("rig", .ok, what + " takes connections; nothing was written to it", hint: next)
        case (.network, .silent(let why)?):
            return Finding(
                "rig", .warning, what + " does not answer: \(why)",
                hint: "is it switched on, does its server (ser2net) run, and is that its port? " + forget)
        case (.network, .inUse?):
            return Finding("rig", .ok, what + " is not tried: this machine has a connection there already")
        case (.network, nil): return Finding("rig", .note, what + " is over the network, and was not tried", hint: next)
        }
    }

    private func profile(_ trouble: ProfileTrouble, of rig: AdoptedRig) -> Finding {
        let again = "or give the rig another profile: dockface adopt --port \(rig.port) --name \(rig.name)"
        switch trouble {
        case .missing(let folders):
            let file = folders.isEmpty ? rig.profile : ProfileLibrary.ownFolder + "/\(rig.profile).toml"
            return Finding(
                "profile", .bad,
                "\"\(rig.name)\" needs the profile \(rig.profile), and there is no such file"
                    + (folders.isEmpty
                        ? "" : "; \(rig.profile).toml was looked for in \(folders.joined(separator: ", "))"),
                hint: "put it back as \(file), " + again)
        case .broken(let path, let error):
            return Finding(
                "profile", .bad,
                "\"\(rig.name)\" needs the profile \(rig.profile), and it is wrong: "
                    + (error.problems.first?.description ?? path),
                hint: "mend the file (dockface profiles check \(path)), " + again)
        }
    }
}
