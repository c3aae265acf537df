internal import DockControl
internal import Files

/// The result of connecting to the server of a network rig.
public enum NetworkAnswer: Sendable, Equatable {
    /// It accepts connections.
    case answers
    /// It does not accept connections, for this reason.
    case silent(String)
    /// Not tried, because this machine already has a connection there, and a second one could end it.
    case inUse
}

/// Adopted rigs: whether each is connected, and whether its profile is usable.
extension Doctor {
    /// Returns whether a connection to this network rig may be tried, which is not the case while another one is open.
    public func mayTry(_ rig: AdoptedRig) -> Bool {
        if case .server(_, let port) = rig.port { !system.isConnected(toPort: port) } else { false }
    }

    func rig(
        _ rig: AdoptedRig, ports: [PortInfo], library: ProfileLibrary, answer: NetworkAnswer?
    ) -> [Finding] {
        let survey = RigSurvey.of([rig], plugged: ports, library: library, device: system.device)[0]
        var findings = [presence(survey, answer)]
        if case .path(let path) = rig.port, case .there(let device) = survey.presence,
            // A USB port has already been examined as a port.
            !ports.contains(where: { $0.path == device && $0.identity != nil })
        {
            findings += obstacles(path, "adopted as \"\(rig.name)\"")
        }
        if let problem = survey.problem { findings.append(profile(problem, of: rig)) }
        if let text = survey.slowLine { findings.append(Finding("rig", .note, "\"\(rig.name)\": \(text)")) }
        return findings
    }

    private func presence(_ survey: RigSurvey, _ answer: NetworkAnswer?) -> Finding {
        let rig = survey.rig, what = "\"\(rig.name)\" (\(rig.port), profile \(rig.profile))"
        // A broken profile must be corrected first.
        let next = survey.problem == nil ? "next: dockface \(survey.next)" : nil
        let forget = "if you no longer use it: dockface adopt --forget \(rig.name)"
        switch (survey.presence, answer) {
        case (.there(let path), _):
            return Finding(
                "rig", .ok, what + " is connected" + (path == rig.port.description ? "" : ": \(path)"), hint: next)
        case (.absent, _):
            return Finding(
                "rig", .warning, what + (rig.isOnUsb ? " is not plugged in" : " is not connected: no such device"),
                hint: "plug it in and switch it on; " + forget)
        case (.network, .answers?):
            return Finding("rig", .ok, what + " accepts connections; nothing was written to it", hint: next)
        case (.network, .silent(let why)?):
            return Finding(
                "rig", .warning, what + " does not answer: \(why)",
                hint: "check its power, its server (ser2net) and its port; " + forget)
        case (.network, .inUse?):
            return Finding("rig", .ok, what + " was not tried: this machine already has a connection to it")
        case (.network, nil): return Finding("rig", .note, what + " is on the network and was not tried", hint: next)
        }
    }

    private func profile(_ trouble: ProfileTrouble, of rig: AdoptedRig) -> Finding {
        let again = "or choose another profile for the rig: dockface adopt --port \(rig.port) --name \(rig.name)"
        switch trouble {
        case .missing(let folders):
            let file = folders.isEmpty ? rig.profile : ProfileLibrary.ownFolder + "/\(rig.profile).toml"
            return Finding(
                "profile", .bad,
                "\"\(rig.name)\" needs the profile \(rig.profile), and there is no such file"
                    + (folders.isEmpty
                        ? "" : "; \(rig.profile).toml was searched for in \(folders.joined(separator: ", "))"),
                hint: "restore it as \(file), " + again)
        case .broken(let path, let error):
            return Finding(
                "profile", .bad,
                "\"\(rig.name)\" needs the profile \(rig.profile), which has mistakes: "
                    + (error.problems.first?.description ?? path),
                hint: "correct the file (dockface profiles check \(path)), " + again)
        }
    }
}
