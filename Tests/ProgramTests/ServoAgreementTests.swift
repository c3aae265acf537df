import Companion
import ControlProtocol
import DockControl
import DockSimulator
import Foundation
import Geometry
import TestSupport
import Testing

extension ProgramTests {
    /// Rigs of bus servos as people plug them in: `run`, `status`, `doctor`, `adopt` and `check` say the same about each.
    @Suite(.timeLimit(.minutes(10))) struct ServoAgreement {
        /// Some rigs show everything that can be said; the others need time.
        private static let short: Set<String> = [
            "as the profile says", "both are new", "only pan is plugged in", "none is plugged in",
            "limits of another arm",
            "no answers to writes", "a time-based profile",
        ]

        private static func chosen<Servos>(_ rows: [ServoRigRow<Servos>]) -> [Int] {
            rows.indices.filter { isThorough || short.contains(rows[$0].name) }
        }

        @Test(arguments: chosen(feetechRigs)) func `all commands agree on a FeeTech rig`(index: Int) throws {
            try compare(feetechRigs[index], "feetech-sts3215-pair")
        }

        @Test(arguments: chosen(dynamixelRigs)) func `all commands agree on a Dynamixel rig`(index: Int) throws {
            try compare(dynamixelRigs[index], "dynamixel-xl330-pair")
        }

        private func compare<Servos: BusServos>(_ row: ServoRigRow<Servos>, _ profile: String) throws {
            let file =
                URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
                .deletingLastPathComponent().path + "/profiles/\(profile).toml"
            let options = try ProfileLibrary.read(file).get().options
            // One for each command, because a run may set what is lost only with the supply.
            let ports = try (0..<3).map { _ in
                try SimulatedPort<SimulatedRig<Servos>> { time in
                    var rig = SimulatedRig<Servos>(options: options, time: time)
                    row.prepare(&rig)
                    return rig
                }
            }
            let folder = TemporaryFile.freePath("agree")
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
            defer {
                for port in ports { port.close() }
                try? FileManager.default.removeItem(atPath: folder)
            }
            var place = Program.Setup()
            place.environment = ["XDG_RUNTIME_DIR": folder, "XDG_STATE_HOME": folder, "XDG_CONFIG_HOME": folder]
            let starts = ports.map(\.snapshot.pose)

            let run = try Program(
                [
                    "run", "--port", ports[0].path, "--profile", file, "--headless", "--detector", "none", "--mode",
                    "manual",
                    "--socket", folder + "/control.sock",
                ], place)
            place.environment["DOCKFACE_SOCKET"] = folder + "/control.sock"
            let status = try self.status(of: run, place) { status in
                guard row.isReady || row.note != nil else {
                    return status["accessory"]?["reason"]?.string == "noAnswer"
                }
                let isReady = status["accessory"]?["dock"]?.string == "ready"
                return isReady == row.isReady && (row.note == nil || status["findings"]?.array?.isEmpty == false)
            }
            let findings = status["findings"]?.array?.compactMap(\.string) ?? []
            #expect(findings.count == (row.note == nil ? 0 : 1), "\(row.name): \(findings)")
            let doctor = try Program(["doctor"], place)
            #expect(doctor.end() == .exit(0), "\(doctor.output) \(doctor.errors)")
            if !row.isReady { #expect(doctor.output.contains("the running daemon's dock is"), "\(doctor.output)") }
            run.tell("quit")
            #expect(run.end() == .exit(0), "\(row.name): \(run.errors)")

            let adopt = try Program(
                ["adopt", "--port", ports[1].path, "--profile", file, "--name", "rig", "--yes"], place)
            let adopted = adopt.end()
            if row.isReady { #expect(adopted == .exit(0), "\(row.name): \(adopt.output) \(adopt.errors)") }
            let check = try Program(["check", "--port", ports[2].path, "--profile", file], place)
            // It greets the rig after its first question, and asks again if there is something to say.
            #expect(check.wait { check.output.contains("begin? [y/n]") }, "\(check.output)")
            check.tell(row.note == nil ? "n" : "y")
            if row.note != nil {
                #expect(check.wait(15) { check.output.contains("continue? [y/n]") || check.hasEnded })
                if !check.hasEnded { check.tell("n") }
            }
            #expect(check.end() != nil && check.end() != .exit(0))

            if let note = row.note?.replacing("refused to be moved: ", with: "") {
                let said = [
                    "run": run.errors, "status": findings.joined(), "doctor": doctor.output,
                    "adopt": adopt.output + adopt.errors, "check": check.output + check.errors,
                ]
                for (verb, text) in said { #expect(text.contains(note), "\(row.name), \(verb): \(text)") }
            }
            for (port, start) in zip(ports, starts) {
                #expect((port.snapshot.pose - start).magnitude < .degrees(0.5), "\(row.name): nothing moves")
            }
        }

        /// The daemon's status, as soon as it fits.
        private func status(
            of run: Program, _ place: Program.Setup, until fits: (JSONValue) -> Bool
        ) throws -> JSONValue {
            var last = ""
            let end = monotonicNow() + 20
            while monotonicNow() < end, !run.hasEnded {
                let status = try Program(["status", "--json"], place)
                _ = status.end()
                last = status.output + status.errors
                if let value = JSONValue(json: Array(status.output.utf8)), fits(value) { return value }
            }
            throw Silence(description: "\(last) \(run.errors)")
        }
    }
}
