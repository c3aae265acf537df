import ArgumentParser
import Companion
import DockControl
import DockTypes

/// `dockface ports`: the devices that are plugged in, and the adopted rigs.
struct Ports: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract:
            "List the serial ports with their devices, and all adopted rigs. Opens no port and no connection.")

    func run() throws {
        let (ports, rigs, _) = try Self.look()
        for port in ports { print(Self.line(port, rigs)) }
        if ports.isEmpty {
            print("no serial port found: plug the dock in, or use a simulated one: --port sim")
        }
        if !rigs.isEmpty { print("adopted rigs:") }
        for line in RigSurvey.lines(rigs) { print("  " + line) }
    }

    /// Prints the output of `dockface` without a verb: the plugged-in devices, the adopted rigs, and the next three
    /// commands.
    static func overview() throws {
        let (all, rigs, isKnown) = try look(), ports = all.filter { $0.identity != nil }
        print(ports.isEmpty ? "No USB serial port is plugged in." : "Plugged in:")
        for port in ports { print("  " + line(port, rigs)) }
        if !rigs.isEmpty { print("Adopted:") }
        for line in RigSurvey.lines(rigs) { print("  " + line) }
        print("Next:")
        let steps = RigSurvey.steps(rigs, plugged: ports, isKnown: isKnown),
            width = (steps.map(\.words.count).max() ?? 0) + 2
        for step in steps { print("  dockface " + step.words.padded(width) + step.what) }
        print("All verbs: dockface --help")
    }

    /// Returns ports and rigs. An unreadable list of rigs is reported and counts as empty.
    private static func look() throws -> (ports: [PortInfo], rigs: [RigSurvey], isKnown: Bool) {
        let ports: [PortInfo]
        do {
            ports = try SerialPort.list()
        } catch {
            throw error.exit
        }
        do {
            return (ports, RigSurvey.of(try RigRegistry().all(), plugged: ports), true)
        } catch {
            DoctorVerb.show(RigRegistry.finding(error))
            return (ports, [], false)
        }
    }

    /// Describes a port in one line.
    static func line(_ port: PortInfo, _ rigs: [RigSurvey]) -> String {
        var text = port.path
        if let usb = port.identity {
            text += "  USB \(hex(usb.vendor)):\(hex(usb.product))"
            if usb.isBridge { text += " (adapter chip)" }
            text += "  \(AdoptedRig.name(for: port))"
        }
        if !port.description.isEmpty, port.description != port.path.split(separator: "/").last.map(String.init) {
            text += "  \(port.description)"
        }
        if let row = rigs.first(where: { $0.rig.isAt(port, device: RigPresence.device(at:)) }) {
            text += "  adopted: \(row.rig.name)"
        }
        return text
    }

    private static func hex(_ value: Int) -> String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}

extension RigRegistry {
    /// Returns the finding that the list of rigs cannot be read.
    static func finding(_ error: DockError) -> Finding { Finding("rigs", .bad, error.message, hint: error.hint) }
}
