import Companion
import DockControl
import DockSimulator
import Foundation
import Geometry
import Glibc
import TestSupport
import Testing

extension ProgramTests {
    /// Ten rigs of seven protocols in one daemon.
    @Suite(.alone, .timeLimit(.minutes(10))) struct Fleet {
        static let others = [
            "feetech-sts3215-pair", "dynamixel-xl330-pair", "dynamixel-xl430-pair", "maestro-hobby-servos", "evi-d100",
            "waveshare-pan-tilt-json", "waveshare-pan-tilt-bus", "storm32-mavlink", "gremsy-mavlink",
        ]

        @Test func `one daemon drives ten rigs, one thread each, and all stand still when it ends`() throws {
            let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
                .deletingLastPathComponent().path
            let folder = TemporaryFile.freePath("fleet")
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(atPath: folder) }
            let dock = try SimulatedDockPort()
            var rigs: [(name: String, rig: any RigPort)] = []
            var arguments = [
                "run", "--port", dock.path, "--headless", "--detector", "none", "--mode", "manual", "--socket",
                folder + "/dockface/dockface.sock",
            ]
            for name in Self.others {
                let file = root + "/profiles/\(name).toml", link = folder + "/" + name
                let rig = try SimulatedRigs.port(for: try ProfileLibrary.read(file).get(), link: link)
                rigs.append((name, rig))
                arguments += ["--also", link + "=" + file]
            }
            defer {
                dock.close()
                for (_, rig) in rigs { rig.close() }
            }
            var setup = Program.Setup()
            setup.environment = ["XDG_RUNTIME_DIR": folder, "XDG_STATE_HOME": folder, "XDG_CONFIG_HOME": folder]
            let program = try Program(arguments, setup)
            let names = Self.others
            let areReady = program.wait(30) {
                program.errors.contains("dockface: dock ready")
                    && names.allSatisfy { program.errors.contains("[\($0)] dock ready") }
            }
            #expect(areReady, "\(program.errors.suffix(1500))")
            let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(program.id)/task")) ?? []
            let loops = threads.filter {
                TemporaryFile.text(of: "/proc/\(program.id)/task/\($0)/comm")?.hasPrefix("dock-loop") == true
            }
            #expect(loops.count == 10)
            // All at the same time, each by its own socket.
            var movers: [Program] = []
            for (name, _) in rigs {
                var setup = Program.Setup()
                setup.environment = ["DOCKFACE_SOCKET": "\(folder)/dockface/dockface-\(name).sock"]
                movers.append(try Program(["orient", "12", "6", "in", "2"], setup))
            }
            for (mover, row) in zip(movers, rigs) {
                #expect(mover.end() == .exit(0), "\(row.name): \(mover.errors)")
                let pose = row.rig.pose(at: monotonicNow())
                #expect(pose.isNear(12, 6, within: 2), "\(row.name) is at \(pose.degrees)")
            }
            // One turns when the daemon ends.
            #expect(program.ask("velocity 30 0 for 20").hasPrefix("ok"))
            #expect(program.wait { dock.rate.magnitude > .degrees(20) })
            program.tell("quit")
            #expect(program.end() == .exit(0), "\(program.errors.suffix(600))")
            #expect(eventually { dock.lastFrameWasStop && dock.rate.magnitude < .degrees(0.1) })
            for (name, rig) in rigs { #expect(rig.rate.magnitude < .degrees(1), "\(name)") }
            let left = (try? FileManager.default.contentsOfDirectory(atPath: folder + "/dockface")) ?? []
            #expect(!left.contains { $0.hasSuffix(".sock") }, "\(left)")
        }
    }
}
