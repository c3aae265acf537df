import Companion
import ControlProtocol
import DockControl
import DockSimulator
import Foundation
import Geometry
import TestSupport
import Testing

extension ProgramTests {
    /// The first contact with bus servos: `dockface servo`, on simulated servos as they leave the factory.
    @Suite(.timeLimit(.minutes(10))) struct ServoVerbTests {
        private static func path(_ name: String) -> String {
            URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
                .deletingLastPathComponent().path + "/profiles/\(name).toml"
        }

        /// Simulated servos for a shipped profile, and the options that name them.
        private func rig(_ name: String, isNew: Bool) throws -> (port: any RigPort, place: [String]) {
            let file = Self.path(name), profile = try ProfileLibrary.read(file).get()
            let port = try SimulatedRigs.port(for: profile, isNew: isNew)
            return (port, ["--port", port.path, "--profile", file, "--baud", "\(profile.serial.baud)"])
        }

        private func servo(_ words: [String], _ place: [String]) throws -> Program {
            try Program(["servo"] + words + place)
        }

        @Test(arguments: ["feetech-sts3215-pair", "dynamixel-xl330-pair"])
        func `two new servos become a rig, one id at a time, and nothing moves`(name: String) throws {
            let (port, place) = try rig(name, isNew: true)
            defer { port.close() }
            let first = try servo(["scan"], place)
            #expect(first.end() == .exit(0), "\(first.errors)")
            #expect(first.output.contains("several servos have this id"), "\(first.output)")
            // Both are plugged in: the wrong one could get the id.
            let wrong = try servo(["id", "2", "--yes"], place)
            #expect(wrong.end() == .exit(69) && wrong.errors.contains("more than one servo answers"), "\(wrong.errors)")
            port.faults.unplugged = [.pan]
            let change = try servo(["id", "2"], place)
            #expect(change.wait { change.output.contains("press return") }, "\(change.output)")
            change.tell("")
            #expect(change.wait { change.output.contains("write this?") }, "\(change.output) \(change.errors)")
            change.tell("y")
            #expect(change.end() == .exit(0) && change.output.contains("the servo has the id 2"), "\(change.errors)")
            port.faults.unplugged = []
            let second = try servo(["scan", "--json"], place)
            #expect(second.end() == .exit(0), "\(second.errors)")
            let found = try JSONReader.value(of: Array(second.output.utf8))["servos"]?.array ?? []
            #expect(found.compactMap { $0["id"]?.integer }.sorted() == [1, 2], "\(second.output)")
            #expect(found.allSatisfy { $0["damaged"]?.bool == false })
            #expect(second.errors.contains("1 answers, 2 answers"), "\(second.errors)")
            #expect(port.rate.magnitude < .degrees(0.5), "nothing moves")
        }

        @Test func `info names what contradicts the profile, and reset corrects it after a question`() throws {
            // The limits of another arm: 1900 to 2200.
            let port = try SimulatedPort<SimulatedRig<FeetechServos>> { time in
                var rig = SimulatedRig<FeetechServos>(time: time)
                rig.electronics.store([0x6C, 0x07, 0x98, 0x08], at: 9, on: .tilt)
                return rig
            }
            defer { port.close() }
            let place = ["--port", port.path, "--profile", Self.path("feetech-sts3215-pair"), "--baud", "1000000"]
            func stored() -> UInt8? { port.snapshot.electronics.stored(at: 9, on: .tilt) }
            let info = try servo(["info", "2"], place)
            #expect(info.end() == .exit(0) && info.output.contains("lowest position       1900"), "\(info.output)")
            #expect(info.output.contains("-> servo 2 turns only from position 1900 to 2200"), "\(info.output)")
            let rehearsal = try servo(["reset", "2", "--dry-run"], place)
            #expect(rehearsal.end() == .exit(0) && rehearsal.output.contains("nothing was written"))
            let declined = try servo(["reset", "2"], place)
            #expect(declined.wait { declined.output.contains("write this?") })
            declined.tell("n")
            #expect(declined.end() == .exit(75) && stored() == 0x6C)
            let reset = try servo(["reset", "2", "--yes"], place)
            #expect(reset.end() == .exit(0) && reset.output.contains("-> 4095"), "\(reset.output) \(reset.errors)")
            #expect(stored() == 0)
            let again = try servo(["reset", "2", "--yes"], place)
            #expect(again.end() == .exit(0) && again.output.contains("as they left the factory"), "\(again.output)")
        }

        @Test func `a bus without servos, a wrong id and a port in use are errors that say what to do`() throws {
            let (port, place) = try rig("feetech-sts3215-pair", isNew: false)
            defer { port.close() }
            port.faults.unplugged = [.pan, .tilt]
            let none = try servo(["scan"], place)
            #expect(none.end() == .exit(69) && none.errors.contains("their own supply"), "\(none.errors)")
            port.faults.unplugged = []
            let other = try servo(["info", "9"], place)
            #expect(other.end() == .exit(69), "\(other.errors)")
            #expect(other.errors.contains("no servo with the id 9") && other.errors.contains("these ids do: 1, 2"))
            let wrong = try servo(["id", "300"], place)
            #expect(wrong.end() == .exit(64))
            let holder = try LinkOpener.open(port.path, serial: .init())
            defer { holder.close() }
            let busy = try servo(["scan"], place)
            #expect(busy.end() == .exit(75) && busy.errors.contains("`dockface quit`"), "\(busy.errors)")
        }
    }
}
