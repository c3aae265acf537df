import CPosix
import DockControl
import Glibc
import TestSupport
import Testing

/// What must not harm the guard: floods, garbage, signals, ports that accept nothing.
extension GuardTests {
    @Test func `a flood of heartbeats does no harm`() throws {
        let port = try Port(), guardian = try DockGuard()
        defer { guardian.close() }
        guardian.watch(descriptor: port.near, stop: Self.stop)
        let end = monotonicNow() + 0.6
        var sent = 0
        while monotonicNow() < end {
            if cposix_guard_beat(guardian.descriptor, true, monotonicNow()) == 0 { sent += 1 }
        }
        #expect(sent > 1000)
        #expect(port.heard(for: 0.1).bytes.isEmpty)
        #expect(port.heard(for: 1, orUntil: Self.stop.count).bytes == Self.stop, "and then the loop is silent")
    }

    @Test func `garbage on its channel changes nothing`() throws {
        let port = try Port(), guardian = try DockGuard()
        guardian.watch(descriptor: port.near, stop: Self.stop)
        var random = SystemRandomNumberGenerator()
        for size in [0, 1, 2, 3, 15, 16, 17, 20, 272, 273, 4000] {
            for kind in [0, 4, 200, 255] as [UInt8] {
                var bytes = (0..<max(size, 1)).map { _ in UInt8.random(in: 0...255, using: &random) }
                bytes[0] = kind
                _ = send(guardian.descriptor, bytes, size, Int32(MSG_NOSIGNAL))
            }
            // Correct kinds of a wrong size; a watch without a port.
            for kind in [1, 2, 3] as [UInt8] where size != 16 {
                let bytes = [kind] + [UInt8](repeating: 9, count: max(size, 1) - 1)
                _ = send(guardian.descriptor, bytes, size, Int32(MSG_NOSIGNAL))
            }
        }
        // Unexpected descriptors are closed.
        for size in [0, 257] {
            #expect(cposix_guard_watch(guardian.descriptor, port.near, Self.stop, size, 0.25) == -1 && errno == EINVAL)
        }
        for kind in [0, 2, 7] as [UInt8] {
            sendWithPorts([kind] + [UInt8](repeating: 0, count: 15), port.near, guardian)
        }
        #expect(beats(guardian, port, for: 0.4).isEmpty && guardian.isAlive)
        #expect(word("/proc/\(guardian.process)/fd/5").isEmpty)
        #expect(port.heard(for: 1, orUntil: Self.stop.count).bytes == Self.stop)
        guardian.close()
        #expect(!isRunning(guardian.process) || guardian.process == 0)
    }

    @Test func `signals that end other processes do not end it; killed, it is replaced under the same number`() throws {
        let port = try Port(), guardian = try DockGuard()
        let first = guardian.process, number = guardian.descriptor
        for signal in [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGPIPE] { kill(first, signal) }
        guardian.watch(descriptor: port.near, stop: Self.stop)
        #expect(beats(guardian, port, for: 0.3).isEmpty && guardian.isAlive)
        kill(first, SIGKILL)
        #expect(
            eventually(1) {
                _ = guardian.takeIntervention()
                return !guardian.isAlive
            })
        #expect(guardian.renew() && guardian.process != first && guardian.descriptor == number)
        #expect(!guardian.isAlive && guardian.isAwaited, "its report is not awaited")
        #expect(stands(guardian))
        guardian.watch(descriptor: port.near, stop: Self.stop)
        guardian.beat(moving: true, now: monotonicNow())
        #expect(port.heard(for: 1, orUntil: Self.stop.count).bytes == Self.stop)
        guardian.close()
        #expect(!guardian.renew(), "closed stays closed")
    }

    @Test func `only a child is killed, even if its process id is reused`() throws {
        // A grandchild plays the stranger that has the process id now.
        let shell = try Program(["-c", "sleep 60 & echo $!; exec sleep 60"], Self.shell)
        let line = try #require(shell.line()), stranger = try #require(Int32(line))
        #expect(cposix_child_end(stranger), "gone, as far as this process knows")
        #expect(isRunning(stranger) && isRunning(shell.id))
        _ = eventually(1) { cposix_child_end(shell.id) }
        #expect(!isRunning(shell.id) && isRunning(stranger))
        kill(stranger, SIGKILL)
    }

    @Test func `a guard that another part of the process has reaped is replaced, and no other process is killed`()
        throws
    {
        let guardian = try DockGuard()
        let first = guardian.process
        kill(first, SIGKILL)
        var status: Int32 = 0
        #expect(waitpid(first, &status, 0) == first)
        #expect(guardian.renew() && stands(guardian) && guardian.process != first)
        guardian.close()
    }

    @Test func `a guard that its renewal kills is reaped a moment later, not at the end`() throws {
        let guardian = try DockGuard()
        let first = guardian.process
        // It is alive and cannot have ended when the renewal returns.
        #expect(guardian.renew() && stands(guardian))
        #expect(
            eventually(1) {
                guardian.beat(moving: false, now: monotonicNow())
                return !isRunning(first)
            }, "no zombie remains")
        guardian.close()
    }

    static var shell: Program.Setup {
        var setup = Program.Setup()
        setup.path = "/bin/sh"
        return setup
    }

    @Test func `a guard that is held up and reads nothing counts as gone after about a second of heartbeats`() throws {
        let port = try Port(), guardian = try DockGuard()
        guardian.watch(descriptor: port.near, stop: Self.stop)
        guardian.beat(moving: true, now: monotonicNow())
        #expect(eventually(1) { !word("/proc/\(guardian.process)/fd/4").isEmpty })
        kill(guardian.process, SIGSTOP)
        var count = 0
        while guardian.isAlive, count < 1000 {
            guardian.beat(moving: true, now: monotonicNow())
            count += 1
        }
        #expect(count > 8 && count < 60, "\(count) heartbeats, 50 ms apart")
        #expect(guardian.renew() && stands(guardian))
        #expect(port.heard(for: 0.1).bytes.isEmpty, "the guard that was held up did not write")
        guardian.close()
    }

    @Test func `a port that accepts nothing does not hold it up for long`() throws {
        let port = try Port(), guardian = try DockGuard()
        let link = try LinkOpener.open(port.path, serial: .init())
        let block = [UInt8](repeating: 7, count: 4096)
        while link.write(block) {}
        guardian.watch(link, stop: Self.stop)
        guardian.beat(moving: true, now: monotonicNow())
        let start = monotonicNow()
        #expect(eventually(2) { guardian.takeIntervention() != nil })
        #expect(monotonicNow() - start < 0.7)
        guardian.close()
        #expect(monotonicNow() - start < 1.8)
    }

    @Test func `the cost of a heartbeat`() throws {
        let port = try Port(), guardian = try DockGuard()
        guardian.watch(descriptor: port.near, stop: Self.stop)
        let start = monotonicNow()
        var pulse = GuardPulse(), sent = 0, refused = 0
        let count = 20_000
        for _ in 0..<count {
            if cposix_guard_beat(guardian.descriptor, true, start) == 0 { sent += 1 } else { refused += 1 }
        }
        let each = (monotonicNow() - start) / Double(count)
        let before = monotonicNow()
        var due = 0
        for number in 0..<1_000_000 where pulse.isDue(moving: true, now: Double(number) * 1e-6) { due += 1 }
        let policy = (monotonicNow() - before) / 1e6
        print(
            "guard: \(Int(each * 1e9)) ns a beat (\(sent) taken, \(refused) found no room), policy \(policy * 1e9) ns")
        #expect(each < 0.000_2 && due > 10)
        guardian.close()
    }
}
