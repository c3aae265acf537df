import ArgumentParser
import Companion
import DockControl
import Glibc

/// `dockface ports`: what is plugged in.
struct Ports: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "List the serial ports, with what hangs on them.")

    func run() throws {
        let ports = try Self.list(), adopted = try Self.adopted()
        guard !ports.isEmpty else {
            print("no serial port found: plug the dock in; a simulated one is always there: --port sim")
            return
        }
        for port in ports { print(Self.line(port, adopted: adopted)) }
    }

    /// What bare `dockface` says: what is plugged in and the three commands that come next.
    static func overview() throws {
        let ports = try list().filter { $0.identity != nil }, adopted = try adopted()
        let isKnown = ports.contains { port in adopted.contains { $0.isAt(port) } }
        if ports.isEmpty { print("No USB serial port is plugged in. Next:") } else { print("Plugged in:") }
        for port in ports { print("  " + line(port, adopted: adopted)) }
        if !ports.isEmpty { print("Next:") }
        let next: [(String, String)] =
            if ports.isEmpty {
                [
                    ("run --port sim", "drive a simulated dock, with the face and the arrow keys"),
                    ("face happy", "look at a face"), ("doctor", "if a dock is plugged in all the same"),
                ]
            } else if isKnown {
                [
                    ("check", "does it turn the right way? 3 degrees per axis, and two questions"),
                    ("calibrate", "measure how fast it answers, by small moves"),
                    ("run", "drive it, with the face and the arrow keys"),
                ]
            } else {
                [
                    ("adopt", "tell once which rig it is"), ("doctor", "what could keep it from working here"),
                    ("run --port sim", "meanwhile: drive a simulated dock"),
                ]
            }
        for (words, what) in next {
            print("  dockface \(words)" + String(repeating: " ", count: 18 - words.count) + what)
        }
        print("All verbs: dockface --help")
    }

    private static func list() throws -> [PortInfo] {
        do {
            return try SerialPort.list()
        } catch {
            throw error.exit
        }
    }

    static func adopted() throws -> [AdoptedRig] {
        do {
            return try RigBook().all()
        } catch {
            throw error.exit
        }
    }

    /// A port with what is known of it.
    static func line(_ port: PortInfo, adopted: [AdoptedRig]) -> String {
        var text = port.path
        if let usb = port.identity {
            text += "  USB \(hex(usb.vendor)):\(hex(usb.product))"
            if usb.isBridge { text += " (adapter chip)" }
            text += "  \(AdoptedRig.name(for: port))"
        }
        if !port.description.isEmpty, port.description != port.path.split(separator: "/").last.map(String.init) {
            text += "  \(port.description)"
        }
        if let rig = adopted.first(where: { $0.isAt(port) }) { text += "  adopted: \(rig.name) (\(rig.profile))" }
        return text
    }

    private static func hex(_ value: Int) -> String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}

/// Port and profile of a verb that drives a rig: what was typed, what was adopted, and what is plugged in.
struct RigArguments {
    /// As `Bench` and the session take it; "sim" is the simulated rig.
    let port: String
    let profile: RigProfile
    /// Name or path of the profile; nil: our own dock's.
    let profileName: String?
    /// The adopted rig that is meant; nil: it is none.
    let adopted: AdoptedRig?

    init(port: String?, profile: String?) throws {
        if port == "sim" {
            self.port = "sim"
            (profileName, adopted) = (profile, nil)
            self.profile = try loadProfile(profile)
            return
        }
        do {
            var plugged = (try? SerialPort.list()) ?? []
            if port == nil, let profile, let serial = try? loadProfile(profile).matchSerial, !serial.isEmpty {
                // The profile itself names its device.
                self.port = PortName.serial(serial).description
                profileName = profile
                self.adopted = try RigBook().all().first { $0.port == .serial(serial) }
                self.profile = try loadProfile(profile)
                return
            }
            let adopted = try RigBook().all()
            plugged.removeAll { $0.identity == nil }
            // What is on no USB is there when its path is.
            for case .path(let path) in adopted.map(\.port) where access(path, F_OK) == 0 {
                plugged.append(PortInfo(path: path, description: "", identity: nil))
            }
            // Neither a rig that somebody adopted nor a port of any kind.
            if let port, !port.contains("/"), !port.contains(":"), access(port, F_OK) != 0,
                !adopted.contains(where: { $0.name == port })
            {
                let names = adopted.map(\.name)
                throw DockError(
                    .invalidParameter, "no adopted rig is called \"\(port)\"",
                    hint: names.isEmpty
                        ? "adopt it with `dockface adopt`, or name its port: dockface ports"
                        : "there are: \(names.joined(separator: ", ")); or name its port: dockface ports")
            }
            let choice = try RigChoice.choose(port: port, profile: profile, adopted: adopted, plugged: plugged)
            self.port = choice.port.description
            profileName = choice.profile
            self.adopted = adopted.first { rig in
                rig.name == port || rig.port == choice.port
                    || plugged.contains { rig.isAt($0) && $0.path == choice.port.description }
            }
            self.profile = try loadProfile(choice.profile)
        } catch let error as DockError {
            throw error.exit
        }
    }
}
