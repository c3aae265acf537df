import ArgumentParser
import Companion
import ControlProtocol
import DockClient
import Files
import PlainText

/// `dockface extensions`: lists the programs that extend dockface.
struct ExtensionsVerb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "extensions",
        abstract: "List the programs that extend dockface, and what each of them may do.",
        discussion: """
            An extension is a program dockface-NAME with a manifest NAME.toml beside it, in ~/.local/libexec/dockface or where \
            dockface's packages put it. None is started by this list. Start one with: dockface NAME; with a daemon in a terminal: \
            dockface run --with NAME; as a service: systemctl enable --now dockface-NAME
            """)

    @Flag(help: "Print one JSON line.")
    var json = false

    func run() throws {
        let (found, problems) = ExtensionLibrary().all()
        let states = Self.states()
        if json {
            let members: [String: JSONValue] = [
                "extensions": .array(found.map { Self.json($0, states[$0.name]) }),
                "problems": .array(problems.map { .string("\($0)") }),
            ]
            print(String(decoding: JSONValue.object(members).bytes, as: UTF8.self))
        } else {
            for one in found { for line in Self.lines(one, states[one.name]) { print(line) } }
            if found.isEmpty {
                print("no extensions are installed; docs/EXTENSIONS.md shows how to get or write one")
            }
            for problem in problems { warn("\(problem)") }
        }
        if found.contains(where: { $0.problem != nil }) || !problems.isEmpty { throw ExitCode(1) }
    }

    /// Returns the states of those that report to this user's daemon, by name.
    private static func states() -> [String: ExtensionReading] {
        guard let status = try? ControlClient(timeout: 1).call("status", timeout: 1) else { return [:] }
        let list = (status["extensions"]?.array ?? []).compactMap(ExtensionReading.init(json:))
        return Dictionary(list.map { ($0.name, $0) }) { first, _ in first }
    }

    /// Returns the lines for one extension: its name, its state and what it does, then what it may do.
    static func lines(_ one: InstalledExtension, _ state: ExtensionReading?) -> [String] {
        let manifest = one.manifest
        var lines = [
            "\(one.name) \(manifest.version)\(state.map { " (\($0.state.rawValue))" } ?? "")  \(manifest.about)"
        ]
        let uses = ExtensionManifest.meanings.filter { manifest.rights.contains($0.right) }.map(\.meaning)
        if !uses.isEmpty { lines.append("  it " + uses.joined(separator: ", ")) }
        lines.append("  " + one.program)
        if let problem = one.problem { lines.append("  cannot run: " + problem) }
        return lines
    }

    private static func json(_ one: InstalledExtension, _ state: ExtensionReading?) -> JSONValue {
        let manifest = one.manifest
        return .object([
            "name": .string(one.name), "version": .string(manifest.version), "about": .string(manifest.about),
            "rights": .array(manifest.rights.map { .string($0) }), "program": .string(one.program),
            "unit": manifest.unit.isEmpty ? .null : .string(manifest.unit),
            "problem": .string(orNull: one.problem), "state": .string(orNull: state?.state.rawValue),
        ])
    }
}
