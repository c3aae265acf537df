import DockSimulator
import Foundation
import Geometry
import Glibc
import Testing
import TestSupport

extension ProgramTests.Programs {
    /// What must outlive a run: latches on disks that are full, missing, or from another login.
    @Suite(.timeLimit(.minutes(10))) struct LatchKeeping {
        private typealias Place = ProgramTests.Checks.Place

        /// `dockface run` behind a line of shell.
        private func run(
            _ place: Place, _ dock: SimulatedDockPort, _ environment: [String: String] = [:],
            through words: [String] = [],
            script: String = ""
        ) throws -> Program {
            var setup = place.setup
            setup.environment.merge(environment) { $1 }
            let command = [
                try TestSupport.Place.program("dockface"), "run", "--port", dock.path, "--headless", "--profile",
                place.profile, "--detector", "none", "--mode", "manual",
            ]
            setup.path = words.first ?? "/bin/sh"
            return try Program(
                words.dropFirst() + (words.isEmpty ? [] : ["/bin/sh"]) + ["-c", script + "\nexec \"$@\"", "sh"]
                    + command,
                setup)
        }

        private func waitForDock(_ program: Program) throws {
            try #require(program.wait(15, until: { program.errors.contains("dock ready") }), "\(program.errors)")
        }

        private func waitForLatch(_ program: Program) throws {
            try #require(
                program.wait(15, until: { program.errors.contains("stopped and latched") }), "\(program.errors)")
        }

        private func latches(_ folder: String) -> [String] {
            ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter { $0.hasPrefix("latched-") }
        }

        @Test func `a latch outlives a logout, which empties the runtime folder, and is found without one`() throws {
            let place = try Place(), dock = try SimulatedDockPort(), home = place.folder + "/home"
            defer { dock.close() }
            mkdir(home, 0o700)
            let first = try run(place, dock, ["XDG_STATE_HOME": home])
            try waitForDock(first)
            #expect(first.ask("estop").hasPrefix("ok"))
            #expect(first.wait(until: { latches(home + "/dockface").count == 1 }))
            first.signal(SIGTERM)
            #expect(first.end() == .exit(0))
            try? FileManager.default.removeItem(atPath: place.folder + "/dockface")
            dock.reboot()
            let other = place.folder + "/elsewhere"
            mkdir(other, 0o700)
            let second = try run(place, dock, ["XDG_STATE_HOME": home, "XDG_RUNTIME_DIR": other])
            #expect(
                second.wait(until: { second.errors.contains("latched by emergencyStop since") }), "\(second.errors)")
            try waitForLatch(second)
            #expect(eventually { second.ask("clear").hasPrefix("ok") })
            #expect(second.wait(until: { latches(home + "/dockface").isEmpty }))
        }

        @Test func `a latch of an earlier version, in the runtime folder, is not forgotten, and can be cleared`() throws
        {
            let place = try Place(), dock = try SimulatedDockPort(), home = place.folder + "/home"
            defer { dock.close() }
            mkdir(place.folder + "/dockface", 0o700)
            mkdir(home, 0o700)
            let old = place.marker("latched", dock)
            try Place.write("stall 1700000000\n", to: old)
            let program = try run(place, dock, ["XDG_STATE_HOME": home])
            try waitForLatch(program)
            #expect(program.errors.contains("latched by stall since"), "\(program.errors)")
            #expect(eventually { program.ask("clear").hasPrefix("ok") })
            #expect(program.wait(until: { access(old, F_OK) != 0 }))
        }

        @Test func `a disk without a free byte still latches`() throws {
            let place = try Place(), dock = try SimulatedDockPort()
            defer { dock.close() }
            let full = try run(place, dock, script: "ulimit -f 0")
            try waitForDock(full)
            #expect(full.ask("estop").hasPrefix("ok"))
            let latch = place.marker("latched", dock)
            #expect(full.wait(until: { access(latch, F_OK) == 0 }), "\(full.errors)")
            full.signal(SIGTERM)
            #expect(full.end() == .exit(0), "\(full.errors)")
            #expect(TemporaryFile.text(of: latch) == "")
            dock.reboot()
            let next = try run(place, dock)
            #expect(next.wait(until: { next.errors.contains("latched by device since 2") }), "\(next.errors)")
            try waitForLatch(next)
            #expect(eventually { next.ask("clear").hasPrefix("ok") })
            #expect(next.wait(until: { access(latch, F_OK) != 0 }))
        }

        @Test(.enabled(if: geteuid() == 0, "only root can mount a small disk"), arguments: [true, false])
        func `if not even an empty file can be made, a dock near hands is not driven`(isOutOfNames: Bool) throws {
            let place = try Place(), dock = try SimulatedDockPort(), disk = place.folder + "/disk"
            defer { dock.close() }
            mkdir(disk, 0o700)
            // Three files: the disk's root, the folder, and one that fills it.
            let options = "size=16k,nr_inodes=\(isOutOfNames ? 3 : 9)"
            let program = try run(
                place, dock, ["XDG_STATE_HOME": disk], through: ["/usr/bin/unshare", "-m"],
                script: """
                    mount -t tmpfs -o mode=700,\(options) none \(disk) && mkdir -m 700 \(disk)/dockface || exit 3
                    cat /dev/zero > \(disk)/dockface/filler 2>/dev/null
                    """)
            guard isOutOfNames else {
                // Full, but with room for a name: it runs, and latches.
                try waitForDock(program)
                #expect(program.ask("estop").hasPrefix("ok"))
                let seen = "/proc/\(program.id)/root" + disk + "/dockface"
                #expect(program.wait(until: { latches(seen).count == 1 }), "\(program.errors)")
                return
            }
            #expect(program.end() == .exit(69), "\(program.errors)")
            #expect(
                program.errors.contains("an emergency stop would not outlast this run")
                    && program.errors.contains("XDG_STATE_HOME"), "\(program.errors)")
            #expect(dock.statistics.maximumSpeed < .degrees(0.1))
        }

        @Test(.enabled(if: geteuid() == 0, "only root can mount a disk"))
        func `each change that a read-only disk does not store is reported`() throws {
            let place = try Place(), dock = try SimulatedDockPort(), disk = place.folder + "/disk"
            defer { dock.close() }
            mkdir(disk, 0o700)
            let program = try run(
                place, dock, ["XDG_STATE_HOME": disk], through: ["/usr/bin/unshare", "-m"],
                script: "mount -t tmpfs -o mode=700 none \(disk) || exit 3")
            func remount(_ how: String) -> Bool {
                eventually { system("nsenter -t \(program.id) -m mount -o remount,\(how) \(disk) 2>/dev/null") == 0 }
            }
            func says(_ words: String) -> Bool { program.wait { program.errors.contains(words) } }
            try waitForDock(program)
            // There is no latch, and none to remove.
            try #require(remount("ro"))
            #expect(program.ask("estop").hasPrefix("ok"))
            #expect(says("the latch was not written: this run stays latched"), "\(program.errors)")
            #expect(eventually { program.ask("clear").hasPrefix("ok") })
            #expect(program.ask("torque off").hasPrefix("ok"))
            #expect(says("the torque-off note was not written: the torque stays off in this run"), "\(program.errors)")
            #expect(program.errors.contains("XDG_STATE_HOME") && !program.errors.contains("XDG_DATA_HOME"))
            #expect(!program.errors.contains("was not removed"), "\(program.errors)")
            try #require(remount("rw"))
            #expect(program.ask("estop").hasPrefix("ok"))
            let seen = "/proc/\(program.id)/root" + disk + "/dockface"
            func kept(_ kind: String) -> Bool {
                let names = try? FileManager.default.contentsOfDirectory(atPath: seen)
                return names?.contains { $0.hasPrefix(kind) } ?? false
            }
            #expect(program.wait { kept("latched-") && kept("released-") }, "\(program.errors)")
            // Both exist, and neither can be removed.
            try #require(remount("ro"))
            let losses = program.errors.components(of: "was not written")
            #expect(eventually { program.ask("clear").hasPrefix("ok") })
            #expect(
                says("the latch was not removed: this run is clear, but the next one begins"), "\(program.errors)"
            )
            #expect(program.ask("torque on").hasPrefix("ok"))
            #expect(
                says("the torque-off note was not removed: the torque is on in this run"), "\(program.errors)")
            #expect(program.errors.components(of: "was not written") == losses, "\(program.errors)")
        }

        @Test func `a check also refuses a state folder that others can write to`() throws {
            let place = try Place(), dock = try SimulatedDockPort()
            defer { dock.close() }
            mkdir(place.folder + "/dockface", 0o700)
            chmod(place.folder + "/dockface", 0o777)
            let check = try place.check(dock.path)
            check.tell("y")
            #expect(check.end() == .exit(77) && check.errors.contains("others can write to"), "\(check.errors)")
            #expect(dock.statistics.maximumSpeed < .degrees(0.1))
        }
    }
}
