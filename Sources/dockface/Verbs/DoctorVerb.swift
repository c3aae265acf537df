import ArgumentParser
import Companion
import DockControl

/// `dockface doctor`: what is wrong with this machine for a dock, and what to do.
struct DoctorVerb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Look for what keeps a dock from working here, and say what to do.",
        discussion: """
            Looks at ports, permissions, programs that take ports, the adapter's latency, terminal, cameras and clock. Opens no \
            port and moves nothing. Exit status 1 if something does not work.
            """)

    @Flag(help: "As one JSON line.")
    var json = false

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
            adopted = try RigBook().all()
        } catch {
            adopted = []
            findings.append(Finding("rigs", .bad, error.message, hint: error.hint))
        }
        for entry in ProfileLibrary().all() {
            if case .failure(let error) = entry.profile {
                findings.append(
                    Finding(
                        "profile", .bad, "\(error.problems.first?.description ?? entry.path)",
                        hint: "mend the file: dockface profiles check \(entry.path)"))
            }
        }
        findings += Doctor().examine(ports: ports, adopted: adopted)
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
            for finding in findings {
                print("\(Self.mark(finding.level))  \(finding.subject): \(finding.text)")
                if let hint = finding.hint { print("         -> \(hint)") }
            }
        }
        if worst == .bad { throw ExitCode(1) }
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
