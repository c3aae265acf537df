import CPosix
import DockSimulator
import DockWire
import Geometry
import Glibc
import Testing
import TestSupport

extension ProgramTests {
    /// Docks that send garbage, disappear, return, or are not docks.
    @Suite(.timeLimit(.minutes(10))) struct BadDock {
        @Test func `a noisy line does no harm, and the dock recovers when the line is quiet`() throws {
            let daemon = try Daemon()
            defer { daemon.dock.close() }
            daemon.dock.faults.byteErrors = 0.05
            let start = monotonicNow()
            daemon.film({ .degrees(pan: 10 + 6 * $0, tilt: 0) }, until: { monotonicNow() > start + 2 })
            #expect(!daemon.program.hasEnded)
            #expect(daemon.dock.snapshot.invalidFrames > 0)
            daemon.dock.faults.byteErrors = 0
            daemon.program.tell("stop")
            #expect(daemon.program.wait { daemon.program.output.contains("ok stopped") })
            #expect(
                daemon.program.wait(15, meanwhile: { daemon.program.tell("status") }) {
                    daemon.program.output.split(separator: "\n").last?.hasPrefix("ok mode manual, dock ready") == true
                }, "\(daemon.program.output.suffix(300)) \(daemon.program.errors)")
            daemon.program.tell("mode system")
            try daemon.turn()
        }

        @Test func `a port that only sends garbage gets no motion, and status names the reason`() throws {
            var master: Int32 = -1, slave: Int32 = -1
            var name = [CChar](repeating: 0, count: 128)
            try #require(cposix_open_pty(&master, &slave, &name, name.count) == 0)
            _ = cposix_set_nonblocking(master, true)
            defer {
                close(master)
                close(slave)
            }
            let path = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            let program = try Program(["run", "--port", path, "--headless", "--detector", "stdin"])
            var random = SystemRandomNumberGenerator(), decoder = FrameDecoder()
            var buffer = [UInt8](repeating: 0, count: 4096), motions = 0, greetings = 0
            let isTold = program.wait(
                15,
                meanwhile: {
                    program.tell(Daemon.face)
                    let rubbish = (0..<200).map { _ in UInt8.random(in: 0...255, using: &random) }
                    _ = write(master, rubbish, rubbish.count)
                    let count = read(master, &buffer, buffer.count)
                    for byte in buffer.prefix(max(count, 0)) {
                        guard let frame = try? decoder.push(byte), let message = try? HostMessage(frame) else {
                            continue
                        }
                        if case .setpoint(let setpoint) = message, setpoint.mode != .idle { motions += 1 }
                        if case .torque = message { motions += 1 }
                        if case .hello = message { greetings += 1 }
                    }
                }, until: { program.errors.contains("the port is open and nothing answers: check that") })
            #expect(isTold, "\(program.errors)")
            let names = program.errors.contains("the profile \"") && program.errors.contains("then `dockface adopt`")
            #expect(names, "\(program.errors)")
            #expect(motions == 0 && greetings > 2)
            #expect(program.ask("status").contains("no dock (noAnswer)"))
            #expect(program.ask("right").hasPrefix("error "))
            program.signal(SIGTERM)
            #expect(program.end() == .exit(0))
        }

        @Test func `a dock that is unplugged while it turns is waited for and greeted when it is back`() throws {
            let link = TemporaryFile.freePath("unplugged")
            let dock = try SimulatedDockPort(link: link)
            let daemon = try Daemon(dock: dock, port: link)
            defer { dock.close() }
            try daemon.turn()
            dock.unplug()
            #expect(
                daemon.feed {
                    daemon.program.errors.contains("the dock is gone and its motion has ended; plug it in again")
                })
            #expect(daemon.program.ask("status").contains("no dock (unplugged)"))
            #expect(daemon.rest())
            let before = dock.path
            try dock.replug()
            #expect(dock.path != before || dock.statistics.boots == 2)
            #expect(
                daemon.program.wait(15) { daemon.program.errors.components(of: "dock ready") == 2 },
                "\(daemon.program.errors)")
            try daemon.turn()
            daemon.program.signal(SIGTERM)
            #expect(daemon.program.end() == .exit(0), "\(daemon.program.errors)")
            #expect(eventually { dock.lastFrameWasStop })
        }

        @Test func `another dock at the same port gets nothing`() throws {
            let link = TemporaryFile.freePath("other")
            let first = try SimulatedDockPort(link: link)
            let daemon = try Daemon(dock: first, port: link)
            first.close()
            #expect(daemon.program.wait { daemon.program.errors.contains("the dock is gone") })
            var other = SimulatedDock.Configuration()
            other.uniqueID = 0xBAD
            let second = try SimulatedDockPort(configuration: other, link: link)
            defer { second.close() }
            #expect(
                daemon.feed(for: 15) { daemon.program.errors.contains("another dock came back: nothing is sent to it") }
            )
            #expect(second.statistics.maximumSpeed == 0)
        }

        @Test func `a dock that falls silent stands still, is greeted again, and comes back`() throws {
            let daemon = try Daemon()
            defer { daemon.dock.close() }
            try daemon.turn()
            daemon.dock.faults.isMute = true
            let silent = monotonicNow()
            #expect(
                daemon.feed {
                    daemon.program.errors.contains(
                        "the dock has gone silent, so its motion was stopped and the handshake is repeated: check its cable"
                    )
                })
            #expect(daemon.movedAfter(silent + 1.2).inDegrees < 0.1)
            daemon.dock.faults.isMute = false
            #expect(daemon.feed(for: 15) { daemon.dock.rate.magnitude > .degrees(8) })
        }

        @Test func `the dock's own emergency button latches until it is released and cleared by hand`() throws {
            let daemon = try Daemon()
            defer { daemon.dock.close() }
            try daemon.turn()
            daemon.dock.emergency(true)
            #expect(daemon.feed { daemon.program.errors.contains("stopped and latched (emergencyStop)") })
            #expect(daemon.rest())
            #expect(daemon.program.ask("clear").hasPrefix("error the dock has not released its latch"))
            daemon.dock.emergency(false)
            #expect(daemon.program.ask("clear").hasPrefix("ok cleared, mode manual"))
            let pose = daemon.pose
            let start = monotonicNow()
            daemon.feed { monotonicNow() > start + 0.5 }
            #expect((daemon.pose - pose).magnitude.inDegrees < 0.1, "manual, standing still")
        }
    }
}

extension String {
    /// How often a text occurs.
    func components(of text: String) -> Int {
        var count = 0, rest = self[...]
        while let found = rest.firstRange(of: text) {
            count += 1
            rest = rest[found.upperBound...]
        }
        return count
    }
}
