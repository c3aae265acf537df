import ArgumentParser
import Companion
import DockControl

/// `dockface ports`: what is plugged in.
struct Ports: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "List the serial ports, with what hangs on them.")

    func run() throws {
        let ports = try Self.list()
        guard !ports.isEmpty else {
            print("no serial port found: plug the dock in; a simulated one is always there: --port sim")
            return
        }
        for line in ports.map(Self.line) { print(line) }
    }

    /// What bare `dockface` says: what is plugged in and what to do next.
    static func overview() throws {
        let ports = try list().filter { $0.identity != nil }
        if ports.isEmpty {
            print("No USB serial port is plugged in. Next:")
        } else {
            print("Plugged in:")
            for port in ports { print("  " + line(port)) }
            print("Next:")
        }
        let path = ports.first?.path ?? "sim"
        print("  dockface run --port \(path)        drive it, with the face and the arrow keys")
        print("  dockface face happy              look at a face")
        print("  dockface --help                  all verbs")
    }

    /// What to say when no port was named.
    static func choice() -> String {
        let ports = (try? SerialPort.list())?.filter { $0.identity != nil } ?? []
        guard !ports.isEmpty else {
            return "no dock found: plug it in and name its port with --port, or try the simulated dock: --port sim"
        }
        return
            "which port is the dock on? Name it with --port (ports are not tried out, another device may hang there):\n"
            + ports.map { "  " + line($0) }.joined(separator: "\n") + "\n  or the simulated dock: --port sim"
    }

    private static func list() throws -> [PortInfo] {
        do {
            return try SerialPort.list()
        } catch {
            throw error.exit
        }
    }

    private static func line(_ port: PortInfo) -> String {
        var text = port.path
        if let usb = port.identity {
            text += "  USB \(hex(usb.vendor)):\(hex(usb.product))"
            text += usb.serial.map { "  usb:\($0)" } ?? "  place:\(usb.place)"
        }
        if !port.description.isEmpty, port.description != port.path { text += "  \(port.description)" }
        return text
    }

    private static func hex(_ value: Int) -> String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
