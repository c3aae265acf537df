internal import ControlProtocol

/// The programs that extend dockface.
extension Doctor {
    /// Examines what is installed, and what the running daemon says of it.
    /// - Parameters:
    ///   - library: where extensions are installed.
    ///   - status: the daemon's answer to `status`, or nil if none runs.
    public static func extensions(_ library: ExtensionLibrary, status: JSONValue?) -> [Finding] {
        let (found, problems) = library.all()
        var findings = problems.map {
            Finding("extension", .warning, "\($0)", hint: "correct or remove it: dockface extensions")
        }
        let states = (status?["extensions"]?.array ?? []).compactMap(ExtensionReading.init(json:))
        for one in found {
            if let problem = one.problem {
                findings.append(
                    Finding(
                        "extension", .warning, "\(one.name) cannot run: \(problem)",
                        hint: "install the package dockface-\(one.name) again, or remove its manifest"))
            } else if !states.contains(where: { $0.name == one.name }) {
                findings.append(Finding("extension", .ok, "\(one.name) \(one.manifest.version) is installed"))
            }
        }
        return findings + states.map(finding)
    }

    private static func finding(_ state: ExtensionReading) -> Finding {
        guard state.state.isTrouble else { return Finding("extension", .ok, state.words) }
        let hint =
            state.isChild
            ? "the daemon's log says more; to try it alone: dockface \(state.name)"
            : "its log says more: journalctl -u dockface-\(state.name)"
        return Finding("extension", .warning, state.words, hint: hint)
    }
}
