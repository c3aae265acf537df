import ArgumentParser
import Companion
import ControlProtocol
import DockClient
import DockControl
import Files

/// `dockface doctor`: reports faults of this machine that affect a dock, and what to do about them.
struct DoctorVerb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Look for faults that keep a dock from working, and show what to do.",
        discussion: """
            Checks settings, limits and folders, ports, adopted rigs and their profiles, permissions, programs that use the ports, the adapter's latency, \
            terminal, detector, cameras, extensions and clock. Opens no port and moves nothing. To test a rig over the network, it opens a \
            connection for at most a second and a half and sends nothing. Exit status 1 if something does not work.
            """)

    @Flag(help: "Print one JSON line.")
    var json = false

    @OptionGroup var place: SystemOption

    func run() throws {
        let ports: [PortInfo], adopted: [AdoptedRig]
        var findings: [Finding] = []
        do {
            ports = try SerialPort.list()
        } catch {
            ports = []
            findings.append(Finding("port", .bad, error.message, hint: error.hint))
        }
        do {
            adopted = try RigRegistry().all()
        } catch {
            adopted = []
            findings.append(RigRegistry.finding(error))
        }
        var settings: Settings?
        do {
            settings = try Settings.read()
        } catch {
            findings.append(
                Finding(
                    "settings", .bad, error.problems.first?.description ?? "\(error)",
                    hint: "correct it: dockface config check"))
        }
        findings += Doctor.start()
        let status = Self.askDaemon(&findings)
        findings += status.map(Doctor.daemon) ?? []
        findings += Doctor.extensions(ExtensionLibrary(), status: status)
        let library = ProfileLibrary(), doctor = Doctor()
        for entry in library.all() {
            // Errors in the profiles of adopted rigs are reported with the rigs.
            let isRigs = adopted.contains { $0.profile == entry.path || library.path(of: $0.profile) == entry.path }
            if case .failure(let error) = entry.profile, !isRigs {
                findings.append(
                    Finding(
                        "profile", .bad, "\(error.problems.first?.description ?? entry.path)",
                        hint: "fix the file: dockface profiles check \(entry.path)"))
            }
        }
        let remote = adopted.filter { if case .server = $0.port { true } else { false } }
        var answers = NetworkProbe.answers(of: remote.filter(doctor.mayTry))
        for rig in remote where answers[rig.name] == nil { answers[rig.name] = .inUse }
        findings += doctor.examine(
            ports: ports, adopted: adopted, library: library, answers: answers,
            daemon: status.map(DetectorOfDaemon.init(status:)))
        if place.system {
            let ports = [settings?.text(of: "port")].compactMap { $0 } + adopted.map { "\($0.port)" }
            findings += [doctor.network(camera: settings?.text(of: "camera"), ports: ports)].compactMap { $0 }
        }
        let worst = findings.map(\.level).max() ?? .ok
        if json {
            let rows = findings.map { finding in
                JSONValue.object([
                    "subject": .string(finding.subject), "level": .string(finding.level.rawValue),
                    "text": .string(finding.text), "hint": finding.hint.map { .string($0) } ?? .null,
                ])
            }
            print(
                String(
                    decoding: JSONValue.object(["worst": .string(worst.rawValue), "findings": .array(rows)]).bytes,
                    as: UTF8.self))
        } else {
            for finding in findings { Self.show(finding) }
        }
        if worst == .bad { throw ExitCode(1) }
    }

    /// Prints a finding for people.
    static func show(_ finding: Finding) {
        print("\(mark(finding.level))  \(finding.subject): \(finding.text)")
        if let hint = finding.hint { print("         -> \(hint)") }
    }

    /// Returns the status of this user's running daemon, or nil if no daemon runs or answers. A daemon that does not
    /// answer is a finding.
    private static func askDaemon(_ findings: inout [Finding]) -> JSONValue? {
        do throws(DockError) {
            return try ControlClient(timeout: 1).call("status", timeout: 1)
        } catch {
            // An unsafe folder is already a finding.
            if error.code != .notConnected, !findings.contains(where: { $0.subject == "socket" }) {
                findings.append(Finding("daemon", .warning, error.message, hint: error.hint))
            }
            return nil
        }
    }

    private static func mark(_ level: Finding.Level) -> String {
        switch level {
        case .ok: "ok     "
        case .note: "note   "
        case .warning: "WARNING"
        case .bad: "BAD    "
        }
    }
}
